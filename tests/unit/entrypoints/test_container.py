"""The container names what assembly has, and nothing else."""

import inspect
from pathlib import Path
from typing import Any, cast

import pytest
from dependency_injector import providers

from tidings.adapters.memory.clock import ManualClock
from tidings.entrypoints import assembly
from tidings.entrypoints.application import Application, Ports
from tidings.entrypoints.assembly import SystemPorts
from tidings.entrypoints.container import Container
from tidings.entrypoints.given import GivenPorts
from tidings.entrypoints.places import Places, find_places
from tidings.entrypoints.twin import MemoryPorts

PORTS = [name for name, value in vars(Ports).items() if isinstance(value, property)]


def provided(container: Container) -> dict[str, providers.Factory[Any]]:
    return {name: cast("Any", one) for name, one in container.providers.items()}


def container_in(folder: Path) -> Container:
    container = Container()
    replace(container.places, Places(state=str(folder / "state"), runtime=str(folder / "run")))
    replace(container.environment, {"HOME": str(folder)})
    return container


def replace(provider: Any, value: object) -> None:
    """As an embedder does it."""
    provider.override(providers.Object(value))


def test_every_provider_names_a_function_of_assembly_or_what_wires_them() -> None:
    functions = {one for _, one in inspect.getmembers(assembly, inspect.isfunction)}
    wiring = {find_places, GivenPorts, Application}
    for name, provider in provided(Container()).items():
        if name in ("__self__", "environment"):
            continue
        assert provider.provides in functions | wiring, name


def test_every_port_is_in_every_set_of_ports() -> None:
    assert len(PORTS) >= 16
    assert set(PORTS) <= set(GivenPorts.__slots__)
    assert set(PORTS) <= set(vars(MemoryPorts()))
    assert set(PORTS) <= set(vars(SystemPorts))
    assert set(PORTS) <= set(Container().providers)


@pytest.mark.parametrize("name", PORTS)
def test_any_port_can_be_replaced(name: str, tmp_path: Path) -> None:
    container, mine = container_in(tmp_path), getattr(MemoryPorts(), name)
    replace(getattr(container, name), mine)
    assert getattr(container.application().ports, name) is mine


def test_an_application_from_the_container_works_and_touches_nothing_before_a_write(
    tmp_path: Path,
) -> None:
    container = container_in(tmp_path)
    replace(container.clock, ManualClock())
    app = container.application()
    assert app is container.application()
    assert app.admission.living() == ()
    assert not (tmp_path / "state").exists()


def test_two_containers_share_nothing(tmp_path: Path) -> None:
    one, other = container_in(tmp_path / "a"), container_in(tmp_path / "b")
    assert one.store() is not other.store()
    assert one.places().state != other.places().state


def test_system_ports_are_made_once_and_only_when_asked_for(tmp_path: Path) -> None:
    ports = SystemPorts(Places(state=str(tmp_path / "s"), runtime=str(tmp_path)), {})
    assert ports.store is ports.store
    assert ports.codec is ports.codec
    assert not (tmp_path / "s").exists()
