"""What tournaments need of a house of several nodes; a server that is alone has nothing of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

CHANGED, CANCELLED, GONE = "tournament_changed", "tournament_cancelled", "entrant_gone"
ERRAND, ERRAND_DONE = "errand", "errand_done"
"""What a node tells the others, which may have games of its tournament."""


class House(Protocol):
    """The other nodes, as tournaments see them."""

    @property
    def node(self) -> str:
        """The name of this one, empty if it is alone."""

    def node_of(self, id: str) -> str | None:
        """The other node that has a table or a tournament; None: no other has it."""

    def has_line(self, name: str) -> bool:
        """Whether somebody is connected to another node."""

    def node_for(self, names: Sequence[str]) -> str | None:
        """The other node at which these players should play: the least busy one; None: here.

        A client that does not follow tables to other nodes binds the game to its own.
        """

    def url_of(self, id: str) -> str | None:
        """The address of that node."""

    def give(self, table: str, node: str, otherwise: Callable[[], None]) -> None:
        """Hands a table over to another node, which restores it and goes on; `otherwise` if it stays here."""

    def tell(self, event: Mapping[str, Any]) -> None:
        """Tells all other nodes of something."""

    def tell_of(self, id: str, event: Mapping[str, Any], ends: bool) -> None:
        """Tells them of a tournament of this node, or of its end."""

    def announce(self, table: str) -> None:
        """Tells all other nodes who sits at a table of this one: players may be there."""

    def note(self, id: str, node: str, epoch: int) -> None:
        """Notes that another node has a tournament, since that epoch of its lease."""

    def forget(self, id: str) -> None:
        """Notes that a tournament is over."""


class NoHouse:
    """This server is alone."""

    node = ""

    def node_of(self, id: str) -> str | None:  # noqa: ARG002
        return None

    def has_line(self, name: str) -> bool:  # noqa: ARG002
        return False

    def node_for(self, names: Sequence[str]) -> str | None:  # noqa: ARG002
        return None

    def url_of(self, id: str) -> str | None:  # noqa: ARG002
        return None

    def give(self, table: str, node: str, otherwise: Callable[[], None]) -> None:  # noqa: ARG002
        otherwise()

    def tell(self, event: Mapping[str, Any]) -> None: ...

    def tell_of(self, id: str, event: Mapping[str, Any], ends: bool) -> None: ...

    def announce(self, table: str) -> None: ...

    def note(self, id: str, node: str, epoch: int) -> None: ...

    def forget(self, id: str) -> None: ...
