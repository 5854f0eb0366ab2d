"""A game as somebody plays it: what is asked, what can be chosen next, what was typed. No screen in it."""

import math
import time
from collections.abc import Mapping
from typing import Any

import attrs

from parlour.client.connection import Refused
from parlour.client.legal import Action
from parlour.client.pictures.text import Line, joined, plain
from parlour.client.table import Table
from parlour.client.terminal.asking import fitting, folded, led_by, nearest
from parlour.client.terminal.choosing import Choosing, Entry, picked
from parlour.client.terminal.guest import Guest
from parlour.client.terminal.menu import Item
from parlour.client.terminal.move_words import Seen, rank, told, ways
from parlour.client.terminal.story import names_of
from parlour.client.terminal.table_menu import deeds, sure
from parlour.client.terminal.vocabulary import meant

QUIET: Mapping[tuple[str, str], Action] = {("hurry-cup", "horn"): {"type": "quiet"}}
"""What the switch that keeps quiet answers, by game and phase."""


@attrs.frozen
class Offer:
    """One thing that can be chosen now, in words."""

    line: Line
    ways: tuple[str, ...]
    entry: Entry | None = None
    item: Item | None = None

    @property
    def cell(self) -> tuple[int, int] | None:
        """Where on a grid it is, if that is all that it says."""
        values = list(self.entry.fields.values()) if self.entry is not None else []
        match values:
            case [[int(x), int(y)] | (int(x), int(y))]:
                return x, y
        return None


