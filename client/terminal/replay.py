"""A replay as it is looked at: which move, through whose eyes, and whether it runs by itself. No terminal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import attrs

from parlour.client.boards.game_board import GameBoard
from parlour.client.boards.room import LEAST, Room
from parlour.client.boards.text import Line, clipped, cut, plain, wrapped
from parlour.client.language import ENGLISH, Texts

Plain = Mapping[str, Any]
Eyes = int | None | Literal["all"]
"""A seat's, a spectator's (None), or those of one who sees everything."""
ALL: Final = "all"
PACES = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds that a move stays when a replay runs by itself."""
NEWS_LINES = 3
FOOT = 2
MORE = " ..."
_JUMP_DIGITS = 6


@attrs.frozen
class Scene:
    """One entry of the journal as its viewer may know it, and the view after it."""

    view: Plain
    news: Sequence[Plain]
    cause: str
    seat: int | None


@attrs.frozen
class Story:
    """A finished game: all that a replay needs of it."""

    title: str
    names: Sequence[str]
    times: Sequence[int]
    """By entry: milliseconds since the deal."""
    scene: Callable[[int, Eyes], Scene]
    game_board: GameBoard
    closing: Sequence[str]
    """What is said after the last move."""
    ascii: bool = False
    """The terminal knows nothing else."""
    texts: Texts = ENGLISH

    @property
    def last(self) -> int:
        return len(self.times) - 1

    def board(self, place: int, eyes: Eyes, columns: int, rows: int, besides: int = 0) -> list[Line]:
        """The view after an entry, drawn; `besides` are lines of the window for other things."""
        me = eyes if isinstance(eyes, int) else None
        room = Room(columns, rows, self.ascii, besides)
        return self.game_board.draw(self.scene(place, eyes).view, me, self.names, room, texts=self.texts)


@attrs.define
class Replay:
    """Where somebody stands in a story."""

    story: Story
    place: int = 0
    eyes: Eyes = ALL
    running: bool = False
    pace: int = PACES.index(1.0)
    typed: str = ""
    """Digits of a move to jump to."""

    @property
    def pause(self) -> float:
        return PACES[self.pace]

    def go(self, steps: int) -> None:
        """Forward, or back if negative; stops at both ends."""
        self.place = min(max(self.place + steps, 0), self.story.last)
        self.typed = ""

    def move(self, steps: int) -> None:
        """As `go`, by hand: it no longer runs by itself."""
        self.running = False
        self.go(steps)

    def type(self, digit: str) -> None:
        self.typed = (self.typed + digit)[-_JUMP_DIGITS:]

    def jump(self) -> None:
        """To the move that was typed; without one, a move forward."""
        self.move(int(self.typed) - self.place if self.typed else 1)

    def run(self) -> None:
        """Starts or stops running by itself; at the end it starts again from the deal."""
        self.running = not self.running
        if self.running and self.place == self.story.last:
            self.place = 0

    def tick(self) -> None:
        """A pause is over."""
        self.go(1)
        self.running = self.running and self.place < self.story.last

    def quicken(self, steps: int) -> None:
        self.pace = min(max(self.pace - steps, 0), len(PACES) - 1)

    def look(self, steps: int) -> None:
        """Through the next eyes: each seat's, a spectator's, and those that see everything."""
        around: list[Eyes] = [*range(len(self.story.names)), None, ALL]
        self.eyes = around[(around.index(self.eyes) + steps) % len(around)]


def seen_by(eyes: Eyes, story: Story) -> str:
    match eyes:
        case None:
            return story.texts("replay.seen_by_spectator")
        case int(seat):
            return story.texts("replay.seen_by", who=story.names[seat])
        case _:
            return story.texts("replay.seen_by_all")


def clock(milliseconds: int) -> str:
    """`1:02:03`, or `2:03` within the first hour."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def told(scene: Scene, story: Story) -> str:
    """What happened, in sentences."""
    texts = story.texts
    sentences = [story.game_board.words(news, story.names, texts) for news in scene.news]
    if scene.seat is not None and texts.has(f"replay.cause.{scene.cause}"):
        sentences.insert(0, texts(f"replay.cause.{scene.cause}", who=story.names[scene.seat]))
    return texts.in_a_row(list(filter(None, sentences)) or [texts("replay.nothing_seen")])


def screen(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The whole window: board, news, where one stands, and the keys."""
    story = replay.story
    scene = story.scene(replay.place, replay.eyes)
    closing = [*story.closing][:NEWS_LINES] if replay.place == story.last else []
    said = _shortened(told(scene, story), max(columns - 2, 20), max(NEWS_LINES - len(closing), 1))
    room = max(rows - NEWS_LINES - FOOT, 0)
    board = story.board(replay.place, replay.eyes, columns, room, NEWS_LINES + FOOT)[:room]
    news: list[Line] = [[("", f" {text}")] for text in [*said, *closing][-NEWS_LINES:]]
    blank: list[Line] = [[]] * (NEWS_LINES - len(news))
    foot: list[Line] = [[("class:name", _standing(replay))], [("class:faint", _keys(replay))]]
    lines = [*board, *[[]] * (room - len(board)), *news, *blank, *foot]
    return [cut(line, columns) for line in lines[-rows:]]


def _shortened(text: str, width: int, most: int) -> list[str]:
    """In lines, and in so many at most."""
    lines = wrapped(text, width)
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], f"{clipped(lines[most - 1], width - len(MORE))}{MORE}"]


def _standing(replay: Replay) -> str:
    story, texts = replay.story, replay.story.texts
    told = texts(
        "replay.standing",
        move=replay.place,
        last=story.last,
        time=clock(story.times[replay.place]),
        seen_by=seen_by(replay.eyes, story),
        runs=texts("replay.runs", pause=f"{replay.pause:g}") if replay.running else texts("replay.stands"),
    )
    jump = f"   {texts('replay.jump', move=replay.typed)}_" if replay.typed else ""
    return f" {told}{jump}"


def _keys(replay: Replay) -> str:
    return f" {replay.story.texts('replay.keys_running' if replay.running else 'replay.keys_standing')}"


def listing(replay: Replay, boards: bool) -> list[str]:
    """The story line by line, numbered, from where one stands: for what is no terminal."""
    story = replay.story
    seen = seen_by(replay.eyes, story)
    lines = [story.title, story.texts("replay.heading", seen_by=f"{seen[:1].upper()}{seen[1:]}"), ""]
    for place in range(replay.place, story.last + 1):
        scene = story.scene(place, replay.eyes)
        lines.append(f"{place:>4}  {clock(story.times[place]):>7}  {told(scene, story)}")
        if boards or place == story.last:
            board = story.board(place, replay.eyes, LEAST.width, LEAST.height)
            lines.extend(["", *map(plain, board), ""])
    return [*lines, *story.closing]


def eyes_of(text: str, names: Sequence[str], texts: Texts = ENGLISH) -> Eyes:
    """A player's name, a seat's number, `spectator` or `all`; raises ValueError with what there is."""
    by_word: dict[str, Eyes] = {name.casefold(): seat for seat, name in enumerate(names)}
    by_word |= {str(seat): seat for seat in range(len(names))}
    by_word |= {"all": ALL, "spectator": None}
    if text.casefold() not in by_word:
        raise ValueError(texts("replay.no_such_eyes", names=texts.listed(names), given=repr(text)))
    return by_word[text.casefold()]
