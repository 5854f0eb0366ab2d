"""The simulation bites: it finds faults that are planted into the server, and those that it once had."""

import pytest
from support import soak

from tools.simulation.faults.every import EVERY, PLANTED, found_by
from tools.simulation.faults.planting import Edit, Fault, Moved, planted

NEARBY = 600
"""Seeds that are tried when the known one finds nothing: a change of the server changes all worlds."""
ANEW = soak.count(0, 5_000)
"""Seeds among which each fault is searched anew."""


KNOWN = [fault for fault in EVERY if fault.seed is not None]


@pytest.mark.parametrize("fault", KNOWN, ids=lambda fault: fault.name)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    nearby = [fault.seed or 0, *range(NEARBY)]
    assert found_by(fault, nearby), f"python -m tools.simulate --planted '{fault.name}' --count 5000"


def test_of_fifty_faults_at_least_48_are_found_among_the_first_seeds() -> None:
    missed = [fault.name for fault in PLANTED if fault.seed is None]
    if ANEW:
        known = [fault for fault in PLANTED if fault.seed is not None]
        missed += [fault.name for fault in known if not found_by(fault, range(ANEW))]
    assert len(PLANTED) >= 50 and len(missed) <= len(PLANTED) * 2 // 50, missed


def test_nothing_is_left_of_a_fault() -> None:
    for fault in EVERY:
        with planted(fault):
            pass
    assert found_by(Fault("nothing", 0, ()), range(20)) is None


@pytest.mark.parametrize(
    "edit",
    [
        Edit("server.people.session:Session.no_such_method", "frame", "None"),
        Edit("server.people.session:Session._answer", "these words are not there", "None"),
        Edit("server.people.session:Session._answer", "self", "None"),
        Edit("server.people.session:REMEMBERED", "256", "1"),
    ],
    ids=["no function", "no words", "words that stand twice", "no function either"],
)
def test_a_fault_that_has_lost_its_place_is_not_planted(edit: Edit) -> None:
    with pytest.raises(Moved), planted(Fault("moved", 0, (edit,))):
        pass
