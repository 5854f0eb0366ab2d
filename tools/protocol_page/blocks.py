"""What stands in the generated blocks of the page: examples, transcripts, updates, numbers, a replay."""

import asyncio
import functools
import hashlib
import json
from collections.abc import Callable
from typing import Any

from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded, order
from parlour.engine.match import Match
from parlour.engine.secret import Seat
from parlour.protocol.codec import write
from parlour.server.records import replay_file
from parlour.server.records.fairness import commitment, seed
from parlour.server.records.record import Header, JournalLine, Record, end_after, line_after, sealed
from tools.protocol_page.examples import EXAMPLES, WELCOME_IN_A_HOUSE
from tools.protocol_page.pretty import pretty
from tools.protocol_page.stage import stage, timeless
from tools.protocol_page.transcripts import seated, transcript_text

SEATED: dict[str, tuple[str, ...]] = {
    "balloon-cup": ("Anna", "Ben"),
    "hurry-cup": ("Anna", "Ben", "Chloe"),
    "butterflies": ("Anna", "Ben"),
}


def example(word: str) -> str:
    """The first example of a message, as in the vectors."""
    return pretty(write(EXAMPLES[word][0])) + "\n"


def house(_: str) -> str:
    """The welcome of a node to a client that names the feature."""
    return pretty(write(WELCOME_IN_A_HOUSE)) + "\n"


@functools.cache
def transcript(name: str) -> str:
    return asyncio.run(transcript_text(name))


async def _first_update(game: str) -> dict[str, Any]:
    async with stage() as on:
        dealt = await seated(on, game, SEATED[game], "Cleo", options={"first": 0})
        await on.do("Anna", "start", table=dealt.table)
        found: dict[str, Any] = timeless(on.last("Anna", "update"))
        return found


@functools.cache
def update(game: str) -> str:
    """The whole update of a deal, as the first player gets it."""
    return pretty(asyncio.run(_first_update(game))) + "\n"


def worked(_: str) -> str:
    """Numbers to follow the derivation with."""
    secret, nonces = bytes(32), ("tea-at-five", None)
    key = seed(secret, nonces)
    digest = hashlib.blake2b(b"deck#0", key=key).hexdigest()
    number = int(digest, 16)
    lines = [
        f"secret        {secret.hex()}",
        f"nonces        {json.dumps(nonces)}",
        f"commitment    {commitment(secret)}",
        f"seed          {key.hex()}",
        f"deck#0        {digest[:64]}",
        f"              {digest[64:]}",
        f"roll of 6     {number % 6 + 1}",
        f"draw from 13  index {number % 13}",
        f"shuffle of 8  {order(number, 8)}",
    ]
    return "\n".join(lines) + "\n"


def replay(name: str) -> str:
    """A replay file of a very short game: a deal, an action, and somebody who leaves."""
    game, secret, nonces = GAMES[name], bytes(32), ("tea-at-five", None)
    options = game.read_options({"first": 0}, 2)
    match: Match[Any, Any, Any] = Match.start(game, 2, options, Seeded(seed(secret, nonces)))
    match.act(Seat(0), game.legal(match.state, Seat(0))[0])
    match.leave(Seat(1))
    header = Header(
        game=name,
        seats=2,
        options=options.plain(),
        names=("Anna", "Zoë"),
        bots=(False, False),
        commitment=commitment(secret),
        nonces=nonces,
        build="parlour 0.1.0",
        protocol=1,
        started=1_767_225_600_000,
        table="K7M2PQ4XTZ",
        number=1,
    )
    lines: list[JournalLine] = []
    before: Header | JournalLine = sealed(header)
    for entry in match.journal:
        before = line_after(before, entry, 4.2 * entry.number)
        lines.append(before)
    assert match.outcome is not None
    end = end_after(lines[-1], match.outcome, secret, header.started + 8_400)
    return replay_file.write(Record(sealed(header), tuple(lines), end))


_KINDS: dict[str, Callable[[str], str]] = {
    "replay": replay,
    "example": example,
    "house": house,
    "transcript": transcript,
    "update": update,
    "worked": worked,
}


def written(kind: str, name: str) -> str:
    """The body of a block."""
    return _KINDS[kind](name)
