"""Who may open a connection: programs, the server's own page, and other pages if the server says so."""

import ipaddress
from collections.abc import Iterable, Mapping
from urllib.parse import SplitResult, urlsplit

from websockets.datastructures import MultipleValuesError

from parlour.machine.addresses import own_names


def check_request(
    headers: Mapping[str, str], origins: tuple[str, ...], names: tuple[str, ...], secure: bool
) -> str | None:
    """Returns what is wrong with a request, or None.

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
    if origin is not None and origin != own and origin not in origins:
        return "this Origin may not connect: allow it with --origin"
    if not _is_ours(host, names):
        return "this Host is not one of the server's names: allow it with --name"
    return None


def page_origins(urls: Iterable[str]) -> tuple[str, ...]:
    """The origins of the pages that the servers of a house have, by their websockets' addresses."""
    return tuple(_origin(urlsplit(url.lower())) for url in urls)


def _origin(url: SplitResult) -> str:
    """A browser leaves out the port that a scheme has anyway."""
    scheme, usual = ("https", ":443") if url.scheme == "wss" else ("http", ":80")
    return f"{scheme}://{url.netloc.removesuffix(usual)}"


def _is_ours(host: str, names: tuple[str, ...]) -> bool:
    try:
        ipaddress.ip_address(host.split("%")[0])
        return True
    except ValueError:
        host = _plain(host)
        return host in own_names() or host.endswith(".localhost") or host in [_plain(name) for name in names]


def _plain(name: str) -> str:
    return name.lower().removesuffix(".")
