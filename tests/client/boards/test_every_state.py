"""Whatever happens in a game can be drawn and told, for every viewer, in every window."""

import functools
import re
from collections.abc import Sequence
from itertools import cycle
from typing import Any

import pytest
from laws.playing import ALL_KINDS, Dice, TableKind, some_action

from parlour.client.boards.catalogue import BOARDS
from parlour.client.boards.room import LEAST, SMALLEST, Room
from parlour.client.boards.style import STYLE
from parlour.client.boards.text import Line, columns, plain
from parlour.client.language import ENGLISH, LANGUAGES, Texts, catalogue
from parlour.engine.catalogue import GAMES
from parlour.engine.maps import tagged, to_map
from parlour.engine.match import Match
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import ALL, Seat, Viewer, project
from tools.kept_boards import looking

ROOMS = (
    LEAST,
    Room(120, 35),
    Room(80, 19, ascii=True),
    Room(93, 22),
    Room(200, 60),
    Room(80, 50),
    Room(150, 19),
    SMALLEST,
    Room(60, 40),
    Room(79, 18),
)
NAMES = ("安" * 24, "B" * 24, "Chloé", "D", "e\u0301" * 12, "Felix")
SHORT_NAMES = ("Al", "Bo", "Cy", "Di", "Ed", "Fa")
OPENING, THEN_EVERY = 30, 10
"""Each state of the opening is drawn, later ones now and then: games go on for hundreds of moves."""


def drawn(
    match: Match[Any, Any, Any],
    viewer: Viewer,
    room: Room,
    texts: Texts = ENGLISH,
    names: Sequence[str] = NAMES,
) -> list[Line]:
    seats = match.seats
    view = to_map(project(match.game.view(match.state), viewer))
    asked = isinstance(viewer, int) and viewer in match.awaited
    legal = choices_to_map(match.game.legal(match.state, Seat(viewer))) if asked else []
    me = viewer if isinstance(viewer, int) else None
    return BOARDS[match.game.name].draw(view, me, names[:seats], room, legal, texts=texts)


@functools.cache
def letters(language: str) -> set[str]:
    """What an ASCII board may hold besides ASCII: the letters of its language."""
    texts = "".join(map(str, catalogue(language).values()))
    return set() if language == "en" else set(texts + texts.upper())


def check(lines: list[Line], room: Room, language: str) -> None:
    assert len(lines) <= room.height
    assert max(map(columns, lines)) <= room.width
    text = "".join(piece for line in lines for _, piece in line)
    assert text.isprintable()
    if room.ascii:
        assert set(text) - set("".join(NAMES)) - letters(language) <= set(map(chr, range(32, 127)))


@pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
def test_every_state_of_a_game_is_drawn_within_its_room_and_all_news_is_told(kind: TableKind) -> None:
    match, dice = kind.start(("picture", str(kind))), Dice(str(kind))
    viewers: list[Viewer] = [*map(Seat, range(kind.seats)), None, ALL]
    ways = cycle([(viewer, room) for viewer in viewers for room in ROOMS])
    others = cycle(language for language in LANGUAGES if language != "en")
    words = BOARDS[kind.game.name].words
    for number in range(20_000):
        if number < OPENING or number % THEN_EVERY == 0 or match.outcome is not None:
            viewer, room = next(ways)
            for language in ("en", next(others)):
                check(drawn(match, viewer, room, Texts(language)), room, language)
        if match.outcome is not None:
            return
        seat, action = some_action(match, dice)
        for beat in match.act(seat, action).beats:
            for piece in beat.news:
                for viewer in (seat, Seat((seat + 1) % kind.seats), None, ALL):
                    me = viewer if isinstance(viewer, int) else None
                    for language in LANGUAGES:
                        told = words(tagged(project(piece, viewer)), NAMES[: kind.seats], Texts(language), me)
                        assert told[-1] in ".!。！"
                        # One of the names is a letter, which may stand anywhere.
                        own_name = [NAMES[me]] if me is not None and len(NAMES[me]) > 1 else []
                        assert not any(wrong in told for wrong in ("None", "_", "{", *own_name))
    raise AssertionError("the game did not end")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_no_word_of_ours_is_cut_in_the_smallest_window(name: str, language: str) -> None:
    game, texts = GAMES[name], Texts(language)
    for seats in (game.seats[0], game.seats[-1]):
        match, dice = TableKind(game, seats, {}).start(("words", seats)), Dice(name)
        for _ in range(2 * OPENING):
            if match.outcome is not None:
                break
            seat, action = some_action(match, dice)
            lines = [plain(line) for line in drawn(match, Seat(seat), LEAST, texts, SHORT_NAMES)]
            # Beyond the sections that are drawn the road goes on: `12:─ …`.
            assert [line for line in lines if re.search(r"\S…", line)] == []
            match.act(seat, action)


@pytest.mark.parametrize("name", GAMES)
def test_every_style_that_a_board_names_is_defined(name: str) -> None:
    game = GAMES[name]
    defined = {style for style, _ in STYLE.style_rules}
    match, dice = TableKind(game, game.seats[-1], {}).start("styles"), Dice("styles")
    while match.outcome is None:
        for room in ROOMS[:2]:
            named = {style for line in looking(drawn(match, Seat(0), room)) for style, _ in line if style}
            assert {style.removeprefix("class:") for style in named} <= defined
        match.act(*some_action(match, dice))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("room", [Room(59, 40), Room(200, 14), Room(30, 3), Room(1, 1), Room(0, 0)], ids=str)
def test_too_small_a_window_gets_words_that_fit_in_it(name: str, room: Room) -> None:
    game = GAMES[name]
    match = TableKind(game, game.seats[0], {}).start("small")
    lines = drawn(match, Seat(0), room)
    assert len(lines) <= room.height
    assert all(columns(line) <= max(room.width, 1) for line in lines)


@pytest.mark.parametrize("name", GAMES)
def test_too_small_a_window_is_told_what_it_needs_as_a_whole(name: str) -> None:
    game = GAMES[name]
    match = TableKind(game, game.seats[0], {}).start("small")
    told = " ".join(text for line in drawn(match, Seat(0), Room(50, 15, besides=5)) for _, text in line)
    assert "50 by 20" in told and "60 by 20" in told and "parlour play --plain" in told


@pytest.mark.parametrize("name", GAMES)
def test_news_that_a_later_server_may_have_is_passed_over(name: str) -> None:
    assert BOARDS[name].words({"type": "something_new", "seat": 0}, NAMES) == ""


@pytest.mark.parametrize("name", ["balloon-cup", "hurry-cup"])
def test_a_question_that_a_later_server_may_have_is_told_by_its_word(name: str) -> None:
    game = GAMES[name]
    match = TableKind(game, game.seats[0], {}).start("later")
    view = {**to_map(project(match.game.view(match.state), None)), "phase": "siesta"}
    lines = BOARDS[name].draw(view, None, NAMES[: match.seats])
    assert "siesta" in "".join(text for _, text in lines[-1])
