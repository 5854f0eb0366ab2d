"""What was acknowledged, and what is kept."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tools.simulation.guarantees.broken import Broken, hold
from tools.simulation.guarantees.fairness import quicker_first

if TYPE_CHECKING:
    from tools.simulation.known import Sent
    from tools.simulation.peer import Peer
    from tools.simulation.world import World


MOVES = frozenset({"act", "start"})
"""Commands that stand in the journal whenever they were accepted."""
IN_GAMES = MOVES | {"resign", "leave"}
"""And those that do in a game that is not over."""


def seats(world: "World") -> None:
    """At the end: whoever has a seat is known to have it, and nobody else."""
    for name in world.seats_disagree():
        raise Broken("G4", name, "has a seat for the lobby or for the table, and not for both")


def records(world: "World") -> None:
    """At the end: every record of a game on the disk is sound, up to where it goes."""
    for game, fault in world.faults().items():
        raise Broken("G16", "the archive", f"the record of {game} is not sound: {fault}")


def kept_moves(world: "World") -> None:
    """At the end: each act that was accepted is in the journal once, and no other one is (G2, G4, G16)."""
    if world.disk is None:
        return
    found: dict[tuple[str, str, int], int] = {}
    for game, lines in world.journals.items():
        for line in lines:
            if "by" in line:
                by = game.rpartition("-")[0], line["by"][0], line["by"][1]
                found[by] = found.get(by, 0) + 1
    # By name: a built-in bot may be called like one that has gone, and number its commands as that one did.
    asked: dict[tuple[str, str, int], list[tuple[Peer, Sent]]] = {}
    for peer in world.peers:
        for sent in peer.sent.values():
            if sent.word in IN_GAMES:
                asked.setdefault((sent.fields["table"], peer.name, sent.id), []).append((peer, sent))
    for by, both in asked.items():
        times, (peer, sent) = found.get(by, 0), both[-1]
        hold(times <= len(both), "G2", peer, f"{sent.id} {sent.word} stands in the journal {times} times")
        if any(each.answer is None or who.banned for who, each in both):
            continue
        done = [each for _, each in both if each.done]
        least = sum(each.word in MOVES and each.answer["type"] == "ok" for each in done if each.answer)
        # Of a house: done by a node that died, and refused by one that has not got the game.
        unknown = sent.word not in world.stored and len(sent.lines) > 1
        hold(
            done or not times or unknown,
            "G4",
            peer,
            f"{sent.id} {sent.word} was refused, and stands in the journal",
        )
        hold(times >= least, "G16", peer, f"{sent.id} {sent.word} was accepted, and is in no journal")


def said_once(world: "World") -> None:
    """At the end: nobody heard what was refused or sent behind `bye`, nor anything twice."""
    for peer in world.peers:
        for sent in peer.sent.values():
            if sent.word != "say":
                continue
            heard = world.heard.get(sent.fields["text"], {})
            for who, times in heard.items():
                hold(len(times) <= 1, "G2", peer, f"{who} heard {sent.fields['text']} {len(times)} times")
            if heard and sent.answer is not None and not sent.done and not peer.banned:
                hold(False, "G4", peer, f"{sent.id} say was refused, and heard")
            if heard and sent.behind_bye:
                hold(False, "G17", peer, f"{sent.id} say came behind bye, and was heard")


AT_THE_END: tuple[Callable[["World"], None], ...] = (said_once, kept_moves, seats, records, quicker_first)
