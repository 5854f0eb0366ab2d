"""Games between strategies without a server: the same deal with every seat, in as many processes as wanted.

One player is of the first strategy, which may be a program (external_bot.py), all others are of the second. A
block deals one game as often as there are seats, and the first strategy has each seat once. All luck, that of
bots too, follows from a seed: the same games are played with any number of processes, unless bots have a
budget in seconds. Seconds are those of the processor, here: what else a machine does changes no result.
"""

import asyncio
import concurrent.futures
import contextlib
import hashlib
import multiprocessing
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import attrs

from parlour.client.bot import Bot
from parlour.client.bots import maker
from parlour.client.bots.budget import CPU
from parlour.client.decision import Decision
from parlour.client.external_bot import ExecBot, Lost, Program
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import SECRET_BYTES, Seeded
from parlour.engine.errors import BadOptions, IllegalAction, Malformed
from parlour.engine.game import Game, Outcome
from parlour.engine.maps import tagged, to_map
from parlour.engine.match import Match
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import Seat, project

Make = Callable[[Random], Bot]
PATIENCE = 120.0
"""Seconds after which a program that has not answered fails."""


class BadMatchup(ValueError):
    """A matchup that cannot be played, and why."""


class ProgramFailed(Exception):
    """A program does not answer, or answers with what is not legal: the text says which."""


class ClusterFailed(Exception):
    """A cluster (cluster.py) that cannot be reached or does not play: the text says why, and what to do."""


@attrs.frozen
class Matchup:
    """What to play, in plain strings and numbers that any process can be handed."""

    first: str
    second: str
    game: str
    seats: int
    seed: str
    options: Mapping[str, Any] = attrs.field(factory=dict)
    program: tuple[str, ...] = ()
    """The command of the program that plays as the first strategy, if it is one."""

    @classmethod
    def of(
        cls,
        first: str,
        second: str,
        game: str,
        seats: int | None,
        seed: str,
        options: Mapping[str, Any],
        program: Sequence[str] = (),
    ) -> "Matchup":
        """Checks all of it; raises BadMatchup."""
        for name in (second,) if program else (first, second):
            try:
                maker(name)
            except ValueError as wrong:
                raise BadMatchup(str(wrong)) from None
        if game not in GAMES:
            raise BadMatchup(f"there is no game {game!r}; there are: {', '.join(GAMES)}")
        known = GAMES[game]
        seats = known.seats[0] if seats is None else seats
        if seats not in known.seats:
            raise BadMatchup(f"{game} is for {', '.join(map(str, known.seats))} players, not {seats}")
        try:
            known.read_options(options, seats)
        except BadOptions as wrong:
            raise BadMatchup(f"options: {wrong}") from None
        return cls(first, second, game, seats, seed, dict(options), tuple(program))


@attrs.frozen
class Pace:
    """Moves of one strategy, and the seconds of the processor that it took for them."""

    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def __add__(self, other: "Pace") -> "Pace":
        slowest = max(self.slowest, other.slowest)
        return Pace(self.moves + other.moves, self.seconds + other.seconds, slowest)


@attrs.frozen
class Block:
    """One deal with every seat: the first strategy's share of the win in each, and how quick both were."""

    number: int
    shares: tuple[float, ...]
    paces: tuple[Pace, Pace]


# One game


class Player:
    """A bot at its seat, and what it has been told."""

    def __init__(self, bot: Bot, seat: Seat) -> None:
        self.bot, self.seat = bot, seat
        self.news: list[Mapping[str, Any]] = []
        self.turn = 0
        self.pace = Pace()

    def answer(self, match: Match[Any, Any, Any]) -> Any:
        """What the bot does, told no more than over the wire."""
        game = match.game
        deadline = match.deadline
        self.turn += 1
        view = to_map(project(match.view, self.seat))
        decision = Decision(
            game=game.name,
            options=view["options"],
            seat=self.seat,
            view=view,
            legal=choices_to_map(game.legal(match.state, self.seat)),
            news=tuple(self.news),
            news_missed=False,
            phase=deadline.phase if deadline else "",
            scramble=bool(deadline and deadline.scramble),
            turn=self.turn,
            seq=self.turn,
            until=None,
        )
        began = self.clock()
        action = self.choose(decision)
        taken = self.clock() - began
        self.pace += Pace(1, taken, taken)
        return game.read_action(action)

    clock = staticmethod(CPU)

    def choose(self, decision: Decision) -> Any:
        return self.bot.choose(decision)


