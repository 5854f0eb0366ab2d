"""The words of `parlour play` and `parlour join`: their arguments, and which way of playing they start."""

import argparse
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.client.cli.subcommand import FAILED, FINE, BadArguments, add_language, speaking
from parlour.machine.output import say

if TYPE_CHECKING:
    from parlour.client.language import Texts
    from parlour.client.settings import Settings
    from parlour.client.terminal.player import Player


def _add_manner(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--name", help="your name (default: the last one used)")
    add_language(parser)
    add("--plain", action="store_true", help="plain lines instead of a full screen")
    add("--json", action="store_true", help="one JSON event per line, for scripts")
    add("--ascii", action="store_true", help="draw with ASCII characters only")


def add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "host", metavar="HOST", nargs="?", help="a server's address (default: search the network)"
    )
    _add_manner(parser)
    parser.set_defaults(code=None)


def add_join(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="the code of a table, as its host sees it")
    parser.add_argument(
        "host", metavar="HOST", nargs="?", help="its server (default: the last one, or one found)"
    )
    _add_manner(parser)


def add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("host", metavar="HOST", help="the server's address, as you would type it to play")
    add_language(parser)


def doctor(given: argparse.Namespace) -> int:
    """A line for each step; exit status 1 if one fails."""
    import asyncio

    from parlour.client.addresses import as_url
    from parlour.client.cli.doctor import examine, finding_lines

    texts = speaking(given.lang)
    url = as_url(given.host)

    async def look() -> bool:
        fine = True
        async for finding in examine(url):
            fine = fine and finding.fine
            for line in finding_lines(finding, texts):
                say(line)
        return fine

    say(texts("doctor.begins", url=url))
    return FINE if asyncio.run(look()) else FAILED


def play(given: argparse.Namespace) -> int:
    """Full-screen on a terminal, in lines anywhere else; gives the exit status."""
    import asyncio

    from parlour.client.settings import Settings, folder

    settings = Settings.read(folder())
    if given.name:
        settings.name = given.name
    texts = speaking(given.lang or settings.lang)
    bug, heard = asyncio.run(_play(given, settings, texts))
    if bug is None and given.code is not None and not heard:
        say(f"parlour: {texts('line.no_input')}", file=sys.stderr)
        return FAILED
    if bug is not None:
        where = write_down(bug, folder())
        say(f"parlour: a fault of this program: {bug!r}; {where}", file=sys.stderr)
        return FAILED
    return FINE


async def _play(
    given: argparse.Namespace, settings: "Settings", texts: "Texts"
) -> tuple[BaseException | None, bool]:
    """Until the player leaves; gives the bug that ended it, if one did, and whether anything was typed."""
    from parlour.client.cli.demo_screen import only_ascii
    from parlour.client.settings import archive
    from parlour.client.terminal.player import Player

    player = Player(texts, settings, archive())
    await _go(given, player)
    if given.plain or given.json or not (sys.stdin.isatty() and sys.stdout.isatty()) or _dumb():
        from parlour.client.terminal.line_mode import LineMode, Voice

        lines = LineMode(player, Voice(sys.stdout, given.json))
        await lines.run()
        return player.bug, lines.heard
    from parlour.client.terminal.app import Terminal

    await Terminal(player, given.ascii or only_ascii(sys.stdout)).run()
    return player.bug, True


def write_down(bug: BaseException, home: Path) -> str:
    """Puts a bug with all that is known of it into a file for those who mend it; says where it is."""
    path = home / "fault.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(traceback.format_exception(bug)), encoding="utf-8")
    except OSError as wrong:
        return f"{path} could not be written: {wrong.strerror}"
    return f"please report it with the file {path}"


def _dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


async def _go(given: argparse.Namespace, player: "Player") -> None:
    """To the server that was named, or for a code to the last one."""
    from parlour.client.addresses import as_url
    from parlour.client.terminal.connecting import connect
    from parlour.client.terminal.menus.lobby import join
    from parlour.client.terminal.player import Server

    where = as_url(given.host) if given.host else None
    code = given.code
    if code is not None and where is None:
        where = await _some_server(player)
    if where is not None:
        connect(player, Server(where), (lambda: join(player, code=code)) if code else None)


async def _some_server(player: "Player") -> str:
    """One that announces itself; failing that, the last one."""
    import asyncio

    from parlour.client.discovery import Found, looking

    seen: asyncio.Queue[Found] = asyncio.Queue()

    def tell(_name: str, found: Found | None) -> None:
        if found is not None:
            seen.put_nowait(found)

    async with looking(tell):
        try:
            async with asyncio.timeout(2.0):
                return (await seen.get()).url
        except TimeoutError:
            pass
    if player.settings.recent:
        return player.settings.recent[0]
    raise BadArguments("no server was found; name it: parlour join CODE HOST")
