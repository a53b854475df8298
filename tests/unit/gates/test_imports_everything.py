"""Every module can be imported first, with an empty environment, without a warning."""

import json

from support.project import product_modules, run_python

PROGRAM = """
import importlib, json, sys
failed = {}
for name in json.load(sys.stdin):
    for loaded in [m for m in sys.modules if m == "tidings" or m.startswith("tidings.")]:
        del sys.modules[loaded]
    try:
        importlib.import_module(name)
    except BaseException as error:
        failed[name] = f"{type(error).__name__}: {error}"
print(json.dumps(failed))
"""


def test_every_module_imports_by_itself_without_environment_or_warning() -> None:
    # Each starts with no module of ours loaded, so that no circle hides behind a lucky order.
    modules = product_modules()
    assert len(modules) > 30, "the search for modules found too few to mean anything"
    done = run_python("-W", "error", "-c", PROGRAM, text_in=json.dumps(modules))
    assert done.stderr == ""
    assert json.loads(done.stdout) == {}
