"""A move that a player enters: what is asked, what can be chosen next, what was typed. No screen in it."""

from collections.abc import Collection, Mapping, Sequence, Set
from typing import Any

import attrs

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.moves import MoveContext, Moves
from parlour.client.boards.text import Line, columns, joined
from parlour.client.connection import Refused
from parlour.client.legal import Action, Pattern
from parlour.client.table import Table
from parlour.client.terminal.game.move_texts import (
    choice_line,
    harmless,
    ranked,
    told_fields,
    typed_ways,
    ways,
)
from parlour.client.terminal.game.offer import Offer, letters, on_grid
from parlour.client.terminal.game.selection import MOST, Choice, Selection, picked
from parlour.client.terminal.game.story import names_of
from parlour.client.terminal.game.typed_words import Fit, folded
from parlour.client.terminal.menus.game_over import game_over_items
from parlour.client.terminal.menus.overlays import sure
from parlour.client.terminal.player import Player

BETWEEN = 3
"""Columns around a choice: the marks of the one that is pointed at, and a space."""


@attrs.define
class MoveEntry:
    """The move that is being entered. Call `follow` before reading it: the table may have gone on."""

    player: Player
    selection: Selection | None = None
    offers: list[Offer] = attrs.field(factory=list)
    cursor: int | None = None
    """The offer that is pointed at; with None, Enter does nothing and a click only points."""
    typed: str = ""
    wrong: str = ""
    """What was wrong with what was typed, and what would do."""
    spoken: bool = False
    """Whether choices are told in whole words."""
    room: int | None = None
    """Columns that the choices have; where they need more, cards of a kind are told by their kind."""
    pressed_at: float = 0.0
    """When a key was pressed last: what lingers on the board goes."""
    _asked: Any = None
    _quieted: Any = None

    def follow(self, table: Table) -> None:
        question = table.question if not self.player.stale else None
        asked = (
            table.id,
            table.info.number,
            question,
            table.info.stage,
            table.info.chairs,
            self.player.texts.language,
        )
        if asked == self._asked:
            return
        new_turn = self._turn_of(self._asked) != self._turn_of(asked)
        same_question = self._asked is not None and self._asked[2] == question
        self._asked = asked
        if new_turn:
            self.typed = self.wrong = ""
            self.player.hints = None
        if new_turn or not same_question:
            self.selection = None
            if question is not None:
                self.selection = without_unasked(Selection(in_order(question.legal, table)), table)
        if new_turn:
            self._offer(table)
            if question is not None and table.hurried and not question.scramble:
                self.cursor = None
        else:
            self._offer_again(table)
        self._keep_quiet(table)

    @staticmethod
    def _turn_of(asked: Any) -> Any:
        return None if asked is None else (asked[0], asked[1], asked[2] and asked[2].turn, asked[3])

    def context(self, table: Table) -> MoveContext:
        names, texts = names_of(table), self.player.texts
        return MoveContext(table.info.game, table.seat, names, table.view or {}, texts, self.spoken)

    def _offer(self, table: Table) -> None:
        self.cursor = None
        if self.selection is not None:
            self.offers = self.offers_at(self.selection, table)
            choices = [offer.choice for offer in self.offers if offer.choice is not None]
            self.cursor = harmless(choices, moves_of(table))
        elif table.info.stage == "finished":
            items = game_over_items(self.player, table)
            self.offers = [Offer([("", item.words)], (item.words,), item=item) for item in items]
        else:
            self.offers = []

    def offers_at(self, step: Selection, table: Table) -> list[Offer]:
        """What can be chosen at a step, as it is told."""
        context = self.context(table)
        return [
            Offer(line, tuple(ways(choice, context)), tuple(typed_ways(choice, context)), choice)
            for choice, line in self._told(step, context)
        ]

    def _told(self, step: Selection, context: MoveContext) -> list[tuple[Choice, Line]]:
        """The most choices that there is room for; if there is none for any, the fewest."""
        told: list[tuple[Choice, Line]] = []
        for most in range(MOST, 0, -1):
            told = [(choice, choice_line(choice, context)) for choice in ranked(step.choices(most), context)]
            if self.room is None or sum(columns(line) + BETWEEN for _, line in told) <= self.room:
                break
        return told

    def give_room(self, room: int, table: Table) -> None:
        """Tells the choices anew if they have more or less room than before."""
        if room != self.room:
            self.room = room
            self._offer_again(table)

    def _offer_again(self, table: Table) -> None:
        """Makes the offers again for the same question; the cursor stays at its offer if it is there."""
        if not self.offers:
            return  # the answer has been sent
        before = self.pointed
        self._offer(table)
        if before is None:
            self.cursor = None
            return
        same = (number for number, offer in enumerate(self.offers) if offer.same(before))
        self.cursor = next(same, self.cursor)

    def _keep_quiet(self, table: Table) -> None:
        """Answers the question about horns at once, and once, if the setting says to keep quiet."""
        question = table.question
        if question is None or self.selection is None or not self.player.settings.quiet:
            return
        action = moves_of(table).quiet.get(question.phase)
        if action in question.legal and self._quieted != question.turn:
            self._quieted = question.turn
            self.player.do(self.player.act(question.turn, action))

    # What is shown

    @property
    def pointed(self) -> Offer | None:
        at = self.cursor
        return self.offers[at] if at is not None and at < len(self.offers) else None

    def fitting(self) -> list[int]:
        """The numbers of the offers that fit what was typed; the exact ones win."""
        if not self.typed:
            return list(range(len(self.offers)))
        words = folded(self.typed).split()
        fits = [offer.fit(words) for offer in self.offers]
        least = Fit.EXACT if Fit.EXACT in fits else Fit.UNFINISHED
        return [number for number, each in enumerate(fits) if each >= least]

    def lead(self, table: Table) -> Line:
        """The fields of the action chosen so far, in words."""
        if self.selection is None or self.selection.action is not None or not self.offers:
            return []
        settled = {name: value for name, value in self.selection.settled.items() if value is not None}
        chosen = [
            choice_line(Choice({name: [value]}, ()), self.context(table)) for name, value in self._picked()
        ]
        return joined([choice_line(Choice(settled, ()), self.context(table)), *chosen])

    def _picked(self) -> list[tuple[str, Any]]:
        """Each value picked of a subset or an order, with the name of its field."""
        choices = [offer.choice for offer in self.offers if offer.choice is not None]
        name = next(iter(choices[0].fields), "") if choices else ""
        return [(name, value) for value in self.picked]

    def marked(self, table: Table) -> Mapping[str, Any]:
        """What the board marks as chosen: what is settled, and what is pointed at."""
        settled = self.selection.settled if self.selection is not None else {}
        pointed = self.pointed.choice if self.pointed is not None else None
        return {**settled, **(told_fields(pointed, moves_of(table)) if pointed is not None else {})}

    @property
    def picked(self) -> list[Any]:
        return picked(self.selection.legal) if self.selection is not None else []

    def keys(self, table: Table) -> dict[str, int]:
        """By letter: the offer that the key takes at once, in a scramble."""
        return letters(self.offers) if table.question is not None and table.question.scramble else {}

    # Choosing

    def point(self, right: int, down: int, table: Table) -> None:
        """Moves the cursor: on a grid to the nearest cell that way, otherwise along the list."""
        self.wrong = ""
        if self.cursor is None and not self.typed:
            self.point_first(table)
            return
        there = on_grid(self.offers, self.cursor, right, down)
        if there is not None:
            self.cursor = there
            return
        shown = self.fitting()
        if shown:
            place = shown.index(self.cursor) if self.cursor in shown else -1 if right + down > 0 else 0
            self.cursor = shown[(place + right + down) % len(shown)]

    def point_first(self, table: Table) -> None:
        """Points at what the first arrow key points at."""
        choices = [offer.choice for offer in self.offers if offer.choice is not None]
        self.cursor = (harmless(choices, moves_of(table)) or 0) if self.offers else None

    def step_back(self, table: Table) -> bool:
        """Takes back a step; False if there was none."""
        self.typed = self.wrong = ""
        if self.selection is None or self.selection.before is None:
            return False
        self.selection = self.selection.back()
        self._offer(table)
        return True

    def click(self, number: int, table: Table) -> None:
        """Takes an offer; if nothing is pointed at or typed yet, it only points."""
        if self.cursor is None and not self.typed:
            self.cursor, self.wrong = number, ""
        else:
            self.choose(number, table)

    def choose(self, number: int, table: Table) -> None:
        """Takes an offer; sends the action if it is complete."""
        offer = self.offers[number]
        self.typed = self.wrong = ""
        if offer.item is not None:
            offer.item.do()
        elif offer.choice is not None and self.selection is not None and table.question is not None:
            before = self.selection
            self.go(before.take(offer.choice), table, offer.choice.fields)
            if self.offers and (picked(before.legal) or self.picked):
                self.cursor = _after_pick(self.offers, number)

    def go(self, step: Selection, table: Table, chosen: Mapping[str, Any]) -> None:
        """Goes to the next step; sends the action if it is complete and its place was shown."""
        before, self.selection = self.selection, (step := without_unasked(step, table))
        shown = {**(step.before.settled if step.before is not None else {}), **chosen}
        if step.action is None or table.question is None or _has_more(step.action, shown, moves_of(table)):
            self._offer(table)
            return
        turn, id, action = table.question.turn, table.id, step.action
        warning = moves_of(table).warning(action, table.question.legal, self.context(table))
        if warning:
            self.selection = before
            sure(self.player, warning, lambda: self._answer(turn, action, id))
        else:
            self._answer(turn, action, id)

    def _answer(self, turn: int, action: Action, id: str) -> None:
        self.offers = []
        self.player.do(self._send(turn, action, id))

    def ask_why(
        self, table: Table, action: Action | None, said: Collection[str], key: str, near: str
    ) -> None:
        """Asks the server what it has against an action that is not legal, and tells it under this key.

        What the player has not `said` was filled in, and a reason that names it would mean nothing to them.
        Not in a scramble, where there is no time, nor in a tournament, where it would count as a failure.
        """
        question, selection = table.question, self.selection
        if action is None or question is None or selection is None:
            return
        if question.scramble or table.info.tournament is not None:
            return
        filled_in = action.keys() - {*said, *selection.settled}
        self.player.do(self._ask_why(question.turn, action, filled_in, key, near))

    async def _ask_why(self, turn: int, action: Action, filled_in: Set[str], key: str, near: str) -> None:
        try:
            await self.player.act(turn, action)
        except Refused as refused:
            if not filled_in & refused.facts.keys():
                self.wrong = self.player.texts(key, why=self.player.why(refused), near=near)

    async def _send(self, turn: int, action: Action, id: str) -> None:
        try:
            await self.player.act(turn, action)
        except Refused as refused:
            if refused.code not in ("stale", "not_asked"):
                raise
            # By the time that this is read it may be the player's turn again.
            self.player.notice = self.player.texts("play.too_late")
        finally:
            table = self.player.table
            if table is not None and table.id == id and table.question and table.question.turn == turn:
                # It was refused: let the player choose again.
                self._asked = None


