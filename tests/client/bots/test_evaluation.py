"""What searching bots know: tokens on a road, goals by where cards were laid, lines of a grid."""

from random import Random
from typing import Any

import pytest

from parlour.client.bots.balloon_cup.evaluation import evaluate_trophies
from parlour.client.bots.butterflies.belief import beliefs, believed
from parlour.client.bots.butterflies.evaluation import Looks, gain, lines, survey
from parlour.client.bots.hurry_cup.evaluation import rest_of
from parlour.client.bots.hurry_cup.prospect import CHANCE, SETS, prospect_of, prospects
from parlour.engine.butterflies.cards import GOAL_NUMBER
from parlour.engine.butterflies.cells import STEPS, STRIDE, cell_of
from parlour.engine.butterflies.rules import Butterflies
from parlour.engine.chance import Seeded
from parlour.engine.hurry_cup import kit as k
from parlour.engine.hurry_cup.road import STRAIGHT_ROAD, known
from parlour.engine.hurry_cup.track import FINISH, SHIPPED
from parlour.engine.secret import Seat, project

# Balloon Cup


def test_a_trophy_that_only_trades_may_bring_is_not_had_yet() -> None:
    ours, theirs, holders = (6, 5, 4, 2, 2), (6, 0, 3, 1, 2), (None, 0, None, 0, None)
    now = evaluate_trophies(ours, theirs, holders, 1)
    won = evaluate_trophies((7, 5, 6, 2, 3), theirs, holders, 1)
    lost = evaluate_trophies(ours, (7, 0, 5, 1, 3), holders, 1)
    assert lost < now < won == 1.0


# Hurry' Cup


@pytest.mark.parametrize("track", SHIPPED)
def test_no_token_makes_the_road_longer(track: str) -> None:
    table = prospects(known(SHIPPED[track]))
    for held in range(SETS):
        for token in (k.HELMET, k.NITRO, k.HORN, CHANCE):
            if held & token:
                with_it, without = table[held], table[held ^ token]
                assert all(with_it[car] <= without[car] + 0.05 for car in range(FINISH))


def test_a_helmet_is_worth_more_on_a_winding_road() -> None:
    def saved(road: Any) -> float:
        return prospects(road)[0][0] - prospects(road)[k.HELMET][0]

    assert (
        saved(known(SHIPPED["corniche"])) > saved(known(SHIPPED["croisette"])) > saved(STRAIGHT_ROAD) == 0.0
    )


def test_whoever_is_home_needs_no_round_more() -> None:
    road = known(SHIPPED["esterel"])
    assert prospect_of(road, None).of(k.EVERY_TRUMP)[FINISH] == 0.0


def test_oil_is_in_the_way_of_those_behind_it() -> None:
    road = known(SHIPPED["croisette"])
    dry, wet = prospect_of(road, None).of(0), prospect_of(road, 20).of(0)
    assert wet[18] > dry[18] and wet[20:] == dry[20:]


def test_roads_are_told_apart_though_nobody_hashes_them() -> None:
    one, other = (known(SHIPPED[name]) for name in ("croisette", "corniche"))
    assert rest_of(one, None) is rest_of(one, None)
    assert rest_of(one, None) is not rest_of(other, None) is not rest_of(one, 3)


# Butterflies


def grid(luck: Random, count: int) -> dict[int, int]:
    cards = {0: luck.randrange(16)}
    while len(cards) < count:
        cell = luck.choice(list(cards)) + luck.choice(STEPS)
        cards.setdefault(cell, luck.randrange(16) | luck.choice((0, 0, 0, 16, 32)))
    return cards


def test_one_survey_tells_what_every_card_would_gain() -> None:
    luck = Random(2)
    for count in range(2, 20):
        cards = grid(luck, count)
        weights = [luck.uniform(-1, 1) for _ in range(8)]
        for cell in {there + step for there in cards for step in STEPS} - set(cards):
            sum_, more = survey(lines(cards, cell), weights)
            for card in range(16):
                found = sum_ + more[card & 3] + more[4 + (card >> 2)]
                assert found == pytest.approx(gain(cards, cell, card, weights))


