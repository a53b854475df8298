"""``tidings message settle``: ends what can never go out any more, where no resident is there to."""

from collections.abc import Sequence

from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.desk import open_call
from tidings.entrypoints.cli.listing import print_views
from tidings.entrypoints.cli.output import write_line
from tidings.entrypoints.cli.parsing import TARGET, VerbParser
from tidings.ports.errors import NotRunning

ALL_TARGETS = f"{TARGET}; without it every one for which a message is on its way"


def run(words: Sequence[str]) -> int:
    """Prints the messages that ended by it. Exit 0, also where there was nothing to end."""
    parser = VerbParser("message settle")
    parser.operand("TARGET", ALL_TARGETS, nargs="?")
    parser.option("--json")
    options = parser.read(words)
    app = open_call().app
    ended = [ref for uid in _targets(app, options.target) for ref in app.settle(uid)]
    views = [app.post_office.view(ref) for ref in ended]
    if not views and not options.json:
        write_line("nothing to settle")
        return 0
    return print_views(app, views, as_json=options.json)


def _targets(app: Application, target: str | None) -> Sequence[str]:
    if target is None:
        return app.browser.open_targets()
    try:
        return (app.admission.resolve(target).agent_uid,)
    except NotRunning:
        run_before = app.admission.last_run(target)
        return () if run_before is None else (run_before.agent_uid,)
