"""Hurry' Cup as text: what the road, the standings and the sentences tell a driver."""

import re
from typing import Any

import pytest

from parlour.client.boards.hurry_cup.board import draw, words
from parlour.client.boards.hurry_cup.panel import standings
from parlour.client.boards.hurry_cup.road import SCALES, laid_out
from parlour.client.boards.hurry_cup.stops import stops
from parlour.client.boards.room import LEAST, Room
from parlour.client.boards.text import Line, columns, plain
from parlour.client.language import LANGUAGES, Texts
from parlour.engine.catalogue import GAMES
from parlour.engine.hurry_cup import public as p
from parlour.engine.maps import tagged
from parlour.engine.secret import ALL, Seat, Viewer
from tools.kept_boards import NAMES, ROUND_AND_ROUND, STRAIGHT_ON, driving, looking, looks, placed

A, B, C = Seat(0), Seat(1), Seat(2)
MOVES = [{"type": "move", "steps": {"one_of": [1, 2, 3]}, "detour": None}]


def view_of(position: dict[str, Any], viewer: Viewer = ALL, **options: Any) -> dict[str, Any]:
    state = placed("hurry-cup", len(position["cars"]), position, **{"track": "croisette", **options})
    return looks(GAMES["hurry-cup"].view(state), viewer)


def text(view: dict[str, Any], me: int | None = 0, room: Room = LEAST, **more: Any) -> list[str]:
    return [plain(line) for line in draw(view, me, NAMES[: len(view["cars"])], room, **more)]


def ahead(view: dict[str, Any], me: int | None = 0, **more: Any) -> list[str]:
    return text(view, me, **more)[-2].split()


def styled(lines: list[Line], style: str) -> list[str]:
    return [piece for line in looking(lines) for name, piece in line if name == f"class:{style}"]


# The road


@pytest.mark.parametrize("track", p.SHIPPED)
@pytest.mark.parametrize("cars", [3, 4, 5, 6])
def test_a_shipped_track_is_seen_whole_in_a_small_and_in_a_large_window(track: str, cars: int) -> None:
    view = view_of(driving([0] * cars), track=track)
    signs = sum(section["limit"] is not None for section in view["track"])
    for room in (LEAST, Room(120, 35)):
        lines = draw(view, 0, NAMES[:cars], room)[:-2]
        drawn = [*styled(lines, "sign"), *styled(lines, "sign.slow")]
        assert len(drawn) == signs
        assert any(piece.startswith("F") for piece in styled(lines, "name"))


def test_a_large_window_has_the_numbers_of_all_sections() -> None:
    board = "\n".join(text(view_of(driving([0, 0, 0])), room=Room(120, 35)))
    assert sorted(map(int, re.findall(r"[│┊](\d+)", board))) == list(range(1, 37))


def test_arrows_on_the_road_point_the_way_it_goes() -> None:
    east = text(view_of(driving([0, 0, 0]), track=STRAIGHT_ON))
    assert sum(line.count("▸") for line in east[1:-6]) == 36
    assert not any(glyph in "".join(east[1:-6]) for glyph in "◂▴▾")


def test_the_viewers_own_car_comes_first_where_many_stand_and_has_its_own_style() -> None:
    view = view_of(driving([4, 4, 4, 4, 4, 4]))
    assert any("FAB&" in line for line in text(view, 5))
    assert any("& more cars" in line for line in text(view, 5, Room(100, 24)))
    assert styled(draw(view, 5, NAMES[:6])[1:-2], "mine") == ["F", "F"]
    assert styled(draw(view, None, NAMES[:6]), "mine") == []


def test_a_star_is_full_while_its_bonus_is_there() -> None:
    view = view_of(driving([0, 0, 0], hidden={"10": "oil"}), A)
    assert ahead(view_of(driving([9, 0, 0], hidden={"10": "oil"})))[2] == "10:★"
    assert ahead(view_of(driving([9, 0, 0])))[2] == "10:☆"
    assert sum(line.count("★") for line in text(view)[1:-3]) == 1


def test_whoever_sees_everything_reads_what_is_under_the_stars() -> None:
    position = driving([0, 0, 0], hidden={"10": "oil", "14": "empty_tank"})
    wide = text(view_of(position), None, Room(120, 35))[0]
    assert wide.startswith(" HURRY' CUP  ★ still hidden: 10 oil, 14 empty tank ")
    assert "★ still hidden: 10 Oi, 14 Em" in text(view_of(position), None)[0]
    assert "Cannes – Monaco 1925" in text(view_of(position, A))[0]


