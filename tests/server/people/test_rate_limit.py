"""Budgets: a name has its own, all names of a network share one, and whoever rests is forgotten."""

import pytest

from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.server.people.identity import Identity
from parlour.server.people.rate_limit import Budget, Networks
from parlour.server.people.session import Session

BUDGET = Budget(per_second=1.0, burst=2, network_per_second=2.0, network_burst=3)


class PeerAt:
    """A peer with nothing but an address."""

    json = False

    def __init__(self, address: str) -> None:
        self.address = address

    def send(self, frame: Frame, urgent: bool = True) -> None:
        raise NotImplementedError

    def hang_up(self, code: int, reason: str) -> None:
        raise NotImplementedError

    def hold(self) -> None:
        raise NotImplementedError

    def let_go(self, forget: bool = False) -> None:
        raise NotImplementedError


def session_at(name: str, address: str) -> Session:
    return Session(Identity(name, False, None, b""), PeerAt(address))


def wait_of(session: Session, networks: Networks, now: float, what: str = "lists") -> float:
    """What `retry_after` says; 0 if it is granted."""
    try:
        session.spend(what, BUDGET, networks, now)
    except ProtocolError as wrong:
        return wrong.retry_after or -1.0
    return 0.0


def test_a_name_has_a_budget_of_its_own() -> None:
    networks, ann = Networks(), session_at("Ann", "10.0.0.1")
    assert [wait_of(ann, networks, 0.0) for _ in range(3)] == [0.0, 0.0, 1.0]
    assert wait_of(ann, networks, 1.0) == 0.0
    assert wait_of(ann, networks, 1.0, "pages") == 0.0


@pytest.mark.parametrize(
    ("one", "other"),
    [("10.0.0.1", "10.0.0.1"), ("2001:db8::1", "2001:db8::2"), ("::ffff:10.0.0.1", "10.0.0.1")],
)
def test_the_names_of_one_network_share_a_budget(one: str, other: str) -> None:
    networks, ann, bob = Networks(), session_at("Ann", one), session_at("Bob", other)
    assert [wait_of(ann, networks, 0.0) for _ in range(2)] == [0.0, 0.0]
    assert [wait_of(bob, networks, 0.0) for _ in range(2)] == [0.0, 0.5]


def test_other_networks_have_budgets_of_their_own() -> None:
    networks = Networks()
    for address in ("10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db8:0:1::1"):
        for number in range(3):
            assert wait_of(session_at(f"{address} {number}", address), networks, 0.0) == 0.0


def test_what_the_network_refuses_is_not_taken_from_the_name() -> None:
    networks, ann, bob = Networks(), session_at("Ann", "10.0.0.1"), session_at("Bob", "10.0.0.1")
    for number in range(3):
        assert wait_of(session_at(f"P{number}", "10.0.0.1"), networks, 0.0) == 0.0
    assert wait_of(ann, networks, 0.0) == 0.5
    assert [wait_of(ann, networks, 10.0) for _ in range(2)] == [0.0, 0.0]
    assert wait_of(bob, networks, 10.0) == 0.0


def test_whoever_waits_as_told_is_not_hasty() -> None:
    networks, ann = Networks(), session_at("Ann", "10.0.0.1")
    for _ in range(3):
        wait = wait_of(ann, networks, 0.0)
    assert not ann.hasty
    assert wait_of(ann, networks, wait) == 0.0 and wait_of(ann, networks, wait) > 0.0 and not ann.hasty
    assert wait_of(ann, networks, wait + 0.1) > 0.0 and ann.hasty


def test_a_network_that_has_rested_is_forgotten() -> None:
    networks = Networks()
    for number in range(100):
        assert wait_of(session_at("Ann", f"10.0.0.{number}"), networks, float(number)) == 0.0
    assert len(networks) < 5
