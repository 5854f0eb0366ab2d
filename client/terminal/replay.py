"""A replay as it is watched: which move, as which viewer, and whether it runs by itself. No terminal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import attrs

from parlour.client.boards.game_board import GameBoard
from parlour.client.boards.room import LEAST, Room
from parlour.client.boards.text import Line, clipped, cut, plain, wrapped
from parlour.client.language import ENGLISH, Texts
from parlour.client.language.safe import safe

Plain = Mapping[str, Any]
Viewer = int | None | Literal["all"]
"""A seat, a spectator (None), or one who sees everything."""
ALL: Final = "all"
PACES = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds that a move stays when a replay runs by itself."""
NEWS_LINES = 3
FOOT = 2
_JUMP_DIGITS = 6


@attrs.frozen
class ReplayStep:
    """One entry of the journal as its viewer may know it, and the view after it."""

    view: Plain
    news: Sequence[Plain]
    cause: str
    seat: int | None
    substitute: str | None = None
    """The bot that chose for the player of the seat."""


@attrs.frozen
class RecordedGame:
    """A finished game, with all that a replay needs."""

    title: str
    names: Sequence[str]
    times: Sequence[int]
    """By entry: milliseconds since the deal."""
    step: Callable[[int, Viewer], ReplayStep]
    game_board: GameBoard
    closing: Sequence[str]
    """Lines after the last move."""
    ascii: bool = False
    """Whether the terminal can draw nothing else."""
    texts: Texts = ENGLISH

    @property
    def last(self) -> int:
        return len(self.times) - 1

    def board(self, place: int, viewer: Viewer, columns: int, rows: int, besides: int = 0) -> list[Line]:
        """The view after an entry, drawn; `besides` are lines of the window for other things."""
        me = viewer if isinstance(viewer, int) else None
        room = Room(columns, rows, self.ascii, besides)
        step = self.step(place, viewer)
        view = self.game_board.lately(step.view, step.news, ())
        return self.game_board.draw(view, me, self.names, room, texts=self.texts)


@attrs.define
class Replay:
    """The state of one who watches a recorded game."""

    game: RecordedGame
    place: int = 0
    viewer: Viewer = ALL
    running: bool = False
    pace: int = PACES.index(1.0)
    typed: str = ""
    """Digits of a move to jump to."""

    @property
    def pause(self) -> float:
        return PACES[self.pace]

    def go(self, steps: int) -> None:
        """Goes forward, or back if negative; stops at both ends."""
        self.place = min(max(self.place + steps, 0), self.game.last)
        self.typed = ""

    def move(self, steps: int) -> None:
        """Goes by hand: the replay no longer runs by itself."""
        self.running = False
        self.go(steps)

    def type(self, digit: str) -> None:
        self.typed = (self.typed + digit)[-_JUMP_DIGITS:]

    def jump(self) -> None:
        """Goes to the move that was typed; without one, a move forward."""
        self.move(int(self.typed) - self.place if self.typed else 1)

    def run(self) -> None:
        """Starts or stops running by itself; at the end it starts again from the deal."""
        self.running = not self.running
        if self.running and self.place == self.game.last:
            self.place = 0

    def tick(self) -> None:
        """Goes on after a pause."""
        self.go(1)
        self.running = self.running and self.place < self.game.last

    def quicken(self, steps: int) -> None:
        self.pace = min(max(self.pace - steps, 0), len(PACES) - 1)

    def look(self, steps: int) -> None:
        """Goes to the next viewer: each seat, a spectator, and one who sees everything."""
        around: list[Viewer] = [*range(len(self.game.names)), None, ALL]
        self.viewer = around[(around.index(self.viewer) + steps) % len(around)]


def seen_by(viewer: Viewer, game: RecordedGame) -> str:
    match viewer:
        case None:
            return game.texts("replay.seen_by_spectator")
        case int(seat):
            return game.texts("replay.seen_by", who=game.names[seat])
        case _:
            return game.texts("replay.seen_by_all")