def test_oil_shows_the_speed_that_it_allows() -> None:
    assert ahead(view_of(driving([4, 0, 0], oil=5)))[2] == "5:↱≈50"
    assert any("≈50" in line for line in text(view_of(driving([4, 0, 0], oil=5)))[1:-2])


def test_the_road_ahead_tells_bends_signs_and_cars() -> None:
    told = ahead(view_of(driving([10, 12, 13])))
    assert told[:7] == ["A", "ahead", "11:─", "12:↰90B", "13:C", "14:☆", "15:─"]


def test_the_road_ahead_ends_at_the_finish_and_who_is_home_sees_that_of_the_next_driver() -> None:
    assert ahead(view_of(driving([35, 1, 1])))[-1] == "37:F"
    home = driving([37, 1, 2], finished=[0], to_act=[2], dice={"red": 1, "yellow": 2})
    home["pawns"] = [None, "red", "yellow"]
    assert ahead(view_of(home))[:2] == ["C", "ahead"]
    over = {**view_of(home), "to_act": [], "phase": "over"}
    assert ahead(over) == []


def test_sections_that_one_may_drive_to_have_a_plus_and_the_chosen_one_a_cross() -> None:
    view = view_of(driving([12, 9, 9]))
    assert ahead(view, legal=MOVES)[2:6] == ["13:+", "14:☆+", "15:+", "16:─"]
    chosen = {"type": "move", "steps": 3, "detour": None}
    assert ahead(view, legal=MOVES, chosen=chosen)[2:6] == ["13:+", "14:☆+", "15:X", "16:─"]
    assert any("X━━━☆+━━+━━━A" in line for line in text(view, legal=MOVES, chosen=chosen))


@pytest.mark.parametrize(
    ("action", "marked"),
    [
        ({"type": "oil", "section": {"one_of": [14, 15]}}, {14, 15}),
        ({"type": "nitro", "via": "nitro"}, {13}),
        ({"type": "advance"}, {13}),
        ({"type": "move", "steps": 0, "detour": None}, set()),
        ({"type": "move", "steps": 5, "detour": 16}, {18}),
        ({"type": "move", "steps": {"one_of": [5, 6]}, "detour": 16}, {18, 19}),
        ({"type": "done"}, set()),
        ({"type": "honk", "via": "horn"}, set()),
    ],
)
def test_every_action_that_names_a_place_marks_it(action: dict[str, Any], marked: set[int]) -> None:
    told = ahead(view_of(driving([12, 9, 9])), legal=[action])
    assert {int(each.partition(":")[0]) for each in told[2:] if each.endswith("+")} == marked


def test_a_sign_under_a_car_is_told_in_full_below_it() -> None:
    lines = text(view_of(driving([0, 8, 0]), track="esterel"), room=Room(80, 32))
    (row,) = [number for number, line in enumerate(lines) if "B━" in line and "━" in line]
    assert lines[row + 1][lines[row].index("B") :].lstrip("B┃ ").startswith("60")


def test_cars_are_seen_on_both_turns_of_a_road_that_runs_over_itself() -> None:
    lines = text(view_of(driving([2, 14, 0]), track=ROUND_AND_ROUND))
    assert any(" AB " in line for line in lines)


def test_a_high_road_is_laid_on_its_side() -> None:
    turns = ["right" if place == 1 else "straight" for place in range(36)]
    road = stops(view_of(driving([0, 0, 0]), track=[{"turn": turn} for turn in turns]))
    assert max(stop.cell.y for stop in road) == 35
    layout = laid_out(road, [(78, 12)])
    assert max(stop.cell.x for stop in layout.road) == 35
    assert layout.road[0].cell.leaves == "south"


def test_the_scale_is_the_largest_that_fits() -> None:
    road = stops(view_of(driving([0, 0, 0])))
    chosen = [laid_out(road, [room]).scale for room in ((120, 40), (90, 20), (60, 16), (45, 9), (30, 9))]
    assert [SCALES.index(scale) for scale in chosen] == sorted({SCALES.index(scale) for scale in chosen})


def test_a_road_too_large_for_any_scale_is_shown_around_the_own_car() -> None:
    zigzag = [{"turn": ("left", "right")[place % 2], "limit": 20 + place} for place in range(36)]
    for here, beyond in ((1, {"▸", "▴"}), (18, {"◂", "▸", "▴", "▾"}), (36, {"◂", "▾"})):
        lines = draw(view_of(driving([here, 0, 0, 0, 0, 0]), track=zigzag), 0, NAMES)
        assert "A" in styled([line[:-1] for line in lines[1:-2]], "mine")
        assert max(map(columns, lines)) <= LEAST.width
        assert set("◂▸▴▾") & set("".join(styled([line[:-8] for line in lines[1:-2]], "turn"))) == beyond


