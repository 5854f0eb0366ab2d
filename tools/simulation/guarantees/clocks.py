"""Clocks: nobody is played for before their time is up."""

from typing import TYPE_CHECKING

from tools.simulation.guarantees.broken import Plain, hold

if TYPE_CHECKING:
    from tools.simulation.known import Visit
    from tools.simulation.peer import Peer

ROUNDING = 1e-6


def not_too_early(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """What a player has not sent is played when the time is up that the last event told, and not before."""
    table = peer.tables.get(message["table"])
    if message["type"] != "update" or table is None or message["seq"] != table.seq + 1:
        return
    clock = table.known["clock"]
    if table.known["view"] is None or clock is None or table.epoch != visit.epoch:
        return
    if table.info["tournament"] is not None:
        return  # its rules may say that time plays after an illegal action
    for news in message["news"]:
        if news["type"] not in ("word_told", "prize_snatched"):
            continue
        seat = news["seat"]
        chair = table.info["chairs"][seat]
        action = {"type": "tell", "word": news["word"]} if "word" in news else None
        action = action or {"type": "snatch", "prize": news["prize"]}
        played_for = chair["left"] or chair["stand_in"]
        if played_for or peer.world.gives_up(chair["name"], message["table"], seat):
            continue
        # A move that a player has sent counts also after somebody was asked to play for them.
        players = [name for name in (chair["substitute"], chair["name"]) if name is not None]
        if not any(peer.world.has_sent(name, message["table"], action) for name in players):
            # What the server says, or what it is for the peer: a clock that is fast would fit itself.
            now, end = min(message["clock"]["now"], peer.world.clock_of(visit)), clock["ends"][seat]
            if end is None and not chair["here"]:
                end = clock["now"] + clock["graces"][seat]  # and then some more
            early = end is None or now < end - ROUNDING
            hold(not early, "clocks", peer, f"{chair['name']} was played for at {now}, and had until {end}")
