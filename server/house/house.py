"""What lobby, tables and tournaments need of the house that a server belongs to; and a house of one."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import attrs

from parlour.protocol.messages import Hello
from parlour.server.house.directory import Directory, Entry


@attrs.frozen
class Proof:
    """What a house says to a hello."""

    number: int = 0
    """Larger than that of every hello before it, in the whole house; by ticket that of its line."""
    name: str | None = None
    """Whose ticket it was, if there was a good one."""


NO_PROOF = Proof()


class House(Protocol):
    """The servers that name one database, as one of them sees them."""

    node: str
    """The name of this one, empty if it is alone."""
    url: str
    """The address of this one, for clients that ask it where their tables are."""
    nodes: Mapping[str, str]
    """The addresses of all nodes that live, by name; none if the server is alone."""
    addresses: tuple[str, ...]
    """Of all nodes, also of those that are over: pages that were opened there go on at the others."""
    directory: Directory

    @property
    def over(self) -> bool:
        """Whether this node may have lost what it had: then it tells nothing more of it."""

    def identify(self, hello: Hello, then: Callable[[Callable[[], Proof]], None]) -> None:
        """Reads what the house knows of who says hello; `then` gets what returns a proof, or raises."""

    def find(self, command: object, name: str) -> Entry | None:
        """The table or tournament of another node that a command names, if this name may know of it."""

    def locate(self, command: object, name: str, then: Callable[[Callable[[], Entry | None]], None]) -> None:
        """Asks the database for one of which this node has not heard, or not that the name may know of it."""

    def ticket(self, name: str, line: int, node: str, then: Callable[[Callable[[], str]], None]) -> None:
        """Makes a proof of a name for a hello at another node, as good as the line of that number."""

    def tell(self, event: Mapping[str, Any]) -> None:
        """Tells all other nodes."""

    def note_line(self, name: str, follows: bool | None) -> None:
        """Tells them of a line that was opened, and whether it follows tables elsewhere, or closed (None)."""


class Alone:
    """For a server that shares its archive with nobody."""

    node = url = ""
    over = False

    def __init__(self) -> None:
        self.nodes: Mapping[str, str] = {}
        self.addresses: tuple[str, ...] = ()
        self.directory = Directory()

    def identify(self, hello: Hello, then: Callable[[Callable[[], Proof]], None]) -> None:  # noqa: ARG002
        then(_no_proof)

    def find(self, command: object, name: str) -> Entry | None:  # noqa: ARG002
        return None

    def locate(
        self,
        command: object,  # noqa: ARG002
        name: str,  # noqa: ARG002
        then: Callable[[Callable[[], Entry | None]], None],
    ) -> None:
        then(lambda: None)

    def ticket(self, name: str, line: int, node: str, then: Callable[[Callable[[], str]], None]) -> None:
        raise RuntimeError(f"{name} asks for {node} on {line}, and there is no other node: {then}")

    def tell(self, event: Mapping[str, Any]) -> None: ...

    def note_line(self, name: str, follows: bool | None) -> None: ...


def _no_proof() -> Proof:
    return NO_PROOF