# The standings


def test_standings_are_the_cars_at_home_and_then_by_section() -> None:
    view = view_of(
        driving(
            [9, 12, 37, 12], finished=[2], dice={}, pawns=[], accelerator=None, phase="lantern", lantern=0
        )
    )
    assert standings(view) == [2, 1, 3, 0]
    places = [line[36:42].split()[0] for line in text(view)[1:9:2]]
    assert places == ["1", "2", "2", "4"]
    assert text(view)[1].endswith("home")


def test_tokens_are_told_in_words_and_in_two_letters_where_these_do_not_fit() -> None:
    few = driving([12, 9, 9], spent=[["nitro"], [], []])
    assert text(view_of(few))[2].endswith("R5 70 helmet ····· horn")
    many = driving([12, 9, 9], bonuses=[["detour", "boost", "assist", "oil", "swap"], [], []])
    many |= {"second_chance": [True, False, False]}
    assert text(view_of(many))[2].endswith("R5 70 He Ni Ho 2c De Bo As Oi Sw")


def test_the_standings_show_the_speed_that_is_compared_with_the_signs() -> None:
    slow = "\n".join(text(view_of(driving([12, 9, 9], helmet=True))))
    assert "R5 50 " in slow and "Y2 40 " in slow


def test_the_six_crews_are_shown_on_the_start_grid_and_in_the_standings() -> None:
    grid = {"cars": [0] * 6, "round": 1, "accelerator": 2, "phase": "horn", "pawns": [None] * 6}
    grid |= {"dice": dict(zip(p.PAWNS, range(1, 7), strict=True)), "to_act": [0, 1, 2, 3, 4, 5]}
    start = "\n".join(text(view_of(grid), room=Room(120, 35)))
    racing = "\n".join(text(view_of(driving([1, 2, 3, 4, 5, 6])), room=Room(120, 35)))
    for crew in p.CREWS:
        told = " & ".join(crew.names)
        assert f"{told} from {crew.country}" in start and told in racing


def test_a_legend_explains_marks_letters_and_short_tokens() -> None:
    bonuses = [["detour", "boost", "assist", "swap"], [], []]
    many = driving([12, 9, 9], bonuses=bonuses, oil=8)
    told = " ".join(text(view_of(many), room=Room(80, 30))[-4:-2])
    for entry in ("80 speed limit", "★ bonus", "≈ oil", "He helmet", "De detour", "R red"):
        assert entry in told
    spent = view_of(driving([12, 9, 9], bonuses=bonuses, spent=[list(p.TRUMPS)] * 3))
    told = " ".join(text(spent, room=Room(80, 30))[-4:-2])
    assert "De detour" in told and "He helmet" not in told and "+ your choice" not in told
    legal = [{"type": "move", "steps": {"one_of": [1, 2]}, "detour": None}]
    assert "+ your choice" in " ".join(text(spent, room=Room(80, 30), legal=legal)[-4:-2])
    assert "He helmet" not in " ".join(text(view_of(driving([12, 9, 9])), room=Room(120, 40)))


def test_dice_under_the_cup_are_question_marks_to_all_but_who_looked() -> None:
    look = driving([1, 2, 3], phase="look", honks=[1], looked=[1], to_act=[1], pawns=[])
    assert any("dice   R5 Y2 G6" in line for line in text(view_of(look, B), 1))
    for viewer, me in ((A, 0), (None, None)):
        assert any("dice   R? Y? G?" in line for line in text(view_of(look, viewer), me))
    assert any("honks B" in line for line in text(view_of(look, A)))


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, " ▶ Anna: drive: fuel 5, speed 70"),
        (
            {"helmet": True, "token_used": [True, False, False]},
            " ▶ Anna: drive: fuel 5, speed 50 with the helmet on",
        ),
        ({"tank_due": 0}, " ▶ Anna: drive: fuel 1, speed 30"),
        ({"phase": "grab", "pawns": [], "to_act": [0, 1, 2]}, " ▶ Anna, Ben and Chloe: grab a pawn!"),
    ],
)
def test_the_last_line_says_who_does_what(fields: dict[str, Any], line: str) -> None:
    assert text(view_of(driving([12, 9, 9], **fields)))[-1] == line


# Sentences

