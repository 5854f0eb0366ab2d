"""Who connects, who leaves, and that each command is done once and answered once."""

import functools
from collections.abc import Mapping
from typing import Any

import attrs

from parlour.machine.addresses import network_of
from parlour.protocol import messages as m
from parlour.protocol.codec import read_part
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.protocol.names import clean_name
from parlour.protocol.version import FEATURES, MINOR, NODES, PROTOCOL, build
from parlour.server.background import AtOnce, Background
from parlour.server.house.house import NO_PROOF, Alone, House, Proof
from parlour.server.limits import Limits
from parlour.server.lobby.absent import give_up_unused, keep_absent, make_room
from parlour.server.lobby.answering import answer
from parlour.server.lobby.bots import Bots, BuiltInBots
from parlour.server.lobby.commands import DO, REPEATABLE
from parlour.server.lobby.context import LATER, Context
from parlour.server.lobby.other_nodes import ASK_AGAIN, OtherNodes, Received
from parlour.server.lobby.turnstiles import DEAR, Turnstiles
from parlour.server.people.identity import Identity
from parlour.server.people.session import Peer, Session, refusal
from parlour.server.storage.change import Change
from parlour.server.storage.gate import AGAIN_AFTER, WriteGate
from parlour.server.storage.played_games import NoPlayedGames, PlayedGames
from parlour.server.tables.registry import NOTHING, Tables
from parlour.server.tables.stored_maps import person_map, session_map
from parlour.server.tables.substitutes import note_presence
from parlour.server.tournament.live.registry import RunningTournaments

LOST_FOR = 1.0
"""Seconds after which clients may come back to a node that has lost its place."""


