"""Under which addresses other machines reach this one."""

import ipaddress
from collections.abc import Iterable, Sequence

import ifaddr

EVERYWHERE = ("0.0.0.0", "::")
"""What a server listens on that takes connections from anywhere."""


def own_addresses() -> list[str]:
    """All that other machines could use, IPv4 first. Link-local ones of IPv6 mean something here only."""
    found: list[str] = []
    for adapter in ifaddr.get_adapters():
        for entry in adapter.ips:
            text = entry.ip if isinstance(entry.ip, str) else entry.ip[0]
            address = ipaddress.ip_address(text)
            if not address.is_loopback and not (address.version == 6 and address.is_link_local):
                found.append(text)
    return sorted(dict.fromkeys(found), key=lambda text: ":" in text)


def is_loopback(host: str) -> bool:
    return ipaddress.ip_address(host.partition("%")[0]).is_loopback


def reached_at(host: str, own: Sequence[str]) -> list[str]:
    """Where others reach a server that listens on `host`, on a machine with these addresses."""
    if host in EVERYWHERE:
        return [text for text in own if (":" in text) is (":" in host)]
    return [] if is_loopback(host) else [host]


def all_reached_at(hosts: Iterable[str], own: Sequence[str]) -> list[str]:
    """The same for several, each once; none: the server is reached from this machine only."""
    return list(dict.fromkeys(text for host in hosts for text in reached_at(host, own)))
