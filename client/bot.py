"""Plays games for a bot: asks it, sends its answers, and logs what goes wrong without stopping."""

import asyncio
import contextlib
import inspect
import logging
import ssl
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import attrs

from parlour.client.connection import Connection, Gone, Refused
from parlour.client.decision import Decision
from parlour.client.session import Session
from parlour.client.table import Ended, Table
from parlour.client.table_search import Wanted, again, take_a_seat
from parlour.protocol import messages as m
from parlour.protocol.codec import pack

WRONG_ANSWERS = 3
"""After so many to one question, any legal action is played, so that the others need not wait."""
WRONG = ("illegal", "bad_action", "bad_message")
"""Errors that the same answer would bring again. All others say that the position has changed."""
log = logging.getLogger("parlour.bot")


Choice = Mapping[str, Any] | Awaitable[Mapping[str, Any]]


class Bot:
    """A strategy: one object for each game. `choose` may be `async`."""

    thread = True
    """Whether a `choose` that is not async runs in a thread of its own. It may be False if it is quick."""

    def choose(self, decision: Decision) -> Choice:
        """An action of those in `decision.legal`."""
        raise NotImplementedError

    def pause(self, decision: Decision, action: Mapping[str, Any]) -> float:  # noqa: ARG002
        """In a scramble with people: how long after the question this action is sent, in seconds."""
        return 0.0


@attrs.frozen
class Played:
    """A game that is over, as one of its players saw it."""

    seat: int
    names: tuple[str, ...]
    result: m.Result

    @property
    def won(self) -> bool:
        return self.seat in self.result.winners


# Answering


async def play(bot: Bot, connection: Connection, id: str) -> Played | None:
    """Answers all that a table asks until its game is over; None: the table is gone, or the seat."""
    wrong, asked, since = 0, 0, 0.0
    thought: tuple[int, Mapping[str, Any] | None] | None = None
    clock = asyncio.get_running_loop().time
    begun = connection.session.tables.get(id)
    number = begun.info.number if begun is not None else 0
    while (table := connection.session.tables.get(id)) is not None and _end(table, number) is None:
        question, view = table.question, table.view
        if question is None or view is None:
            await connection.changed()
            continue
        if question.turn != asked:
            wrong, asked, since = 0, question.turn, clock()
        decision = Decision.at(table, view, question)
        if thought is None or thought[0] != table.seq:
            thought = table.seq, await _chosen(bot, decision) if wrong < WRONG_ANSWERS else decision.pick()
        action = _behind_learners(bot, decision, thought[1], table)
        if action is None:
            wrong, thought = WRONG_ANSWERS, None
        elif _asks(connection, id) != question.turn:
            log.warning("late table=%s turn=%s", id, question.turn)
        elif (wait := since + _pause(bot, decision, action, table) - clock()) > 0:
            await _changed_within(connection, wait)
            continue
        elif await _answer(connection, id, decision, action):
            wrong += 1
        thought = None
    ended = _end(table, number) if table is not None else None
    if ended is None:
        return None
    log.info("over table=%s seat=%s reason=%s places=%s", id, ended.seat, *_summary(ended.result))
    return Played(ended.seat or 0, ended.names, ended.result)


def _pause(bot: Bot, decision: Decision, action: Mapping[str, Any], table: Table) -> float:
    """How long a bot waits with an action, counted from the question: in a scramble with people.

    A table whose bots need not react like people is told so by its host with a `reaction` of 0.
    """
    info = table.info
    asked = [info.chairs[seat] for seat in table.awaited]
    people = any(chair is not None and not (chair.bot or chair.left or chair.substitute) for chair in asked)
    return bot.pause(decision, action) if decision.scramble and people and info.reaction else 0.0


def _behind_learners(
    bot: Bot, decision: Decision, action: Mapping[str, Any] | None, table: Table
) -> Mapping[str, Any] | None:
    """At a table for practice a bot is never ahead in a scramble: it does what hurries nobody, if it can."""
    if action is None or not (table.info.practice and decision.scramble and bot.pause(decision, action)):
        return action
    return next((each for each in decision.every() if not bot.pause(decision, each)), action)