def clock(milliseconds: int) -> str:
    """`1:02:03`, or `2:03` within the first hour."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def event_text(step: ReplayStep, game: RecordedGame) -> str:
    """What happened, in sentences."""
    texts = game.texts
    sentences = [game.game_board.words(news, game.names, texts) for news in step.news]
    if step.seat is not None and texts.has(f"replay.cause.{step.cause}"):
        sentences.insert(0, texts(f"replay.cause.{step.cause}", who=game.names[step.seat]))
    if step.seat is not None and step.substitute is not None:
        sentences.insert(0, texts("absence.chose", bot=safe(step.substitute), name=game.names[step.seat]))
    return texts.in_a_row(list(filter(None, sentences)) or [texts("replay.nothing_seen")])


def screen(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The whole window: board, news, the move that is shown, and the keys."""
    game = replay.game
    step = game.step(replay.place, replay.viewer)
    closing = [*game.closing][:NEWS_LINES] if replay.place == game.last else []
    said = _shortened(event_text(step, game), max(columns - 2, 20), max(NEWS_LINES - len(closing), 1))
    room = max(rows - NEWS_LINES - FOOT, 0)
    board = game.board(replay.place, replay.viewer, columns, room, NEWS_LINES + FOOT)[:room]
    news: list[Line] = [[("", f" {text}")] for text in [*said, *closing][-NEWS_LINES:]]
    blank: list[Line] = [[]] * (NEWS_LINES - len(news))
    foot: list[Line] = [[("class:name", _standing(replay))], [("class:faint", _keys(replay))]]
    lines = [*board, *[[]] * (room - len(board)), *news, *blank, *foot]
    return [cut(line, columns) for line in lines[-rows:]]


def _shortened(text: str, width: int, most: int) -> list[str]:
    """The text in at most so many lines."""
    lines = wrapped(text, width)
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], clipped(" ".join(lines[most - 1 :]), width)]


def _standing(replay: Replay) -> str:
    game, texts = replay.game, replay.game.texts
    told = texts(
        "replay.standing",
        move=replay.place,
        last=game.last,
        time=clock(game.times[replay.place]),
        seen_by=seen_by(replay.viewer, game),
        runs=texts("replay.runs", pause=texts.number(f"{replay.pause:g}"))
        if replay.running
        else texts("replay.stands"),
    )
    jump = f"   {texts('replay.jump', move=replay.typed)}_" if replay.typed else ""
    return f" {told}{jump}"


def _keys(replay: Replay) -> str:
    return f" {replay.game.texts('replay.keys_running' if replay.running else 'replay.keys_standing')}"


def listing(replay: Replay, boards: bool) -> list[str]:
    """The game line by line, numbered, from the present move on: for what is no terminal."""
    game = replay.game
    seen = seen_by(replay.viewer, game)
    lines = [game.title, game.texts("replay.heading", seen_by=f"{seen[:1].upper()}{seen[1:]}"), ""]
    for place in range(replay.place, game.last + 1):
        step = game.step(place, replay.viewer)
        lines.append(f"{place:>4}  {clock(game.times[place]):>7}  {event_text(step, game)}")
        if boards or place == game.last:
            board = game.board(place, replay.viewer, LEAST.width, LEAST.height)
            lines.extend(["", *map(plain, board), ""])
    return [*lines, *game.closing]


def viewer_of(text: str, names: Sequence[str], texts: Texts = ENGLISH) -> Viewer:
    """A player's name, a seat's number from 1, `spectator` or `all`; raises ValueError with what there is.

    Of a name, the beginning of a word is enough if no other player has such a word.
    """
    wanted = text.casefold()
    by_word: dict[str, Viewer] = {name.casefold(): seat for seat, name in enumerate(names)}
    by_word |= {str(seat + 1): seat for seat in range(len(names))}
    by_word |= {"all": ALL, "spectator": None}
    begun = [seat for seat, name in enumerate(names) if f" {wanted}" in f" {name.casefold()}"]
    if wanted not in by_word and (not wanted or len(begun) != 1):
        every = texts("list.between").join(["all", "spectator", *names])
        raise ValueError(texts("replay.no_such_eyes", names=every, given=repr(text)))
    return by_word[wanted] if wanted in by_word else begun[0]
