"""Fair luck in tournaments, and fair scrambles."""

import hashlib
from itertools import pairwise
from typing import TYPE_CHECKING

from tools.simulation.guarantees.broken import Plain, hold

if TYPE_CHECKING:
    from tools.simulation.known import Sent, Visit
    from tools.simulation.peer import Peer
    from tools.simulation.world import World

CREDIT = 151
"""Milliseconds by which one that arrives later may have been quicker, and one for rounding."""
FIRST_TRY = 4
"""Parts of the id of a tournament's table: tournament, round, table and game, and one more if dealt anew."""


def note_table(peer: "Peer", _visit: "Visit", message: Plain) -> None:
    """A table of a tournament has one commitment, for everybody and for ever."""
    if message["type"] != "snapshot":
        return
    id, info, world = message["table"], message["info"], peer.world
    world.hurries[id] = info["clocks"]["scramble"]
    if info["tournament"] is not None:
        first, told = world.commitments.setdefault(id, info["commitment"]), info["commitment"]
        hold(first == told, "deals", peer, f"the commitment of {id} was {first}, and now is {told}")


def deals(peer: "Peer", shown: Plain) -> None:
    """The secret of a round that is over gives the commitments of all deals that were played in it."""
    nonces = {entrant["name"]: entrant["nonce"] for entrant in shown["entrants"]}
    before = shown["info"]["published"]
    for played in shown["rounds"]:
        if played["secret"] is None:
            return
        number, secret = played["round"], bytes.fromhex(played["secret"])
        follows = hashlib.sha256(secret).hexdigest() == before
        hold(follows, "deals", peer, f"the secret of round {number} does not follow from {before}")
        before = played["secret"]
        names = sorted([*played["byes"], *(name for table in played["tables"] for name in table["players"])])
        for id, told in peer.world.commitments.items():
            parts = id.split("-")
            if parts[:2] == [shown["info"]["tournament"], str(number)] and len(parts) == FIRST_TRY:
                game = int(parts[3]) - 1
                made = commitment(secret, number, game, [nonces[name] for name in names])
                hold(made == told, "deals", peer, f"the commitment of {id} is {told}, and must be {made}")


def commitment(secret: bytes, number: int, game: int, nonces: list[str | None]) -> str:
    """What is published of a deal of a round, worked out as PROTOCOL.md says."""
    message = f"round {number} deal {game}".encode()
    luck = hashlib.blake2b(message, key=secret, digest_size=32).digest()
    key = hashlib.sha256(luck + b"".join(b"\n" + (nonce or "").encode() for nonce in nonces)).digest()
    return hashlib.sha256(key).hexdigest()


def quicker_first(world: "World") -> None:
    """At the end: in the record of a scramble nobody stands behind a slower one whom they could have beaten.

    Whoever arrives after another was served may have been quicker by no more than the credit. An act waits
    for its sender's own commands, and what two servers have measured cannot be compared. When time is up, a
    bot is served before the reaction that it has at least.
    """
    for game, lines in world.journals.items():
        time = 1000 * world.hurries.get(game.rpartition("-")[0], 0.0)
        for slower, line in pairwise(line for line in lines if line["reaction"] is not None):
            if line["reaction"] < slower["reaction"] - CREDIT and slower["reaction"] < time:
                (first, one), (peer, other) = _sender(world, slower), _sender(world, line)
                told = f"acted after {line['reaction']} ms, behind {first.name} after {slower['reaction']} ms"
                hold(other.behind or one.epoch != other.epoch, "scrambles", peer, told)


def _sender(world: "World", line: Plain) -> "tuple[Peer, Sent]":
    name, id = line["by"][:2]
    return next((peer, peer.sent[id]) for peer in world.peers if peer.name == name and id in peer.sent)
