"""Whose connection it is when a proxy stands between: what trusted proxies say about their clients."""

import ipaddress
from collections.abc import Iterable

import attrs
from websockets.datastructures import Headers

from parlour.machine.addresses import Address, Network, read_network


@attrs.frozen
class Proxies:
    """The proxies that are trusted. From everybody else headers about clients are ignored.

    `X-Forwarded-For` is read, and not `Forwarded`: a proxy that sets one of them passes the other one on as
    its client has sent it.
    """

    trusted: tuple[Network, ...] = ()

    @classmethod
    def of(cls, networks: Iterable[str]) -> "Proxies":
        return cls(tuple(read_network(text) for text in networks))

    def client(self, remote: str, headers: Headers) -> str:
        """The address that a connection counts for: the last one that is not a trusted proxy's."""
        forwarded = ",".join(headers.get_all("X-Forwarded-For")).split(",") if self._trust(remote) else []
        for text in reversed(forwarded):
            address = _address(text)
            if address is None:
                break  # what stands before it may be anybody's invention
            remote = str(address)
            if not self._trust(remote):
                break
        return remote

    def secure(self, remote: str, headers: Headers) -> bool:
        """Whether the client speaks TLS to a trusted proxy."""
        return self._trust(remote) and headers.get_all("X-Forwarded-Proto") == ["https"]

    def _trust(self, text: str) -> bool:
        if not self.trusted:
            return False
        address = _address(text)
        return address is not None and any(address in network for network in self.trusted)


def _address(text: str) -> Address | None:
    """An address, which some proxies write with a port."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
