"""What this build speaks."""

import functools
from importlib.metadata import version as installed

PROTOCOL = 1
"""The only protocol version so far; a peer names those it speaks in `hello`, the server picks one."""
MINOR = 3
"""Grows when messages or fields are added; a client needs not look at it."""
MSGPACK = "parlour.v1"
JSON = "parlour.v1.json"
SUBPROTOCOLS = (MSGPACK, JSON)
FEATURES = ("chat", "lobby", "watch", "bots", "nonces", "rematch", "tournaments")
"""What a client may leave aside; each is named in `hello` by whoever wants it."""
NODES = "nodes"
"""The feature that only the nodes of a house have: protocol/node_messages.py."""
DEFAULT_PORT = 21925
"""The race of Hurry' Cup was driven in 1925; below 32768, so that no outgoing connection takes it."""


@functools.cache
def build() -> str:
    """This build's name and version, as `welcome` and `--version` tell it: read from the disk once."""
    return f"parlour {installed('parlour')}"
