"""G14: what is hidden from a peer is in no frame that it gets."""

import re
from typing import TYPE_CHECKING

from tools.simulation.guarantees.broken import Plain, hold

if TYPE_CHECKING:
    from tools.simulation.peer import Peer


WHISPERED = re.compile(rb"whispered-..")


LONG = 64
"""So many digits have the secrets of games and tournaments, and tokens."""


def _no_secret(peer: "Peer", word: str, payload: bytes) -> None:
    world = peer.world
    for id, secret in world.secrets():
        if secret in payload:
            hold(world.has_ended(id), "G14", peer, f"the secret of {id}, which is not over, in {word}")
    for name, token in world.tokens(peer):
        if token in payload:
            hold(False, "G14", peer, f"the token of {name}, in {word}")


def g14_nothing_more(peer: "Peer", message: Plain, payload: bytes) -> None:
    """What is hidden from a peer is in no frame that it gets."""
    word = message["type"]
    world = peer.world
    if len(payload) > LONG:
        _no_secret(peer, word, payload)
    if word not in ("ok", "snapshot"):
        for code in world.codes:
            if code in payload:
                hold(False, "G14", peer, f"the code of a private table, in {word}")
    found = WHISPERED.findall(payload) if b"whispered-" in payload and word != "ok" else ()
    if not found:
        return
    if word not in ("update", "snapshot"):
        hold(False, "G14", peer, f"{found} in {word}")
    table = peer.tables.get(message["table"])
    seat = message["seat"] if word == "snapshot" else table.seat if table else None
    view, info = message["view"], message["info"] if word == "snapshot" else table.info if table else None
    if info is None:
        return
    if message["result"] is not None:
        shown = seat is not None or info["watching"] == "everything"
        if shown and info["tournament"] is None:
            return
        hold(message["result"]["secret"] is None, "G14", peer, "a secret that is not for this viewer")
    known = set(view["told"])
    for each, hand in enumerate(view["hands"]):
        if each == seat:
            known.update(hand)
            chair = info["chairs"][seat]
            # A substitute sees what the seat that it plays may see.
            eyes = chair["name"] if chair and chair["substitute"] == peer.name else peer.name
            for one in hand:
                owner = world.owners.setdefault((message["table"], info["number"], one), (seat, eyes))
                hold(owner == (seat, eyes), "G14", peer, f"the hand of {owner}")
        else:
            hold(isinstance(hand, int), "G14", peer, f"the hand of seat {each}")
    hold(isinstance(view["deck"], int), "G14", peer, "the deck")
    leaked = {each.decode() for each in found} - known
    hold(not leaked, "G14", peer, f"{sorted(leaked)} in {word}")
