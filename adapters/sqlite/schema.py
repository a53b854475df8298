"""The tables of ``tidings.db`` and the rule for their version (D26, D30)."""

from typing import Final

PLAIN_FORMAT: Final = 2
"""Agents' own messages only (M 7.2)."""

ORIGIN_FORMAT: Final = 3
"""At least one stored message carries an origin."""

FORMATS: Final = frozenset({PLAIN_FORMAT, ORIGIN_FORMAT})
MINOR: Final = 3
"""Raised with every addition that an older reader of the same format may ignore (D14)."""

TABLES: Final = (
    """CREATE TABLE meta (
        name TEXT PRIMARY KEY,
        value INTEGER NOT NULL
    )""",
    """CREATE TABLE agents (
        agent_uid TEXT PRIMARY KEY,
        provider TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        created_at_ns INTEGER NOT NULL
    )""",
    "CREATE INDEX agents_by_conversation ON agents (provider, conversation_id)",
    """CREATE TABLE activations (
        activation_id TEXT PRIMARY KEY,
        agent_uid TEXT NOT NULL,
        session_key TEXT NOT NULL,
        provider TEXT NOT NULL,
        owner_pid INTEGER NOT NULL,
        owner_uid INTEGER NOT NULL,
        owner_start TEXT NOT NULL,
        machine_id TEXT NOT NULL,
        host TEXT NOT NULL,
        boot_id TEXT NOT NULL,
        pid_namespace TEXT NOT NULL,
        mount_namespace TEXT NOT NULL,
        initial_pid_namespace INTEGER NOT NULL,
        state_is_local INTEGER NOT NULL,
        conversation_id TEXT NOT NULL,
        address TEXT NOT NULL,
        label TEXT NOT NULL,
        cwd TEXT NOT NULL,
        started_at_ns INTEGER NOT NULL,
        ended_at_ns INTEGER,
        end_reason TEXT NOT NULL
    )""",
    "CREATE INDEX activations_by_session ON activations (session_key)",
    "CREATE INDEX activations_by_agent ON activations (agent_uid)",
    "CREATE INDEX activations_by_address ON activations (address)",
    "CREATE INDEX activations_open_by_address ON activations (address) WHERE ended_at_ns IS NULL",
    "CREATE INDEX activations_open ON activations (started_at_ns) WHERE ended_at_ns IS NULL",
    """CREATE TABLE registrations (
        activation_id TEXT PRIMARY KEY,
        generation TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        resident_pid INTEGER,
        resident_uid INTEGER,
        resident_start TEXT,
        ready INTEGER NOT NULL,
        client_version TEXT NOT NULL,
        claimed_at_ns INTEGER NOT NULL
    )""",
    """CREATE TABLE interactions (
        session_key TEXT PRIMARY KEY,
        state TEXT NOT NULL,
        spool_offset INTEGER NOT NULL
    )""",
    """CREATE TABLE messages (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        ref TEXT NOT NULL UNIQUE,
        conversation_ref TEXT NOT NULL,
        reply_to TEXT,
        kind TEXT NOT NULL,
        source_agent TEXT,
        target_agent TEXT NOT NULL,
        target_activation TEXT NOT NULL,
        envelope TEXT NOT NULL,
        payload_sha256 TEXT NOT NULL,
        accepted_at_ns INTEGER NOT NULL,
        accepted_boottime_ns INTEGER NOT NULL,
        boot_id TEXT NOT NULL,
        ttl_ns INTEGER NOT NULL,
        state TEXT NOT NULL,
        reason TEXT NOT NULL,
        outcome_unknown INTEGER NOT NULL,
        terminal_at_ns INTEGER,
        consent_generation INTEGER,
        transport TEXT,
        writer_generation TEXT,
        handoff_at_ns INTEGER,
        frame_sha256 TEXT,
        seen_at_ns INTEGER,
        unseen_at_ns INTEGER,
        answered_at_ns INTEGER,
        answer_ref TEXT,
        supersede_key TEXT
    )""",
    """CREATE INDEX messages_waiting ON messages (
        target_agent, seq, target_activation, boot_id, accepted_boottime_ns, accepted_at_ns, ttl_ns
    ) WHERE terminal_at_ns IS NULL AND handoff_at_ns IS NULL""",
    """CREATE INDEX messages_marked ON messages (target_agent, seq)
        WHERE terminal_at_ns IS NULL AND handoff_at_ns IS NOT NULL""",
    """CREATE INDEX messages_unproved ON messages (target_agent, seq)
        WHERE state = 'delivered' AND answered_at_ns IS NULL
        AND seen_at_ns IS NULL AND unseen_at_ns IS NULL""",
    """CREATE INDEX messages_unanswered_by_target ON messages (target_agent, seq)
        WHERE state = 'delivered' AND answered_at_ns IS NULL""",
    """CREATE INDEX messages_unanswered_by_source ON messages (source_agent, seq)
        WHERE answered_at_ns IS NULL""",
    """CREATE INDEX messages_by_key ON messages (target_agent, supersede_key, seq)
        WHERE supersede_key IS NOT NULL AND terminal_at_ns IS NULL""",
    """CREATE INDEX messages_by_pair ON messages (source_agent, target_agent, seq)
        WHERE source_agent IS NOT NULL""",
    "CREATE INDEX messages_by_original ON messages (reply_to) WHERE reply_to IS NOT NULL",
    "CREATE INDEX messages_with_origin ON messages (seq) WHERE kind <> 'agent'",
    """CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        ref TEXT NOT NULL,
        at_ns INTEGER NOT NULL,
        name TEXT NOT NULL,
        reason TEXT NOT NULL
    )""",
    "CREATE INDEX events_by_ref ON events (ref)",
    """CREATE INDEX messages_ended ON messages (terminal_at_ns, seq)
        WHERE terminal_at_ns IS NOT NULL""",
    """CREATE TABLE history (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        ref TEXT NOT NULL UNIQUE,
        evicted_at_ns INTEGER NOT NULL,
        cause TEXT NOT NULL,
        retry_sha256 TEXT NOT NULL,
        state TEXT NOT NULL,
        reason TEXT NOT NULL,
        outcome_unknown INTEGER NOT NULL,
        evidence TEXT NOT NULL,
        accepted_at_ns INTEGER NOT NULL,
        ttl_ns INTEGER NOT NULL,
        line TEXT NOT NULL
    )""",
    "CREATE INDEX history_by_age ON history (evicted_at_ns)",
    """CREATE TABLE trials (
        client TEXT PRIMARY KEY,
        ref TEXT NOT NULL,
        outcome TEXT NOT NULL
    )""",
    f"INSERT INTO meta (name, value) VALUES ('minor', {MINOR})",
)