def test_only_lines_with_a_change_in_them_are_looked_at_again() -> None:
    luck = Random(3)
    cards = grid(luck, 14)
    cells = [x + y * STRIDE for x in range(-8, 9) for y in range(-8, 9)]
    looks = Looks(cards)
    before = {cell: looks[cell] for cell in cells if cell not in cards}
    changed = next(cell for cell in before if any(cell + step in cards for step in STEPS))
    after = looks.after({**cards, changed: 5}, [changed])
    assert all(after[cell] == lines(after.cards, cell) for cell in before if cell != changed)
    assert sum(after[cell] is look for cell, look in before.items()) > len(before) - 30


def laid(seat: int, card: str, at: tuple[int, int]) -> dict[str, Any]:
    return {"type": "card_played", "seat": seat, "card": card, "at": list(at)}


REDS = [
    laid(0, "morpho-blue", (0, 0)),
    laid(1, "monarch-red", (1, 0)),
    laid(0, "peacock-green", (0, 1)),
    laid(1, "peacock-red", (2, 0)),
    laid(0, "swallowtail-yellow", (0, 2)),
    laid(1, "morpho-red", (3, 0)),
]


def test_who_lays_red_beside_red_is_believed_to_have_red() -> None:
    belief = beliefs(REDS, 2)[1]
    by_colour = [max(row) for row in belief]
    assert by_colour.index(max(by_colour)) == GOAL_NUMBER["red"]
    assert beliefs([], 2) == [[[0.0] * 4 for _ in range(4)]] * 2


def test_moved_and_marked_cards_are_followed() -> None:
    more = [
        {"type": "card_moved", "seat": 0, "card": "morpho-blue", "from": [0, 0], "to": [4, 0]},
        {"type": "token_placed", "seat": 1, "token": "web", "card": "morpho-blue", "at": [4, 0]},
        laid(1, "swallowtail-red", (0, 0)),
    ]
    assert beliefs([*REDS, *more], 2)[1] != beliefs(REDS, 2)[1]


def test_worlds_are_drawn_by_what_is_believed_and_keep_what_is_known() -> None:
    game = Butterflies()
    state = game.setup(3, game.read_options({}, 3), Seeded(bytes(32))).state
    view = project(game.view(state), Seat(0))
    mine = [goal.value for goal in state.goals[0]]
    likely = next(goal for goal in range(4) if goal != mine[0])
    told = beliefs([], 3)
    told[1][likely] = [50.0] * 4
    for number in range(20):
        world = believed(game.imagine(view, Seat(0), Seeded(bytes(32))), view, told, Random(number))
        goals = [[goal.value for goal in pair] for pair in world.goals]
        assert goals[0] == mine and goals[1][0] == likely
        assert len({goal for pair in goals for goal in pair}) == 6
        assert project(game.view(world), Seat(0)) == view


def test_with_automatic_declaration_nobody_is_believed_to_have_what_is_there() -> None:
    game = Butterflies()
    options = game.read_options({"declare": "auto"}, 2)
    row = [
        {"at": [x, 0], "card": card} for x, card in enumerate(("monarch-red", "morpho-red", "peacock-red"))
    ]
    row += [{"at": [3, 0], "card": "swallowtail-red"}]
    position = {
        "grid": row,
        "hands": [["monarch-blue", "monarch-green"], ["morpho-blue", "morpho-green"]],
        "goals": [{"colour": "blue", "species": "monarch"}, {"colour": "green", "species": "morpho"}],
        "phase": "act",
        "to_act": [0],
        "played": [2, 2],
    }
    state = game.from_position(position, 2, options)
    view = project(game.view(state), Seat(0))
    told = beliefs([], 2)
    told[1][GOAL_NUMBER["red"]] = [50.0] * 4
    world = believed(state, view, told, Random(1))
    assert world.goals[1][0].value != GOAL_NUMBER["red"]
    assert cell_of((0, 0)) in world.grid.cards
