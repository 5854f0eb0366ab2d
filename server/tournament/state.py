"""All that is known of a tournament at a moment, and what follows from it."""

import itertools
from collections.abc import Mapping
from typing import Any, Literal

import attrs

from parlour.engine.errors import Wrong
from parlour.server.tournament.events import Cause, GameBegun
from parlour.server.tournament.history import History, Name, Pairing
from parlour.server.tournament.pairing import pairings
from parlour.server.tournament.points import Entrant
from parlour.server.tournament.rules import Rules
from parlour.server.tournament.scores import strikes

Phase = Literal["announced", "registration", "check_in", "running", "paused", "finished", "cancelled"]


class NotAllowed(Wrong):
    """An event that may not come now. `code` says why, `facts` are what the words for it may mention."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts: Mapping[str, Any] = facts

    def __str__(self) -> str:
        facts = ", ".join(f"{key} {value}" for key, value in self.facts.items())
        return f"{self.code} ({facts})" if facts else self.code


@attrs.frozen
class Tournament:
    """The state of a tournament."""

    rules: Rules
    organiser: str = ""
    phase: Phase = "announced"
    why: str = ""
    """Why it is paused or cancelled, in the words of its organiser."""
    cause: Cause = ""
    """Why the server itself brought it to this phase."""
    put_off: bool = False
    """A check-in came to nothing: from then on nothing starts by itself."""
    until: int | None = None
    """When check-in ends by itself, in seconds since 1970."""
    entrants: Mapping[Name, Entrant] = attrs.field(factory=dict)
    nonces: Mapping[Name, str | None] = attrs.field(factory=dict)
    """The nonces of all who checked in, and so of all who can be paired."""
    history: History = attrs.field(factory=History)
    key: bytes | None = None
    """Under which addresses are hashed; None in what is read from public lines."""
    invitation: str | None = None
    """The code that entering takes."""
    secret: bytes | None = None
    published: bytes | None = None
    revealed: tuple[bytes, ...] = ()
    """The secrets of the rounds that are over."""
    begun: Mapping[tuple[int, int], tuple[GameBegun, ...]] = attrs.field(factory=dict)
    """By table and game of this round: when it was dealt, and dealt again after it broke off."""

    @property
    def starts(self) -> int | None:
        """When check-in opens by itself, in seconds since 1970."""
        return None if self.put_off else self.rules.starts

    @property
    def least(self) -> int:
        """How many players must have checked in for a start."""
        return max(self.rules.entry.least, self.rules.seats)

    @property
    def enough(self) -> bool:
        return len(self.nonces) >= self.least

    @property
    def round(self) -> Pairing | None:
        """The round that is being played."""
        return self.history.rounds[-1] if len(self.history.rounds) > len(self.revealed) else None

    def deal_nonces(self, pairing: Pairing) -> dict[Name, str | None]:
        """What players add to the deals of a round: of all who are in it, also with a bye."""
        named = [name for table in pairing.tables for name in table.players]
        return {name: self.nonces[name] for name in (*named, *pairing.byes)}

    def present(self) -> list[Entrant]:
        """Everybody who was ever there; players who have not checked in count as gone."""
        return [
            entrant if entrant.gone or entrant.name in self.nonces else attrs.evolve(entrant, gone=True)
            for entrant in self.entrants.values()
        ]

    def open_games(self) -> list[tuple[int, int]]:
        """Table and game of all in this round that are not finished."""
        if self.round is None:
            return []
        done = self._finished_in(self.round.round)
        games = range(self.rules.games)
        return [
            (table.number, game)
            for table in self.round.tables
            for game in games
            if (table.number, game) not in done
        ]

    def _finished_in(self, round_: int) -> set[tuple[int, int]]:
        """Table and game of those of the last round that are finished: their results are the last ones."""
        last = itertools.takewhile(lambda one: one.round == round_, reversed(self.history.results))
        return {(one.table, one.game) for one in last}

    def next_round(self) -> Pairing | None:
        """Pairs the next round; None: the tournament is over."""
        return pairings(self.history, self.present(), self.rules)

    def struck_out(self) -> list[Name]:
        """The players who have as many strikes as the rules allow, and are still there."""
        most = self.rules.failures.strikes
        counted = strikes(self.history, self.rules)
        return sorted(
            name for name, times in counted.items() if times >= most and not self.entrants[name].gone
        )
