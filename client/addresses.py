"""Where servers are: what people type, and under which addresses this machine can be reached."""

import contextlib
import ipaddress
from collections.abc import Iterable, Sequence

import attrs
import ifaddr

from parlour.protocol.version import DEFAULT_PORT

Bound = tuple[str, int]
"""An address and a port that a server listens on."""
EVERYWHERE = ("0.0.0.0", "::")


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


def own_addresses() -> list[str]:
    """All that other machines could use. Link-local ones of IPv6 mean something on one machine only."""
    found: list[str] = []
    for adapter in ifaddr.get_adapters():
        for entry in adapter.ips:
            text = entry.ip if isinstance(entry.ip, str) else entry.ip[0]
            address = ipaddress.ip_address(text)
            if not address.is_loopback and not (address.version == 6 and address.is_link_local):
                found.append(text)
    return sorted(dict.fromkeys(found), key=lambda text: ":" in text)


def reach(bound: Iterable[Bound], secure: bool, own: Sequence[str]) -> Reach:
    """How a server that listens there is reached, on a machine with these addresses."""
    here, network = [], []
    for host, port in sorted(bound, key=lambda each: ":" in each[0]):
        ipv6 = ":" in host
        if host in EVERYWHERE:
            here.append(_url("::1" if ipv6 else "127.0.0.1", port, secure))
            network.extend([_url(text, port, secure) for text in own if (":" in text) is ipv6])
        elif ipaddress.ip_address(host.split("%")[0]).is_loopback:
            here.append(_url(host, port, secure))
        else:
            network.append(_url(host, port, secure))
    return Reach(tuple(here), tuple(network))


def _url(host: str, port: int, secure: bool) -> str:
    return f"{'wss' if secure else 'ws'}://{f'[{host}]' if ':' in host else host}:{port}"
