"""Turnstiles: of the dear commands of one network, one is done at a time, with a rest for others in between.

Each takes a millisecond or two. Hundreds that come together, as from a crowd of names on one machine, would
be done in one go, and everybody else would wait for all of them. Budgets bound how many wait here, and a
connection whose commands wait is read more slowly.
"""

import attrs

from parlour.machine.addresses import network_of
from parlour.protocol import messages as m
from parlour.server.background import Background
from parlour.server.border import nothing
from parlour.server.limits import Limits
from parlour.server.people.rate_limit import Networks
from parlour.server.people.session import Session
from parlour.server.storage.gate import WriteGate
from parlour.server.tables.registry import Tables

ONE_AT_A_TIME: frozenset[type[m.Message]] = frozenset(
    {
        *(m.CreateTable, m.Join, m.Watch, m.Sit, m.Leave, m.Kick, m.LetBack, m.AddBot, m.Substitute),
        *(m.Start, m.Resign, m.Rematch, m.Say),
        *(m.CreateTournament, m.Enter, m.Withdraw, m.CheckIn, m.Steer),
    }
)
"""Commands that are stored, or told to many, and are no moves in a game."""
DEAR = ONE_AT_A_TIME | {m.Resume}
"""A game waits for `resume`: only those beyond a budget are done one at a time."""


@attrs.define(repr=False)
class Turnstiles:
    """A gate for each network that has done such a command a moment ago."""

    tables: Tables
    limits: Limits
    networks: Networks
    background: Background
    _gates: dict[str, WriteGate] = attrs.field(factory=dict)

    def enter(self, session: Session, command: m.Message, now: float) -> WriteGate | None:
        """The gate at which a dear command has to wait; None lets it through, and others wait a moment."""
        if session.peer is None:
            return None
        resumes = self.limits.resumes
        if isinstance(command, m.Resume) and not session.take("resumes", resumes, self.networks, now):
            return None
        network, tables = network_of(session.peer.address), self.tables
        gate = self._gates.get(network)
        if gate is not None and gate.busy:
            return gate
        if gate is None:
            gate = WriteGate(network, tables.store, tables.on_bug, lambda _: None)
            self._gates[network] = gate
        gate.hold()
        self.background.soon(lambda: self._open(network, gate), self.limits.rest)
        return None

    def _open(self, network: str, gate: WriteGate) -> None:
        gate.release(nothing)
        if not gate.busy:
            self._gates.pop(network, None)
