"""Where servers are: what people type, and the URLs of a server that runs here."""

import contextlib
import ipaddress
from collections.abc import Iterable, Sequence

import attrs

from parlour.machine.addresses import EVERYWHERE, is_loopback, reached_at
from parlour.protocol.version import DEFAULT_PORT

Bound = tuple[str, int]
"""An address and a port that a server listens on."""


def as_url(typed: str) -> str:
    """A URL from what somebody typed: a scheme and a port may be missing."""
    text = typed.strip()
    if "://" in text:
        return text
    with contextlib.suppress(ValueError):
        text = f"[{ipaddress.IPv6Address(text)}]"
    has_port = ":" in text.rpartition("]")[2]
    return f"ws://{text}" if has_port else f"ws://{text}:{DEFAULT_PORT}"


@attrs.frozen
class Reach:
    """The URLs of a server: for this machine, and for others."""

    here: tuple[str, ...]
    network: tuple[str, ...]


def reach(bound: Iterable[Bound], secure: bool, own: Sequence[str]) -> Reach:
    """How a server that listens there is reached, on a machine with these addresses."""
    here, network = [], []
    for host, port in sorted(bound, key=lambda each: ":" in each[0]):
        if host in EVERYWHERE:
            here.append(_url("::1" if ":" in host else "127.0.0.1", port, secure))
        elif is_loopback(host):
            here.append(_url(host, port, secure))
        network.extend([_url(text, port, secure) for text in reached_at(host, own)])
    return Reach(tuple(here), tuple(network))


def _url(host: str, port: int, secure: bool) -> str:
    return f"{'wss' if secure else 'ws'}://{f'[{host}]' if ':' in host else host}:{port}"
