"""Tracks: how they lie on the grid, those that ship, and those laid at random."""

import itertools

import pytest

from parlour.engine.chance import Recording, Scripted, Seeded
from parlour.engine.hurry_cup.public import TRACK_NAMES
from parlour.engine.hurry_cup.rules import HurryCup
from parlour.engine.hurry_cup.tiles import ITEMS, LEFT, RIGHT, TURN_LIMITS, lay, random_track, tiles
from parlour.engine.hurry_cup.track import LENGTH, PLAIN, SHIPPED, Section, drawn, read_track, touching

STRAIGHT = (PLAIN,) * LENGTH
TILE_SET = tiles(
    [Section(star=True)] * 6
    + [PLAIN] * 12
    + [Section(limit=90)] * 2
    + [Section("left", limit) for limit in (60, *[70] * 5, *[80] * 6, *[90] * 4)]
)


def seeded(number: int) -> Seeded:
    return Seeded(number.to_bytes(32, "big"))


def test_a_straight_road_is_drawn_eastward_from_start_to_finish() -> None:
    cells = drawn(STRAIGHT)
    assert [(cell.section, cell.x, cell.y) for cell in cells] == [(n, n, 0) for n in range(38)]
    assert {(cell.enters, cell.leaves) for cell in cells} == {("east", "east")}


def test_turns_are_drawn_where_they_turn_and_the_drawing_begins_at_zero() -> None:
    track = (*read_track("= L70 R80 *90"), *STRAIGHT[4:])
    cells = drawn(track)
    assert [(cell.x, cell.y) for cell in cells[:6]] == [(0, 1), (1, 1), (2, 1), (2, 0), (3, 0), (4, 0)]
    assert [(cell.enters, cell.leaves) for cell in cells[2:4]] == [("east", "north"), ("north", "east")]
    assert [(cell.turn, cell.limit, cell.star) for cell in cells[2:5]] == [
        ("left", 70, False),
        ("right", 80, False),
        ("straight", 90, True),
    ]


def test_each_cell_follows_the_one_before_it() -> None:
    ahead = {"east": (1, 0), "south": (0, 1), "west": (-1, 0), "north": (0, -1)}
    for track in SHIPPED.values():
        cells = drawn(track)
        assert [cell.section for cell in cells] == list(range(38))
        for cell, following in itertools.pairwise(cells):
            east, south = ahead[cell.leaves]
            assert (following.x, following.y) == (cell.x + east, cell.y + south)
            assert following.enters == cell.leaves


@pytest.mark.parametrize(
    ("road", "sections"),
    [
        ("= L90 L90", (1, 4)),  # a hairpin: section 4 runs back beside section 1
        ("L90 L90 L90", (0, 3)),  # round the block, back beside the start
        ("= L90 = L90 = L90 =", (0, 7)),
    ],
)
def test_a_road_that_touches_itself_is_found_out(road: str, sections: tuple[int, int]) -> None:
    beginning = read_track(road)
    assert touching((*beginning, *STRAIGHT[len(beginning) :])) == sections


def test_at_least_three_tracks_ship_and_none_touches_itself() -> None:
    assert ("random", *SHIPPED) == TRACK_NAMES
    assert len(SHIPPED) >= 3
    for track in SHIPPED.values():
        assert len(track) == LENGTH
        assert sum(section.star for section in track) == 6
        assert track[:2] == (PLAIN, PLAIN)
        assert touching(track) is None


def test_the_track_of_middling_difficulty_is_laid_from_the_tile_set() -> None:
    assert tiles(SHIPPED["esterel"]) == TILE_SET


def test_the_tracks_that_ship_go_from_easy_to_hard() -> None:
    game = HurryCup()
    rounds = []
    for name in SHIPPED:
        total = 0
        for number in range(6):
            chance = seeded(number)
            state = game.setup(4, game.read_options({"track": name}, 4), chance).state
            while asked := game.awaited(state):
                state = game.time_up(state, min(asked), chance).state
            total += state.round
        rounds.append(total)
    assert rounds == sorted(set(rounds))


def test_a_random_track_is_the_tile_set_after_two_plain_straights() -> None:
    for number in range(50):
        track = random_track(1, seeded(number))
        assert track[:2] == (PLAIN, PLAIN)
        assert tiles(track) == TILE_SET


def test_a_random_track_never_crosses_or_touches_itself() -> None:
    tracks = {random_track(1, seeded(number)) for number in range(300)}
    assert len(tracks) == 300
    assert [touching(track) for track in tracks] == [None] * 300


def test_one_shuffle_settles_a_random_track() -> None:
    chance = Recording(seeded(7))
    random_track(4, chance)
    assert [(luck.stream, luck.how) for luck in chance.heard] == [("track/4", "shuffle")]


def test_tiles_lie_in_the_order_in_which_they_were_shuffled() -> None:
    order = seeded(3).shuffle("track/1", ITEMS)
    limits = [
        item.limit if isinstance(item, Section) else item for item in order if item not in (LEFT, RIGHT)
    ]
    assert [section.limit for section in lay(order)[2:]] == limits


def test_a_turn_goes_the_way_it_leans_where_it_can() -> None:
    straights = [item for item in ITEMS if isinstance(item, Section)]
    turns = [turn for limit in TURN_LIMITS for turn in (limit, straights.pop() if straights else None)]
    order = [item for item in (*turns, *straights) if item is not None]
    track = lay([*order, *(LEFT, RIGHT) * 8])
    ways = [section.turn for section in track if section.turn != "straight"]
    assert ways == ["left", "right"] * 8


def test_turns_that_all_lean_one_way_still_find_a_road() -> None:
    order = [item for item in ITEMS if item not in (LEFT, RIGHT)]
    assert touching(lay([*order, *[LEFT] * 16])) is None


def test_a_track_without_any_luck_is_a_proper_one() -> None:
    assert touching(random_track(1, Scripted(()))) is None
