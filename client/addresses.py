"""Where servers are: what people type, and the URLs of a server that runs here."""

import asyncio
import contextlib
import ipaddress
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

import attrs

from parlour.machine.addresses import EVERYWHERE, is_loopback, own_addresses, reached_at
from parlour.protocol.version import DEFAULT_PORT

PATIENCE = 0.5
"""Seconds for an address of this machine to answer."""
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


def only_here(url: str) -> bool:
    """Whether a URL means something on this machine only."""
    host = urlsplit(url).hostname or ""
    with contextlib.suppress(ValueError):
        return is_loopback(host)
    return host == "localhost"


async def reached_by_others(url: str) -> tuple[str, ...]:
    """Where other machines reach the server at a URL that means something here only: it is tried."""
    parts = urlsplit(url)
    there = [_url(host, parts.port or DEFAULT_PORT, parts.scheme == "wss") for host in own_addresses()]
    return tuple([each for each in there if await _listens(each)])


async def _listens(url: str) -> bool:
    parts = urlsplit(url)
    try:
        async with asyncio.timeout(PATIENCE):
            _, writer = await asyncio.open_connection(parts.hostname, parts.port)
    except OSError:  # a timeout is one as well
        return False
    writer.close()
    return True


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
