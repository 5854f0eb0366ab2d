"""`parlour bot check`: a bot that somebody wrote, played through a checklist on a server of our own.

The bot is a command; it gets the address of the server and the name of a game, sits down and plays one game.
It connects through a relay, which records all messages, sends what no bot can know yet, and breaks once.
"""

import asyncio
import contextlib
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import attrs

from parlour.client.boards.refusals import refusal_text
from parlour.client.bot import play
from parlour.client.bots.random import RandomBot
from parlour.client.cli.relay import BotActivity, Relay
from parlour.client.connection import Connection, Gone, Refused
from parlour.client.local_server import NotHosted, hosted
from parlour.client.session import Session
from parlour.client.table_search import begun, is_open
from parlour.machine.kept_output import KeptOutput, kept
from parlour.machine.output import printable_json
from parlour.machine.process_group import GroupLeader, start_group
from parlour.protocol import messages as m

HELLO_WITHIN = 20.0
"""Seconds for a bot to start and say hello."""
GAME_WITHIN = 240.0
CLOCK = m.Clocks(decision=20.0)
BREAK_AFTER = 3
JOIN_AFTER = GOODBYE_WITHIN = 2.0
"""Seconds that a bot has to fill a table of its own with whom it likes."""
WRONG = ("illegal", "bad_action", "bad_message", "bad_frame", "unknown_type")
"""What the server answers to a mistake. Other codes say that somebody was quicker, or that it is not time."""
ENOUGH_SILENCE = 2
"""Questions left unanswered after which the game is not waited for."""
LONGEST_ACTION = 400
"""Letters of an action that is quoted."""
Say = Callable[[str], None]


@attrs.frozen
class CheckedGame:
    """One game of the checklist, and what came of it."""

    activity: BotActivity
    failure: str | None = None
    """Why it was not played to its end."""


async def check(command: Sequence[str], games: Sequence[str] | None, say: Say) -> bool:
    """Plays the bot through the list and says what came of each point; whether all is well."""
    with tempfile.TemporaryDirectory(prefix="parlour-check-") as folder:
        try:
            return await Checklist(command, Path(folder), say).run(games)
        except NotHosted as wrong:
            say(f"FAILED server: none could be started here: {wrong.told}")
            return False


