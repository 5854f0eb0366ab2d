"""One seed of a house: three nodes over one database, their guests, and what befalls them."""

import functools
import random
from typing import Any

from parlour.server.storage.errors import ArchiveError
from parlour.server.tournament.live.running import RunningTournament
from tools.simulation import disk
from tools.simulation.guarantees import kept
from tools.simulation.guarantees.broken import Broken, hold
from tools.simulation.guarantees.every import FINAL
from tools.simulation.house.guest import Guest, GuestPeer
from tools.simulation.house.habits import HouseHabits
from tools.simulation.house.node import NodeServer
from tools.simulation.house.shared import SharedDatabase
from tools.simulation.known import IN_SESSIONS, Plain, Visit
from tools.simulation.line import DELAYS, Line
from tools.simulation.loop import BUSY
from tools.simulation.peer import Peer
from tools.simulation.server import COLLECT, Server
from tools.simulation.world import NAMES, QUIET, World

NODES = ("n1", "n2", "n3")
NOT_IN_TIME = "the archive did not take everything in time"
"""What a server says that was frozen when it was about to end."""
TAKEN_WITHIN = 10.0
"""Seconds after which another node has the tables of one that died."""
BEGIN_AGAIN = 1.0
COMPETE = 0.3
"""In how many houses there is a tournament."""
FROZEN_FOR = (0.5, 3.0, 8.0, 12.0)
CUT_FOR = (0.5, 3.0, 9.0)
DOWN_FOR = (0.1, 1.0, 5.0, 12.0)
FAST = (0.0, 0.0, 64.0, 4096.0)
"""Seconds that the clock of a node is ahead."""
WRONG_BY = (0, 0, -3600, 3600)
"""Seconds that the one on its wall is wrong by."""


