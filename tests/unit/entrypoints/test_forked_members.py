"""A process that was forked is another process: it does nothing in its parent's name (P1)."""

import json
from pathlib import Path

from support.project import run_python

SCRIPT = """
import json, os, sys
from tidings import Tidings, TidingsError

tidings = Tidings.open(sys.argv[1])
api, front = tidings.join("api"), tidings.join("front")
api.arm()
ref = front.send("api", "before").ref
calls = {
    "join": lambda: tidings.join("child"),
    "join again": lambda: tidings.join("api"),
    "sessions": tidings.sessions,
    "integrity": tidings.integrity,
    "show": lambda: tidings.show(ref),
    "wait": lambda: tidings.wait(ref, timeout=0),
    "operator": lambda: tidings.operator("mux"),
    "operator sends": lambda: operator.send("api", "from the child"),
    "send": lambda: front.send("api", "from the child"),
    "answer": lambda: api.answer(ref, "from the child"),
    "inbox": api.inbox,
    "arm": lambda: front.arm(),
    "disarm": api.disarm,
    "leave": api.leave,
}
operator = tidings.operator("mux")
reading, writing = os.pipe()
if os.fork() == 0:
    done = []
    for name, call in calls.items():
        try:
            call()
            done.append(name)
        except TidingsError as error:
            assert "Tidings.open()" in error.next_step, error
    tidings.close()
    with Tidings.open(sys.argv[1]) as own:
        child = own.join("child")
        done.append(child.address)
    os.write(writing, json.dumps(done).encode())
    os._exit(0)
os.close(writing)
os.wait()
print(json.dumps({
    "child": json.loads(os.read(reading, 65536)),
    "living": sorted(one.address for one in tidings.sessions()),
    "consent": {one.address: one.consent for one in tidings.sessions()},
    "waiting": [one.text for one in api.inbox()],
}))
"""


def test_a_forked_child_sends_pulls_changes_and_ends_nothing(tmp_path: Path) -> None:
    ran = run_python("-c", SCRIPT, str(tmp_path / "state"))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout) == {
        "child": ["child"],
        "living": ["api", "front"],
        "consent": {"api": "armed", "front": "none"},
        "waiting": ["before"],
    }
