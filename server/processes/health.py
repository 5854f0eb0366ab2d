"""/healthz and /metrics of all nodes together, on a port of the parent's own."""

import asyncio
import contextlib
import http.client
import logging
import ssl
from collections.abc import AsyncIterator, Sequence
from http import HTTPStatus

from prometheus_client.exposition import CONTENT_TYPE_LATEST
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from parlour.machine.addresses import EVERYWHERE, system_words
from parlour.server.config import BadConfig, Config
from parlour.server.processes.figures import one_page
from parlour.server.processes.node import Node
from parlour.server.wire.admission import check_request

WITHIN = 2.0
"""Seconds in which a node answers."""
Answer = tuple[int, str]


class Health:
    """Asks every node whenever somebody asks. Moves bytes."""

    def __init__(self, config: Config, nodes: Sequence[Node]) -> None:
        self._config = config
        self._nodes = nodes

    async def process_request(self, socket: ServerConnection, request: Request) -> Response:
        secure = self._config.cert is not None
        problem = check_request(request.headers, (), self._config.names, secure)
        if problem is not None:
            return socket.respond(HTTPStatus.FORBIDDEN, f"{problem}\n")
        match request.path.split("?")[0]:
            case "/healthz":
                return socket.respond(*health_of(await self._ask_all("/healthz")))
            case "/metrics":
                pages = {
                    name: answer[1] if answer is not None and answer[0] == HTTPStatus.OK else None
                    for name, answer in (await self._ask_all("/metrics")).items()
                }
                starts = {node.plan.name: node.starts for node in self._nodes}
                response = socket.respond(HTTPStatus.OK, one_page(pages, starts))
                del response.headers["Content-Type"]
                response.headers["Content-Type"] = CONTENT_TYPE_LATEST
                return response
        return socket.respond(HTTPStatus.NOT_FOUND, "here are /healthz and /metrics of all nodes\n")

    async def _ask_all(self, path: str) -> dict[str, Answer | None]:
        asked = [asyncio.to_thread(_ask, node.plan.config, path) for node in self._nodes]
        answers = await asyncio.gather(*asked)
        return {node.plan.name: answer for node, answer in zip(self._nodes, answers, strict=True)}


def health_of(answers: dict[str, Answer | None]) -> tuple[HTTPStatus, str]:
    """The house is well while a node is: it has the tables of the others within seconds."""
    well = [name for name, answer in answers.items() if answer is not None and answer[0] == HTTPStatus.OK]
    if len(well) == len(answers):
        return HTTPStatus.OK, "ok\n"
    told = [f"{len(well)} of {len(answers)} nodes are well\n"]
    for name, answer in answers.items():
        if name not in well:
            told.append(f"{name}: {'does not answer' if answer is None else answer[1].strip()}\n")
    return HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE, "".join(told)


def _ask(config: Config, path: str) -> Answer | None:
    host = (
        "127.0.0.1" if config.host in ("", "0.0.0.0") else "::1" if config.host in EVERYWHERE else config.host
    )
    if config.cert is None:
        connection = http.client.HTTPConnection(host, config.port, timeout=WITHIN)
    else:
        # A child of ours, which is told nothing: its certificate is for names, and this is an address.
        unverified = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        unverified.check_hostname, unverified.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(host, config.port, timeout=WITHIN, context=unverified)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    except (OSError, http.client.HTTPException, UnicodeDecodeError):
        return None
    finally:
        connection.close()


@contextlib.asynccontextmanager
async def answering(
    config: Config, port: int, tls: ssl.SSLContext | None, nodes: Sequence[Node]
) -> AsyncIterator[Server]:
    """Answers while the context is open; raises BadConfig."""

    async def no_websocket(socket: ServerConnection) -> None:
        await socket.close()

    try:
        server = await serve(
            no_websocket,
            config.host or None,
            port,
            ssl=tls,
            process_request=Health(config, nodes).process_request,
            server_header=None,
            logger=logging.getLogger("parlour.websockets"),
        )
    except OSError as wrong:
        where = f"{config.host or 'any address'}, port {port}"
        raise BadConfig(f"port: cannot listen on {where}: {system_words(wrong)}") from None
    async with server:
        yield server