class HouseWorld(World):
    """Everything that one seed decides."""

    disk: SharedDatabase
    habits: HouseHabits

    def __init__(self, seed: int, trace: bool = False) -> None:
        self.names = list(NODES)
        self.nodes: dict[str, NodeServer] = {}
        self.node_of_epoch: dict[int, str] = {}
        self.fast: dict[int, float] = {}
        """By life: what its clock is ahead."""
        self.guests: list[Guest] = []
        self.tickets: dict[str, float] = {}
        """When each was first shown."""
        self.used: set[str] = set()
        self.over = False
        self.frozen_while_stopping = False
        self.steady: dict[str, float] = {}
        """Since when each node has run without a fault."""
        super().__init__(seed, trace)
        self.habits = HouseHabits(self)
        # The game may be at another node by then: `turn` has an act count once, wherever it is sent again.
        self.stored = IN_SESSIONS

    def _make_disk(self, archive: bool) -> SharedDatabase:  # noqa: ARG002
        return SharedDatabase(self.agenda, random.Random(f"disk {self.seed}"))

    def _make_peers(self, count: int) -> None:
        self.plan = "tournament" if self.luck.random() < COMPETE else "table"
        for number in range(count):
            guest = Guest(self, NAMES[number], NODES, bot=self.luck.random() < 0.2)
            steps = self.luck.randrange(15, 40)
            for peer in guest.peers.values():
                peer.watches = number == count - 1 and count > 2 and self.plan == "table"
                peer.steps = steps
            self._welcome(guest)

    def _welcome(self, guest: Guest) -> None:
        self.guests.append(guest)
        self.peers.extend(guest.peers.values())

    # The course of things

    def run(self) -> None:
        COLLECT.take = self._take_bug
        luck = self.luck
        self.disk.refuses = luck.choice((0.0, 0.0, 0.0, 0.1))
        self.disk.delays = luck.choice((disk.DELAYS, (0.0, 0.001, 0.005)))
        self._introduce()
        for name in NODES:
            self._start(name, luck.choice(FAST), luck.choice(WRONG_BY))
        for guest in self.guests:
            self.habits.begin(guest.peers[guest.at])
        until = self.agenda.now + luck.choice((4.0, 12.0, 25.0))
        for _ in range(luck.choice((1, 1, 2, 3, 5))):
            at = self.agenda.now + luck.random() * (until - self.agenda.now)
            what, name = luck.choice(MISHAPS), luck.choice(NODES)
            self.agenda.at(at, functools.partial(what, self, name))
        self.agenda.at(until, self._calm)
        try:
            self._go_on()
        finally:
            COLLECT.take = None
            for node in list(self.nodes.values()):
                node.kill()
        if self.broken is not None:
            raise self.broken

    def _introduce(self) -> None:
        self.tell(f"has {self.disk}")
        for guest in self.guests:
            kind = "follows its tables" if guest.has_feature else "knows of one node"
            self.tell(f"knows {guest.name}, who {kind}")

    def _go_on(self) -> None:
        """Moves time on, and has each node do what is due, in an order that the seed decides."""
        agenda, luck = self.agenda, self.agenda.luck
        while not self.over and self.broken is None:
            wakes = [(wake, node) for node in self.nodes.values() if (wake := node.wakes_at()) is not None]
            due = [node for wake, node in wakes if wake <= agenda.now]
            if not due:
                agenda.advance(min((wake for wake, _ in wakes), default=None))
                continue
            node = due[int(luck.random() * len(due))]
            if luck.random() < 0.1:
                agenda.advance(agenda.now + luck.random() * BUSY)
            if node.agenda.stopped or node.agenda.dead:
                continue
            node.loop.step()
            if node.main is not None and node.main.done():
                self._ended(node)

    def _start(self, name: str, fast: float, wrong_by: int, left: bool = False) -> None:
        """Starts a node, as soon as it can join; `left`: others can see that the one before has ended."""
        if name in self.nodes or self.over:
            return
        again = functools.partial(self._start, name, fast, wrong_by, left)
        if left:
            self.disk.expire(name)
        if self.disk.lives(name):
            self.agenda.later(BEGIN_AGAIN, again)
            return
        self.epoch += 1
        order = functools.partial(self._order_bot_at, name)
        try:
            node = NodeServer(self.disk, name, f"{self.seed}/{self.epoch}", order, fast, wrong_by)
        except ArchiveError:
            self.agenda.later(BEGIN_AGAIN, again)
            return
        node.epoch = self.epoch
        self.nodes[name] = node
        self.node_of_epoch[self.epoch], self.fast[self.epoch] = name, fast
        self.began[self.epoch] = self.steady[name] = self.agenda.now
        self.tell_of(name, "starts")
        node.begin(lambda _: None)

    def _ended(self, node: NodeServer) -> None:
        """A node has stopped, or has lost its place and begins anew."""
        assert node.main is not None
        wrong = None if node.main.cancelled() else node.main.exception()
        name, lost = node.name, node.lost
        self.tell_of(name, "has lost its place" if lost else "has ended")
        self._forget(node)
        if wrong is not None and not isinstance(wrong, ArchiveError):
            self.broken = self.broken or wrong
        if lost or wrong is not None:
            self._start_again(node, 0.0)

    def _start_again(self, node: NodeServer, after: float, left: bool = False) -> None:
        start = functools.partial(self._start, node.name, node.fast, node.wrong_by, left)
        self.agenda.later(after, start)

    def _forget(self, node: NodeServer) -> None:
        for peer in self.peers:
            for visit in peer.visits.values():
                if visit.epoch == node.epoch:
                    visit.line.break_with_server()
        del self.nodes[node.name]
        self.steady.pop(node.name, None)
        self.went_down[node.epoch] = self.agenda.now
        node.kill()
        COLLECT.take = self._take_bug

    # What befalls nodes

    def _kill(self, name: str) -> None:  # type: ignore[override]
        node = self.nodes.get(name)
        if node is None:
            return
        self.tell_of(name, "is killed")
        self._watch_takeover(node)
        self._forget(node)
        self._start_again(node, self.luck.choice(DOWN_FOR), self.luck.random() < 0.5)

    def _stop(self, name: str) -> None:
        node = self.nodes.get(name)
        if node is not None and node.lobby is not None and not node.agenda.stopped:
            self.tell_of(name, "is told to stop")
            self.steady.pop(name, None)
            node.stop()
            self._start_again(node, 6.0 + self.luck.choice(DOWN_FOR))

    def _take_bug(self, text: str) -> None:
        if text != NOT_IN_TIME or not self.frozen_while_stopping:
            super()._take_bug(text)

    def _freeze(self, name: str) -> None:
        node = self.nodes.get(name)
        if node is None or node.agenda.stopped:
            return
        self.tell_of(name, "is frozen")
        self.frozen_while_stopping = self.frozen_while_stopping or node.stopping
        self.steady.pop(name, None)
        node.agenda.stopped = True
        self.agenda.later(self.luck.choice(FROZEN_FOR), functools.partial(self._thaw, node))

    def _thaw(self, node: NodeServer) -> None:
        if node.agenda.stopped and not node.agenda.dead:
            self.tell_of(node.name, "goes on")
            self.steady[node.name] = self.agenda.now
            node.agenda.go_on()

    def _cut(self, name: str) -> None:
        node = self.nodes.get(name)
        if node is not None and not node.link.cut:
            self.tell_of(name, "is cut off from the database")
            self.steady.pop(name, None)
            node.link.cut = True
            self.agenda.later(self.luck.choice(CUT_FOR), functools.partial(self._join_again, node))

    def _join_again(self, node: NodeServer) -> None:
        if node.link.cut and not node.agenda.dead:
            self.tell_of(node.name, "reaches the database again")
            self.steady[node.name] = self.agenda.now
            node.link.cut = False

    def _watch_takeover(self, node: NodeServer) -> None:
        for id, epoch in self.disk.select("SELECT id, epoch FROM leases WHERE node = ?", node.name):
            check = functools.partial(self._taken_over, id, node.name, epoch, self.agenda.now)
            self.agenda.later(TAKEN_WITHIN, check)

    def _taken_over(self, id: str, name: str, epoch: int, died_at: float) -> None:
        """Another node has it, or the same one again, if any has run without a fault all the time."""
        found = self.disk.select("SELECT node, epoch FROM leases WHERE id = ?", id)
        steady = [node for node, since in self.steady.items() if since <= died_at and node != name]
        if found and steady and found[0] == (name, epoch):
            seconds = self.agenda.now - died_at
            self.broken = self.broken or Broken("takeover", name, f"{id} is nobody's after {seconds} seconds")

    # The end

    def _calm(self) -> None:
        self.tell("calm: faults end, everybody comes back and looks at everything again")
        self.habits.calm = True
        self.disk.calm_down()
        for node in list(self.nodes.values()):
            self._thaw(node)
            self._join_again(node)
        for peer in self.peers:
            for visit in peer.visits.values():
                if visit.line.stuck:
                    visit.line.read_on()
        self.agenda.later(TAKEN_WITHIN + QUIET, self._come_back)

    def _come_back(self) -> None:
        for guest in self.guests:
            if not guest.has_line and not guest.banned:
                peer = guest.peers[guest.at]
                peer.replaced = False
                self.habits.lost(peer)
            self.habits.look_for_tables(guest)
        self.agenda.later(QUIET, self._look_again)

    def _look_again(self) -> None:
        self.looked_again = self.agenda.now
        for peer in self.peers:
            visit = peer.here
            if visit is not None:
                for id in sorted(peer.tables):
                    if id in visit.streams and id in self.tables(visit):
                        peer.send(visit, "resume", table=id, after=None)
                peer.send(visit, "ping")
        for guest in self.guests:
            for peer in guest.here[:1]:
                if self.tournament is not None and peer.here is not None:
                    peer.send(peer.here, "watch_tournament", tournament=self.tournament)
        self.agenda.later(QUIET, self._finish)

    def _finish(self) -> None:
        self.over = True
        try:
            for guest in self.guests:
                hold(guest.here or guest.banned, "G16", guest.peers[guest.at], "cannot come back")
                self._has_found_tables(guest)
                for peer in guest.here:
                    assert peer.here is not None
                    for final in FINAL:
                        final(peer, peer.here)
            for end in kept.AT_THE_END:
                end(self)
            self._directories_agree()
        except Broken as broken:
            self.broken = self.broken or broken

    def _directories_agree(self) -> None:
        """Every node knows which other one has what, as far as that has not changed just now.

        A table whose end could not be stored is nobody's, though it has a lease until its node ends.
        """
        owners, there = dict(self.disk.select("SELECT id, node FROM leases")), self._tables()
        for node in self.nodes.values():
            if node.lobby is None:
                continue
            known = {id: entry.node for id, entry in node.lobby.house.directory.entries.items()}
            for id in sorted(known.keys() | owners.keys()):
                owner = owners.get(id) if owners.get(id) != node.name else None
                if id not in known and id not in there:
                    continue
                since = self.disk.moves[id][-1][0] if id in owners else self.disk.gone.get(id, 0.0)
                if known.get(id) != owner and since < self.agenda.now - QUIET / 2:
                    told = f"takes {known.get(id)} for the node of {id}, which is {owner}"
                    raise Broken("moved", node.name, told)

    def _has_found_tables(self, guest: Guest) -> None:
        """Whoever can follow its tables has found all of them, wherever they are by now."""
        for id, table in self._tables().items():
            if guest.has_feature and guest.here and table.seat_played_by(guest.name) is not None:
                since, node, _ = self.disk.moves[id][-1]
                visit = guest.peers[node].here if node in guest.peers else None
                found = visit is not None and id in visit.streams
                told = since < self.looked_again and (table.settings.terms is not None or id in guest.sits_at)
                hold(found or not told, "moved", guest.peers[guest.at], f"has lost {id}")

    # What guests need

    def new_line(self, peer: Peer) -> Line | None:
        assert isinstance(peer, GuestPeer)
        node = self.nodes.get(peer.node)
        if node is None or node.loop.listening is None or node.lobby is None:
            return None
        self.lines += 1
        address = f"10.0.0.{1 + self.guests.index(peer.guest)}"
        luck = random.Random(f"line {self.seed} {self.lines}")
        return Line(self.agenda, node.loop, node.loop.listening, peer, self.lines, luck, address, DELAYS)

    def epoch_for(self, peer: Peer) -> int:
        assert isinstance(peer, GuestPeer)
        return self.nodes[peer.node].epoch

    def down_between(self, table: str, before: int, now: int) -> tuple[float, float] | None:  # noqa: ARG002
        return None

    def clock_of(self, visit: Visit) -> float:
        return self.agenda.now + self.fast[visit.epoch]

    def _order_bot_at(self, node: str, token: str, _table: str) -> None:
        guest = Guest(self, f"bot{len(self.guests)}", (node,), bot=True, token=token)
        for bot in guest.peers.values():
            bot.built_in, bot.steps = True, 30
        self._welcome(guest)
        self.habits.begin(guest.peers[node])

    def tell_of(self, name: str, what: str) -> None:
        if self.story is not None:
            self.story.tell(name, what)

    # What is known of the nodes from inside

    def had_since(self, id: str, epoch: int) -> float:
        """When the node of this life got a table."""
        name = self.node_of_epoch[epoch]
        return next((at for at, node, _ in reversed(self.disk.moves.get(id, [])) if node == name), 0.0)

    def has_come(self, visit: Visit, table: str) -> bool:
        here = self.node_of_epoch[visit.epoch]
        return any(node == here for _, node, _ in self.disk.moves.get(table, [])[1:])

    def one_node_tells(self, peer: GuestPeer, visit: Visit, message: Plain) -> None:
        """Nothing of a table is told by a node after another one has got it.

        What was stored before may be on its way to its viewers for a round of the loop.
        """
        if visit.was_stuck:
            return  # it may have been told long before it could be written
        at, moves = visit.line.written_at, self.disk.moves.get(message["table"], [])
        ends = [*(since for since, *_ in moves[1:]), at]
        has = {
            node for (since, node, _), end in zip(moves, ends, strict=False) if since < at and end > at - BUSY
        }
        told = f"{message['type']} of {message['table']}, which {sorted(has)} has"
        hold(not has or peer.node in has, "one node tells", peer, f"{peer.node} tells {told}")

    def _tables(self) -> dict[str, Any]:
        """All tables, each as the node knows it that has it."""
        found = {}
        for id, name in self.disk.select("SELECT id, node FROM leases"):
            node = self.nodes.get(name)
            if node is not None and node.lobby is not None and id in node.lobby.tables.by_id:
                found[id] = node.lobby.tables.by_id[id]
        return found

    def _node_of(self, visit: Visit) -> NodeServer | None:
        return next((node for node in self.nodes.values() if node.epoch == visit.epoch), None)

    def _tournament(self) -> RunningTournament | None:
        """The one that is not over, as the node knows it that has it."""
        for id, name in self.disk.select("SELECT id, node FROM leases WHERE kind = 'tournament'"):
            node = self.nodes.get(name)
            if node is not None and node.lobby is not None and id in node.lobby.tournaments.listing.open:
                return node.lobby.tournaments.listing.open[id]
        return None

    def look_at_tournament(self) -> None:
        """People tell each other what there is, and who takes part in it."""
        found = self._tournament()
        if found is not None:
            self.tournament = found.id
            self.entered, self.checked_in = len(found.state.entrants), len(found.state.nonces)

    def phase(self, tournament: str) -> str:
        found = self._tournament()
        if found is not None:
            return found.state.phase
        listed = [node.lobby.tournaments.listing.infos for node in self._living() if node.lobby is not None]
        return next((each[tournament].phase for each in listed if tournament in each), "")

    def _tournament_secrets(self) -> list[tuple[str, bytes]]:
        found = self._tournament()
        return self.secrets_of(found) if found is not None else []

    def tables(self, visit: Visit) -> set[str]:
        node = self._node_of(visit)
        return set(node.lobby.tables.by_id) if node is not None and node.lobby is not None else set()

    def listed(self, visit: Visit) -> dict[str, Any]:
        everything = self._tables()
        if visit.who.get("features"):
            return everything
        here = self.tables(visit)
        return {id: table for id, table in everything.items() if id in here}

    def tokens(self, peer: Peer) -> list[tuple[str, bytes]]:
        return [(each.name, each.token) for each in self.peers if each.token and each.name != peer.name]

    def _living(self) -> list[Server]:
        return [node for node in self.nodes.values() if node.lobby is not None]

    def seats_disagree(self) -> list[str]:
        return [name for node in self._living() for name in self._disagree(node)]

    def faults(self) -> dict[str, str]:
        self.server = next(iter(self._living()), None)
        return super().faults()

    @functools.cached_property
    def journals(self) -> dict[str, list[Plain]]:
        self.server = next(iter(self._living()), None)
        return super().journals


MISHAPS = (HouseWorld._kill, HouseWorld._kill, HouseWorld._freeze, HouseWorld._cut, HouseWorld._stop)
