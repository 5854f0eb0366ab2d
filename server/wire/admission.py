"""Who may open a connection: programs always, web pages only if the server says so."""

import ipaddress
import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

from websockets.datastructures import MultipleValuesError


def check_request(headers: Mapping[str, str], origins: tuple[str, ...], names: tuple[str, ...]) -> str | None:
    """Returns what is wrong with a request, or None.

    A web page could otherwise reach a server on the LAN: by itself, which its Origin shows, or through a name
    that is made to point here, which the Host shows.
    """
    try:
        origin = headers.get("Origin")
        host = urlsplit(f"//{headers.get('Host', '')}").hostname or ""
    except (ValueError, MultipleValuesError):
        return "the Origin or the Host of this request cannot be read"
    if origin is not None and origin not in origins:
        return "this Origin may not connect: allow it with --origin"
    if not _is_ours(host, names):
        return "this Host is not one of the server's names: allow it with --name"
    return None


def _is_ours(host: str, names: tuple[str, ...]) -> bool:
    try:
        ipaddress.ip_address(host.split("%")[0])
        return True
    except ValueError:
        own = socket.gethostname().lower()
        host = host.rstrip(".").lower()
        allowed = ("localhost", own, own.split(".")[0], *names)
        return host in allowed or host.endswith((".local", ".localhost", ".lan", ".home.arpa"))
