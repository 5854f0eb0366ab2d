"""Commands about a tournament of another node, from clients that cannot go there: it does them, we answer."""

import functools
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import attrs

from parlour.protocol import messages as m
from parlour.protocol.codec import read, write
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.server.border import nothing
from parlour.server.people.session import Session, refusal
from parlour.server.storage.change import Change
from parlour.server.storage.gate import WriteGate
from parlour.server.tables.registry import Tables
from parlour.server.tables.stored_maps import session_map
from parlour.server.tournament.live.asking import Asker, Asking, ask, check, wanted
from parlour.server.tournament.live.house import ERRAND, ERRAND_DONE, House
from parlour.server.tournament.live.listing import Listing
from parlour.server.tournament.live.running import RunningTournament

ASK_AGAIN = 1.0
"""Seconds until another node has the tournament, perhaps."""


class Host(Protocol):
    """What errands need of `registry.RunningTournaments`."""

    tables: Tables
    house: House

    listing: Listing


@attrs.frozen(eq=False, repr=False)
class _Errand:
    session: Session
    command: Asking
    node: str
    """The one that has the tournament."""
    gate: WriteGate
    """What this player sends next waits until the answer has come."""


@attrs.define(repr=False)
class Errands:
    """Those that other nodes do for clients of this one, by node, line and id of the command."""

    host: Host
    _sent: dict[str, _Errand] = attrs.field(factory=dict)

    def send(self, session: Session, command: Asking, node: str) -> None:
        """Has a node do it; raises `busy` while that node is over."""
        house, tables = self.host.house, self.host.tables
        if house.url_of(command.tournament.upper()) is None:
            raise ProtocolError("busy", retry_after=ASK_AGAIN)
        gate = session.waits_for = WriteGate(session.name, tables.store, tables.on_bug, lambda _bug: None)
        gate.hold()
        key = f"{house.node}-{session.line}-{command.id}"
        self._sent[key] = _Errand(session, command, node, gate)
        asker = attrs.asdict(Asker.of(session))
        house.tell({"event": ERRAND, "to": node, "key": key, "asker": asker, "command": write(command)})

    def hear(self, event: Mapping[str, Any]) -> None:
        """Takes the answer to one."""
        errand = self._sent.pop(event["key"], None)
        if errand is None:
            return
        error = event["error"]
        if error is None:
            errand.gate.release(functools.partial(self._done, errand))
        else:
            errand.gate.release(
                lambda: errand.session.answer(errand.command.id, m.Error(errand.command.id, *error))
            )

    def _done(self, errand: _Errand) -> None:
        """Stores the answer, so that a command that comes again after a restart is not done twice."""
        session, command = errand.session, errand.command
        done = m.Ok(command.id, None)
        if isinstance(command, m.Enter):
            self.host.tables.newcomers.keep(session)
        session.drafts[command.id] = Frame.of(done).packed()
        change = Change(save_sessions={session.name: session_map(session)}, answered=(session.name,))
        errand.gate.reply(lambda _wrong: session.answer(command.id, done))
        # It is done, also if the answer cannot be stored.
        errand.gate.put(change, nothing, lambda _wrong: None)

    def give_up(self, lost: Callable[[str, str], bool]) -> None:
        """Has those asked for again whose tournament or node is lost: nobody knows what became of them."""
        for key, errand in list(self._sent.items()):
            if lost(errand.command.tournament.upper(), errand.node):
                wrong = refusal(None, ProtocolError("busy", retry_after=ASK_AGAIN))
                self.hear({"key": key, "error": (wrong.code, wrong.facts, wrong.retry_after)})

    def do(self, event: Mapping[str, Any]) -> None:
        """Does what a client of another node asks for, and tells that node what came of it."""
        if event["to"] != self.host.house.node:
            return
        asker = Asker(**event["asker"])
        command: Any = read(event["command"], m.FROM_CLIENT)
        answer = functools.partial(self._answer, event["key"])
        try:
            tournament = self._find(command)
            check(tournament, command, asker)
        except ProtocolError as wrong:
            answer(wrong)
            return
        ask(tournament, functools.partial(wanted, tournament, command, asker), answer)

    def _find(self, command: Asking) -> RunningTournament:
        if self.host.house.node_of(command.tournament.upper()) is not None:
            raise ProtocolError("busy", retry_after=ASK_AGAIN)  # it has another node again
        return self.host.listing.find(command.tournament)

    def _answer(self, key: str, wrong: ProtocolError | None) -> None:
        error = None
        if wrong is not None:
            told = refusal(None, wrong)
            error = told.code, told.facts, told.retry_after
        self.host.house.tell({"event": ERRAND_DONE, "key": key, "error": error})
