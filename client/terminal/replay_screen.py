"""The full-screen replay: keys in, the screen that `replay` makes out."""

import asyncio
import functools
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import Output

from parlour.client.boards.style import STYLE
from parlour.client.boards.text import drawn
from parlour.client.terminal.keyboard import twins
from parlour.client.terminal.replay import ALL, Replay, screen

FAR = 1_000_000
"""More moves than any game has."""
KEYS: dict[str, Callable[[Replay], None]] = {
    **dict.fromkeys(("right", "down", "n", "l", "j"), lambda replay: replay.move(1)),
    **dict.fromkeys(("left", "up", "b", "h", "k", "backspace"), lambda replay: replay.move(-1)),
    "pagedown": lambda replay: replay.move(10),
    "pageup": lambda replay: replay.move(-10),
    "home": lambda replay: replay.move(-FAR),
    "end": lambda replay: replay.move(FAR),
    "enter": lambda replay: replay.jump(),
    "space": lambda replay: replay.run(),
    "+": lambda replay: replay.quicken(1),
    "-": lambda replay: replay.quicken(-1),
    "tab": lambda replay: replay.look(1),
    "s-tab": lambda replay: replay.look(-1),
    "s": lambda replay: setattr(replay, "viewer", None),
    "a": lambda replay: setattr(replay, "viewer", ALL),
}
LEAVE = ("q", "c-c", "c-d")
"""Not Escape: arrow keys begin with it, so that over a slow connection each of them would leave."""


class ReplayScreen:
    """The application around one replay; `run` it on a terminal."""

    def __init__(self, replay: Replay, input: Input | None = None, output: Output | None = None) -> None:
        self.replay = replay
        self._pressed = asyncio.Event()
        self._application: Application[None] = Application(
            layout=Layout(
                Window(FormattedTextControl(self._styled_lines, show_cursor=False, focusable=True))
            ),
            key_bindings=self._bindings(),
            style=STYLE,
            full_screen=True,
            input=input,
            output=output,
        )

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            running = group.create_task(self._run_by_itself())
            await self._application.run_async()
            running.cancel()

    async def _run_by_itself(self) -> None:
        """A move after each pause; any key begins the pause anew."""
        while True:
            self._pressed.clear()
            try:
                async with asyncio.timeout(self.replay.pause if self.replay.running else None):
                    await self._pressed.wait()
            except TimeoutError:
                self.replay.tick()
                self._application.invalidate()

    def _styled_lines(self) -> FormattedText:
        size = self._application.output.get_size()
        return FormattedText(drawn(screen(self.replay, size.columns, size.rows)))

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        digits: dict[str, Callable[[Replay], None]] = {
            digit: functools.partial(Replay.type, digit=digit) for digit in "0123456789"
        }
        for key, do in {**KEYS, **digits}.items():
            for each in twins(key):
                bindings.add(each)(self._when_pressed(do))
        for key in LEAVE:
            for each in twins(key):
                bindings.add(each)(lambda event: event.app.exit())
        return bindings

    def _when_pressed(self, do: Callable[[Replay], None]) -> Callable[[KeyPressEvent], None]:
        def pressed(_: KeyPressEvent) -> None:
            do(self.replay)
            self._pressed.set()

        return pressed