SENTENCES: list[tuple[Any, str]] = [
    (p.RaceBegun(2, B), "Race 2 began, with Ben to go first."),
    (p.RoundBegun(3, C), "Round 3 began, with Chloe to go first."),
    (p.TankEmptied(A), "Anna drives with an empty tank this round."),
    (p.LanternUsed(A, 12), "Anna used the lantern to advance to section 12."),
    (p.LanternUsed(A, 37), "Anna used the lantern to advance to the finish."),
    (p.LanternUnused(A), "Anna had the lantern but stayed."),
    (p.Boosted(B, 8), "Ben boosted to section 8, right behind the next car."),
    (p.TokenSkipped(B, "swap"), "Ben kept a swap for later."),
    (p.AcceleratorRolled(4), "The accelerator came up 4; the fuel dice are hidden under the cup."),
    (p.Honked(A, "horn"), "Anna honked the horn!"),
    (p.Honked(A, "assist"), "Anna honked the horn, thanks to an assist!"),
    (p.QuietKept(A), "Anna kept quiet."),
    (p.CupLifted(A, None), "Anna looked under the cup."),
    (p.CupLifted(A, (5, 1, 2)), "Anna looked under the cup and saw red 5, yellow 1 and green 2."),
    (p.DiceOpened((5, 1, 2)), "The cup was lifted: red 5, yellow 1 and green 2."),
    (p.PawnTaken(B, "black"), "Ben took the black pawn."),
    (p.RankingSealed(B, None), "Ben handed in a ranking."),
    (p.RankingSealed(B, ("red", "blue")), "Ben handed in a ranking: red, blue."),
    (p.RankingsOpened((C, A)), "The pawns were given out by the rankings, in this order: Chloe and Anna."),
    (p.PawnsSwapped(A, C), "Anna swapped pawns with Chloe."),
    (p.HelmetPutOn(A, "helmet"), "Anna put on the helmet."),
    (p.HelmetPutOn(A, "assist"), "Anna put on the helmet, thanks to an assist."),
    (p.DieRerolled(A, "red", 6), "Anna took a second chance: the red die now showed 6."),
    (p.CarMoved(A, 3, (4, 5), None), "Anna drove 2 sections to section 5."),
    (p.CarMoved(A, 36, (37,), None), "Anna drove 1 section to the finish."),
    (p.CarMoved(A, 0, (4, 5), 0), "Anna drove 2 sections to section 5, with a detour from the start."),
    (p.CarStayed(A, 3, False), "Anna did not move from section 3."),
    (p.CarStayed(A, 3, True), "Anna did not move from section 3 and got a second chance."),
    (p.NitroUsed(A, "nitro", 9), "Anna shot on to section 9 with nitro."),
    (p.NitroUsed(A, "assist", 9), "Anna shot on to section 9 with nitro, thanks to an assist."),
    (p.OilSpilled(A, 9), "Anna spilled oil on section 9."),
    (p.BonusTaken(A, 9, "empty_tank"), "Anna found an empty tank on section 9."),
    (p.CarFinished(A, 2), "Anna came home second."),
    (p.LanternGiven(A), "Anna was last and got the lantern."),
    (p.LanternGiven(None), "Several cars were last, so nobody got the lantern."),
    (p.RaceScored(1, (0, 4, 9)), "Points for race 1: Anna 0, Ben 4 and Chloe 9."),
    (p.RaceOver(1), "The race was over."),
]


@pytest.mark.parametrize(("news", "sentence"), SENTENCES)
def test_news_is_told_in_a_sentence(news: Any, sentence: str) -> None:
    assert words(tagged(news), NAMES[:3]) == sentence


TO_BEN: list[tuple[Any, str]] = [
    (p.PawnTaken(B, "black"), "You took the black pawn."),
    (p.PawnTaken(A, "black"), "Anna took the black pawn."),
    (p.PawnsSwapped(A, B), "Anna swapped pawns with you."),
    (p.PawnsSwapped(B, A), "You swapped pawns with Anna."),
    (p.RankingsOpened((C, B)), "The pawns were given out by the rankings, in this order: Chloe and you."),
    (p.RaceScored(1, (0, 4, 9)), "Points for race 1: Anna 0, you 4 and Chloe 9."),
    (p.LanternGiven(B), "You were last and got the lantern."),
]


@pytest.mark.parametrize(("news", "sentence"), TO_BEN)
def test_news_speaks_to_the_reader(news: Any, sentence: str) -> None:
    assert words(tagged(news), NAMES[:3], me=B) == sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_news_is_told_in_every_language(language: str) -> None:
    for news, english in SENTENCES:
        told = words(tagged(news), NAMES, Texts(language))
        assert told[-1] in ".!。！" and (told == english) == (language == "en")


def test_every_kind_of_news_has_its_sentence() -> None:
    assert {type(news) for news, _ in SENTENCES} == set(p.NEWS)
