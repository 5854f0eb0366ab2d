"""Duplicate deals, as in bridge: all tables of a round play the same ones, and nobody meets a deal twice.

Before check-in the server draws one secret and publishes the end of a chain of hashes that starts with it.
Each round has a link as its secret, revealed when the round is over. Its hash is the link of the round
before, so everybody can check that it was settled before anybody gave a nonce. Each deal has a key made of
the round's secret, the deal's number and everybody's nonce: nobody can know a deal before, neither players
nor those who run the server, and everybody can work it out after.
"""

import functools
import hashlib
from collections.abc import Mapping

import attrs

from parlour.engine.chance import SECRET_BYTES
from parlour.server.records.fairness import commitment, seed
from parlour.server.tournament.history import Name, PairedTable, Pairing

LINKS = 500
"""More than a tournament has rounds."""


class NotTheSecret(Exception):
    """The secret that was revealed after a round does not belong to what was published before."""


@attrs.frozen
class Deal:
    """One deal of a round: its number, and the key of its luck."""

    round: int
    number: int
    key: bytes


@attrs.frozen
class Board:
    """One game to be played: which deal, at which table, and who sits on which seat."""

    deal: Deal
    table: PairedTable
    players: tuple[Name, ...]


def round_secret(secret: bytes, round_: int) -> bytes:
    """The secret of a round; that of round 0 is what is published before check-in."""
    if len(secret) != SECRET_BYTES or not 0 <= round_ <= LINKS:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes and {LINKS} rounds")
    return _chain(secret)[LINKS - round_]


@functools.lru_cache(maxsize=16)
def _chain(secret: bytes) -> list[bytes]:
    """A secret, its hash, the hash of that, and so on: all that the rounds of a tournament need."""
    links = [secret]
    for _ in range(LINKS):
        links.append(hashlib.sha256(links[-1]).digest())
    return links


def check(secret: bytes, before: bytes) -> None:
    """Raises NotTheSecret unless a secret's hash is the secret of the round before, or what was published."""
    if commitment(secret) != before.hex():
        raise NotTheSecret(f"the hash of this secret is {commitment(secret)}, and must be {before.hex()}")


def deal(secret: bytes, nonces: Mapping[Name, str | None], round_: int, number: int) -> Deal:
    """Makes a deal from its round's secret; nonces count in the order of the names, byes included.

    A game that broke off is played again on a deal beyond the round's games, which nobody has seen.
    """
    message = f"round {round_} deal {number}".encode("ascii")
    own = hashlib.blake2b(message, key=secret, digest_size=SECRET_BYTES).digest()
    return Deal(round_, number, seed(own, [nonces[name] for name in sorted(nonces)]))


def boards(pairing: Pairing, games: int, secret: bytes, nonces: Mapping[Name, str | None]) -> list[Board]:
    """All games of a round, one deal after the other; with each, everybody moves on by a seat."""
    dealt = [deal(secret, nonces, pairing.round, number) for number in range(games)]
    return [Board(one, table, table.seating(one.number)) for one in dealt for table in pairing.tables]
