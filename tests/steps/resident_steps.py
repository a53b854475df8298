"""Steps about residents, their leases and their misfortunes (P9, P11)."""

from pytest_bdd import given, then, when

from steps.memory_world import MemoryWorld
from steps.phrases import phrase, token_of
from steps.pretended_resident import Life, PretendedResident
from tidings.domain.registration.claim import ClaimRefused
from tidings.ports.agents import RegistrationRow


@given(phrase("the resident of {name:name} hangs"))
def hangs(memory: MemoryWorld, name: str) -> None:
    memory.residents[name].is_hung = True


@given(phrase("the resident of {name:name} has ended"))
def resident_has_ended(memory: MemoryWorld, name: str) -> None:
    memory.residents[name].die()


@given(phrase("another resident has taken over {name:name}"))
@when(phrase("another resident takes over {name:name}"))
def taken_over(memory: MemoryWorld, name: str) -> None:
    memory.station(name)


@given(phrase("another resident has taken over {name:name} and hangs as well"))
def taken_over_and_hangs(memory: MemoryWorld, name: str) -> None:
    memory.station(name).is_hung = True


@given(phrase("another resident takes over {name:name} right before the next write"))
def taken_over_before_write(memory: MemoryWorld, name: str) -> None:
    memory.machine.witness.before_write = lambda: taken_over(memory, name)


@when(phrase("the old resident of {name:name} goes on"))
def old_goes_on(memory: MemoryWorld, name: str) -> None:
    memory.replaced[name].is_hung = False


@when(phrase("the new resident of {name:name} goes on"))
def new_goes_on(memory: MemoryWorld, name: str) -> None:
    memory.residents[name].is_hung = False


@when(phrase("the old resident of {name:name} leaves"))
def old_leaves(memory: MemoryWorld, name: str) -> None:
    memory.replaced[name].leave()


@when(
    phrase("a resident that looked before the present one claims {name:name}"),
    target_fixture="lease_before",
)
def late_claim(memory: MemoryWorld, name: str) -> RegistrationRow | None:
    before = memory.lease(name)
    newcomer = PretendedResident(memory.machine, memory.harnesses[name])
    outcome = newcomer.claim_after("")
    newcomer.die()
    assert isinstance(outcome, ClaimRefused), "the claim went through"
    memory.note(f"claim {name}", outcome.reason, 1)
    return before


@then(phrase("the claim is refused: {why}"))
def claim_refused(memory: MemoryWorld, why: str) -> None:
    token = token_of(why)
    memory.ledger.state(lambda met: met.token == token, f"a claim refused as {token}")


@then(phrase("{name:name} is reached by the same resident as before"))
def same_lease(memory: MemoryWorld, lease_before: RegistrationRow | None, name: str) -> None:
    assert lease_before is not None
    assert memory.lease(name) == lease_before
    assert lease_before.resident == memory.residents[name].birth


@then(phrase("the registration of {name:name} is of the new resident, and ready"))
def new_lease(memory: MemoryWorld, name: str) -> None:
    lease, new = memory.lease(name), memory.residents[name]
    assert lease is not None
    assert (lease.generation, lease.resident, lease.ready) == (new.generation, new.birth, True)


@then(phrase("the old resident of {name:name} is fenced"))
def is_fenced(memory: MemoryWorld, name: str) -> None:
    assert memory.replaced[name].life is Life.FENCED


@then(phrase("the new resident of {name:name} wrote it"))
def wrote_it(memory: MemoryWorld, name: str) -> None:
    assert memory.view().row.writer_generation == memory.residents[name].generation


@given(phrase("the resident of {name:name} is killed in its next write"))
def killed_in_write(memory: MemoryWorld, name: str) -> None:
    memory.machine.witness.kill_writer = True


@given(phrase("the next ring at {name:name} is lost"))
def ring_lost(memory: MemoryWorld, name: str) -> None:
    memory.machine.bells.loses_next.add(memory.residents[name].owner.key)


@given("the disk is full")
@when("the disk fills up")
def disk_full(memory: MemoryWorld) -> None:
    memory.machine.disk.is_full = True


@when("the disk has room again")
def disk_free(memory: MemoryWorld) -> None:
    memory.machine.disk.is_full = False
