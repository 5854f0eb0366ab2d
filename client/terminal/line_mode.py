"""Playing in plain lines: sentences and numbered choices, nothing that moves; for screen readers and pipes.

A line that is typed is a number, the words of a choice, or one of the commands in `line.help`. Lines that
come in while something is under way, such as connecting, wait until it is done. With `--json` every line that
is written is a JSON object with an `event`; whatever can be chosen has an id, which chooses it, and a line
that begins with a brace is an action.
"""

import asyncio
import json
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.room import LEAST, Room
from parlour.client.boards.text import plain
from parlour.client.hint import USUAL
from parlour.client.levels import strategy_of
from parlour.client.table import Table
from parlour.client.terminal.choice_ids import ChoiceIds
from parlour.client.terminal.game.absence import absence_texts, absent
from parlour.client.terminal.game.hints import ask_hint
from parlour.client.terminal.game.offer import Offer
from parlour.client.terminal.game.selection import Selection
from parlour.client.terminal.game.story import lesson_text, names_of, outcome
from parlour.client.terminal.game.typed_move import enter, write
from parlour.client.terminal.game.typed_words import fitting, nearest
from parlour.client.terminal.menus.menu import Item, Menu
from parlour.client.terminal.menus.overlays import read_help, read_rules
from parlour.client.terminal.menus.table import pause
from parlour.client.terminal.player import Player
from parlour.client.terminal.screen import Screen
from parlour.client.terminal.status import turn as turn_line
from parlour.machine.output import printable, printable_json
from parlour.protocol.numbers import number_in

QUEUED = 1000
"""Lines that were typed ahead; a pipe that has more waits."""


class Voice:
    """Writes events, as sentences or as JSON."""

    def __init__(self, stream: TextIO, as_json: bool = False) -> None:
        self.stream = stream
        self.as_json = as_json

    def say(self, event: str, sentences: Sequence[str], **facts: Any) -> None:
        if self.as_json:
            told = {"event": event, **({"text": list(sentences)} if sentences else {}), **facts}
            self.stream.write(f"{printable_json(told)}\n")
        else:
            self.stream.write("".join(f"{printable(sentence)}\n" for sentence in sentences))
        self.stream.flush()


