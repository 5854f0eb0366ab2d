"""The full screen on a terminal: keys and mouse in, lines out, a bell and a title when it is one's turn."""

import asyncio
import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style, merge_styles

from parlour.client.boards.press import pressed
from parlour.client.boards.style import STYLE
from parlour.client.boards.text import Line, columns, drawn, plain
from parlour.client.terminal.player import Player
from parlour.client.terminal.screen import CURSOR, Screen

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

FRAME, FRAMED = "\x1b[?2026h", "\x1b[?2026l"
"""Written around each drawing: terminals that know them show it at once, others ignore them."""
TICK = 1.0
"""Seconds between two drawings while nothing happens: the clocks go on."""
NAMED = (
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "delete", "backspace"),
    *("enter", "tab", "s-tab", "escape", "c-c", "c-q", "c-u", "f1", "f2", "f3", "f10"),
)
OWN = Style.from_dict(
    {
        "bar": "bold reverse",
        "key": "bold underline",
        "alarm": "bold ansired",
        "notice": "bold ansiyellow",
    }
)
"""Styles besides those of the boards."""


class _Lines(FormattedTextControl):
    """The only control of the window; a click presses what the clicked text stands for."""

    def __init__(self, screen: Screen, size: Callable[[], tuple[int, int]]) -> None:
        super().__init__(self._styled_lines, show_cursor=True, focusable=True)
        self._screen = screen
        self._size = size
        self._drawn: list[Line] = []

    def _styled_lines(self) -> StyleAndTextTuples:
        self._drawn = self._screen.lines(*self._size())
        return [*drawn(self._drawn)]

    @property
    def typing(self) -> bool:
        return any(style == CURSOR for line in self._drawn[-2:] for style, _ in line)

    def mouse_handler(self, mouse_event: MouseEvent) -> "NotImplementedOrNone":
        match mouse_event.event_type, mouse_event.button:
            case MouseEventType.MOUSE_UP, MouseButton.LEFT:
                self._click(mouse_event.position)
            case MouseEventType.SCROLL_UP, _:
                self._screen.press("wheel-up")
            case MouseEventType.SCROLL_DOWN, _:
                self._screen.press("wheel-down")
            case _:
                return NotImplemented
        return None

    def _click(self, at: Point) -> None:
        """The position counts letters of the line, and some letters are two columns wide."""
        line = self._drawn[at.y] if 0 <= at.y < len(self._drawn) else []
        key = pressed(line, columns([("", plain(line)[: at.x])]))
        if key is not None:
            self._screen.press(key)


class Terminal:
    """The application around one player; `run` it on a terminal."""

    def __init__(
        self, player: Player, ascii: bool = False, input: Input | None = None, output: Output | None = None
    ) -> None:
        self.player = player
        self.screen = Screen(player, ascii)
        self._lines = _Lines(self.screen, self._size)
        self._asked: object = None
        self._application: Application[None] = Application(
            layout=Layout(Window(self._lines, always_hide_cursor=Condition(lambda: not self._lines.typing))),
            key_bindings=self._bindings(),
            style=merge_styles([STYLE, OWN]),
            full_screen=True,
            mouse_support=True,
            color_depth=ColorDepth.from_env(),
            input=input,
            output=output,
        )
        self._application.before_render += lambda _: self._application.output.write_raw(FRAME)
        self._application.after_render += self._framed
        # A lone Escape is one after this long; arrow keys begin with it too.
        self._application.ttimeoutlen = self._application.timeoutlen = 0.1
        player.changed = self._changed
        player.show = self._show

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._until_over())
            ticking = group.create_task(self._tick())
            group.create_task(self.player.look())
            asyncio.get_running_loop().set_exception_handler(self._fail)
            try:
                await self._application.run_async(set_exception_handler=False)
            except (
                Exception
            ) as bug:  # the border: what fails in drawing ends here, in keys and tasks in `_fail`
                self.player.fail(bug)
            finally:
                ticking.cancel()
                self.player.over.set()
                await self.player.end()
                if self.player.settings.title:
                    self._application.output.clear_title()

    def _fail(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Takes the exception of a key or a drawing, which prompt_toolkit would print over the screen."""
        bug = context.get("exception")
        self.player.fail(bug if isinstance(bug, BaseException) else RuntimeError(context.get("message")))

    async def _show(self, command: list[str]) -> None:
        """Hands the terminal to another program of ours until it ends."""
        await run_in_terminal(lambda: subprocess.run(command, check=False), in_executor=True)

    async def _until_over(self) -> None:
        await self.player.over.wait()
        if self._application.is_running:
            self._application.exit()

    async def _tick(self) -> None:
        """Draws every second, because clocks go on."""
        while True:
            await asyncio.sleep(TICK)
            self._application.invalidate()

    def _framed(self, _: object) -> None:
        self._application.output.write_raw(FRAMED)
        self._application.output.flush()

    def _size(self) -> tuple[int, int]:
        size = self._application.output.get_size()
        return size.columns, size.rows

    def _changed(self) -> None:
        self._call()
        self._application.invalidate()

    def _call(self) -> None:
        """Rings the bell and sets the title when the player is asked something new."""
        table, settings, output = self.player.table, self.player.settings, self._application.output
        question = table.question if table is not None else None
        asked = (table.id, question.turn) if table is not None and question is not None else None
        if asked == self._asked or not self._application.is_running:
            return
        self._asked = asked
        if settings.bell and asked is not None:
            output.bell()
        if settings.title:
            key = "play.title_turn" if asked is not None else "play.title_wait"
            output.set_title(self.player.texts(key))
        output.flush()

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for key in NAMED:
            bindings.add(key)(self._named(key))
        bindings.add(Keys.Any)(self._letter)
        bindings.add(Keys.BracketedPaste)(lambda event: self.screen.paste(event.data))
        return bindings

    def _named(self, key: str) -> Callable[[KeyPressEvent], None]:
        return lambda _: self.screen.press(key)

    def _letter(self, event: KeyPressEvent) -> None:
        if len(event.data) == 1 and event.data.isprintable():
            self.screen.press(event.data)
