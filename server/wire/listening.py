"""Sockets that take connections: the one for everybody, and a private one for the server's own bots."""

import contextlib
import hmac
import logging
import secrets
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from http import HTTPStatus

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from parlour.protocol.codec import FRAME_BYTES
from parlour.protocol.version import SUBPROTOCOLS
from parlour.server.wire.gateway import Gateway, choose_subprotocol
from parlour.server.wire.plain_websocket import PlainWebSocket
from parlour.server.wire.websocket import ServerWebSocket

CLOSES_WITHIN = 0.9
"""Seconds that a peer has to answer a close."""
BUILT_IN = "built-in"
"""Stands where others have an address: built-in bots share no budget and no limit with anybody."""


async def listen(
    gateway: Gateway, host: str | None, port: int, tls: ssl.SSLContext | None = None, plain: bool = False
) -> Server:
    """Takes everybody's connections; raises OSError."""
    return await _listen(gateway, gateway.serve, gateway.process_request, host, port, tls, plain)


@contextlib.asynccontextmanager
async def private_way(gateway: Gateway) -> AsyncIterator[str]:
    """Takes connections of built-in bots while the context is open, and gives the address, which is a secret.

    That they come from this machine proves nothing, for anybody here can do that: the path does. It is a port
    of its own and no unix socket, which Windows has none of.
    """
    path = f"/{secrets.token_urlsafe(32)}"

    async def serve_bot(socket: ServerConnection) -> None:
        await gateway.serve_peer(socket, BUILT_IN)

    def process_request(socket: ServerConnection, request: Request) -> Response | None:
        known = hmac.compare_digest(request.path.encode(), path.encode())
        return None if known else socket.respond(HTTPStatus.NOT_FOUND, "not here\n")

    server = await _listen(gateway, serve_bot, process_request, "127.0.0.1", 0)
    async with server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}{path}"


async def _listen(
    gateway: Gateway,
    serve_connection: Callable[[ServerConnection], Awaitable[None]],
    process_request: Callable[[ServerConnection, Request], Response | None],
    host: str | None,
    port: int,
    tls: ssl.SSLContext | None = None,
    plain: bool = False,
) -> Server:
    return await serve(
        serve_connection,
        host,
        port,
        ssl=tls,
        process_request=process_request,
        subprotocols=SUBPROTOCOLS,  # type: ignore[arg-type]
        select_subprotocol=choose_subprotocol,
        compression=None,
        max_size=FRAME_BYTES,
        ping_interval=None,
        open_timeout=gateway.limits.hello_within,
        close_timeout=CLOSES_WITHIN,
        server_header=None,
        logger=logging.getLogger("parlour.websockets"),
        create_connection=PlainWebSocket if plain else ServerWebSocket,
    )