async def _changed_within(connection: Connection, seconds: float) -> None:
    """Waits so long, or until something changes: then there may be less left to choose from."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await connection.changed()


def _end(table: Table, number: int) -> Ended | None:
    """How the game of that number ended: others may have begun the next one in the same moment."""
    ended = table.ended
    return ended if ended is not None and ended.number >= number else None


def _summary(result: m.Result) -> tuple[str, str]:
    return result.reason, ",".join(map(str, result.places))


def _asks(connection: Connection, id: str) -> int | None:
    table = connection.session.tables.get(id)
    return table.question.turn if table is not None and table.question is not None else None


async def _chosen(bot: Bot, decision: Decision) -> Mapping[str, Any] | None:
    """What the bot chooses; None if it fails, or gives something that cannot be sent."""
    try:
        if bot.thread and not inspect.iscoroutinefunction(bot.choose):
            choice = await asyncio.to_thread(_choice, bot, decision)
        else:
            choice = bot.choose(decision)
        action = await choice if inspect.isawaitable(choice) else choice
        pack({"action": action})
    except Exception as bug:  # a strategy is anybody's code: whatever it does, the game goes on
        log.warning("failed turn=%s %s", decision.turn, _describe(bug))
        return None
    if isinstance(action, Mapping):
        return action
    log.warning("failed turn=%s gave %s, not an action", decision.turn, type(action).__name__)
    return None


def _choice(bot: Bot, decision: Decision) -> Choice:
    """What `choose` gives. A StopIteration, of a `next` that found nothing, would never leave the thread."""
    try:
        return bot.choose(decision)
    except StopIteration as bug:
        raise RuntimeError("choose raised StopIteration").with_traceback(bug.__traceback__) from None


def _describe(bug: Exception) -> str:
    """Where an exception was raised and what it says, in one line."""
    trace = bug.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}: " if trace is not None else ""
    return " ".join(f"{where}{type(bug).__name__}: {bug}".split())


async def _answer(connection: Connection, id: str, decision: Decision, action: Mapping[str, Any]) -> bool:
    """Sends an answer; True if it was wrong. If it came too late, waits for the next event.

    What the server could not store, or was too busy for, is sent again: nobody is asked anew before that.
    """
    while _asks(connection, id) == decision.turn:
        try:
            await connection.ask(m.Act, table=id, turn=decision.turn, action=action)
            log.info("played table=%s turn=%s %s", id, decision.turn, dict(action))
            return False
        except Refused as refused:
            wrong = refused.code in WRONG
            level = logging.WARNING if wrong else logging.INFO
            log.log(level, "%s table=%s turn=%s %s", refused.code, id, decision.turn, dict(refused.facts))
            if refused.retry_after is None:
                break
            await asyncio.sleep(refused.retry_after)
    else:
        return False
    table = connection.session.tables.get(id)
    while not wrong and table is not None and table.seq == decision.seq:
        await connection.changed()
        table = connection.session.tables.get(id)
    return wrong


# Whole games


def quiet(_played: Played) -> None:
    """Default when nobody wants each result."""


async def play_games(
    make: Callable[[], Bot],
    url: str,
    wanted: Wanted,
    name: str,
    games: int = 1,
    trust: ssl.SSLContext | None = None,
    over: Callable[[Played], None] = quiet,
) -> list[Played]:
    """Plays so many games, at a table or wherever there is a seat: `run` for whoever has an event loop."""
    played: list[Played] = []

    def finished(one: Played) -> None:
        played.append(one)
        over(one)

    while len(played) < games:
        session = Session(name=name, bot=True)
        try:
            async with Connection(url, session, trust=trust) as connection:
                await _games(make, connection, wanted, games - len(played), finished)
        except Gone as gone:
            if gone.reason != "bad_token":
                raise
            log.warning("forgotten: the server was started anew, and so is %s", name)
    return played


async def _games(
    make: Callable[[], Bot],
    connection: Connection,
    wanted: Wanted,
    games: int,
    finished: Callable[[Played], None],
) -> None:
    id: str | None = None
    try:
        while games:
            if id is None or not await again(connection, id):
                id = await take_a_seat(connection, wanted)
            played = await play(make(), connection, id)
            if played is None:
                id = None
            else:
                finished(played)
                games -= 1
    finally:
        # Leave, or the others wait for an answer or a rematch that will not come.
        with contextlib.suppress(TimeoutError, Gone, Refused):
            async with asyncio.timeout(1.0):
                await connection.ask(m.Ping)  # a table that was asked for a moment ago is known after that
                for id in list(connection.session.tables):
                    await connection.ask(m.Leave, table=id)
