"""One seed from its first connection to its last check: servers, a disk, peers, and what befalls them."""

import functools
import json
import random
from collections.abc import Iterator
from typing import Any

from parlour.engine.maps import to_map
from parlour.server.records.reading import read_record
from parlour.server.records.record import without_by
from parlour.server.records.verify import verify
from parlour.server.tournament.live.running import RunningTournament
from tools.simulation import disk
from tools.simulation.database import Database
from tools.simulation.disk import SLOW, Disk
from tools.simulation.guarantees import kept
from tools.simulation.guarantees.broken import Broken, hold
from tools.simulation.guarantees.every import FINAL
from tools.simulation.habits import Habits
from tools.simulation.known import BEFORE_THE_START, IN_JOURNALS, IN_SESSIONS, REPEATABLE, Sent, Visit
from tools.simulation.line import DELAYS, QUICK, Line
from tools.simulation.loop import Agenda
from tools.simulation.peer import Peer
from tools.simulation.server import COLLECT, Server
from tools.simulation.story import Story

Plain = dict[str, Any]
NAMES = ("Ann", "Ben", "Cleo", "Dan")
DATABASE_EVERY, DATABASE_AT = 16, 12
"""Of so many seeds the one with this rest has its archive in a database."""
QUIET = 8.0
"""Seconds in which everything that is on its way at the end has come."""


