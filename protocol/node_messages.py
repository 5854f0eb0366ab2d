"""The messages of a house, which is several servers over one database, and their parts.

Each of its servers is a node. A table, or a tournament that runs, is at one node at a time.
"""

import attrs

from parlour.protocol.message import Event

# Parts of messages


@attrs.frozen
class Node:
    """A server of the house, and where it is reached."""

    name: str
    url: str


@attrs.frozen
class Elsewhere:
    """A table at another node, and where that is reached."""

    table: str
    url: str


# Events


@attrs.frozen
class NodesChanged(Event):
    """A node has come to the house, or gone."""

    SINCE = 3

    nodes: tuple[Node, ...]


@attrs.frozen
class TableAt(Event):
    """You have a seat at a table of another node: resume it there."""

    SINCE = 3

    table: str
    node: str
    url: str
    ticket: str