class ProgramPlayer(Player):
    """A program at its seat: its time is that of the clock, for it thinks in a process of its own."""

    clock = staticmethod(time.monotonic)

    def __init__(self, program: Program, runner: asyncio.Runner, seat: Seat) -> None:
        super().__init__(ExecBot(program), seat)
        self._program, self._runner = program, runner

    def choose(self, decision: Decision) -> Any:
        try:
            return self._runner.run(asyncio.wait_for(self._program.answer(decision), PATIENCE))
        except TimeoutError:
            failed = f"no answer to turn {self.turn} within {PATIENCE:g} s"
        except Lost as lost:
            failed = str(lost)
        raise ProgramFailed(f"{failed}; its stderr is in {self._program.stderr}")

    def answer(self, match: Match[Any, Any, Any]) -> Any:
        """Plays nothing in the place of what is wrong: whoever measures a program wants to know of it."""
        try:
            action = super().answer(match)
            match.propose(self.seat, action)
        except (Malformed, IllegalAction) as wrong:
            raise ProgramFailed(f"an action was refused at turn {self.turn}: {wrong}") from None
        return action


def play(
    game: Game[Any, Any, Any], options: Any, secret: bytes, players: Sequence[Player]
) -> tuple[Outcome, list[Pace]]:
    """One game to its end. Where many are asked at once, luck decides who is first."""
    match = Match(game, len(players), options, Seeded(secret))
    order = Seeded(secret)
    proposal = match.propose_setup()
    while True:
        match.adopt(proposal)
        for beat in proposal.beats:
            for item in beat.news:
                for player in players:
                    player.news.append(tagged(project(item, player.seat)))
        if match.outcome is not None:
            return match.outcome, [player.pace for player in players]
        seat = order.draw("arena/seat", sorted(match.awaited))
        proposal = match.propose(seat, players[seat].answer(match))


def share(outcome: Outcome, seat: int) -> float:
    """Of the win: all of it, a part of one that is shared, nothing; a draw is shared by all."""
    if not outcome.winners:
        return 1 / len(outcome.places)
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0


# Blocks of games


@contextlib.contextmanager
def _program_at(players: list[Player], seat: int, command: Sequence[str]) -> Iterator[None]:
    """Puts a program on a seat for one game, if there is one."""
    if not command:
        yield
        return
    program = Program(command, Path(f"{Path(command[0]).name}.stderr"))
    with asyncio.Runner() as runner:
        players[seat] = ProgramPlayer(program, runner, Seat(seat))
        runner.run(program.__aenter__())
        try:
            yield
        finally:
            runner.run(program.__aexit__())


def play_block(matchup: Matchup, number: int) -> Block:
    game = GAMES[matchup.game]
    options = game.read_options(matchup.options, matchup.seats)
    secret = hashlib.blake2b(f"{matchup.seed}/{number}".encode(), digest_size=SECRET_BYTES).digest()
    second = maker(matchup.second, CPU)
    first = second if matchup.program else maker(matchup.first, CPU)
    makers: tuple[Make, Make] = (first, second)
    shares: list[float] = []
    paces = [Pace(), Pace()]
    for ours in range(matchup.seats):
        players = [
            Player(makers[seat != ours](Random(f"{matchup.seed}/{number}/{ours}/{seat}")), Seat(seat))
            for seat in range(matchup.seats)
        ]
        with _program_at(players, ours, matchup.program):
            outcome, took = play(game, options, secret, players)
        shares.append(share(outcome, ours))
        for seat, pace in enumerate(took):
            paces[seat != ours] += pace
    return Block(number, tuple(shares), (paces[0], paces[1]))


def _play_block(order: tuple[Matchup, int]) -> Block:
    return play_block(*order)


def play_blocks(matchup: Matchup, blocks: int, processes: int) -> Generator[Block, None, None]:
    """All blocks in their order, as they are done."""
    orders: Iterable[tuple[Matchup, int]] = [(matchup, number) for number in range(blocks)]
    if processes == 1:
        yield from map(_play_block, orders)
        return
    # Not forked: whoever holds the arena may have threads.
    spawning = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(processes, mp_context=spawning) as pool:
        try:
            yield from pool.map(_play_block, orders)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