def _after_pick(offers: Sequence[Offer], number: int) -> int:
    """Where to point after a pick: there still, or at the end of picking once there is no more to pick."""
    choices = [offer.choice for offer in offers if offer.choice is not None]
    more = any(not (choice.picked or choice.ends) for choice in choices)
    return min(number, len(offers) - 1) if more else len(offers) - 1


def moves_of(table: Table) -> Moves:
    """What the game at a table says about its actions."""
    return board_of(table.info.game).moves


def in_order(legal: Sequence[Pattern], table: Table) -> tuple[Pattern, ...]:
    """The patterns with their fields as the game names them: maps that travel have no order."""
    fields = [*moves_of(table).fields]

    def place(name: str) -> int:
        return fields.index(name) if name in fields else -1

    return tuple({name: pattern[name] for name in sorted(pattern, key=place)} for pattern in legal)


def without_unasked(step: Selection, table: Table) -> Selection:
    """The step with the fields settled that nobody needs to be asked about by now."""
    return Selection(moves_of(table).unasked(table.view or {}, step.legal), step.before)


def _has_more(action: Action, shown: Mapping[str, Any], moves: Moves) -> bool:
    """Whether the action has a place that the player has not been shown."""
    return any(action.get(name) is not None and name not in shown for name in moves.places)