@attrs.define
class Play:
    """See the module. Call `follow` before looking at it: the table may have gone on."""

    guest: Guest
    choosing: Choosing | None = None
    offers: list[Offer] = attrs.field(factory=list)
    cursor: int = 0
    typed: str = ""
    wrong: str = ""
    """What was wrong with what was typed, and what would do."""
    asked_at: float = -math.inf
    """When what can be chosen became another thing altogether."""
    _asked: Any = None
    _quieted: Any = None

    def follow(self, table: Table) -> None:
        question = table.question if not self.guest.stale else None
        asked = (
            table.id,
            table.info.number,
            question,
            table.info.stage,
            table.info.chairs,
            self.guest.texts.language,
        )
        if asked == self._asked:
            return
        new_turn = self._turn_of(self._asked) != self._turn_of(asked)
        self._asked = asked
        self.choosing = Choosing(question.legal) if question is not None else None
        if new_turn:
            self.typed = self.wrong = ""
            self.asked_at = time.monotonic()
        self._offer(table)
        self._keep_quiet(table)

    @staticmethod
    def _turn_of(asked: Any) -> Any:
        return None if asked is None else (asked[0], asked[1], asked[2] and asked[2].turn, asked[3])

    def seen(self, table: Table) -> Seen:
        return Seen(table.info.game, table.seat, names_of(table), table.view or {}, self.guest.texts)

    def _offer(self, table: Table) -> None:
        self.cursor = 0
        if self.choosing is not None:
            seen = self.seen(table)
            entries = sorted(self.choosing.entries(), key=rank)
            self.offers = [Offer(told(entry, seen), tuple(ways(entry, seen)), entry) for entry in entries]
        elif table.info.stage == "finished":
            items = deeds(self.guest, table)
            self.offers = [Offer([("", item.words)], (item.words,), item=item) for item in items]
        else:
            self.offers = []

    def _keep_quiet(self, table: Table) -> None:
        """The switch: answers at once, and once, when horns are asked."""
        question = table.question
        if question is None or self.choosing is None or not self.guest.settings.quiet:
            return
        action = QUIET.get((table.info.game, question.phase))
        if action in question.legal and self._quieted != question.turn:
            self._quieted = question.turn
            self.guest.do(self.guest.act(question.turn, action))

    # Looking

    def fitting(self) -> list[int]:
        """The numbers of the offers that what was typed leaves over."""
        if not self.typed:
            return list(range(len(self.offers)))
        return fitting([offer.ways for offer in self.offers], self.typed)

    def lead(self, table: Table) -> Line:
        """What is settled of the action by now, in words."""
        if self.choosing is None or self.choosing.action is not None or not self.offers:
            return []
        settled = {name: value for name, value in self.choosing.settled.items() if value is not None}
        chosen = [told(Entry({name: [value]}, ()), self.seen(table)) for name, value in self._picked()]
        return joined([told(Entry(settled, ()), self.seen(table)), *chosen])

    def _picked(self) -> list[tuple[str, Any]]:
        """One by one what was picked of a subset or an order, with the name of its field."""
        entries = [offer.entry for offer in self.offers if offer.entry is not None]
        name = next(iter(entries[0].fields), "") if entries else ""
        return [(name, value) for value in self.picked]

    @property
    def marked(self) -> Mapping[str, Any]:
        """What the board marks as chosen: what is settled, and what is pointed at."""
        settled = self.choosing.settled if self.choosing is not None else {}
        pointed = self.offers[self.cursor].entry if self.cursor < len(self.offers) else None
        return {**settled, **(pointed.fields if pointed is not None else {})}

    @property
    def picked(self) -> list[Any]:
        return picked(self.choosing.legal) if self.choosing is not None else []

    def keys(self, table: Table) -> dict[str, int]:
        """In a scramble, the key that does it at once: the letter that one offer alone begins with."""
        if table.question is None or not table.question.scramble:
            return {}
        letters = [{way[:1].casefold() for way in offer.ways if way} for offer in self.offers]
        every = [letter for each in letters for letter in each]
        return {
            letter: number
            for number, each in enumerate(letters)
            for letter in each
            if every.count(letter) == 1
        }

    # Choosing

    def point(self, right: int, down: int) -> None:
        """Moves the cursor: on a grid to the nearest cell that way, otherwise along the list."""
        self.wrong = ""
        here = self.offers[self.cursor].cell if self.offers else None
        if here is not None and all(offer.cell is not None for offer in self.offers):
            self._point_on_grid(here, right, down)
            return
        shown = self.fitting()
        if shown:
            place = shown.index(self.cursor) if self.cursor in shown else -1 if right + down > 0 else 0
            self.cursor = shown[(place + right + down) % len(shown)]

    def _point_on_grid(self, here: tuple[int, int], right: int, down: int) -> None:
        def cost(number: int) -> float | None:
            cell = self.offers[number].cell or here
            ahead = (cell[0] - here[0]) * right + (cell[1] - here[1]) * down
            aside = abs((cell[0] - here[0]) * down) + abs((cell[1] - here[1]) * right)
            return ahead + 2 * aside if ahead > 0 else None

        costs = {number: cost(number) for number in range(len(self.offers))}
        reached = {number: far for number, far in costs.items() if far is not None}
        if reached:
            self.cursor = min(reached, key=lambda number: reached[number])

    def type(self, text: str) -> None:
        self.typed += text
        self.wrong = ""
        shown = self.fitting()
        if shown and self.cursor not in shown:
            self.cursor = shown[0]

    def erase(self, table: Table) -> None:
        """Takes back a letter, or else a step."""
        self.wrong = ""
        if self.typed:
            self.typed = self.typed[:-1]
        else:
            self.step_back(table)

    def complete(self) -> None:
        """Fills up what was typed with the first offer that fits; without anything typed, the next offer."""
        shown = self.fitting()
        if not self.typed or not shown:
            self.point(1, 0)
        else:
            self.typed = folded(plain(self.offers[shown[0]].line))
            self.cursor = shown[0]

    def step_back(self, table: Table) -> bool:
        """Whether there was a step to take back."""
        self.typed = self.wrong = ""
        if self.choosing is None or self.choosing.before is None:
            return False
        self.choosing = self.choosing.back()
        self._offer(table)
        return True

    def enter(self, table: Table) -> None:
        """Chooses what was typed, or what is pointed at."""
        if not self.typed:
            if self.offers:
                self.choose(self.cursor, table)
            return
        typed = self.typed
        while typed and self.offers:
            shown = fitting([offer.ways for offer in self.offers], typed)
            led = (shown[0], "") if len(shown) == 1 else led_by([offer.ways for offer in self.offers], typed)
            if led is None and self.cursor in shown:
                led = (self.cursor, "")
            if led is None:
                self._complain(typed, table)
                return
            number, typed = led
            self.choose(number, table)

    def _complain(self, typed: str, table: Table) -> None:
        """Says what is near; why the rules are against it only the server knows, and is asked."""
        numbers = nearest([offer.ways for offer in self.offers], typed)
        near = ", ".join(plain(self.offers[number].line) for number in numbers)
        self.wrong = self.guest.texts("play.no_such_choice", typed=typed, near=near)
        self.typed = ""
        question = table.question
        if self.choosing is not None and question is not None and not question.scramble:
            action = meant(table.info.game, typed, self.choosing.legal)
            if action is not None:
                self.guest.do(self._ask_why(question.turn, action, near))

    async def _ask_why(self, turn: int, action: Action, near: str) -> None:
        try:
            await self.guest.act(turn, action)
        except Refused as refused:
            self.wrong = self.guest.texts("play.why_not", why=self.guest.why(refused), near=near)

    def choose(self, number: int, table: Table) -> None:
        """Takes an offer; if the action is whole by that, it goes to the server."""
        offer = self.offers[number]
        self.typed = self.wrong = ""
        if offer.item is not None:
            offer.item.do()
            return
        if offer.entry is None or self.choosing is None or table.question is None:
            return
        before = self.choosing
        self.choosing = before.take(offer.entry)
        action = self.choosing.action
        if action is None:
            self._offer(table)
            if picked(before.legal) or picked(self.choosing.legal):
                self.cursor = min(number, len(self.offers) - 1)
            return
        turn, id = table.question.turn, table.id
        if action.get("declare") is not None or action["type"] == "declare":
            self.choosing = before
            sure(self.guest, self.guest.texts("play.sure_declare"), lambda: self._answer(turn, action, id))
        else:
            self._answer(turn, action, id)

    def _answer(self, turn: int, action: Action, id: str) -> None:
        self.offers = []
        self.guest.do(self._send(turn, action, id))

    async def _send(self, turn: int, action: Action, id: str) -> None:
        try:
            await self.guest.act(turn, action)
        finally:
            table = self.guest.table
            if table is not None and table.id == id and table.question and table.question.turn == turn:
                # Refused: one may choose anew.
                self._asked = None
