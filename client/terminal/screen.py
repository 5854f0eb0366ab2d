"""The screen without a terminal: keys go in by their names, lines come out for a window of any size."""

import time

import attrs
from prompt_toolkit.buffer import Buffer

from parlour.client.boards.room import in_ascii
from parlour.client.boards.text import Line, clipped
from parlour.client.table import Table
from parlour.client.terminal.game.hints import ask_hint
from parlour.client.terminal.game.interval import Interval
from parlour.client.terminal.game.late_answers import LateAnswers
from parlour.client.terminal.game.lessons import Lessons
from parlour.client.terminal.game.move_entry import MoveEntry
from parlour.client.terminal.game.page import game_page, keys_line
from parlour.client.terminal.game.story import Story
from parlour.client.terminal.game.touch import touch
from parlour.client.terminal.game.typed_move import complete, enter, erase, write
from parlour.client.terminal.keyboard import narrow, same_place
from parlour.client.terminal.menus.lobby import ask_chat, lobby
from parlour.client.terminal.menus.menu import Menu, Prompt
from parlour.client.terminal.menus.overlays import read_help, read_log, read_rules, sure
from parlour.client.terminal.menus.page import menu_page, reading_page
from parlour.client.terminal.menus.start import start
from parlour.client.terminal.menus.table import pause, table_place
from parlour.client.terminal.menus.tournaments import tournament
from parlour.client.terminal.player import Player

LEAVE = ("c-c", "c-q")
BACK = ("escape", "q")
TOUCH = "thing:"
"""What a click on something on the board begins with."""
LOG = ("pageup", "pgup")
"""Named as on a keyboard, and as at the foot, where it can be clicked."""
END = 10**6
"""More lines than any text has."""
CURSOR = "[SetCursorPosition]"
GO_ON = ("enter", " ")
BESIDES = ("escape", "f10", "?", "f1", "f2", "f3", "/", "pageup")
"""Keys that work while a learner has something to read."""
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


_PLAINER = str.maketrans("●▏✓←→↑↓“”«»", '*|x<>^v""""')
"""Glyphs of the screen that the boards do not have."""


def _in_ascii(line: Line) -> Line:
    return [(style, text.translate(_PLAINER)) for style, text in in_ascii(line)]


def _found(menu: Menu, number: int, words: str) -> int | None:
    """The present number of the item with these words, which had this number before."""
    every = [item.words for item in menu.items]
    if number < len(every) and every[number] == words:
        return number
    return every.index(words) if words in every else None


