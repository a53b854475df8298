"""What a person or a script pays for a verb, as a process of its own."""

from benchmark import Benchmark, Reading, Run, Unit, at_most
from homes import Home, posing_as_client, temporary_home
from programs import Program, python, ratio_to_bare, tidings
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.identity.owner import SessionOwner
from tidings.ports.tokens import Provider

EVERYTHING = ConsentScope(senders=None, kinds=None, until_ns=None)


def should_arm(run: Run) -> Reading:
    """``should-arm`` below a registered client whose mark says yes: exit 0, or it does not count."""
    with temporary_home() as home, posing_as_client(home) as owner:
        _register(home, owner)
        home.app.desk.arm(owner, cwd=str(home.folder), scope=EVERYTHING)
        return _beside_bare(run, home, tidings("should-arm", environment=home.environment))


def should_arm_by_file(run: Run) -> Reading:
    """``should-arm`` where nobody said anything and the repository's file says yes."""
    with temporary_home() as home, posing_as_client(home) as owner:
        _register(home, owner)
        (home.folder / ".tidings.toml").write_text("[push]\nauto_arm = true\n", encoding="utf-8")
        return _beside_bare(run, home, tidings("should-arm", environment=home.environment))


def send(run: Run) -> Reading:
    """``send`` to an agent that listens; durable before it returns."""
    with temporary_home() as home, home.library() as library:
        library.join("target").arm()
        words = ("send", "target", "--", "the orders endpoint changed")
        return _beside_bare(run, home, tidings(*words, environment=home.environment))


def ls(run: Run) -> Reading:
    """``ls`` with two living sessions."""
    with temporary_home() as home, home.library() as library:
        library.join("one").arm()
        library.join("two")
        return _beside_bare(run, home, tidings("ls", environment=home.environment))


def _register(home: Home, owner: SessionOwner) -> None:
    home.app.roster.register(
        owner,
        provider=Provider.CLAUDE,
        session_id="bench",
        label="bench",
        cwd=str(home.folder),
        name="bench",
    )


def _beside_bare(run: Run, home: Home, program: Program) -> Reading:
    bare = python("-c", "pass", environment=home.environment)
    return ratio_to_bare(run, "verb", program, bare)


BENCHMARKS = (
    Benchmark(
        name="should-arm",
        claim="should-arm with an explicit mark is at most five bare interpreters",
        unit=Unit.TIMES,
        bound=at_most(5, "issue 3"),
        enforced=True,
        measure=should_arm,
    ),
    Benchmark(
        name="should-arm-by-file",
        claim="should-arm that a repository's file decides is at most six bare interpreters",
        unit=Unit.TIMES,
        bound=at_most(6, "issue 3"),
        enforced=True,
        measure=should_arm_by_file,
    ),
    Benchmark(
        name="send",
        claim="send as a process is at most eight bare interpreters",
        unit=Unit.TIMES,
        bound=at_most(8, "issue 4"),
        because="issue 4 (messages) owns it",
        measure=send,
    ),
    Benchmark(name="ls", claim="ls, for the record", unit=Unit.TIMES, measure=ls),
)
