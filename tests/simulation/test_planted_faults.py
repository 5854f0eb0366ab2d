"""The simulation bites: it finds faults that are planted into the server, and those that it once had."""

from pathlib import Path

import pytest
from support import soak
from support.paths import ROOT

from tools.simulation.faults.every import EVERY, PLANTED, found_by, note_seed
from tools.simulation.faults.planting import Edit, Fault, Moved, planted

FIRST = 60
"""Seeds that are tried when the known one finds nothing: a change of the server changes all worlds.

Four faults of five are found among them, so that a change asks for new seeds of the rare ones only.
"""
STALE = "python -m tools.simulate --planted --stale --count 5000"
"""Finds new seeds for the faults whose known ones are stale, and notes them."""
ANEW = soak.count(0, 5_000)
"""Seeds among which each fault is searched anew."""


KNOWN = [fault for fault in EVERY if fault.seed is not None]


@pytest.mark.parametrize("fault", KNOWN, ids=lambda fault: fault.name)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    assert found_by(fault, [fault.seed or 0, *range(FIRST)]), f"its seed is stale: {STALE}"


def test_of_fifty_faults_at_least_48_are_found_among_the_first_seeds() -> None:
    missed = [fault.name for fault in PLANTED if fault.seed is None]
    if ANEW:
        known = [fault for fault in PLANTED if fault.seed is not None]
        missed += [fault.name for fault in known if not found_by(fault, range(ANEW))]
    assert len(PLANTED) >= 50 and len(missed) <= len(PLANTED) * 2 // 50, missed


def test_a_new_seed_is_noted_where_the_fault_is_written(tmp_path: Path) -> None:
    files = sorted((ROOT / "tools/simulation/faults").glob("*.py"))
    for file in files:
        (tmp_path / file.name).write_bytes(file.read_bytes())
    for number, fault in enumerate(EVERY, 1_000_000):
        note_seed(fault, number, tmp_path)
    texts = "".join((tmp_path / file.name).read_text(encoding="utf-8") for file in files)
    for number in range(1_000_000, 1_000_000 + len(EVERY)):
        assert texts.count(f"{number},") == 1


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
        Edit("server.people.remembered:REMEMBERED", "256", "1"),
    ],
    ids=["no function", "no words", "words that stand twice", "no function either"],
)
def test_a_fault_that_has_lost_its_place_is_not_planted(edit: Edit) -> None:
    with pytest.raises(Moved), planted(Fault("moved", 0, (edit,))):
        pass