class LineMode:
    """Plays in lines: says what changed, and reads what is typed."""

    def __init__(self, player: Player, voice: Voice) -> None:
        self.player = player
        self.voice = voice
        self.screen = Screen(player)
        self.screen.move_entry.spoken = True
        self._news = asyncio.Event()
        self._typed: asyncio.Queue[str | None] = asyncio.Queue(QUEUED)
        self._told: dict[str, Any] = {}
        """By topic: what was said last, so that nothing is said twice."""
        self._items: list[Item] = []
        self._offers: list[Offer] = []
        """What was said that can be chosen now: items of a menu, or offers of a game."""
        self._ids = ChoiceIds()
        self.heard = False
        """Whether a line came in."""
        player.changed = self._news.set
        player.show = self._show

    async def run(self, lines: Callable[[], str] = sys.stdin.readline) -> None:
        """Runs until the player leaves or the input ends."""
        self._listen(lines)
        self.voice.say("hello", [] if self.voice.as_json else [self.player.texts("line.hello")])
        typing = asyncio.create_task(self._typed.get())
        over = asyncio.create_task(self.player.over.wait())
        looking = asyncio.create_task(self.player.look())
        try:
            while not self.player.over.is_set():
                self._news.clear()
                self._tell()
                # A line is heard right after what can be chosen was told: it is about that.
                if typing.done() and not self._waits(line := typing.result()):
                    if line is None:
                        break
                    self.heard = True
                    self._hear(line.strip())
                    typing = asyncio.create_task(self._typed.get())
                    continue
                news = asyncio.create_task(self._news.wait())
                awaited = {news, over} if typing.done() else {news, over, typing}
                await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
                news.cancel()
        finally:
            typing.cancel()
            self.player.over.set()
            await asyncio.gather(self.player.end(), over, looking)
            self.voice.say("goodbye", [self.player.texts("line.goodbye")])

    def _waits(self, line: str | None) -> bool:
        """Whether a line has to wait: what it is meant for will be there once something is done."""
        return self.player.busy and line is not None and line.strip().casefold() != "quit"

    def _listen(self, lines: Callable[[], str]) -> None:
        """Reads lines in a thread: an event loop cannot wait for plain stdin on every platform."""
        loop = asyncio.get_running_loop()

        def read() -> None:
            while line := lines():
                asyncio.run_coroutine_threadsafe(self._typed.put(line), loop).result()
            asyncio.run_coroutine_threadsafe(self._typed.put(None), loop)

        threading.Thread(target=read, daemon=True).start()

    async def _show(self, command: list[str]) -> None:
        """Runs another command of Parlour and says what it prints."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=pipe
        )
        said, _ = await process.communicate()
        self.voice.say("replay", said.decode(errors="replace").splitlines())

    # Telling

    def _is_new(self, what: str, value: Any) -> bool:
        if self._told.get(what) == value:
            return False
        self._told[what] = value
        return True

    def _tell(self) -> None:
        player = self.player
        if self._is_new("notice", player.notice) and player.notice:
            self.voice.say("notice", [player.notice])
        if self._is_new("stale", player.stale):
            if player.stale:
                self.voice.say("lost", [player.texts("play.stale")])
            self._forget_turn()
        if player.reading is not None:
            reading, player.reading = player.reading, None
            self.voice.say("reading", [reading.title, *reading.paragraphs])
        if player.hints is not None:
            hints, player.hints = player.hints, None
            self.voice.say("reading", [hints.title, *hints.paragraphs])
        table = player.table
        if table is not None:
            self._tell_story(table)
        if player.prompt is not None:
            if self._is_new("prompt", player.prompt):
                self.voice.say("prompt", [player.prompt.words], prompt=player.prompt.name)
        elif player.busy:
            pass  # its end decides what can be chosen
        elif self.screen.playing is not None:
            self._tell_game(self.screen.playing)
        else:
            self._tell_menu(self.screen.menu())

    def _tell_story(self, table: Table) -> None:
        new = self.screen.story.follow(table, self.player.texts)
        if new:
            self.voice.say("story", new)
        if self.voice.as_json and self._is_new("view", (table.id, table.seq)) and table.view is not None:
            self.voice.say("view", [], view=table.view, seat=table.seat, awaited=table.awaited)

    def _forget_turn(self) -> None:
        """After something else was told: whose turn it is, and what can be chosen, is told again."""
        for topic in ("turn", "choices", "waiting"):
            self._told.pop(topic, None)

    def _tell_waiting(self, table: Table) -> None:
        """Says for whom the game waits, once for each return to it."""
        here = (table.id, table.info.number)
        if table.result is None and self._is_new("waiting", here) and table.question is None:
            self.voice.say("waiting", [plain(turn_line(table, self.player.texts, time.monotonic())).strip()])

    def _tell_game(self, table: Table) -> None:
        self._told.pop("menu", None)
        entry = self.screen.move_entry
        entry.follow(table)
        if table.result is not None and self._is_new("result", (table.id, table.info.number)):
            self.voice.say("result", [outcome(table, self.player.texts)], winners=list(table.result.winners))
        if self._is_new("wrong", entry.wrong) and entry.wrong:
            self.voice.say("wrong", [entry.wrong])
        self._tell_absence(table)
        self._tell_waiting(table)
        self.screen.lessons.follow(table, self.player.texts)
        if self.screen.lessons.waiting:
            self.voice.say("lesson", self.screen.lessons.waiting)
            self.screen.lessons.waiting.clear()
        lesson = lesson_text(table, self.player.texts)
        if self._is_new("lesson", lesson) and lesson:
            self.voice.say("lesson", [lesson])
        self.screen.late.follow(entry, table)
        choices = [plain(offer.line) for offer in entry.offers]
        turn = table.question.turn if table.question is not None else None
        if not self._is_new("choices", (table.info.number, turn, choices)) or not choices:
            return
        first = (
            [self.player.texts("line.your_turn")] if turn is not None and self._is_new("turn", turn) else []
        )
        self._offers = list(entry.offers)
        self.voice.say(
            "asked",
            [*first, *self._lead(table), *_numbered(choices, self.screen.late.numbers(entry.offers))],
            turn=turn,
            phase=table.question.phase if table.question is not None else None,
            legal=list(table.question.legal) if table.question is not None else [],
            settled=dict(entry.selection.settled) if entry.selection is not None else {},
            choices=self._told_offers(table, turn),
        )

    def _tell_absence(self, table: Table) -> None:
        """Says who has lost the connection and who plays for them; the story has who is back."""
        if self._is_new("played_for", table.played_for) and table.played_for:
            self.voice.say("played_for", [self.player.texts("absence.own_line")])
        texts, now = self.player.texts, {chair.name: chair for _, chair in absent(table)}
        before: dict[str, Any] = self._told.get("absent", {})
        if not self._is_new("absent", now):
            return
        gone = table.result is None and before.keys() - now.keys()
        told = absence_texts(table, texts)
        seats = [
            {"seat": seat, "name": chair.name, "substitute": chair.substitute}
            for seat, chair in absent(table)
        ]
        if told or gone:
            self.voice.say("away", told, away=seats)

    def _told_offers(self, table: Table, turn: int | None) -> list[dict[str, Any]]:
        """For scripts: what can be chosen, without prose."""
        told = [_without_prose(offer) for offer in self._offers]
        step = self.screen.move_entry.picked
        keys = [repr((table.id, table.info.number, turn, step, each)) for each in told]
        return [{"id": id, **each} for id, each in zip(self._ids.name(keys), told, strict=True)]

    def _lead(self, table: Table) -> list[str]:
        """The fields chosen so far, in front of what is left to choose."""
        lead = plain(self.screen.move_entry.lead(table))
        return [self.player.texts("list.lead", what=lead).rstrip()] if lead else []

    def _tell_menu(self, menu: Menu) -> None:
        """Says a new menu in full; of a known one only the new lines, and that the list changed."""
        self._forget_turn()
        words = [item.words for item in menu.items]
        if self._is_new("menu", menu.title):
            self._told["about"], self._told["items"] = list(menu.about), words
            self._say_menu(menu)
            return
        new = [line for line in menu.about if line not in self._told.get("about", [])]
        self._told["about"] = list(menu.about)
        if new:
            self.voice.say("about", new)
        if not self._is_new("items", words):
            return
        if self.voice.as_json:
            self._say_menu(menu)
        else:
            self.voice.say("changed", [self.player.texts("line.changed")])

    def _say_menu(self, menu: Menu) -> None:
        self._items = list(menu.items)
        words = [item.words for item in menu.items]
        told = [_item_facts(item) for item in menu.items]
        ids = self._ids.name(
            [repr((menu.name, item.words, each)) for item, each in zip(menu.items, told, strict=True)]
        )
        self.voice.say(
            "menu",
            [menu.title, *menu.about, *_numbered(words, range(1, len(words) + 1))],
            menu=menu.name,
            items=[{"id": id, **each} for id, each in zip(ids, told, strict=True)],
        )

    # Hearing

    def _hear(self, line: str) -> None:
        player = self.player
        player.notice = ""
        self._told.pop("notice", None)
        player.take_seat_back()
        if player.prompt is not None:
            prompt, player.prompt = player.prompt, None
            self._told.pop("prompt", None)
            self._told.pop("menu", None)
            prompt.done(line)
        elif not self._command(line):
            table = self.screen.playing
            if table is not None:
                self._choose(table, line)
            else:
                self._pick(line)

    def _command(self, line: str) -> bool:
        """Runs a command that works everywhere; False if the line is none."""
        player, table = self.player, self.screen.playing
        word, _, rest = line.partition(" ")
        match word.casefold():
            case "":
                self._told.pop("menu", None)
                self._forget_turn()
            case "quit":
                player.leave_program()
            case "help":
                self.voice.say("reading", [player.texts("line.help")])
            case "keys":
                read_help(player)
            case "say":
                player.chat(rest)
            case "back":
                self._back(table)
            case "board" if table is not None:
                self._describe(table)
            case "drawing" if table is not None:
                self._draw(table)
            case "rules" if player.table is not None:
                read_rules(player, player.table.info.game, player.table.options)
            case "hint" if table is not None:
                ask_hint(player, table, strategy_of(rest) if rest else USUAL, spoken=True)
            case "menu" if table is not None:
                player.open(lambda: pause(player, table))
            case _:
                return False
        return True

    def _back(self, table: Table | None) -> None:
        if table is not None:
            self.screen.move_entry.step_back(table)
        else:
            back = self.screen.menu().back
            if back is not None:
                back()

    def _describe(self, table: Table) -> None:
        """Tells the position in sentences; of a game that has none, the drawing."""
        describe = board_of(table.info.game).describe
        told = describe(table.view or {}, table.seat, names_of(table), self.player.texts)
        self.voice.say("board", told) if told else self._draw(table)

    def _draw(self, table: Table) -> None:
        board = board_of(table.info.game)
        room = Room(LEAST.width, LEAST.height)
        lines = board.draw(table.view or {}, table.seat, names_of(table), room, texts=self.player.texts)
        self.voice.say("board", [plain(line) for line in lines])

    def _choose(self, table: Table, line: str) -> None:
        entry, late, texts = self.screen.move_entry, self.screen.late, self.player.texts
        entry.follow(table)
        late.follow(entry, table)
        number, numbers = number_in(line), late.numbers(entry.offers)
        if self.voice.as_json and line.startswith("{") and table.question is not None:
            self._act(table.question.turn, line)
        elif (place := self._ids.place(line)) is not None or self._ids.is_old(line):
            self._choose_id(table, place)
        elif not entry.offers:
            self.voice.say("notice", [texts("line.not_asked")])
        elif number in numbers:
            entry.choose(numbers.index(number), table)
        elif gone := late.gone(line, number, entry, table):
            self.voice.say("wrong", [texts("play.gone", choice=gone)])
        elif late.is_late(line, number, entry, table):
            self.voice.say("wrong", [texts("line.late", typed=line)])
        else:
            self._told.pop("wrong", None)
            write(entry, line, table)
            enter(entry, table)
            entry.typed = ""  # the next line stands for itself

    def _choose_id(self, table: Table, place: int | None) -> None:
        """Takes the choice of an id if it is still there: a list may have changed on the way."""
        entry = self.screen.move_entry
        said = self._offers[place] if place is not None and place < len(self._offers) else None
        there = [number for number, offer in enumerate(entry.offers) if said is not None and offer.same(said)]
        if there:
            entry.choose(there[0], table)
        else:
            self.voice.say("wrong", [self.player.texts("line.gone")])

    def _act(self, turn: int, line: str) -> None:
        try:
            action = json.loads(line)
        except ValueError:
            self.voice.say("wrong", [self.player.texts("line.not_json")])
            return
        self.player.do(self.player.act(turn, action))

    def _pick(self, line: str) -> None:
        """Picks from the menu as it was said: its numbers must not move while somebody types one."""
        words = [(item.words,) for item in self._items]
        if self._ids.is_old(line):
            self.voice.say("wrong", [self.player.texts("line.gone")])
            return
        if (number := number_in(line)) is not None and 1 <= number <= len(self._items):
            found = [number - 1]
        elif (place := self._ids.place(line)) is not None and place < len(self._items):
            found = [place]
        else:
            by_key = [number for number, item in enumerate(self._items) if item.key and item.key == line]
            found = by_key or fitting(words, line)
        if len(found) == 1:
            self._told.pop("menu", None)
            self._items[found[0]].do()
        else:
            near = self.player.texts("list.between").join(
                self._items[number].words for number in nearest(words, line)
            )
            self.voice.say("wrong", [self.player.texts("play.no_such_choice", typed=line, near=near)])


def _numbered(words: Sequence[str], numbers: Sequence[int]) -> list[str]:
    return [f"{number}. {each}" for number, each in zip(numbers, words, strict=True)]


def _without_prose(offer: Offer) -> dict[str, Any]:
    """An offer for scripts: the fields that it settles, and the whole action if nothing is open after it."""
    if offer.item is not None:
        return _item_facts(offer.item)
    choice = offer.choice
    if choice is None:
        return {}
    # Values that are picked one by one say whether they are in, and which choice ends the picking.
    picking = {"picked": choice.picked} if choice.picked else {"ends": True} if choice.ends else {}
    return {"fields": dict(choice.fields), "action": Selection(choice.legal).action, **picking}


def _item_facts(item: Item) -> dict[str, Any]:
    return {"key": item.key, "facts": dict(item.facts)}
