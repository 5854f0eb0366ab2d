"""Answers that come late: what was meant for a scramble chooses nothing after it. No clock decides.

Numbers go on from one question to the next while an answer may still be meant for the one before, so that no
number means two things. Letters and words are known by the choices that the scrambles had.
"""

from collections.abc import Sequence
from typing import Any

import attrs

from parlour.client.table import Table
from parlour.client.terminal.game.move_entry import MoveEntry
from parlour.client.terminal.game.move_texts import choice_words
from parlour.client.terminal.game.offer import Offer, letters
from parlour.client.terminal.game.typed_move import write
from parlour.client.terminal.game.typed_words import fitting
from parlour.client.terminal.keyboard import same_place

HIGHEST = 90
"""The first number of a question, beyond which numbers begin anew: they must stay easy to type."""


def _with_new(known: Sequence[Offer], offers: Sequence[Offer]) -> list[Offer]:
    return [*known, *(offer for offer in offers if not any(offer.same(each) for each in known))]


@attrs.define
class LateAnswers:
    """Remembers what scrambles have offered: `follow` a move entry whenever it may have changed."""

    first: int = 1
    """The number of the first choice."""
    _asked: Any = None
    _told: int = 0
    """How many numbers this question has."""
    _now: list[Offer] = attrs.field(factory=list)
    """All that the scramble which is on has offered, gone or not."""
    _before: list[Offer] = attrs.field(factory=list)
    """What the scrambles before offered, since an answer was last given at leisure."""
    _before_letters: set[str] = attrs.field(factory=set)
    _held: str = ""
    """A letter that may have been meant for a scramble: typed only if the next one makes a word with it."""

    def follow(self, entry: MoveEntry, table: Table) -> None:
        question = table.question
        if question is None and not entry.offers:
            return
        asked = (table.id, table.info.number, question and question.turn)
        if asked != self._asked:
            self._begin(table, asked)
        if question is not None and question.scramble:
            self._now = _with_new(self._now, entry.offers)
        self._told = max(self._told, len(self._now), len(entry.offers))

    def _begin(self, table: Table, asked: Any) -> None:
        """Begins a question, or the end of a game."""
        hurried = table.hurried and self._asked is not None and self._asked[:2] == asked[:2]
        after = self.first + self._told
        self.first = after if hurried and after <= HIGHEST else 1
        self._before_letters = (self._before_letters | {*letters(self._now)}) if hurried else set()
        self._before = _with_new(self._before, self._now) if hurried else []
        self._asked, self._told, self._now, self._held = asked, 0, [], ""

    # Numbers and words

    def numbers(self, offers: Sequence[Offer]) -> list[int]:
        """The number of each choice; in a scramble it keeps it while others go."""
        if not self._now:
            return list(range(self.first, self.first + len(offers)))
        return [
            self.first + next(place for place, each in enumerate(self._now) if each.same(offer))
            for offer in offers
        ]

    def is_late(self, line: str, number: int | None, entry: MoveEntry, table: Table) -> bool:
        """Whether a line that was typed was a choice of a question before, and may be none of this one."""
        if number is not None:
            return 1 <= number < self.first
        if table.question is not None and table.question.scramble and _fits(entry.offers, line):
            return False
        return bool(_fits(self._before, line))

    def gone(self, line: str, number: int | None, entry: MoveEntry, table: Table) -> str:
        """The choice of this scramble that a line means and that is no longer there, in words."""
        if number is not None:
            place = number - self.first
            meant = self._now[place : place + 1] if place >= 0 else []
        else:
            meant = [self._now[place] for place in _fits(self._now, line)]
        there = [each for each in meant if any(each.same(offer) for offer in entry.offers)]
        return _words(meant[0], entry, table) if meant and not there else ""

    # Letters

    def type(self, key: str, entry: MoveEntry, table: Table) -> None:
        """Types a letter, unless it was meant for a choice that is gone, or for a scramble that is over."""
        if not entry.offers:
            return  # the answer has been sent
        texts, meant = entry.player.texts, {key.casefold(), same_place(key.casefold())}
        mine = letters(self._now)
        gone = next((self._now[mine[letter]] for letter in meant if letter in mine), None)
        if gone is not None:
            entry.wrong = texts("play.gone", choice=_words(gone, entry, table))
        elif entry.typed:
            write(entry, f"{entry.typed}{key}", table)
        elif self._held and _fits(entry.offers, self._held + key):
            write(entry, self._held + key, table)
            self._held = ""
        elif meant & self._before_letters and not (self._now and _fits(entry.offers, key)):
            self._held = key
            entry.player.notice = texts("play.late", typed=key)
        else:
            self._held = ""
            write(entry, f"{entry.typed}{key}", table)


def _fits(offers: Sequence[Offer], typed: str) -> list[int]:
    return fitting([offer.ways for offer in offers], typed)


def _words(offer: Offer, entry: MoveEntry, table: Table) -> str:
    return choice_words(offer.choice, entry.context(table)) if offer.choice is not None else ""