@attrs.define(repr=False)
class Lobby:
    """The deciding half of a server; wire/gateway.py moves the bytes."""

    limits: Limits
    bots: Bots
    tables: Tables = attrs.field(factory=Tables)
    played_games: PlayedGames = attrs.field(factory=NoPlayedGames)
    reading: Background = attrs.field(factory=AtOnce)
    thinking: Background = attrs.field(factory=AtOnce)
    tournaments: RunningTournaments = attrs.field(init=False)
    house: House = attrs.field(factory=Alone)
    closing: float | None = None
    """While the server goes down: seconds after which clients may come back."""
    _built_in: BuiltInBots = attrs.field(init=False)
    _context: Context = attrs.field(init=False)
    _turnstiles: Turnstiles = attrs.field(init=False)
    _other_nodes: OtherNodes = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.tournaments = RunningTournaments(self.tables, self.limits)
        self._built_in = BuiltInBots(self.tables, self.bots, self.limits)
        self._context = Context(
            self.tables,
            self.limits,
            self._built_in,
            self.played_games,
            self.tournaments,
            self.house,
            self.reading,
            self.thinking,
        )
        self._turnstiles = Turnstiles(self.tables, self.limits, self._context.networks, self.reading)
        self._other_nodes = OtherNodes(self._context, self._do_in_turn)

    def hello(self, hello: m.Hello, peer: Peer, now: float, proof: Proof = NO_PROOF) -> Session:
        """Opens or takes over a session and welcomes it; raises ProtocolError.

        `proof` is what the house has said to this hello.
        """
        tables = self.tables
        if PROTOCOL not in hello.versions:
            raise ProtocolError("version", server=PROTOCOL)
        if self.closing is not None or self.house.over:
            raise ProtocolError("closing", retry_after=self.closing)
        by_ticket = hello.ticket is not None and bool(self.house.node)
        if by_ticket:
            if proof.name is None or proof.name not in tables.sessions:
                raise ProtocolError("bad_token")
            identity, token = tables.sessions[proof.name].identity, ""
            if proof.number < identity.hello:  # it is from before the last hello by token, and may be stolen
                raise ProtocolError("bad_token")
        elif hello.token is not None:
            self._refuse_late(hello.token, proof)
            identity, token = tables.register.authenticate(hello.token)
        elif hello.name is None:
            raise ProtocolError("bad_name", rule="missing")
        else:
            identity, token = self._take_name(clean_name(hello.name), hello.bot, peer, now)
        session = tables.sessions.get(identity.name)
        if session is None:
            session = tables.sessions[identity.name] = Session(identity)
        session.returned = session.returned or hello.token is not None or by_ticket
        session.nodes = bool(self.house.node) and NODES in hello.features
        session.line = proof.number
        if not by_ticket:
            identity.hello = proof.number
        identity.seen = tables.store.wall()
        tables.newcomers.welcome(session)
        if session.peer is not None:
            session.send(m.Goodbye("replaced"))
            session.peer.hang_up(4001, "replaced")
            for id in list(session.watching):
                tables.stop_watching(session, id, now)
        for table, _ in tables.tables_of(session):
            tables.restore_game(table)  # its journal says which commands of this player were done
        if session.told_id is None:
            session.told_id = session.last_id
        session.peer = peer
        session.following.clear()
        tables.watchers.watch_lobby(session, False)
        session.watched_tournaments.clear()
        session.trips.clear()
        peer.hold()  # until the token is stored: after a restart it would be worth nothing
        session.send(
            m.Welcome(
                version=PROTOCOL,
                minor=MINOR,
                server=build(),
                features=(*FEATURES, NODES) if session.nodes else FEATURES,
                limits=self.limits.message(),
                heartbeat=self.limits.heartbeat,
                you=m.Person(identity.name, identity.bot),
                token=token,
                last_id=session.last_id,
                tables=tuple(sorted(session.tables)),
                now=now,
                **(self._house_of(session) if session.nodes else {}),
            )
        )
        self._presence(session, True, now)
        self.tournaments.connected(session)
        WriteGate(session.name, tables.store, tables.on_bug, lambda _: peer.hang_up(4000, "failed")).put(
            self._person(session) if tables.store.durable else NOTHING,
            functools.partial(self._let_in, session, peer, by_ticket),
            functools.partial(self._turn_away, session, peer, hello.token is None and not by_ticket),
        )
        return session

    def _refuse_late(self, token: str, proof: Proof) -> None:
        """Raises `busy` if a later hello of that name, at another node, has been welcomed before this one."""
        session = self.tables.sessions.get(self.tables.register.owner(token) or "")
        if self.house.node and session is not None and proof.number < session.identity.hello:
            raise ProtocolError("busy", retry_after=ASK_AGAIN)

    def _person(self, session: Session) -> Change:
        return Change(
            save_people={session.name: person_map(session)},
            versions=self.tables.versions([session]),
            save_sessions={session.name: session_map(session)},
        )

    def _house_of(self, session: Session) -> dict[str, Any]:
        """What a client that can go to other nodes is told of them."""
        house = self.house
        # A table whose node is over is asked for here, until another has taken it over.
        seats = [
            (entry.id, house.nodes.get(entry.node, house.url)) for entry in house.directory.of(session.name)
        ]
        return {
            "node": house.node,
            "nodes": tuple(m.Node(name, url) for name, url in house.nodes.items()),
            "elsewhere": tuple(m.Elsewhere(id, url) for id, url in sorted(seats)),
        }

    def _let_in(self, session: Session, peer: Peer, by_ticket: bool) -> None:
        """Sends the welcome, which is stored; a hello by token ends the lines at all other nodes."""
        peer.let_go()
        identity = session.identity
        identity.version = identity.version or 1
        if self.house.node and not by_ticket:
            self.house.tell({"event": "replaced", "name": session.name, "number": session.line})
        self.house.note_line(session.name, session.nodes)

    def nodes_changed(self) -> None:
        """Tells clients that can go there which nodes there are."""
        nodes = tuple(m.Node(name, url) for name, url in self.house.nodes.items())
        frame = Frame.of(m.NodesChanged(nodes))
        for session in self.tables.sessions.values():
            if session.nodes:
                session.send(frame, urgent=False)

    def hear_chat(self, event: Mapping[str, Any]) -> None:
        """Shows what was said at another node."""
        line = attrs.evolve(read_part(event["line"], m.Line), at=self.tables.clock())
        self.tables.watchers.tell_lobby(m.LobbyChat(line))

    def lose(self) -> None:
        """Says goodbye to everybody, and nothing else that was still to be said: others may know better."""
        self.closing = LOST_FOR
        for session in self.tables.sessions.values():
            peer, session.peer = session.peer, None
            if peer is not None:
                peer.let_go(forget=True)
                peer.send(Frame.of(m.Goodbye("restart", LOST_FOR)))
                peer.hang_up(1012, "restart")

    def _take_name(self, name: str, bot: bool, peer: Peer, now: float) -> tuple[Identity, str]:
        """Registers a new name; raises `name_taken`, `too_many_names` or `too_many`."""
        tables, limits = self.tables, self.limits
        give_up_unused(tables, name)
        tables.register.check_free(name)
        tables.newcomers.spend(network_of(peer.address), limits.names_each, now)
        if len(tables.newcomers) >= limits.people and not make_room(tables):
            raise ProtocolError("too_many", most=limits.people)
        return tables.register.add(name, bot)

    def _turn_away(self, session: Session, peer: Peer, new: bool, wrong: ProtocolError) -> ProtocolError:
        """Ends a connection whose token could not be stored."""
        peer.let_go(forget=True)
        peer.send(Frame.of(refusal(None, wrong)))
        peer.hang_up(4000, wrong.code.name)
        if new and not session.tables:
            self.tables.forget(session)
        return wrong

    def drop(self, peer: Peer, now: float) -> None:
        """Undoes a hello that a bug has ended halfway."""
        for session in list(self.tables.sessions.values()):
            if session.peer is peer:
                self.disconnect(session, peer, now)

    def disconnect(self, session: Session, peer: Peer, now: float) -> None:
        """Marks a player away whose connection has ended, unless a newer one has taken over."""
        if session.peer is not peer:
            return
        session.peer = None
        self.tables.watchers.watch_lobby(session, False)
        session.watched_tournaments.clear()
        for id in list(session.watching):
            self.tables.stop_watching(session, id, now)
        if self.closing is None:  # else the restart marks everybody away
            if session.built_in:
                self._built_in.lost(session, now)
            self._presence(session, False, now)
        self.house.note_line(session.name, None)
        if self.closing is None:  # else another node may have the table by now that the name stands at
            keep_absent(self.tables, session)

    def _presence(self, session: Session, here: bool, now: float) -> None:
        for table, _ in self.tables.tables_of(session):
            self.tables.when_free(
                table, functools.partial(note_presence, name=session.name, here=here, now=now)
            )

    def note_round_trip(self, session: Session, round_trip: float) -> None:
        """Notes how long a ping took, at all tables of the player."""
        session.trips.append(round_trip)
        for table, seat in self.tables.tables_of(session):
            table.note_round_trip(seat, session.round_trip)
            self.tables.alarms.set(table)

    def receive(self, session: Session, command: Any, now: float) -> None:
        """Does a command once, and answers it once."""
        if self.closing is not None or self.house.over:
            return  # clients send what has no answer again after the restart
        id: int = command.id
        kind, peer = type(command), session.peer
        if peer is not None and session.leaving is peer:
            return
        repeatable = kind in REPEATABLE
        if id <= session.last_id or id <= session.answers.newest:  # it came before, or was left out
            if id in session.answers:
                answered = session.remembered(id)
                if answered is not None:
                    session.send(answered)
                return
            if id <= session.last_id and id not in session.owed and not repeatable:
                session.send(m.Error(id, "forgotten", {"last_id": session.last_id}))
                return
        session.expect(id, not repeatable)
        if kind is m.Bye:
            session.leaving = peer
        self._do_in_turn(session, command, now, peer)

    def _do_in_turn(self, session: Session, command: Any, now: float, peer: Peer | None) -> None:
        """Does a command now, or after those before it and when what it has to wait for is stored."""
        gate = None
        if not session.waiting:
            gate = self._do(session, command, now, peer)
            if gate is None:
                return
        session.waiting.append(functools.partial(self._do, session, command, now, peer))
        if gate is not None:
            gate.when_free(functools.partial(self._go_on, session))

    def _go_on(self, session: Session) -> None:
        """Does the commands that wait, in their order, up to one that has to wait for the store."""
        while session.waiting:
            gate = session.waiting[0]()
            if gate is not None:
                gate.when_free(functools.partial(self._go_on, session))
                return
            session.waiting.popleft()

    def _do(self, session: Session, command: Any, now: float, peer: Peer | None) -> WriteGate | None:
        """Does a command, unless it has to wait until a gate is free, which is returned.

        `peer` is the connection on which it came, which may be gone by then: what it wanted to know or to
        watch there, nobody wants any more. A bug is answered like a refusal.
        """
        tables = self.tables
        if tables.sessions.get(session.name) is not session:
            return None  # the name was given up while the command waited
        kind = type(command)
        if kind in REPEATABLE and session.peer is not peer:
            return None
        try:
            if session.nodes and self._other_nodes.take(Received(session, command, now, peer)):
                return None
            gate = self._busy(session, command)
            if gate is None and kind in DEAR:
                gate = self._turnstiles.enter(session, command, now)
            if gate is not None:
                return gate
            tables.do_command(session, functools.partial(self._do_now, session, command, now, peer))
        except ProtocolError as wrong:
            answer(session, command, peer, refusal(command.id, wrong))
        except Exception as bug:
            tables.on_bug(f"{session.name} {command.WORD}", command.id, bug)
            answer(session, command, peer, refusal(command.id, ProtocolError("failed")))
        return None

    def _do_now(self, session: Session, command: Any, now: float, peer: Peer | None) -> None:
        tables, id, kind = self.tables, command.id, type(command)
        try:
            result = DO[kind](self._context, session, command, now)
        except ProtocolError as wrong:
            session.mistakes += 1
            answer(session, command, peer, refusal(id, wrong))
            return
        gate = tables.storing()
        if gate is not None:
            session.waits_for = gate
        if result is LATER:
            return
        done = m.Ok(id, result)
        if gate is None:
            answer(session, command, peer, done)
            return
        if kind not in REPEATABLE:
            session.drafts[id] = Frame.of(done).packed()
        gate.reply(lambda wrong: answer(session, command, peer, refusal(id, wrong) if wrong else done))

    def _busy(self, session: Session, command: Any) -> WriteGate | None:
        """The gate of what must be stored before this command: commands are done in their order.

        Raises `not_kept` for a table of before a restart whose new numbers cannot be stored.
        """
        tables = self.tables
        if session.waits_for is not None:
            if session.waits_for.busy:
                return session.waits_for
            session.waits_for = None
        table = tables.table_of(command)
        if table is None:
            return None
        if table.restores_at is not None:
            tables.begin_again(table)
        gate = tables.gates.get(table.id)
        if gate is not None and gate.busy:
            return gate
        if table.renumbered:
            raise ProtocolError("not_kept", retry_after=AGAIN_AFTER)
        return None

    @property
    def busy(self) -> bool:
        """Whether a change is being stored."""
        return self.tables.busy or self.tournaments.busy

    def tick(self, now: float) -> None:
        """Does what is due now at tables and tournaments."""
        if self.house.over:
            return
        self.tables.tick(now)
        if self.closing is None:
            self.tournaments.tick(now)

    def wake_at(self) -> float | None:
        """When to call `tick`."""
        if self.house.over:
            return None
        table, tournament = self.tables.wake_at(), self.tournaments.wake_at()
        if table is None or tournament is None or self.closing is not None:
            return tournament if table is None and self.closing is None else table
        return min(table, tournament)

    def announce_restart(self, retry_after: float) -> None:
        """Tells everybody when to come back, and takes no more commands: the server goes down."""
        self.closing = retry_after
        for session in self.tables.sessions.values():
            session.send(m.Goodbye("restart", retry_after))

    def close(self, retry_after: float) -> None:
        """Closes every connection, after a goodbye, and ends what thinks about a hint."""
        self._context.thinker.end()
        if self.closing is None:
            self.announce_restart(retry_after)
        for session in self.tables.sessions.values():
            if session.peer is not None:
                session.peer.hang_up(1012, "restart")
