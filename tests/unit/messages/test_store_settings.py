"""How much the store keeps is what the user's file says, or an error: never something else (D31)."""

import pytest

from tidings import Refused, Tidings
from tidings.domain.messages.room import DAY_NS, SHIPPED_LIMITS, StoreLimits
from tidings.domain.messages.store_settings import store_limits
from tidings.entrypoints.application import Application
from tidings.entrypoints.twin import MemoryPorts
from tidings.ports.codec import Document, Value
from tidings.ports.errors import StateUnreadable
from tidings.ports.settings import NO_PLACE, SettingsAbsent, SettingsRead, SettingsWrong


def said(document: Document) -> StoreLimits:
    return store_limits(SettingsRead(path="/home/me/config.toml", digest="", document=document))


def test_what_the_table_names_counts_and_the_rest_is_as_shipped() -> None:
    assert store_limits(SettingsAbsent()) == SHIPPED_LIMITS
    assert store_limits(SettingsWrong(path=NO_PLACE, why="no place")) == SHIPPED_LIMITS
    assert said({"push": {"auto_arm": False}}) == SHIPPED_LIMITS
    assert said({"store": {}}) == SHIPPED_LIMITS
    assert said({"store": {"records": 7}}) == StoreLimits(records=7)
    assert said({"store": {"bytes": 1 << 20}}) == StoreLimits(size_bytes=1 << 20)
    assert said({"store": {"retention_days": 1}}) == StoreLimits(history_retention_ns=DAY_NS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("records", wrong) for wrong in (0, -1, True, 1.0, "7", [7], 100_000_001)),
        *(("bytes", wrong) for wrong in (0, (1 << 20) - 1, "1 GB", (1 << 40) + 1)),
        *(("retention_days", wrong) for wrong in (0, -1, 0.5, 36_501)),
        *((wrong, 7) for wrong in ("record", "size_bytes", "retention")),
    ],
)
def test_a_wrong_value_or_word_is_an_error_that_names_it(name: str, value: Value) -> None:
    with pytest.raises(StateUnreadable, match=rf"config\.toml: store\.{name} is ") as raised:
        said({"store": {name: value}})
    assert "[store]" in raised.value.next_step


def test_a_store_that_is_no_table_is_an_error() -> None:
    with pytest.raises(StateUnreadable, match="store is not an object"):
        said({"store": 7})


@pytest.fixture
def world() -> MemoryPorts:
    return MemoryPorts()


def test_what_is_configured_is_what_fits(world: MemoryPorts) -> None:
    world.settings.write_personal({"store": {"records": 2}})
    with Tidings(Application(world)) as tidings:
        api, front = tidings.join("api"), tidings.join("front")
        api.arm()
        sent = [front.send("api", "hello") for _ in range(3)]
        assert [getattr(one, "reason", "") for one in sent][2] == "store-full"


@pytest.mark.parametrize("is_spoiled", [True, False])
def test_nothing_is_sent_or_answered_under_limits_that_cannot_be_told(
    world: MemoryPorts, *, is_spoiled: bool
) -> None:
    with Tidings(Application(world)) as tidings:
        api, front = tidings.join("api"), tidings.join("front")
        api.arm()
        asked = front.send("api", "hello", ref="job-1")
        assert not isinstance(asked, Refused)
        api.inbox()
    if is_spoiled:
        world.settings.spoil("memory:config.toml")
    else:
        world.settings.write_personal({"store": {"record": 2}})
    with Tidings(Application(world)) as tidings:
        api, front = tidings.join("api"), tidings.join("front")
        with pytest.raises(StateUnreadable, match="how much the store may keep"):
            front.send("api", "hello again")
        with pytest.raises(StateUnreadable, match="how much the store may keep"):
            api.answer("job-1", "hello back")
        assert tidings.show("job-1").state == "delivered"
        rows = world.store.view(lambda tx: tx.recent(after_seq=0, limit=9))
        assert [row.ref for row in rows] == ["job-1"]
