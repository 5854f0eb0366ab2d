"""The commands about tournaments: create, list, enter, watch, start, pause, cancel, export and verify."""

import argparse
import asyncio
import functools
import math
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from parlour.client.boards.refusals import refusal_text
from parlour.client.cli.archive_texts import error_text
from parlour.client.cli.demo_screen import only_ascii
from parlour.client.cli.subcommand import FAILED, FINE, BadArguments
from parlour.client.cli.tournament.connecting import connected, fetch, find_server, is_over
from parlour.client.cli.tournament.entry import entered
from parlour.client.cli.tournament.steering import started
from parlour.client.cli.tournament.watch import Watching, manner
from parlour.client.connection import Connection, Gone, Refused
from parlour.client.language import LANGUAGES, Texts
from parlour.client.tournaments.faults import fault_line
from parlour.client.tournaments.report import report
from parlour.client.tournaments.tables import list_lines
from parlour.machine.output import printable_json, say
from parlour.protocol import messages as m
from parlour.protocol.codec import read_part
from parlour.server.tournament.export import library

Command = Callable[[argparse.Namespace, Texts], int]
SILENT = 1.0
"""Seconds for which a command waits for a busy server without a word."""


# On a server


def _asking(
    given: argparse.Namespace,
    texts: Texts,
    talk: Callable[[Connection, str], Coroutine[Any, Any, int]],
    *,
    own: bool,
    watching: Watching | None = None,
) -> int:
    """Goes to the server, under one's own name or as a player, and tells why if it says no."""

    waited = False

    def on_wait(seconds: float) -> None:
        nonlocal waited
        if seconds > SILENT and not waited:
            waited = True
            told = texts("refused.busy_waiting", seconds=math.ceil(seconds))
            say(f"parlour: {where}: {told}", file=sys.stderr)

    async def ask() -> int:
        async with connected(where, given, own=own, watching=watching, on_wait=on_wait) as connection:
            return await talk(connection, where)

    where = find_server(given.host, texts)
    try:
        return asyncio.run(ask())
    except (Gone, Refused) as wrong:
        say(f"parlour: {where}: {refusal_text(wrong, texts)}", file=sys.stderr)
        return FAILED


def create(given: argparse.Namespace, texts: Texts) -> int:
    try:
        text = Path(given.file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        problem = wrong.strerror if isinstance(wrong, OSError) else texts("tournament.said.not_text")
        raise BadArguments(f"{given.file}: {problem}") from None
    rules = library.read_rules(text)

    async def talk(connection: Connection, where: str) -> int:
        made = await connection.ask(m.CreateTournament, rules=rules)
        id = str(made["tournament"])
        await connection.ask(m.Steer, tournament=id, to="open")
        say(texts("tournament.said.created", id=id, name=rules["name"]))
        if made["code"] is not None:
            say(texts("tournament.said.invitation", code=made["code"]))
        for key in ("next_enter", "next_watch", "next_start"):
            say(f"  {texts(f'tournament.said.{key}', id=id, host=where)}")
        return FINE

    return _asking(given, texts, talk, own=True)


def list_(given: argparse.Namespace, texts: Texts) -> int:
    async def talk(connection: Connection, _where: str) -> int:
        found = (await connection.ask(m.Tournaments))["tournaments"]
        if given.json:
            say(*printable_json(found, indent=2).split("\n"))
        else:
            for line in list_lines([read_part(each, m.TournamentInfo) for each in found], texts):
                say(line)
        return FINE

    return _asking(given, texts, talk, own=False)


def watch(given: argparse.Namespace, texts: Texts) -> int:
    watching = Watching(given.id, texts, manner(sys.stdout, given.json), only_ascii(sys.stdout))

    async def talk(connection: Connection, _where: str) -> int:
        await watching.run(connection)
        return FINE

    return _asking(given, texts, talk, own=False, watching=watching)


def enter(given: argparse.Namespace, texts: Texts) -> int:
    return entered(given, texts)


def start(given: argparse.Namespace, texts: Texts) -> int:
    async def talk(connection: Connection, _where: str) -> int:
        begun = await started(connection, given.id, texts, given.check_in, say)
        return FINE if begun else FAILED

    return _asking(given, texts, talk, own=True)


def pause(given: argparse.Namespace, texts: Texts) -> int:
    return _steer(given, texts, "pause", why=given.why)


def cancel(given: argparse.Namespace, texts: Texts) -> int:
    return _steer(given, texts, "cancel", why=given.why)


def _steer(given: argparse.Namespace, texts: Texts, to: str, why: str = "") -> int:
    async def talk(connection: Connection, _where: str) -> int:
        await connection.ask(m.Steer, tournament=given.id, to=to, why=why)
        say(texts(f"tournament.steered.{to}", id=given.id))
        return FINE

    return _asking(given, texts, talk, own=True)


# Folders


def _draw(facts: Any, language: str) -> str:
    return report(facts, Texts(language if language in LANGUAGES else "en"))


def export(given: argparse.Namespace, texts: Texts) -> int:
    library.check_free(given.folder)

    def write(kept: Any) -> int:
        games = library.write_folder(kept, given.folder, _draw, texts.language)
        say(texts("tournament.said.exported", path=given.folder, count=games))
        return FINE

    if given.host is None:
        return write(library.find_tournament(given.archive, given.id))

    async def talk(connection: Connection, where: str) -> int:
        if not await is_over(connection, given.id):
            # The server shows no game of it before.
            raise BadArguments(error_text("NotOver", {"path": where, "tournament": given.id}, texts))
        games = functools.partial(library.replays, where, given.id)
        return write(library.assemble(where, *await fetch(connection, given.id, games)))

    return _asking(given, texts, talk, own=False)


def verify(given: argparse.Namespace, texts: Texts) -> int:
    found = library.verdict(given.folder, _draw)
    if found["fault"] is None:
        facts = {"count": found["games"], "entrants": found["entrants"]}
        say(f"{given.folder}: {texts('tournament.said.right', **facts)}")
        if found["another_build"]:
            say(f"{given.folder}: {texts('tournament.said.another_build')}")
        return FINE
    say(f"{given.folder}: {fault_line(found['fault'], texts)}")
    return FAILED
