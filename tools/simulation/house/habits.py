"""How a client follows its tables from node to node (PROTOCOL.md, appendix G), and what else guests do."""

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tools.simulation.habits import RETURNS, Habits
from tools.simulation.house.guest import Guest, GuestPeer
from tools.simulation.known import Sent, Visit

if TYPE_CHECKING:
    from tools.simulation.house.world import HouseWorld
    from tools.simulation.peer import Peer

Plain = dict[str, Any]
THINKS = (0.0, 0.01, 0.2, 0.5, 1.0, 2.0)
"""Seconds between two things that a guest does: a node is over for longer than a quick game lasts."""
AGAIN_AFTER = 0.5
"""Seconds after which to ask again where a table is."""
FEW = 3
"""So often a table may be elsewhere before its guests wait."""


class HouseHabits(Habits):
    """The habits of all guests."""

    world: "HouseWorld"

    def _think(self, peer: "Peer") -> None:
        self.world.agenda.later(peer.luck.choice(THINKS), functools.partial(self.step, peer))

    # Coming, and coming back

    def lost(self, peer: "Peer") -> None:
        assert isinstance(peer, GuestPeer)
        peer.banned = peer.banned or peer.built_in
        if not peer.banned and not peer.replaced:
            after = 0.01 if self.calm else peer.luck.choice(RETURNS)
            self.world.agenda.later(after, functools.partial(self._come_in, peer))

    def _come_in(self, peer: "Peer") -> None:
        """Opens a line where there is none; or asks on another one where the tables are."""
        assert isinstance(peer, GuestPeer)
        guest = peer.guest
        if guest.banned:
            return
        if guest.has_line:
            if guest.has_feature and peer.visit is not None and peer.visit.line.over:
                for table in sorted(peer.visit.streams):
                    self._ask(guest, "resume", {"table": table, "after": None})
            return
        order = [peer.node, *guest.luck.sample(self.world.names, 3)] if guest.luck.random() < 0.7 else None
        for node in order or guest.luck.sample(self.world.names, 3):
            if node in guest.peers and guest.peers[node].connect() is not None:
                return
        self.world.agenda.later(0.3, functools.partial(self._come_in, peer))

    def welcome(self, peer: "Peer", visit: Visit) -> None:
        assert isinstance(peer, GuestPeer) and visit.welcome is not None
        super().welcome(peer, visit)
        for each in visit.welcome.get("elsewhere", ()):
            peer.send(visit, "resume", table=each["table"], after=None)
        for sent in peer.guest.pending.pop(peer.node, ()):
            peer.ask(visit, sent.word, sent.fields, sent)
        if "ticket" in visit.who and peer.luck.random() < 0.1:
            again = functools.partial(self._show_again, peer, visit.who["ticket"])
            self.world.agenda.later(peer.luck.choice(RETURNS), again)

    def look_for_tables(self, guest: Guest) -> None:
        """Asks for every table of one's own that comes on no line."""
        if guest.has_feature:
            for id in sorted({*guest.tables, *guest.sits_at}):
                self._ask(guest, "resume", {"table": id, "after": None})

    def _show_again(self, peer: GuestPeer, ticket: str) -> None:
        """Says hello by a ticket that is used up."""
        if not self.calm and not peer.built_in:
            peer.connect(ticket)

    # Following tables

    def heard(self, peer: "Peer", visit: Visit, message: Plain) -> None:
        assert isinstance(peer, GuestPeer)
        super().heard(peer, visit, message)
        if message["type"] == "table_at" and peer.guest.has_feature:
            resume = Sent(0, "resume", {"table": message["table"], "after": None})
            self._go(peer.guest, message["node"], message["ticket"], resume)
        if message["type"] not in ("ok", "error"):
            return
        sent = peer.sent.get(message["id"] or 0)
        if sent is None or not sent.readable:
            return
        asked_for = (sent.fields.get(name) for name in ("table", "code", "tournament"))
        table = next(filter(None, asked_for), "")
        if message.get("code") == "moved":
            facts = message["facts"]
            hops = peer.guest.hops[table] = peer.guest.hops.get(table, 0) + 1
            go = functools.partial(self._go, peer.guest, facts["node"], facts["ticket"], sent)
            self.world.agenda.later(AGAIN_AFTER if hops > FEW else 0.0, go)
        elif message.get("code") == "busy" and sent.word == "resume":
            ask = functools.partial(self._ask, peer.guest, sent.word, sent.fields, sent)
            self.world.agenda.later(AGAIN_AFTER, ask)
        elif message["type"] == "ok":
            peer.guest.hops.pop(table, None)

    def _go(self, guest: Guest, node: str, ticket: str, sent: Sent) -> None:
        """Asks at the node that has the table, on the line that leads there or on a new one."""
        peer = guest.peers.get(node)
        if peer is None or guest.banned:
            return
        visit = peer.here
        if visit is not None:
            peer.ask(visit, sent.word, sent.fields, sent)
            return
        opening = peer.visit is not None and not peer.visit.line.over and peer.visit.over is None
        if opening or peer.connect(ticket) is not None:
            guest.pending.setdefault(node, []).append(sent)
        else:
            ask = functools.partial(self._ask, guest, sent.word, sent.fields, sent)
            self.world.agenda.later(AGAIN_AFTER, ask)

    def _ask(self, guest: Guest, word: str, fields: Plain, like: Sent | None = None) -> None:
        """Asks on any line; whoever has none comes back with the token, and asks then."""
        here = guest.here
        if here:
            peer = guest.luck.choice(here)
            assert peer.here is not None
            peer.ask(peer.here, word, fields, like)

    # Tournaments

    def compete(self, peer: "Peer", visit: Visit) -> bool:
        self.world.look_at_tournament()
        return super().compete(peer, visit)

    def organises(self, peer: "Peer") -> bool:
        assert isinstance(peer, GuestPeer)
        return peer.guest is self.world.guests[0]

    def asked(self, peer: "Peer") -> Iterator[Sent]:
        """At any node; what a node has not answered to which no line leads is asked anew."""
        assert isinstance(peer, GuestPeer)
        for each in peer.guest.peers.values():
            yield from (sent for sent in each.sent.values() if sent.answer is not None or each.here)

    def settings(self, peer: "Peer") -> Plain:
        made = super().settings(peer)
        luck = peer.luck
        made["options"] = {"rounds": luck.choice((1, 2, 4))}
        made["clocks"] = luck.choice(({}, {"decision": 5.0, "scramble": 2.0, "grace": 10.0}, made["clocks"]))
        return made
