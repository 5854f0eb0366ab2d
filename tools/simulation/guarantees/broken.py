"""A guarantee that was not kept."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.simulation.peer import Peer

Plain = dict[str, Any]


class Broken(AssertionError):
    """A guarantee that was not kept."""

    def __init__(self, guarantee: str, who: str, what: str) -> None:
        super().__init__(f"{guarantee} is broken for {who}: {what}")
        self.guarantee = guarantee


def hold(true: object, guarantee: str, peer: "Peer", what: str) -> None:
    if not true:
        raise Broken(guarantee, peer.name, what)
