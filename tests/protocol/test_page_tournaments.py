"""What the page says of tournaments is what the code does: rules, failures, phases, deals and numbers."""

import hashlib
from typing import get_args

import attrs
import pytest

from parlour.protocol import messages as m
from parlour.server.records.fairness import seed
from parlour.server.tournament import deals
from parlour.server.tournament.history import Name
from parlour.server.tournament.lifecycle import TRANSITIONS
from parlour.server.tournament.live import asking, course, games, listing
from parlour.server.tournament.rules import Failures, Remedy, Rules
from tools.protocol_page import page

PAGE = page.text()


def test_the_rules_of_a_tournament_are_those_of_the_code() -> None:
    rows, failures = page.tables(page.section(PAGE, "Rules of a tournament", 3))
    assert [row["field"].strip("`") for row in rows] == [field.name for field in attrs.fields(Rules)]
    told = {row["failure"].strip("`"): row["unless set"].strip("`") for row in failures}
    kinds = {field.name: field.default for field in attrs.fields(Failures) if field.name != "strikes"}
    assert told == kinds
    assert set(told.values()) <= set(get_args(Remedy))


def test_the_phases_of_a_tournament_are_those_of_the_code() -> None:
    rows = page.table(page.section(PAGE, "Phases of a tournament", 3))
    told = {(row["phase"].strip("`"), row["next phase"].strip("`")) for row in rows}
    steps = {(phase, after) for phase, found in TRANSITIONS.items() for after in found.values()}
    assert {after for _, after in told} | {phase for phase, _ in told} == {*get_args(m.Phase), "any"}
    # Games of a paused tournament go on; that it stays paused need not be told.
    # What the server draws in private changes nothing; registration is opened on the way to check-in.
    assert told - {("any", "cancelled")} == {
        (phase, after) for phase, after in steps if after != "cancelled"
    } - {("paused", "paused"), ("announced", "announced")} | {("announced", "check_in")}


def test_the_numbers_are_those_of_the_code() -> None:
    assert course.CHECK_IN_FOR == 60
    assert "check-in for a minute" in page.section(PAGE, "`steer`", 3)
    assert f"from 1 to {course.CHECK_IN_FOR}; null: {course.CHECK_IN_FOR}" in page.section(PAGE, "`steer`", 3)
    assert games.SPARES == 2
    assert "twice at most" in page.section(PAGE, "Appendix C: tournaments")
    assert f"the last {listing.LISTED} that are" in page.section(PAGE, "`tournaments`", 3)
    assert f"up to {asking.WHY_LENGTH} characters" in page.section(PAGE, "`steer`", 3)
    assert f"{deals.LINKS} times over" in page.section(PAGE, "Deals of a tournament", 3)


@pytest.mark.parametrize("number", [0, 1, 7])
def test_a_deal_follows_from_what_the_page_says(number: int) -> None:
    first, nonces = bytes(range(32)), {Name("Zoe"): "b", Name("Ann"): None, Name("ann"): "c"}
    told = first
    for _ in range(500 - 3):
        told = hashlib.sha256(told).digest()
    assert deals.round_secret(first, 3) == told
    own = hashlib.blake2b(f"round 3 deal {number}".encode("ascii"), key=told, digest_size=32).digest()
    in_order = [nonces[name] for name in sorted(nonces)]
    assert deals.deal(told, nonces, 3, number).key == seed(own, in_order)
