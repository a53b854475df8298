"""Once a message may be stored, no error hides its ref."""

import pytest

from tidings import Receipt, Tidings
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.receipts import told
from tidings.entrypoints.twin import MemoryPorts
from tidings.ports.errors import StoreLocked


@pytest.fixture
def app() -> Application:
    return Application(MemoryPorts())


@pytest.fixture
def stored(app: Application) -> str:
    tidings = Tidings(app)
    tidings.join("api").arm()
    receipt = tidings.join("front").send("api", "hello", ref="build-1")
    assert isinstance(receipt, Receipt)
    return receipt.ref


def test_an_error_after_the_message_was_stored_names_it(app: Application, stored: str) -> None:
    with pytest.raises(StoreLocked) as caught, told(app, stored, as_json=False):
        raise StoreLocked("the store is locked")
    assert caught.value.text == "the store is locked; build is held (awaiting-pull)"
    assert caught.value.next_step == "`tidings show build` tells how it goes"


@pytest.mark.parametrize(
    ("fault", "said"),
    [(KeyboardInterrupt(), "interrupted"), (RuntimeError(), "this command failed")],
)
def test_an_interruption_or_a_fault_of_ours_names_it_too(
    fault: BaseException,
    said: str,
    app: Application,
    stored: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(type(fault)), told(app, stored, as_json=False):
        raise fault
    assert capsys.readouterr().err.startswith(f"tidings: {said}: build is held (awaiting-pull) ")


def test_where_nothing_was_stored_nothing_is_said(
    app: Application, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeyboardInterrupt), told(app, "mabcdefgh", as_json=False):
        raise KeyboardInterrupt
    with pytest.raises(StoreLocked) as caught, told(app, "mabcdefgh", as_json=False):
        raise StoreLocked("the store is locked")
    assert caught.value.text == "the store is locked"
    assert capsys.readouterr().err == ""


def test_where_nobody_can_look_it_is_said_that_nobody_knows(
    app: Application,
) -> None:
    class NoLook:
        def view(self, ref: str) -> None:
            raise StoreLocked(f"no look at {ref}")

    app.__dict__["post_office"] = NoLook()
    with pytest.raises(StoreLocked) as caught, told(app, "mabcdefgh", as_json=False):
        raise StoreLocked("the store is locked")
    assert caught.value.text == "the store is locked; whether mabcdefgh was stored is not known"