class Checklist:
    """A bot, and the servers and partners that it is tried with."""

    def __init__(self, command: Sequence[str], folder: Path, say: Say) -> None:
        self._command, self._folder, self._say = command, folder, say
        self._stderr = folder / "stderr"
        self._keeping: asyncio.Task[None]
        self.url = ""
        self._seats: dict[str, int] = {}
        self._fine = True

    async def run(self, games: Sequence[str] | None) -> bool:
        async with self.server():
            claimed = await self.claimed(games)
            if not claimed:
                return False
            first = await self._play(claimed[0])
        if not self._handshake(first):
            return False
        self._game(claimed[0], first)
        for game in claimed[1:]:
            async with self.server():
                self._game(game, await self._play(game))
        async with self.server():
            junk = await self._play(claimed[0], junk=True)
        self._report(
            junk.failure is None,
            "junk",
            junk.failure
            or f"unknown events and fields did not disturb it in {junk.activity.answers} answers",
        )
        async with self.server():
            self._drop(await self._play(claimed[0], break_after=BREAK_AFTER))
        return self._fine

    async def claimed(self, games: Sequence[str] | None) -> list[str]:
        """The games to check, all of them if none is named; nothing if there is no such game."""
        async with Connection(self.url, Session(name="Checker")) as checker:
            known = (await checker.ask(m.Games))["games"]
        self._seats = {each["game"]: min(each["seats"]) for each in known}
        claimed = list(games or self._seats)
        unknown = [game for game in claimed if game not in self._seats]
        if unknown:
            self._report(False, "games", f"there is no {unknown[0]}; there are: {', '.join(self._seats)}")
        return [] if unknown else claimed

    def _report(self, fine: bool, point: str, text: str) -> None:
        self._fine = self._fine and fine
        self._say(f"{'ok    ' if fine else 'FAILED'} {point}: {text}")

    # The points of the list

    def _handshake(self, checked: CheckedGame) -> bool:
        activity = checked.activity
        if not activity.connections:
            self._report(False, "handshake", checked.failure or "it did not connect")
        elif not activity.welcomed:
            refused = f", refused: {activity.errors[0]}" if activity.errors else ""
            self._report(False, "handshake", f"it connected, but was not welcomed{refused}")
        else:
            spoken = activity.protocol or "no subprotocol"
            self._report(True, "handshake", f"{activity.name} speaks {spoken}")
            return True
        return False

    def _game(self, game: str, checked: CheckedGame) -> None:
        activity = checked.activity
        wrong = [*activity.broken, *(code for code in activity.errors if code in WRONG)]
        if checked.failure is not None:
            self._report(False, game, checked.failure)
        elif activity.unanswered:
            self._report(False, game, f"it gave no answer to {activity.unanswered} questions")
        elif wrong:
            self._report(
                False, game, f"{len(wrong)} wrong messages in {activity.answers} answers, first: {wrong[0]}"
            )
            if activity.refused is not None:
                action, why = activity.refused
                told = f"{printable_json(action)[:LONGEST_ACTION]}: {refusal_text(why, game=game)}"
                facts = f" {printable_json(why.facts)}" if why.facts else ""
                self._say(f"       the first action that was refused: {told}{facts}")
        else:
            reason = (activity.result or {}).get("reason", "")
            self._report(
                True, game, f"played to the end ({reason}), {activity.answers} answers, none of them wrong"
            )
        if checked.failure is None:
            self._clock(game, activity)

    def _clock(self, game: str, activity: BotActivity) -> None:
        most = CLOCK.decision or 0.0
        took = f"the slowest answer took {activity.slowest:.2f} s of {most:.0f} s"
        fine = not activity.late and activity.slowest < most
        self._report(fine, f"{game} clock", f"{took}, {activity.late} came too late")

    def _drop(self, dropped: CheckedGame) -> None:
        activity = dropped.activity
        if activity.answers < BREAK_AFTER:
            self._report(
                False, "drop and resume", dropped.failure or "the game was over before its line broke"
            )
        elif activity.connections < 2:
            self._report(False, "drop and resume", "its line broke, and it did not come back")
        elif not activity.came_back:
            self._report(False, "drop and resume", "it came back as somebody else: hello needs its token")
        else:
            self._report(
                dropped.failure is None, "drop and resume", dropped.failure or "it came back and played on"
            )

    # One game

    async def _play(self, game: str, *, junk: bool = False, break_after: int | None = None) -> CheckedGame:
        return await self.play_through(Relay(self.url, junk=junk, break_after=break_after), game)

    async def play_through(self, relay: Relay, game: str) -> CheckedGame:
        """Lets the bot play one game through a relay."""
        async with contextlib.AsyncExitStack() as stack:
            url = await stack.enter_async_context(relay.open())
            numbers = range(self._seats[game] - 1)
            partners = [asyncio.create_task(self._partner(game, number)) for number in numbers]
            stack.push_async_callback(_leave, partners)
            try:
                bot = await stack.enter_async_context(self._started(url, game))
            except OSError as wrong:
                return CheckedGame(relay.activity, f"it cannot be started: {wrong.strerror or wrong}")
            failure = await self._watch(relay, bot)
        return CheckedGame(relay.activity, failure)

    @contextlib.asynccontextmanager
    async def server(self) -> AsyncIterator[None]:
        """Runs a server for one game: servers remember names, and a bot may always use the same."""
        archive = self._folder / f"{os.urandom(8).hex()}.db"
        async with hosted(False, archive) as server:
            self.url = server.url
            yield

    async def _watch(self, relay: Relay, bot: GroupLeader) -> str | None:
        """Waits until the game is over; gives the reason if it never is."""
        for done, within, told in (
            (_is_welcome, HELLO_WITHIN, f"no handshake within {HELLO_WITHIN:.0f} s"),
            (_is_over, GAME_WITHIN, f"the game was not over within {GAME_WITHIN:.0f} s"),
        ):
            waiting = asyncio.create_task(relay.until(done))
            ended = asyncio.create_task(bot.wait())
            try:
                await asyncio.wait((waiting, ended), timeout=within, return_when=asyncio.FIRST_COMPLETED)
                if relay.activity.unanswered >= ENOUGH_SILENCE:
                    return f"it gave no answer to {relay.activity.unanswered} questions"
                if not done(relay.activity):
                    if bot.returncode is None:
                        return told
                    return f"it ended with status {bot.returncode}{await self._last_word()}"
            finally:
                waiting.cancel()
                ended.cancel()
                await asyncio.gather(waiting, ended, return_exceptions=True)
        return None

    async def _last_word(self) -> str:
        await asyncio.wait([self._keeping], timeout=GOODBYE_WITHIN)
        lines = self._stderr.read_text(encoding="utf-8", errors="replace").split("\n")
        said = [line for line in lines if line.strip()]
        return f": {said[-1][:200]}" if said else ""

    @contextlib.asynccontextmanager
    async def _started(self, url: str, game: str) -> AsyncIterator[GroupLeader]:
        words = [word.replace("{url}", url).replace("{game}", game) for word in self._command]
        if words == list(self._command):
            words += [url, game]
        self._stderr.unlink(missing_ok=True)
        null = asyncio.subprocess.DEVNULL
        bot = await start_group(*words, stdin=null, stdout=null, stderr=asyncio.subprocess.PIPE)
        try:
            async with kept(bot, KeptOutput(self._stderr), GOODBYE_WITHIN) as self._keeping:
                try:
                    yield bot
                finally:
                    if bot.returncode is None:
                        with contextlib.suppress(ProcessLookupError):
                            bot.terminate()
                        with contextlib.suppress(TimeoutError):
                            async with asyncio.timeout(GOODBYE_WITHIN):
                                await bot.wait()
                    bot.kill_group()
        finally:
            await bot.let_go()

    async def _partner(self, game: str, number: int) -> None:
        """Plays with the bot: at a table that it has made, or at one with a clock where it may sit down."""
        name = f"Partner {os.urandom(4).hex()}"
        with contextlib.suppress(Gone, Refused):
            async with Connection(self.url, Session(name=name)) as partner:
                await partner.ask(m.WatchLobby, on=True)
                id = await self._seat(partner, game, number)
                await partner.ask(m.Ready, table=id)
                if await begun(partner, id):
                    await play(RandomBot(), partner, id)

    async def _seat(self, partner: Connection, game: str, number: int) -> str:
        if not number:
            made: Any = await partner.ask(
                m.CreateTable, game=game, seats=self._seats[game], clocks=CLOCK, reaction=0.0
            )
            mine = str(made["table"])
            while partner.session.tables[mine].info.chairs.count(None) == self._seats[game] - 1:
                other = await self._join_other(partner, game, mine)
                if other is not None:
                    await partner.ask(m.Leave, table=mine)
                    return other
                await partner.changed()
            return mine
        while (found := await self._join_other(partner, game, None)) is None:
            await partner.changed()
        return found

    async def _join_other(self, partner: Connection, game: str, mine: str | None) -> str | None:
        lobby = partner.session.lobby or {}
        for info in [info for info in lobby.values() if is_open(info, game) and info.table != mine]:
            with contextlib.suppress(Refused):
                if mine is not None:
                    await asyncio.sleep(JOIN_AFTER)
                await partner.ask(m.Join, table=info.table)
                return info.table
        return None


def _is_welcome(activity: BotActivity) -> bool:
    return activity.welcomed > 0


def _is_over(activity: BotActivity) -> bool:
    return activity.result is not None or activity.unanswered >= ENOUGH_SILENCE


async def _leave(partners: "Sequence[asyncio.Task[None]]") -> None:
    for partner in partners:
        partner.cancel()
    await asyncio.gather(*partners, return_exceptions=True)
