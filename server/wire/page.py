"""The page for browsers over HTTP: an exact table of paths, with bytes that are made before any request."""

import functools
import gzip
import hashlib
import re
from collections.abc import Iterable, Mapping
from email.utils import formatdate
from http import HTTPStatus
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import attrs
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

INDEX = "/"
"""Where the first file of the page stands; a websocket is opened there too."""
METHODS = ("GET", "HEAD")
ASKED_AGAIN, KEPT_FOR_EVER = "no-cache", "public, max-age=31536000, immutable"
"""What stands in a folder has the sum of its content in its path: another content has another path."""
TYPES: Mapping[str, str] = {
    "": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
}
"""By the end of the path."""
_HOST = re.compile(r"[A-Za-z0-9.\-]+(:\d+)?|\[[0-9A-Fa-f:.]+\](:\d+)?")
"""What may stand in a policy as it is."""


@attrs.frozen
class PageFile:
    """One file as it is sent."""

    kind: str
    plain: bytes
    zipped: bytes
    tag: str
    caching: str

    @classmethod
    @functools.cache  # for servers that run one after another in one process
    def of(cls, path: str, content: bytes) -> "PageFile":
        digest = hashlib.sha256(content).hexdigest()[:32]
        kind = TYPES[PurePosixPath(path).suffix]
        # Weak: both encodings of a file have one tag.
        caching = KEPT_FOR_EVER if path.count("/") > 1 else ASKED_AGAIN
        return cls(kind, content, gzip.compress(content, mtime=0), f'W/"{digest}"', caching)


class Page:
    """Every path that is answered, and with what. No path is ever looked up on a disk."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = {path: PageFile.of(path, content) for path, content in files.items()}

    def answer(self, request: Request, path: str, nodes: Iterable[str] = ()) -> Response | None:
        """The answer to a request that is no websocket's, from a host that is ours; None: no such path.

        `nodes` are the addresses of all servers of the house, which the page may connect to.
        """
        file = self.files.get(path)
        if file is None:
            return None
        if request.method not in METHODS:
            return _response(HTTPStatus.METHOD_NOT_ALLOWED, {"Allow": ", ".join(METHODS)}, b"")
        host = request.headers.get("Host", "")
        if _HOST.fullmatch(host) is None:
            return _response(HTTPStatus.BAD_REQUEST, {}, b"")
        headers = {"ETag": file.tag, "Cache-Control": file.caching, **_guards(host, nodes)}
        headers["Vary"] = "Accept-Encoding"
        if file.tag in _listed(request, "If-None-Match"):
            return _response(HTTPStatus.NOT_MODIFIED, headers, b"")
        zips = "gzip" in _listed(request, "Accept-Encoding")
        body = file.zipped if zips else file.plain
        headers |= {"Content-Type": file.kind, "Content-Length": str(len(body))}
        if zips:
            headers["Content-Encoding"] = "gzip"
        return _response(HTTPStatus.OK, headers, b"" if request.method == "HEAD" else body)


def is_websocket(request: Request) -> bool:
    return "websocket" in [value.lower() for value in _listed(request, "Upgrade")]


def _listed(request: Request, name: str) -> list[str]:
    """The values of a header that is a list."""
    lines = request.headers.get_all(name)
    return [value.strip() for line in lines for value in line.split(",")]


def _guards(host: str, nodes: Iterable[str]) -> dict[str, str]:
    """What a browser is told to refuse: all that the page does not need."""
    others = [url for url in map(urlsplit, nodes) if _HOST.fullmatch(url.netloc)]
    reached = [f"ws://{host}", f"wss://{host}", *(f"{url.scheme}://{url.netloc}" for url in others)]
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "data:",
        # Not every browser counts the websocket of the same server as 'self'.
        "connect-src": " ".join(["'self'", *dict.fromkeys(reached)]),
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


def _response(status: HTTPStatus, headers: Mapping[str, str], body: bytes) -> Response:
    given = {"Date": formatdate(usegmt=True), "Connection": "close", **headers}
    if status is not HTTPStatus.NOT_MODIFIED:
        given.setdefault("Content-Length", str(len(body)))
    return Response(status.value, status.phrase, Headers(given), body)
