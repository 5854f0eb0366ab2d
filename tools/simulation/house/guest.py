"""A guest of a house: one person, or one bot, with a session at each node.

What is known of tables, and the numbers of commands, are the guest's; what was asked and answered is a
node's (PROTOCOL.md, appendix G). So a guest has a peer for each node, and all guarantees hold for each.
"""

import random
from typing import TYPE_CHECKING

from tools.simulation.guarantees.broken import hold
from tools.simulation.known import Plain, Sent, Visit
from tools.simulation.line import Line
from tools.simulation.peer import Peer

if TYPE_CHECKING:
    from tools.simulation.house.world import HouseWorld


class Guest:
    """What the peers of one name have in common."""

    def __init__(
        self, world: "HouseWorld", name: str, nodes: tuple[str, ...], bot: bool, token: str | None = None
    ) -> None:
        self.name = name
        self.luck = random.Random(f"{world.seed}/{name}")
        self.has_feature = self.luck.random() < 0.8
        """Whether it says `nodes` in its hello."""
        self.last_id = 0
        self.at = self.luck.choice(nodes)
        """Where it comes back to first."""
        self.pending: dict[str, list[Sent]] = {}
        """By node: what is asked there as soon as there is a line."""
        self.hops: dict[str, int] = {}
        """By table: how often it was elsewhere in a row."""
        self.peers: dict[str, GuestPeer] = {}
        for node in nodes:
            self.peers[node] = GuestPeer(world, self, node, bot, token)
        first = self.peers[nodes[0]]
        for peer in self.peers.values():
            peer.tokens, peer.tables, peer.sits_at = first.tokens, first.tables, first.sits_at
            peer.acted, peer.json = first.acted, first.json
        self.tables, self.sits_at = first.tables, first.sits_at

    @property
    def here(self) -> "list[GuestPeer]":
        """Where it is welcome."""
        return [peer for peer in self.peers.values() if peer.here is not None]

    @property
    def has_line(self) -> bool:
        return any(peer.visit is not None and not peer.visit.line.over for peer in self.peers.values())

    @property
    def banned(self) -> bool:
        return any(peer.banned for peer in self.peers.values())


class GuestPeer(Peer):
    """A guest at one node."""

    world: "HouseWorld"

    def __init__(self, world: "HouseWorld", guest: Guest, node: str, bot: bool, token: str | None) -> None:
        self.guest, self.node = guest, node
        super().__init__(world, guest.name, bot, token)
        self.luck = random.Random(f"{world.seed}/{guest.name}/{node}")
        self.hears_all = guest.has_feature

    @property
    def last_id(self) -> int:
        return self.guest.last_id

    @last_id.setter
    def last_id(self, last_id: int) -> None:
        self.guest.last_id = max(self.guest.last_id, last_id)

    def connect(self, ticket: str | None = None) -> Visit | None:
        line = self.world.new_line(self)
        if line is None:
            return None
        who: Plain = {"features": ["nodes"]} if self.guest.has_feature else {}
        if ticket is not None:
            who["ticket"] = ticket
            self.world.tickets.setdefault(ticket, self.world.agenda.now)
        elif self.tokens:
            who["token"] = self.tokens[-1]
        else:
            who |= {"name": self.name, "bot": self.bot}
        self.replaced = False
        self.guest.at = self.node
        return self._open_visit(line, who)

    def on_message(self, line: Line, payload: bytes, first: int) -> None:
        try:
            super().on_message(line, payload, first)
        except Exception as wrong:
            self.world.broken = self.world.broken or wrong

    def on_end(self, line: Line, code: int | None) -> None:
        try:
            super().on_end(line, code)
        except Exception as wrong:
            self.world.broken = self.world.broken or wrong

    def follows(self, visit: Visit, message: Plain) -> bool:
        """Not from what a node told before the one had the table that this guest knows it from by now."""
        known = self.tables.get(message["table"])
        if known is None or known.epoch == visit.epoch:
            return visit is self.visit
        since = self.world.had_since(message["table"], known.epoch)
        return visit is self.visit and not visit.was_stuck and visit.line.written_at >= since

    def _take_event(self, visit: Visit, message: Plain, payload: bytes) -> None:
        self.world.one_node_tells(self, visit, message)
        super()._take_event(visit, message, payload)

    def _take_welcome(self, visit: Visit, message: Plain) -> None:
        ticket = visit.who.get("ticket")
        if ticket is not None:
            hold(ticket not in self.world.used, "tickets", self, "a ticket was good twice")
            self.world.used.add(ticket)
            hold(message["token"] == "", "tickets", self, "a hello by ticket has changed the token")
            message = {**message, "token": self.tokens[-1]}
            self.tokens.pop()
        super()._take_welcome(visit, message)
        for peer in self.guest.peers.values():
            peer.token, peer.named, peer.name = self.token, True, self.name

    def _take_answer(self, visit: Visit, message: Plain) -> None:
        if visit.welcome is None and visit.who.get("ticket") is not None and message["type"] == "error":
            visit.over = message["code"]
            return
        super()._take_answer(visit, message)

    def ask(self, visit: Visit, word: str, fields: Plain, like: Sent | None = None) -> Sent:
        """Sends under a new id what was not done elsewhere."""
        if word == "say":
            fields = {**fields, "text": self.word()}  # each text is said once
        sent = self.send(visit, word, **fields)
        if like is not None:
            sent.game, sent.scramble, sent.legal = like.game, like.scramble, like.legal
        return sent