@attrs.define
class Screen:
    """Turns keys into what the player does, and what the player knows into lines."""

    player: Player
    ascii: bool = False
    move_entry: MoveEntry = attrs.field(init=False)
    late: LateAnswers = attrs.field(factory=LateAnswers)
    lessons: Lessons = attrs.field(factory=Lessons)
    interval: Interval = attrs.field(factory=Interval)
    story: Story = attrs.field(factory=Story)
    cursor: int = 0
    top: int = 0
    """The first line of what is being read."""
    _last_top: int = 0
    _place: str = ""
    _pointed: str = ""
    """The words of the item that is pointed at."""
    _drawn: tuple[str, ...] = ()
    """The words of all items, as they were drawn."""
    _prompt: Prompt | None = None
    _typing: Buffer = attrs.field(factory=lambda: Buffer(multiline=False))
    _room: tuple[int, int] = (80, 24)

    def __attrs_post_init__(self) -> None:
        self.move_entry = MoveEntry(self.player)
        self.player.page_of = lambda id: lambda: tournament(self.player, id)

    # Place

    @property
    def playing(self) -> Table | None:
        """The table, if its board is on the screen; after a game it stays there until one is ready again."""
        table = self.player.table
        if table is None or self.player.places:
            return None
        if table.info.stage == "gathering":
            return table.at_its_end if table.me is None or not table.me.ready else None
        return table if table.view is not None else None

    def menu(self) -> Menu:
        player = self.player
        if player.places:
            return player.places[-1]()
        if player.table is not None:
            return table_place(player, player.table)
        return lobby(player) if player.connection is not None else start(player)

    def _follow(self) -> None:
        table = self.playing or self.player.table
        if table is not None:
            self.story.follow(table, self.player.texts)
            self.move_entry.follow(table)
            self.late.follow(self.move_entry, table)
            self.lessons.follow(table, self.player.texts)
            self.interval.follow(table, self.player)
        if self.player.prompt is not self._prompt:
            self._prompt = self.player.prompt
            self._typing.reset()
            if self._prompt is not None:
                self._typing.insert_text(self._prompt.given)

    # Lines

    def lines(self, width: int, height: int) -> list[Line]:
        """The whole window."""
        self._room = (width, height)
        self._follow()
        lines = self._lines(width, height)
        if self._prompt is not None and len(lines) >= 3:
            if self.player.notice:
                lines[-3] = lines[-1]
            lines[-2:] = [self._typed_line(width), keys_line(self.player.texts("menu.prompt_keys"))]
        return [_in_ascii(line) for line in lines] if self.ascii else lines

    def _lines(self, width: int, height: int) -> list[Line]:
        if self.player.reading is not None:
            lines, self._last_top = reading_page(self.player, self.player.reading, self.top, width, height)
            self.top = min(self.top, self._last_top)
            return lines
        table = self.playing
        if table is not None:
            to_read = next(iter(self.lessons.waiting), "")
            return game_page(self.move_entry, self.story, table, width, height, self.ascii, to_read)
        menu = self.menu()
        self._keep_pointing(menu)
        self._drawn = tuple(item.words for item in menu.items)
        return menu_page(self.player, menu, self.cursor, width, height)

    def _keep_pointing(self, menu: Menu) -> None:
        """Points at the same item while others come and go; in another menu, at the first."""
        if menu.title != self._place:
            self._place, self.cursor = menu.title, 0
        else:
            there = _found(menu, self.cursor, self._pointed)
            new = [
                number
                for number, item in enumerate(menu.items)
                if item.instead_of == self._pointed and item.words not in self._drawn
            ]
            self.cursor = next(iter(new), self.cursor if there is None else there)
        self._point(menu, min(self.cursor, max(0, len(menu.items) - 1)))

    def _point(self, menu: Menu, number: int) -> None:
        self.cursor = number
        self._pointed = menu.items[number].words if menu.items else ""

    def _typed_line(self, width: int) -> Line:
        """The text being typed, with the terminal's cursor in it: input methods write there."""
        words = self._prompt.words if self._prompt is not None else ""
        document = self._typing.document
        before = document.text_before_cursor
        room = max(10, width - len(words) * 2 - 4)
        while len(before) > 1 and clipped(before, room) != before:
            before = before[1:]
        return [
            ("class:name", f" {words} "),
            ("", before),
            (CURSOR, ""),
            ("", f"{document.text_after_cursor} "),
        ]

    # Keys

    def press(self, key: str) -> None:
        """Takes a key by its name, or what a click pressed.

        At the board the first one of a player who is played for says no more than that they are here: the
        question that it was meant for may be over.
        """
        self._follow()
        returns = self.player.take_seat_back()
        if key in LEAVE:
            self._leave()
        elif self._prompt is not None:
            self._press_typing(self._prompt, key)
        elif self.player.reading is not None:
            self._press_reading(same_place(key))
        elif self.playing is not None:
            self._press_game(self.playing, narrow(key)) if not returns else None
        elif self.player.connecting:
            self._press_connecting(same_place(key))
        else:
            self._press_menu(self.menu(), narrow(key))
        self.player.changed()

    def paste(self, text: str) -> None:
        """Pastes only into a prompt: elsewhere the letters would be commands."""
        self._follow()
        if self._prompt is not None:
            self._typing.insert_text(" ".join(text.split()))
            self.player.changed()

    def _leave(self) -> None:
        """Leaves the program; in a game it asks first."""
        player = self.player
        if player.prompt is not None or player.reading is not None:
            player.prompt = player.reading = None
        elif self.playing is not None and self.playing.result is None and self.playing.seat is not None:
            sure(player, player.texts("play.sure_leave_program"), player.leave_program)
        else:
            player.leave_program()

    def _press_typing(self, prompt: Prompt, key: str) -> None:
        typing = self._typing
        match key:
            case "enter":
                self.player.prompt = None
                prompt.done(typing.text)
            case "escape":
                self.player.prompt = None
            case "backspace":
                typing.delete_before_cursor()
            case "delete":
                typing.delete()
            case "c-u":
                typing.delete_before_cursor(len(typing.text))
            case "left":
                typing.cursor_left()
            case "right":
                typing.cursor_right()
            case "home":
                typing.cursor_position = 0
            case "end":
                typing.cursor_position = len(typing.text)
            case _ if len(key) == 1:
                typing.insert_text(key)

    def _press_reading(self, key: str) -> None:
        page = max(1, self._room[1] - 4)
        steps = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -page, "pagedown": page, " ": page}
        steps |= {"home": -END, "end": END, "wheel-up": -3, "wheel-down": 3}
        if key in steps:
            self.top = min(max(self.top + steps[key], 0), self._last_top)
        elif key in (*BACK, "enter", "f1", "f2", "f3", "?"):
            self.player.reading, self.top = None, 0

    def _press_connecting(self, key: str) -> None:
        """Takes no choices: what a key is meant for will be there once the connection stands."""
        if key in ("escape", "q"):
            self.player.leave_server()
        elif key in ("?", "f1"):
            read_help(self.player)

    def _press_menu(self, menu: Menu, key: str) -> None:
        size = len(menu.items)
        self.player.notice = ""
        self._keep_pointing(menu)
        by_key = {item.key: item for item in menu.items if item.key}
        by_letter = {item.letter: item for item in menu.items if item.letter}
        if key.casefold() in by_letter:
            by_letter[key.casefold()].do()
            return
        key = same_place(key)
        if key in ("up", "wheel-up", "s-tab") and size:
            self._point(menu, (self.cursor - 1) % size)
        elif key in ("down", "wheel-down", "tab") and size:
            self._point(menu, (self.cursor + 1) % size)
        elif key in ("home", "pageup"):
            self._point(menu, 0)
        elif key in ("end", "pagedown"):
            self._point(menu, max(0, size - 1))
        elif key in ("enter", " ") and size:
            menu.items[self.cursor].do()
        elif key.startswith("item:"):
            self._click_item(menu, int(key[5:]))
        elif key in by_key:
            by_key[key].do()
        elif key in ("escape", "q") and menu.back is not None:
            menu.back()
        elif key in ("?", "f1"):
            read_help(self.player)

    def _click_item(self, menu: Menu, number: int) -> None:
        """Chooses the item that was drawn there: others may have come before it since."""
        there = _found(menu, number, self._drawn[number]) if number < len(self._drawn) else None
        if there is not None:
            self._point(menu, there)
            menu.items[there].do()

    def _press_game(self, table: Table, key: str) -> None:
        entry, player = self.move_entry, self.player
        entry.pressed_at = time.monotonic()
        player.notice = ""
        if key not in ARROWS:
            player.hints = None  # arrows point at what it says
        keys = entry.keys(table)
        if self.lessons.waiting and (key in GO_ON or key not in BESIDES):
            self.lessons.read() if key in GO_ON else None
        elif key in ARROWS:
            entry.point(*ARROWS[key], table)
        elif key in ("wheel-up", "wheel-down"):
            entry.point(1 if key == "wheel-down" else -1, 0, table)
        elif key == "enter":
            enter(entry, table)
        elif key in ("tab", "s-tab"):
            complete(entry, table) if key == "tab" else entry.point(-1, 0, table)
        elif key == "backspace":
            erase(entry, table)
        elif key.startswith("offer:") and int(key[6:]) < len(entry.offers):
            entry.click(int(key[6:]), table)
        elif key.startswith(TOUCH):
            touch(entry, key.removeprefix(TOUCH), table)
        elif key == "f10":
            entry.typed = ""
            player.open(lambda: pause(player, table))
        elif key == "escape":
            self._escape(table)
        elif key == "c-u":
            write(entry, "", table)
        elif key in LOG:
            read_log(player, self.story)
            self.top = END
        elif key in ("?", "f1"):
            read_help(player)
        elif key == "f2":
            read_rules(player, table.info.game, table.options)
        elif key == "f3":
            ask_hint(player, table)
        elif key == "/":
            ask_chat(player)
        elif (letter := key.casefold()) in keys or (letter := same_place(letter)) in keys:
            entry.choose(keys[letter], table)
        elif len(key) == 1:
            self._type(table, key)

    def _escape(self, table: Table) -> None:
        """Takes back what is wrong or typed, or else a step; with nothing to take back, opens the menu."""
        entry = self.move_entry
        at_fault = bool(entry.wrong or entry.typed)
        if at_fault:
            write(entry, "", table)
        if not at_fault and not entry.step_back(table):
            self.player.open(lambda: pause(self.player, table))

    def _type(self, table: Table, key: str) -> None:
        """Types a letter; after a game, letters are keys of the menu, and q leaves as in every menu."""
        items = {offer.item.key: offer.item for offer in self.move_entry.offers if offer.item is not None}
        letter = "l" if same_place(key) == "q" else same_place(key)
        if letter in items:
            items[letter].do()
        elif table.question is not None and not items:
            self.late.type(key, self.move_entry, table)
