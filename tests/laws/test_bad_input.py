"""Whatever is handed in, every game answers with an error that names what is wrong, or plays on from it."""

from typing import Any

import pytest
from laws.playing import GAMES_EACH, Dice, TableKind, moments, play

from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.errors import BadOptions, BadPosition, IllegalAction, Malformed
from parlour.engine.maps import tagged
from parlour.engine.secret import Seat

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
MUTANTS = 40 * GAMES_EACH


def nested(depth: int) -> Any:
    thing: Any = []
    for _ in range(depth):
        thing = [thing]
    return thing


JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 37, 99, 1 << 53, 10**5000, 1.5, float("nan"), float("inf")),
    *("", "x", "²", "１", "\ud800", "x" * 100_000, "red", "oil", "net", "over", "act"),
    *([], [None], [0, 0], [[]], nested(5000), {}, {"a": 1}, {"x" * 1000: 1}, {1: 2}, {"3": "oil"}, b"x"),
)


def lists(thing: Any) -> Any:
    """A copy that can be changed anywhere."""
    if isinstance(thing, dict):
        return {key: lists(part) for key, part in thing.items()}
    return [lists(part) for part in thing] if isinstance(thing, list | tuple) else thing


def places(thing: Any) -> list[tuple[Any, Any]]:
    """Every map or list in a thing, with each of its keys."""
    keys = list(thing) if isinstance(thing, dict) else range(len(thing)) if isinstance(thing, list) else ()
    return [(thing, key) for key in keys] + [place for key in keys for place in places(thing[key])]


def mutate(plain: dict[str, Any], dice: Dice) -> None:
    """One thing is missing, too much, of another kind, of another size, or in the place of another."""
    field = dice.pick(list(plain))
    around, key = dice.pick([(plain, field), *places(plain[field])])
    value = around[key]
    match dice.below(6):
        case 0:
            del around[key]
        case 1:
            around[key] = dice.pick(JUNK)
        case 2 if isinstance(value, dict):
            value[dice.pick(("x", "red", "3"))] = dice.pick(JUNK)
        case 2 if isinstance(value, list):
            value.insert(0, dice.pick([*value, dice.pick(JUNK)]))
        case 3 if isinstance(value, bool):
            around[key] = not value
        case 3 if isinstance(value, int):
            around[key] = value + dice.pick((-1, 1))
        case _:
            other, its = dice.pick(places(plain))
            around[key] = lists(other[its])


LONGEST = 500
"""Letters in an error, whatever was handed in."""


@every_game
def test_a_position_that_was_tampered_with_is_refused_or_can_be_played_to_the_end(game: Any) -> None:
    dice = Dice(game.name)
    kind = TableKind(game, dice.pick(game.seats), {})
    positions = [game.position(state) for state, _, _ in moments(kind.start("bad input"), dice, about=12)]
    told = []
    for number in range(MUTANTS):
        plain = lists(dice.pick(positions))
        mutate(plain, dice)
        try:
            state = game.from_position(plain, kind.seats, kind.options)
        except BadPosition as wrong:
            told.append(str(wrong))
            continue
        assert game.from_position(game.position(state), kind.seats, kind.options) == state
        match = kind.start_from(state)
        for _ in play(match, Dice(number)):
            pass
        assert match.outcome is not None
    assert MUTANTS / 2 < len(told) < MUTANTS, "the tampering is too gentle, or too rough"
    assert max(map(len, told)) < LONGEST


@every_game
def test_an_action_that_was_tampered_with_is_refused(game: Any) -> None:
    dice = Dice(game.name)
    told = []
    for number in range(GAMES_EACH):
        kind = TableKind(game, dice.pick(game.seats), {})
        for state, seat, action in moments(kind.start(("actions", number)), dice, about=12):
            plain = lists(tagged(action))
            mutate(plain, dice)
            try:
                read = game.read_action(plain)
                game.act(state, dice.pick((seat, Seat(-1), Seat(1 << 80))), read, Seeded(bytes(32)))
            except (Malformed, IllegalAction) as wrong:
                told.append(str(wrong))
    assert max(map(len, told)) < LONGEST


@every_game
def test_options_that_were_tampered_with_are_refused(game: Any) -> None:
    usual = game.read_options({}, max(game.seats)).plain()
    told = []
    for junk in JUNK:
        for plain in (junk, {"x": junk}, *({**usual, name: junk} for name in usual)):
            try:
                options = game.read_options(plain, max(game.seats))
            except BadOptions as wrong:
                told.append(str(wrong))
            else:
                assert {**usual, **plain} == options.plain()
    assert max(map(len, told)) < LONGEST
