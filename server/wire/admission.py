"""Who may open a connection: programs, the server's own page, and other pages if the server says so."""

import ipaddress
from collections.abc import Iterable, Mapping
from urllib.parse import SplitResult, urlsplit

from websockets.datastructures import MultipleValuesError

from parlour.machine.addresses import is_loopback, own_addresses, own_names


def check_request(
    headers: Mapping[str, str],
    origins: tuple[str, ...],
    names: tuple[str, ...],
    secure: bool,
    nodes: Iterable[str] = (),
) -> str | None:
    """Returns what is wrong with a request, or None; the pages of all nodes of a house may connect.

    A web page elsewhere could otherwise reach a server on the LAN: by itself, which its Origin shows, or
    through a name that is made to point here, which the Host shows. Our own page comes from our Host.
    """
    try:
        origin = headers.get("Origin")
        where = headers.get("Host", "")
        host = urlsplit(f"//{where}").hostname or ""
    except (ValueError, MultipleValuesError):
        return "the Origin or the Host of this request cannot be read"
    own = f"{'https' if secure else 'http'}://{where}".lower()
    if origin is not None and origin not in (own, *origins) and not _is_page_of(origin, nodes, names):
        return "this Origin may not connect: allow it with --origin"
    if not _is_ours(host, names):
        return "this Host is not one of the server's names: allow it with --name"
    return None


def _is_page_of(origin: str, nodes: Iterable[str], names: tuple[str, ...]) -> bool:
    """Whether a page is one of a node: at its address, or at its port and any name of this machine."""
    try:
        page, addresses = urlsplit(origin), [urlsplit(url.lower()) for url in nodes]
        return any(
            _origin(page) == _origin(node)
            or (_origin(page, "") == _origin(node, "") and _is_this_machine(page.hostname or "", names))
            for node in addresses
        )
    except ValueError:  # no port
        return False


def _origin(url: SplitResult, host: str | None = None) -> tuple[bool, str, int]:
    """Whether it is encrypted, its host or the one given, and its port, which need not be named."""
    secure = url.scheme in ("wss", "https")
    return secure, host if host is not None else url.hostname or "", url.port or (443 if secure else 80)


def _is_this_machine(host: str, names: tuple[str, ...]) -> bool:
    try:
        return is_loopback(host) or host in own_addresses()
    except ValueError:
        return _is_name_of_ours(host, names)


def _is_ours(host: str, names: tuple[str, ...]) -> bool:
    try:
        ipaddress.ip_address(host.split("%")[0])
        return True
    except ValueError:
        return _is_name_of_ours(host, names)


def _is_name_of_ours(host: str, names: tuple[str, ...]) -> bool:
    host = _plain(host)
    return host in own_names() or host.endswith(".localhost") or host in [_plain(name) for name in names]


def _plain(name: str) -> str:
    return name.lower().removesuffix(".")
