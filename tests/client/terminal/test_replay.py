"""A replay without a terminal: moving about in it, other viewers, running by itself, and what is shown."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from parlour.client.boards.room import LEAST, Room
from parlour.client.boards.text import Line, columns, plain
from parlour.client.language import ENGLISH, LANGUAGES, Texts
from parlour.client.terminal import replay as replaying
from parlour.client.terminal.replay import (
    ALL,
    PACES,
    RecordedGame,
    Replay,
    ReplayStep,
    Viewer,
    clock,
    listing,
    screen,
    viewer_of,
)
from parlour.client.terminal.replay_screen import KEYS, ReplayScreen


class Dots:
    """A board that says what it was asked for."""

    def draw(
        self,
        view: Mapping[str, Any],
        me: int | None,
        names: Sequence[str],  # noqa: ARG002
        room: Room = LEAST,
        legal: Sequence[Mapping[str, Any]] = (),  # noqa: ARG002
        chosen: Mapping[str, Any] | None = None,  # noqa: ARG002
        texts: Texts = ENGLISH,  # noqa: ARG002
    ) -> list[Line]:
        return [[("", f"board {view['place']} for {view['viewer']}, me {me}, {room.width} by {room.height}")]]

    def words(
        self,
        news: Mapping[str, Any],
        names: Sequence[str],
        texts: Texts = ENGLISH,  # noqa: ARG002
        me: int | None = None,  # noqa: ARG002
    ) -> str:
        return f"{names[news['seat']]} did {news['what']}."

    def lately(self, view: Mapping[str, Any], *_lately: Any) -> Mapping[str, Any]:
        return view


def step(place: int, viewer: Viewer) -> ReplayStep:
    news = [{"seat": 0, "what": place}] if place < 9 else []
    return ReplayStep({"place": place, "viewer": viewer}, news, "leave" if place == 9 else "act", 1)


def recorded_game(moves: int = 10, texts: Texts = ENGLISH) -> RecordedGame:
    times = [1000 * place for place in range(moves)]
    return RecordedGame(
        "dots, today", ["Anna", "Ben"], times, step, Dots(), ["Anna won (dots)."], texts=texts
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("viewer", [0, None, ALL])
def test_every_line_around_the_board_fits_in_every_language(language: str, viewer: Viewer) -> None:
    replay = Replay(recorded_game(texts=Texts(language)), 9, viewer)
    standing = [plain(line) for line in screen(replay, 80, 24)]
    assert "…" not in "".join(standing)
    replay.run()
    running = [plain(line) for line in screen(replay, 80, 24)]
    assert "…" not in "".join(running)
    assert running[-1] != standing[-1] and running[-2] != standing[-2]
    assert listing(replay, boards=False)[1][-1] in ".。"


@pytest.fixture
def replay() -> Replay:
    return Replay(recorded_game())


def screen_lines(replay: Replay, width: int = 80, height: int = 24) -> list[str]:
    return [plain(line) for line in screen(replay, width, height)]


def test_it_goes_forward_and_back_and_stops_at_both_ends(replay: Replay) -> None:
    places = []
    for steps in (1, 1, -1, -5, 100, 1):
        replay.move(steps)
        places.append(replay.place)
    assert places == [1, 2, 1, 0, 9, 9]


def test_a_number_that_was_typed_is_jumped_to_and_forgotten(replay: Replay) -> None:
    replay.type("0")
    replay.type("7")
    assert "go to 07_" in screen_lines(replay)[-2]
    replay.jump()
    assert (replay.place, replay.typed) == (7, "")
    replay.jump()
    assert replay.place == 8


def test_a_number_beyond_the_end_is_the_end(replay: Replay) -> None:
    for digit in "99999999999":
        replay.type(digit)
    assert len(replay.typed) == 6
    replay.jump()
    assert replay.place == 9


def test_other_viewers_come_one_after_the_other(replay: Replay) -> None:
    seen: list[Viewer] = []
    for _ in range(4):
        replay.look(1)
        seen.append(replay.viewer)
    assert seen == [0, 1, None, ALL]
    replay.look(-1)
    assert replay.viewer is None


def test_it_runs_by_itself_until_the_end_and_then_starts_again(replay: Replay) -> None:
    replay.run()
    for _ in range(9):
        assert replay.running
        replay.tick()
    assert (replay.place, replay.running) == (9, False)
    replay.run()
    assert (replay.place, replay.running) == (0, True)


def test_moving_by_hand_stops_it(replay: Replay) -> None:
    replay.run()
    replay.move(1)
    assert not replay.running


def test_its_pace_has_a_quickest_and_a_slowest(replay: Replay) -> None:
    assert replay.pause == 1.0
    replay.quicken(1)
    assert replay.pause == 0.5
    replay.quicken(100)
    assert replay.pause == PACES[0]
    replay.quicken(-100)
    assert replay.pause == PACES[-1]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 10), (10, 5), (1, 1)])
def test_the_screen_is_as_large_as_the_window(replay: Replay, size: tuple[int, int]) -> None:
    width, height = size
    for place in range(10):
        replay.place = place
        lines = screen(replay, width, height)
        assert len(lines) == height
        assert max(map(columns, lines)) <= width


def test_the_screen_has_the_board_the_news_and_where_one_stands(replay: Replay) -> None:
    replay.move(3)
    lines = screen_lines(replay)
    assert lines[0] == "board 3 for all, me None, 80 by 19"
    assert lines[19] == " Anna did 3."
    assert lines[-2] == " Move 3 of 9 at 0:03, everything revealed, paused"
    assert lines[-1].endswith("q quit")


def test_with_a_player_as_viewer_the_board_is_drawn_for_that_seat(replay: Replay) -> None:
    replay.viewer = 1
    assert screen_lines(replay)[0].startswith("board 0 for 1, me 1,")
    assert "seen by Ben" in screen_lines(replay)[-2]
    replay.viewer = None
    assert screen_lines(replay)[0].startswith("board 0 for None, me None,")
    assert "seen by a spectator" in screen_lines(replay)[-2]


def test_the_end_tells_who_gave_up_and_who_won(replay: Replay) -> None:
    replay.move(9)
    assert screen_lines(replay)[19:21] == [" Ben gave up.", " Anna won (dots)."]


def test_long_news_leave_room_for_the_result() -> None:
    game = RecordedGame(
        "t",
        ["Anna", "Ben"],
        [0],
        lambda _, __: ReplayStep({"place": 0, "viewer": 0}, [{"seat": 0, "what": "x " * 400}], "act", 0),
        Dots(),
        ["Won."],
    )
    lines = screen_lines(Replay(game))
    assert lines[20].endswith("x…") and lines[21] == " Won."


def test_off_a_terminal_moves_are_numbered_lines_and_the_last_board_is_drawn(replay: Replay) -> None:
    replay.place = 7
    assert listing(replay, boards=False) == [
        "dots, today",
        "Everything revealed.",
        "",
        "   7     0:07  Anna did 7.",
        "   8     0:08  Anna did 8.",
        "   9     0:09  Ben gave up.",
        "",
        "board 9 for all, me None, 80 by 19",
        "",
        "Anna won (dots).",
    ]
    assert sum(line.startswith("board") for line in listing(replay, boards=True)) == 3


@pytest.mark.parametrize(
    ("text", "viewer"), [("all", ALL), ("spectator", None), ("Ben", 1), ("ANNA", 0), ("2", 1)]
)
def test_a_viewer_is_named_by_a_word_a_player_or_a_seat(text: str, viewer: Viewer) -> None:
    assert viewer_of(text, ["Anna", "Ben"]) == viewer


def test_an_unknown_viewer_is_answered_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="all, spectator, Anna, Ben, or a seat from 1, and not 'Eve'"):
        viewer_of("Eve", ["Anna", "Ben"])


def test_the_beginning_of_a_players_word_is_enough_if_it_is_nobody_elses() -> None:
    assert viewer_of("ada", ["Anna", "Bot Ada", "Bot Bea"]) == 1
    for text in ("bot", "da", ""):
        with pytest.raises(ValueError, match="Bot Ada"):
            viewer_of(text, ["Anna", "Bot Ada", "Bot Bea"])


def test_times_are_told_as_on_a_clock() -> None:
    assert [clock(time) for time in (0, 61_999, 3_600_000, 36_061_000)] == [
        "0:00",
        "1:01",
        "1:00:00",
        "10:01:01",
    ]


# With keys


async def after(keys: str, replay: Replay) -> Replay:
    """The replay after these keys and `q`, on a terminal that is none."""
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys + "q")
        await ReplayScreen(replay, pipe, DummyOutput()).run()
    return replay


RIGHT, LEFT, HOME, END, PAGE_DOWN, SHIFT_TAB = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[6~", "\x1b[Z"


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        (RIGHT * 3, 3),
        (RIGHT * 3 + LEFT, 2),
        (END, 9),
        (END + HOME, 0),
        (PAGE_DOWN, 9),
        ("5\r", 5),
        ("\r\r", 2),
        ("nnb", 1),
    ],
)
async def test_keys_move_about(keys: str, place: int, replay: Replay) -> None:
    assert (await after(keys, replay)).place == place


@pytest.mark.parametrize(
    ("keys", "viewer"), [("\t", 0), ("\t\t", 1), (SHIFT_TAB, None), ("s", None), ("sa", ALL)]
)
async def test_keys_change_the_viewer(keys: str, viewer: Viewer, replay: Replay) -> None:
    assert (await after(keys, replay)).viewer == viewer


async def test_keys_change_the_pace_and_stop_what_runs(replay: Replay) -> None:
    assert (await after("++- ", replay)).pause == 0.5
    assert replay.running
    assert not (await after(" ", replay)).running


async def test_ctrl_c_leaves(replay: Replay) -> None:
    with create_pipe_input() as pipe:
        pipe.send_text("\x03")
        await ReplayScreen(replay, pipe, DummyOutput()).run()


async def test_it_runs_to_the_end_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "PACES", (0.0,) * len(PACES))
    seen = []
    with create_pipe_input() as pipe:

        def looked_at(place: int, viewer: Viewer) -> ReplayStep:
            seen.append(place)
            if place == 9:
                pipe.send_text("q")
            return step(place, viewer)

        game = recorded_game()
        replay = Replay(
            RecordedGame(game.title, game.names, game.times, looked_at, game.game_board, game.closing)
        )
        pipe.send_text(" ")
        await ReplayScreen(replay, pipe, DummyOutput()).run()
    assert (replay.place, replay.running) == (9, False)


def test_every_key_that_the_screen_tells_of_is_there() -> None:
    told = {"right", "left", "space", "+", "-", "tab", "enter", "home", "end"}
    assert told <= set(KEYS)
