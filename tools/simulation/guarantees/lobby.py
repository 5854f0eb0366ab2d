"""What is told of the lobby and of tournaments."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from tools.simulation.guarantees.broken import Plain, hold
from tools.simulation.guarantees.fairness import deals

if TYPE_CHECKING:
    from tools.simulation.known import Visit
    from tools.simulation.peer import Peer


def lobby(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """The lobby's events come after `watch_lobby` only, and of public tables only."""
    asked = any(sent.word == "watch_lobby" and sent.fields["on"] for sent in visit.order)
    hold(asked, "watch_lobby", peer, f"{message['type']} without watch_lobby on this line")
    if message["type"] == "lobby_table":
        hold(message["info"]["public"], "G14", peer, "a private table in the lobby")
        return
    text = message["line"]["text"]
    where = peer.world.said.get(text)
    hold(where is None, "G14", peer, f"{text} was said at {where}, and is heard in the lobby")
    if text in visit.lobby_chat:
        # It is not stored: whoever asks two servers has it said by both.
        hold(peer.world.asked_two_servers(text), "G2", peer, f"{text} is heard in the lobby twice")
    visit.lobby_chat.add(text)


def lobby_is_known(peer: "Peer", visit: "Visit") -> None:
    """At the end: the list that `watch_lobby` brought, with all changes since, is the list as it is."""
    if visit.lobby is not None:
        listed = {id: outline(info) for id, info in visit.lobby.items()}
        gone = listed.keys() - peer.world.listed(visit).keys()
        hold(not gone, "watch_lobby", peer, f"{gone} are gone, and that was not told")
        for id, info in peer.world.settled_tables(visit).items():
            now, told = outline(info), listed.get(id)
            hold(now == told, "watch_lobby", peer, f"{id} is {now}, and {told} was told")


def outline(info: Plain) -> tuple[Any, ...]:
    """What the lobby is told of a table when it changes."""
    return info["stage"], info["host"], tuple(chair and chair["name"] for chair in info["chairs"])


def tournament(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """The events of a tournament are numbered, and none comes twice."""
    id, seq = message["tournament"], message["seq"]
    last = visit.tournaments.get(id, 0)
    watched = any(sent.word == "watch_tournament" and sent.fields["tournament"] == id for sent in visit.order)
    hold(seq > last, "tournaments", peer, f"{message['type']} {seq} of {id} comes after {last}")
    if not watched:
        hold(
            message["type"] == "tournament_changed",
            "tournaments",
            peer,
            f"{message['type']} without watching",
        )
    elif id in visit.tournaments:
        hold(seq == last + 1, "tournaments", peer, f"{message['type']} {seq} of {id} comes after {last}")
    if message["type"] == "tournament_result":
        one_result(peer, message["tournament"], message["result"])


def picture(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """A picture shows what the events before it have told, each result once, and standings that fit."""
    sent = peer.sent.get(message["id"] or 0)
    if sent is None or sent.word != "watch_tournament" or message["type"] == "error" or not message["result"]:
        return
    id, shown = sent.fields["tournament"], message["result"]
    deals(peer, shown)
    spots = Counter((one["round"], one["table"], one["game"]) for one in shown["results"])
    twice = [spot for spot, times in spots.items() if times > 1]
    hold(not twice, "tournaments", peer, f"the results of {twice} are counted twice")
    for one in shown["results"]:
        one_result(peer, id, one)
    games = Counter(name for one in shown["results"] if not one["void"] for name in one["players"])
    for line in shown["standings"]:
        told, counted = line["games"], games[line["name"]]
        hold(told == counted, "tournaments", peer, f"{line['name']} has {told} games, and {counted} results")
    known = peer.pictures.get(id)
    if known is None or visit is not peer.visit:
        return
    lost = set(known.results) - set(spots)
    hold(not lost, "G16", peer, f"the results of {sorted(lost)} are gone from {id}")
    if visit.tournaments.get(id) == shown["seq"] and peer.hears_all:
        for part, now in (("phase", shown["info"]["phase"]), ("entrants", names(shown))):
            before = getattr(known, part)
            hold(
                before is None or before == now,
                "tournaments",
                peer,
                f"{part} of {id} was {before}, and now is {now}",
            )


def names(shown: Plain) -> set[str]:
    return {entrant["name"] for entrant in shown["entrants"]}


def one_result(peer: "Peer", id: str, result: Plain) -> None:
    """A result is the same for everybody and for ever, and what the players of its game have seen."""
    spot = id, result["round"], result["table"], result["game"]
    first = peer.world.results.setdefault(spot, result)
    hold(first == result, "tournaments", peer, f"the result of {spot} was {first}, and now is {result}")
    if result["replay"] is not None:
        seen = peer.world.outcomes.get(result["replay"])
        places = result["places"]
        fits = seen is None or seen == places
        hold(fits, "tournaments", peer, f"{spot} ended {seen}, and counts as {places}")
