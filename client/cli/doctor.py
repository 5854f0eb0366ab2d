"""Why a server is not reached: one step after the other, what was found, and what to do about it."""

import asyncio
import contextlib
import socket
import ssl
import time
from collections.abc import AsyncIterator
from functools import partial
from http import HTTPStatus
from urllib.parse import SplitResult, urlsplit

import attrs
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from parlour.client.language import Texts
from parlour.client.session import Session
from parlour.protocol import messages as m
from parlour.protocol.codec import pack, unpack
from parlour.protocol.errors import ProtocolError
from parlour.protocol.version import MSGPACK

WITHIN = 5.0
"""Seconds for each step."""


@attrs.frozen
class Finding:
    """The result of a step: `key` names its sentence and its advice, `fine` says whether to go on."""

    key: str
    fine: bool
    facts: dict[str, object] = attrs.field(factory=dict)


def finding_lines(finding: Finding, texts: Texts) -> list[str]:
    """A sentence, and advice if something is wrong."""
    mark = "ok" if finding.fine else "--"
    sentence = f"{mark}  {texts(f'doctor.{finding.key}', **finding.facts)}"
    return [sentence] if finding.fine else [sentence, f"    {texts(f'doctor.{finding.key}_advice')}"]


async def examine(url: str) -> AsyncIterator[Finding]:
    """Takes each step down to a welcome, or to the first that fails."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, _port(parts)
    except ValueError:
        host, port = None, 0
    if not host or parts.scheme not in ("ws", "wss"):
        yield Finding("bad_address", False, {"url": url})
        return
    session = Session(name="Doctor")
    steps = (partial(_name, host, port), partial(_reach, host, port), partial(_speak, url, session))
    for step in steps:
        finding = await step()
        yield finding
        if not finding.fine:
            return
    for node, there in session.nodes.items():
        if node != session.home.node:
            yield await _other_node(node, there)


def _port(parts: SplitResult) -> int:
    """The port that clients go to."""
    return parts.port or (443 if parts.scheme == "wss" else 80)


async def _name(host: str, port: int) -> Finding:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        return Finding("unknown_name", False, {"host": host})
    addresses = dict.fromkeys(str(each[4][0]) for each in found)
    return Finding("name", True, {"host": host, "addresses": ", ".join(addresses)})


async def _reach(host: str, port: int) -> Finding:
    began = time.monotonic()
    facts: dict[str, object] = {"host": host, "port": port}
    try:
        async with asyncio.timeout(WITHIN):
            _, writer = await asyncio.open_connection(host, port)
    except TimeoutError:
        return Finding("timed_out", False, {**facts, "seconds": int(WITHIN)})
    except ConnectionRefusedError:
        return Finding("refused", False, facts)
    except OSError as wrong:
        return Finding("no_way", False, {**facts, "why": wrong.strerror or str(wrong)})
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return Finding("reached", True, {**facts, "ms": max(1, round((time.monotonic() - began) * 1000))})


async def _other_node(node: str, url: str) -> Finding:
    """Whether a table could be reached that is at another node of the house."""
    fine = await _opens(url)  # a proxy in front of it answers, but opens nothing while it is away
    return Finding("node" if fine else "node_away", fine, {"node": node, "url": url})


async def _speak(url: str, session: Session) -> Finding:
    """Tries encryption, the handshake, and whether both have a version in common."""
    try:
        async with (
            asyncio.timeout(WITHIN),
            connect(url, subprotocols=[Subprotocol(MSGPACK)], proxy=None, compression=None) as socket_,
        ):
            await socket_.send(pack(session.hello()))
            return _answer(session, await socket_.recv())
    except ssl.SSLCertVerificationError as wrong:
        return Finding("certificate", False, {"why": wrong.verify_message})
    except TimeoutError:
        return Finding("silent", False, {"seconds": int(WITHIN)})
    except (InvalidHandshake, ProtocolError, ConnectionClosed, OSError, EOFError) as wrong:
        if isinstance(wrong, InvalidStatus) and wrong.response.status_code == HTTPStatus.FORBIDDEN:
            return Finding("forbidden", False, {"host": urlsplit(url).hostname})
        if url.startswith("wss:"):
            return Finding("no_tls" if await _speaks_plainly(url) else "no_parlour", False)
        return Finding("needs_tls" if await _wants_tls(url) else "no_parlour", False)


def _answer(session: Session, frame: bytes | str) -> Finding:
    match session.receive(unpack(frame), time.monotonic()):
        case m.Welcome(server=server):
            return Finding("welcome", True, {"server": server})
        case m.Error(code="version"):
            return Finding("version", False)
        case m.Error(code="name_taken"):
            # Another client is called Doctor there: the server works.
            return Finding("well", True)
        case m.Error(code=code):
            return Finding("turned_away", False, {"code": code})
    return Finding("no_parlour", False)


async def _wants_tls(url: str) -> bool:
    """Whether what did not understand ws:// speaks TLS."""
    parts = urlsplit(url)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        async with asyncio.timeout(WITHIN):
            _, writer = await asyncio.open_connection(parts.hostname, _port(parts), ssl=context)
    except (OSError, TimeoutError):
        return False
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True


async def _speaks_plainly(url: str) -> bool:
    """Whether what did not understand wss:// is a Parlour server without encryption."""
    return await _opens(f"ws:{url.partition(':')[2]}")


async def _opens(url: str) -> bool:
    try:
        async with asyncio.timeout(WITHIN), connect(url, subprotocols=[Subprotocol(MSGPACK)], proxy=None):
            return True
    except (InvalidHandshake, ConnectionClosed, OSError, EOFError, TimeoutError):
        return False
