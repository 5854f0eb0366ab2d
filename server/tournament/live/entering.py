"""Entering: the invitation, and what the log keeps of where an entrant comes from.

All tables of a round play the same deals, so that one person under two names could meet a deal twice. The
log has a hash of each entrant's network under a key that only this server knows: equal hashes are one
network, and without the key nobody can try all addresses, of which IPv4 has only 2^32. Each tournament has a
key of its own, so that nobody can be followed from one to the next. Key and invitation stay private for ever.
"""

import hmac

from parlour.machine.addresses import network_of
from parlour.server.tables.registry import Tables
from parlour.server.tournament import events
from parlour.server.tournament.history import Name
from parlour.server.tournament.ratings import Rating, Ratings, strength
from parlour.server.tournament.state import NotAllowed, Tournament

KEY_BYTES = 32
HASH_DIGITS = 16
INVITATION_LENGTH = 8
"""Letters of a code: 32^8 of them are too many to be tried at the pace of entries."""


def draw_keys(tables: Tables, invitation: bool) -> events.KeysDrawn:
    return events.KeysDrawn(
        tables.random(KEY_BYTES).hex(), tables.new_word(INVITATION_LENGTH) if invitation else None
    )


def hash_of(address: str, key: bytes) -> str:
    """Stands for the network of an address, and does not tell which it is."""
    return hmac.new(key, network_of(address).encode(), "sha256").hexdigest()[:HASH_DIGITS]


def entry(
    state: Tournament, name: Name, bot: bool, address: str, code: str | None, ratings: Ratings
) -> events.Entered:
    """The event by which a player enters; raises NotAllowed if they are not invited."""
    if name not in state.entrants and not _invited(state, code):
        raise NotAllowed("not_invited")
    network = hash_of(address, state.key) if address and state.key else ""
    return events.Entered(name, bot, strength(ratings.get(name, Rating())), network)


def _invited(state: Tournament, code: str | None) -> bool:
    if state.invitation is None:
        return True
    return code is not None and hmac.compare_digest(code.strip().upper().encode(), state.invitation.encode())