class World:
    """Everything that one seed decides."""

    def __init__(self, seed: int, trace: bool = False) -> None:
        self.seed = seed
        self.luck = random.Random(f"world {seed}")
        self.agenda = Agenda(random.Random(f"order {seed}"))
        self.story = Story(self.agenda) if trace else None
        self.disk = self._make_disk(self.luck.random() < 0.8)
        if self.story is not None and self.disk is not None:
            self.disk.story = functools.partial(self.story.tell, "disk")
        self.server: Server | None = None
        self.epoch = 0
        self.lines = 0
        self.began: dict[int, float] = {}
        self.went_down: dict[int, float] = {}
        """By epoch: when that server began, and when it stopped or was killed."""
        self.repeatable = REPEATABLE
        self.stored = IN_SESSIONS | IN_JOURNALS
        """Commands whose ids a server knows that comes after the one that has answered them."""
        self.plan = self.luck.choice(("table", "table", "table", "table", "table", "tournament"))
        self.habits = Habits(self)
        self.peers: list[Peer] = []
        self.looked_again = 0.0
        """When everybody looked at everything at the end: whatever was asked by then is answered."""
        self.broken: BaseException | None = None
        # What is known to everybody here, as if people talked beside the server.
        self.notices: dict[str, str | None] = {}
        self.codes: list[bytes] = []
        self.tables_made = 0
        self.tournament: str | None = None
        self.entered = self.checked_in = 0
        # What guarantees compare over all peers.
        self._secrets: list[tuple[str, bytes]] = []
        self._secrets_of = (0, 0)
        self.watched: dict[Any, bytes] = {}
        self.passes: dict[Any, tuple[str, int]] = {}
        self.owners: dict[Any, tuple[int, str]] = {}
        self.heard: dict[str, dict[str, set[Any]]] = {}
        self.said: dict[str, str | None] = {}
        self.results: dict[Any, Plain] = {}
        self.outcomes: dict[str, list[int]] = {}
        self.commitments: dict[str, str] = {}
        self.hurries: dict[str, float] = {}
        """By table: seconds for an answer in a scramble."""
        self._make_peers(self.luck.choice((2, 3, 3, 4)))

    def _make_peers(self, count: int) -> None:
        for number in range(count):
            peer = Peer(self, NAMES[number], bot=self.luck.random() < 0.2)
            peer.watches = number == count - 1 and count > 2 and self.plan == "table"
            peer.steps = self.luck.randrange(8, 20) * (5 if self.plan == "tournament" else 2) // 2
            self.peers.append(peer)

    def _make_disk(self, archive: bool) -> Disk | None:
        luck = random.Random(f"disk {self.seed}")
        if self.seed % DATABASE_EVERY == DATABASE_AT:
            return Database(self.agenda, luck)
        return Disk(self.agenda, luck) if archive else None

    # The course of things

    def _introduce(self) -> None:
        """Tells what the seed has decided before anything happens."""
        for peer in self.peers:
            kind = "bot" if peer.bot else "watcher" if peer.watches else "player"
            self.tell(f"knows {peer.name}, a {kind}{' that speaks JSON' if peer.json else ''}")
        if self.disk is None:
            self.tell("has no archive")
        else:
            self.tell(f"has {self.disk}")
        self.tell(
            f"plan: {self.plan}; odd {self.habits.odd:.0%} of the time, lines break {self.habits.breaks:.0%}"
        )

    def run(self) -> None:
        """Raises Broken, or whatever else went wrong."""
        COLLECT.take = None
        for peer in self.peers:
            self.habits.begin(peer)
        long = self.plan == "tournament"
        until = self.agenda.now + self.luck.choice((2.0, 6.0, 10.0) if long else (0.5, 2.0, 6.0, 20.0))
        if self.disk is not None:
            self.disk.refuses = self.luck.choice((0.0, 0.0, 0.0, 0.1, 0.3))
            self.disk.delays = self.luck.choice((disk.DELAYS, disk.DELAYS, disk.DELAYS, SLOW))
            restarts = self.luck.choice((0, 0, 0, 1, 1, 2))
        else:
            restarts = 0
        self._introduce()
        for _ in range(restarts):
            until += self.luck.random() * 2
            how = self.luck.choice(("kill", "kill", "stop"))
            self._serve(
                lambda _, how=how, at=until - 1.5: self.agenda.at(at, functools.partial(self._end, how))
            )
        self._serve(lambda _: self.agenda.at(until, self._calm))
        if self.broken is not None:
            raise self.broken

    def _serve(self, on_open: Any) -> None:
        if self.broken is not None:
            return
        self.epoch += 1
        server = self.server = Server(self.agenda, self.disk, f"{self.seed}/{self.epoch}", self._order_bot)
        COLLECT.take = self._take_bug
        self.began[self.epoch] = self.agenda.now
        self.tell("starts")
        try:
            server.run(on_open)
        except Exception as wrong:
            self.broken = self.broken or wrong
        self.went_down[self.epoch] = self.agenda.now
        self.server = None

    def _take_bug(self, text: str) -> None:
        self.broken = self.broken or Broken("no fault of ours", "the server", text)

    def _end(self, how: str) -> None:
        """The server stops, or is killed with all lines to it."""
        if self.server is None:
            return
        self.tell("is killed" if how == "kill" else "stops")
        if how == "stop":
            self.server.stop()
        else:
            self._kill(self.server)

    def _kill(self, server: Server) -> None:
        for peer in self.peers:
            for visit in peer.visits.values():
                visit.line.break_with_server()
        server.kill()
        self.server = None

    def _calm(self) -> None:
        """Faults end; everybody comes back and gets what is due."""
        self.tell("calm: faults end, everybody comes back and looks at everything again")
        self.habits.calm = True
        if self.disk is not None:
            self.disk.calm_down()
        for peer in self.peers:
            for visit in peer.visits.values():
                if visit.line.stuck:
                    visit.line.read_on()
            if peer.here is None and not peer.banned and (peer.visit is None or peer.visit.line.over):
                peer.replaced = False
                self.habits.lost(peer)
        self.agenda.later(QUIET, self._look_again)

    def _look_again(self) -> None:
        """Everybody looks at every table anew: nothing may differ from what was known."""
        self.looked_again = self.agenda.now
        for peer in self.peers:
            visit = peer.here
            if visit is not None:
                for id in sorted(peer.tables):
                    if id in visit.streams:
                        peer.send(visit, "resume", table=id, after=None)
                for id in sorted(visit.tournaments):
                    peer.send(visit, "watch_tournament", tournament=id)
                peer.send(visit, "ping")
        self.agenda.later(QUIET, self._finish)

    def _finish(self) -> None:
        try:
            for peer in self.peers:
                visit = peer.here
                if visit is None:
                    hold(peer.banned or peer.built_in, "G16", peer, "cannot come back")
                    continue
                for final in FINAL:
                    final(peer, visit)
            for end in kept.AT_THE_END:
                end(self)
        except Broken as broken:
            self.broken = self.broken or broken
        if self.server is not None:
            self._kill(self.server)

    # What peers need

    def new_line(self, peer: Peer) -> Line | None:
        server = self.server
        if server is None or server.loop.listening is None or server.lobby is None:
            return None
        self.lines += 1
        address = f"10.0.0.{1 + self.peers.index(peer)}"
        delays = QUICK if peer.flapping else DELAYS
        # Each its own: a server may tell several peers in any order.
        luck = random.Random(f"line {self.seed} {self.lines}")
        return Line(self.agenda, server.loop, server.loop.listening, peer, self.lines, luck, address, delays)

    def epoch_for(self, peer: Peer) -> int:  # noqa: ARG002
        """The number of the server to which this peer opens a line."""
        return self.epoch

    def down_between(self, table: str, before: int, now: int) -> tuple[float, float] | None:  # noqa: ARG002
        """When time stopped at a table, by the clock of one server, and when it went on, by that of another.

        None if nobody knows. While another server was there of which a peer was told nothing, time did pass.
        """
        if before not in self.went_down:
            return None
        passed = sum(self.went_down[each] - self.began[each] for each in range(before + 1, now))
        return self.went_down[before] + passed, self.began[now]

    def clock_of(self, visit: Visit) -> float:  # noqa: ARG002
        """What the clock of the server shows to which a line leads."""
        return self.agenda.now

    def _order_bot(self, token: str, _table: str) -> None:
        bot = Peer(self, f"bot{len(self.peers)}", bot=True, token=token)
        bot.built_in, bot.steps = True, 30
        self.peers.append(bot)
        self.habits.begin(bot)

    @property
    def preparing(self) -> bool:
        """Whether everybody waits for a tournament to begin."""
        return self.plan == "tournament" and self.phase(self.tournament or "") in ("", *BEFORE_THE_START)

    def note(self, peer: Peer, message: Plain) -> None:
        """What people tell each other beside the server."""
        sent = peer.sent.get(message["id"])
        if sent is None:
            return
        if sent.word == "create_table":
            table, code = message["result"]["table"], message["result"]["code"]
            self.notices[table] = code
            if code is not None:
                self.codes.append(code.encode())
        elif sent.word == "create_tournament":
            self.tournament = message["result"]["tournament"]
        self.entered += sent.word == "enter"
        self.checked_in += sent.word == "check_in"

    def rules(self) -> Plain:
        luck = self.luck
        return {
            "name": "Cup",
            "game": "whispers",
            "format": luck.choice(("round_robin", "swiss", "knockout")),
            "seed": "x",
            "seats": 2,
            "rounds": None,
            "games": 2,
            "options": {"rounds": 1},
            "clocks": {"decision": 2.0, "scramble": 0.5, "grace": luck.choice((0.5, 5.0))},
        }

    def json(self, message: Plain) -> bytes:
        return json.dumps(message).encode()

    def from_json(self, payload: bytes) -> Plain:
        plain: Plain = json.loads(payload)
        return plain

    def tell(self, what: str) -> None:
        if self.story is not None:
            self.story.tell(f"server {self.epoch}" if self.epoch else "world", what)

    # What is known of the server from inside

    def _tables(self) -> dict[str, Any]:
        lobby = self.server.lobby if self.server is not None else None
        return lobby.tables.by_id if lobby is not None else {}

    def tables(self, visit: Visit) -> set[str]:  # noqa: ARG002
        """Those of the server to which a line leads."""
        return set(self._tables())

    def listed(self, visit: Visit) -> dict[str, Any]:  # noqa: ARG002
        """Those that the lobby may show on a line."""
        return self._tables()

    def settled_tables(self, visit: Visit) -> dict[str, Plain]:
        """The public tables of which everything has been told by now."""
        public = [table for table in self.listed(visit).values() if table.settings.public]
        long_ago = self.agenda.now - QUIET / 2
        return {table.id: to_map(table.info()) for table in public if table.changed_at < long_ago}

    def has_sent(self, name: str, table: str, action: Plain) -> bool:
        """Whether somebody has sent this action, whatever became of it."""
        return any(sent.word == "act" and sent.fields["action"] == action for sent in self._sent(name, table))

    def gives_up(self, name: str, table: str, seat: int) -> bool:
        """Whether somebody has asked to give up a game at this table, or somebody else to clear the seat."""
        given_up = any(sent.word in ("resign", "leave") for sent in self._sent(name, table))
        return given_up or any(
            sent.word == "kick" and sent.fields["seat"] == seat for sent in self._sent(None, table)
        )

    def has_come(self, visit: Visit, table: str) -> bool:  # noqa: ARG002
        """Whether another server had a table before the one at the other end of a line."""
        return False

    def asked_two_servers(self, text: str) -> bool:
        """Whether the command that says this was sent to one server and, without its answer, to another."""
        for peer in self.peers:
            for sent in peer.sent.values():
                if sent.fields.get("text") == text:
                    return len({peer.visits[line].epoch for line in sent.lines}) > 1
        return False

    def _sent(self, name: str | None, table: str) -> Iterator[Sent]:
        """What somebody, or anybody, has sent to a table."""
        for peer in self.peers:
            if name is None or peer.name == name:
                yield from (sent for sent in peer.sent.values() if sent.fields.get("table") == table)

    def phase(self, tournament: str) -> str:
        lobby = self.server.lobby if self.server is not None else None
        info = lobby.tournaments.listing.infos.get(tournament) if lobby is not None else None
        return info.phase if info is not None else ""

    def secrets(self) -> list[tuple[str, bytes]]:
        """What is secret of games and tournaments that are not over, and whose, as it would stand in a frame.

        A server changes nothing between two rounds of its loop, and many frames come then.
        """
        if self._secrets_of != (self.epoch, self.agenda.rounds):
            self._secrets_of = self.epoch, self.agenda.rounds
            self._secrets = [*self._table_secrets(), *self._tournament_secrets()]
        return self._secrets

    def _table_secrets(self) -> list[tuple[str, bytes]]:
        tables = self._tables().values()
        return [(table.id, _digits(table.secret)) for table in tables if table.stage != "finished"]

    def _tournament_secrets(self) -> list[tuple[str, bytes]]:
        lobby = self.server.lobby if self.server is not None else None
        found = lobby.tournaments.listing.open.values() if lobby is not None else ()
        return [secret for tournament in found for secret in self.secrets_of(tournament)]

    def secrets_of(self, found: RunningTournament) -> list[tuple[str, bytes]]:
        return [(found.id, _digits(each)) for each in (found.state.secret, found.state.key) if each]

    def has_ended(self, id: str) -> bool:
        """Whether the end of a table's game lies on the disk, and the server is about to learn of it."""
        table = self._tables().get(id)
        if table is None or self.disk is None:
            return False
        query = "SELECT 1 FROM games WHERE id = ? AND finish IS NOT NULL"
        return bool(self.disk.select(query, f"{id}-{table.number}"))

    def tokens(self, peer: Peer) -> list[tuple[str, bytes]]:
        return [(each.name, each.token) for each in self.peers if each.token and each is not peer]

    def seats_disagree(self) -> list[str]:
        """Whose session has a seat that its table does not know of, or the other way round."""
        return self._disagree(self.server) if self.server is not None else []

    def _disagree(self, server: Server) -> list[str]:
        if server.lobby is None:
            return []
        tables = server.lobby.tables
        # While something is stored, a seat may have been given up that is taken from its session after it.
        settled = [table for table in tables.by_id.values() if not tables.gates[table.id].busy]
        return [
            session.name
            for session in tables.sessions.values()
            if any(
                (table.id in session.tables) != (table.seat_played_by(session.name) is not None)
                for table in settled
            )
            or not session.tables <= tables.by_id.keys()
        ]

    def faults(self) -> dict[str, str]:
        """What is wrong with the records of games that are over and lie on the disk."""
        archive = self.server.archive if self.server is not None else None
        found = {}
        for game in archive.finished() if archive is not None else ():
            header, lines, end = archive.record(game.id) if archive is not None else ({}, [], None)
            verdict = verify(read_record(header, list(map(without_by, lines)), end))
            if not verdict.sound:
                found[game.id] = str(verdict.faults[0])
        return found

    @functools.cached_property
    def journals(self) -> dict[str, list[Plain]]:
        """The lines of each game on the disk, once a world is over."""
        archive = self.server.archive if self.server is not None else None
        if archive is None or self.disk is None:
            return {}
        return {game: list(archive.lines(game)) for (game,) in self.disk.select("SELECT id FROM games")}


@functools.lru_cache(1024)
def _digits(secret: bytes) -> bytes:
    """As it would stand in a frame."""
    return secret.hex().encode()
