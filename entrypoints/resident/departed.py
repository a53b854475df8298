"""Runs that ended without a resident to say so: the next one that looks ends them (P8)."""

from tidings.entrypoints.application import Application

MOST_AT_ONCE = 16
"""Runs that are ended at one look; the next look goes on."""


def end_departed(app: Application) -> None:
    """Ends runs whose process is proved dead, and what waited for them, as their own resident does.

    A client may kill its resident before it ends itself. Raises the store's errors.
    """
    for run in app.admission.departed(limit=MOST_AT_ONCE):
        app.admission.end(run.activation_id, reason="process-gone")
        app.post_office.settle_due(run.agent_uid)
        app.asker_changed(run.agent_uid)
        app.ports.journal.write("session.gone", session=run.session_key)
