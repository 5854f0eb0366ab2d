"""Under which addresses and names other machines reach this one."""

import errno
import functools
import ipaddress
import os
import socket
from collections.abc import Iterable, Sequence

import ifaddr

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
EVERYWHERE = ("0.0.0.0", "::")
"""What a server listens on that takes connections from anywhere."""


LOCAL_DOMAINS = ("local", "lan", "home.arpa")
"""In which the names of a local network stand: by multicast DNS, or by its router."""


def label() -> str:
    """The machine's name as it is announced on the network."""
    return _label_of(socket.gethostname())


def _label_of(machine: str) -> str:
    name = "".join(letter if letter.isalnum() else "-" for letter in machine)[:40]
    return name or "parlour"


def own_names() -> frozenset[str]:
    """The machine's names, in lower case: its host name, alone and in the domains of local networks."""
    return _names_of(socket.gethostname())


@functools.lru_cache(1)
def _names_of(machine: str) -> frozenset[str]:
    host = machine.lower()
    labels = {host.partition(".")[0], _label_of(machine).lower()} - {""}
    return frozenset(
        {"localhost", host, *labels, *[f"{name}.{end}" for name in labels for end in LOCAL_DOMAINS]}
    )


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


@functools.lru_cache(4096)
def network_of(address: str) -> str:
    """What stands for one household when limits are counted: an IPv4 address, or the /64 of an IPv6 one."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def read_network(text: str) -> Network:
    """A network as people write it; an address alone is one as well. Raises ValueError."""
    return ipaddress.ip_network(text.strip(), strict=False)


def system_words(wrong: OSError) -> str:
    """What the system says of a connection that failed; asyncio's words are written for programmers."""
    if wrong.errno is not None and wrong.errno in errno.errorcode:
        return os.strerror(wrong.errno)
    return wrong.strerror or ""
