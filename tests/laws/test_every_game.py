"""Laws that hold for every game in the catalogue, at every kind of table."""

import copy
import json
from typing import Any

import attrs
import pytest
from laws.leaks import viewers
from laws.playing import ALL_KINDS, GAMES_EACH, AnyGame, Dice, TableKind, moments, play, some_action

from parlour.engine.chance import Recording, Seeded
from parlour.engine.choices import Choices
from parlour.engine.errors import IllegalAction, Malformed
from parlour.engine.maps import from_map, tagged, to_map
from parlour.engine.match import replay
from parlour.engine.patterns import choices_from_map, choices_to_map
from parlour.engine.secret import ALL, Pile, Seat, Secret, project

every_kind = pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
LISTED = 300
"""Choices up to this size are checked one by one, larger ones by sample."""


def as_json(thing: Any) -> Any:
    return json.loads(json.dumps(thing))


def sample(choices: Choices[Any], dice: Dice, size: int) -> list[Any]:
    if choices.count <= size:
        return list(choices)
    return [choices[dice.below(choices.count)] for _ in range(size)]


@every_kind
def test_games_end_conserve_and_keep_to_their_legal_actions(kind: TableKind) -> None:
    """Ten games, and at some moments of each all that must hold at any moment."""
    for seed in range(GAMES_EACH):
        match, dice = kind.start(("law", seed)), Dice(seed)
        tried: list[Any] = []
        first = before = kind.game.material(match.state)
        for state, seat, action in moments(match, dice, about=3):
            tried.append(action)
            before = check_material(kind.game, first, before, state)
            kept = copy.deepcopy(state)
            for anybody in {seat, Seat(dice.below(kind.seats))}:
                check_legal(kind.game, state, anybody, tried, dice)
            assert state == kept, "a step changed the state it was given"
            check_choices(kind.game, state, seat, action)
            check_round_trip(kind, state)
        check_material(kind.game, first, before, match.state)
        check_round_trip(kind, match.state)
        check_end(kind, match)
        again = replay(kind.game, kind.seats, kind.options, match.journal)
        assert (again.state, again.outcome) == (match.state, match.outcome), "the journal tells another game"
        assert kind.game.position(again.state) == kind.game.position(match.state)


def check_material(game: AnyGame, first: Any, before: Any, state: Any) -> Any:
    now = game.material(state)
    for thing in first | now:
        if thing in game.leaving:
            assert now[thing] <= before[thing], f"{thing} came from nowhere"
        else:
            assert now[thing] == first[thing], f"{thing} is not conserved"
    return now


def check_end(kind: TableKind, match: Any) -> None:
    outcome = match.outcome
    assert not kind.game.awaited(match.state)
    assert kind.game.deadline(match.state) is None
    assert len(outcome.places) == kind.seats
    assert min(outcome.places) == 1
    best = tuple(Seat(seat) for seat, place in enumerate(outcome.places) if place == 1)
    assert outcome.winners in (best, ())
    for seat in range(kind.seats):
        assert not kind.game.legal(match.state, Seat(seat))


def check_legal(game: AnyGame, state: Any, seat: Seat, tried: list[Any], dice: Dice) -> None:
    choices = game.legal(state, seat)
    assert bool(choices) == (seat in game.awaited(state))
    for action in sample(choices, dice, 6):
        step = game.act(state, seat, action, Seeded(bytes(32)))
        assert {type(item) for item in step.news} <= set(game.news)
        tried.append(action)
    listed = list(choices) if choices.count <= LISTED else None
    alike = {normal(action) for action in listed or ()}
    """The listed actions, whatever the order of a set in them."""
    for action in [dice.pick(tried) for _ in range(4)] + [
        warped(dice.pick(tried), tried, dice) for _ in range(8)
    ]:
        if action in choices:
            assert listed is None or normal(action) in alike
            continue
        assert listed is None or action not in listed
        with pytest.raises(IllegalAction):
            game.act(state, seat, action, Seeded(bytes(32)))


def normal(action: Any) -> Any:
    return (
        type(action),
        tuple(
            tuple(sorted(value, key=repr)) if isinstance(value, tuple) else value
            for value in attrs.astuple(action, recurse=False)
        ),
    )


def warped(action: Any, tried: list[Any], dice: Dice) -> Any:
    """An action with one field taken from another one of its kind: well-formed, and mostly not legal."""
    alike = [other for other in tried if type(other) is type(action)]
    fields = attrs.fields(type(action))
    if not fields:
        return action
    name = dice.pick(fields).name
    return attrs.evolve(action, **{name: getattr(dice.pick(alike), name)})


def check_choices(game: AnyGame, state: Any, seat: Seat, action: Any) -> None:
    """Choices count, list and travel without loss."""
    choices = game.legal(state, seat)
    again = choices_from_map(game.action_words, as_json(choices_to_map(choices)))
    assert again == choices
    assert again.count == choices.count
    assert game.read_action(as_json(tagged(action))) == action
    if choices.count <= LISTED:
        listed = [json.dumps(tagged(choice)) for choice in choices]
        assert listed == [json.dumps(tagged(choice)) for choice in again]
        assert len(listed) == choices.count
        assert len(set(listed)) == len(listed), "two patterns overlap"
        assert all(choice in choices for choice in again)


@every_kind
def test_a_malformed_action_is_refused_by_name(kind: TableKind) -> None:
    game = kind.game
    match, dice = kind.start("malformed"), Dice("malformed")
    for _, _, action in moments(match, dice):
        plain = as_json(tagged(action))
        for name in plain:
            with pytest.raises(Malformed) as missing:
                game.read_action({key: value for key, value in plain.items() if key != name})
            assert missing.value.where.split(".")[0] == name
            with pytest.raises(Malformed) as wrong:
                game.read_action({**plain, name: 1.5})
            assert wrong.value.where.split(".")[0] == name
        with pytest.raises(Malformed) as extra:
            game.read_action({**plain, "bribe": 3})
        assert extra.value.where == "bribe"


def check_round_trip(kind: TableKind, state: Any) -> None:
    game = kind.game
    plain = as_json(game.position(state))
    again = game.from_position(plain, kind.seats, kind.options)
    assert again == state
    assert as_json(game.position(again)) == plain
    for seat in range(kind.seats):
        assert game.legal(again, Seat(seat)) == game.legal(state, Seat(seat))
    for viewer in (*viewers(kind.seats), ALL):
        view = project(game.view(state), viewer)
        assert not holds_secrets(view)
        assert from_map(game.view_class, as_json(to_map(view))) == view


def holds_secrets(thing: Any) -> bool:
    if isinstance(thing, Secret | Pile):
        return True
    if isinstance(thing, tuple):
        return any(map(holds_secrets, thing))
    if isinstance(thing, dict):
        return any(map(holds_secrets, thing.values()))
    return attrs.has(type(thing)) and any(
        holds_secrets(getattr(thing, field.name)) for field in attrs.fields(type(thing))
    )


@every_kind
def test_a_journal_with_overslept_decisions_replays_to_the_same_state(kind: TableKind) -> None:
    match, dice = kind.start("journal"), Dice("journal")
    while match.outcome is None:
        if dice.one_in(4):
            match.time_up(dice.pick(sorted(match.awaited)))
        else:
            match.act(*some_action(match, dice))
    again = replay(kind.game, kind.seats, kind.options, match.journal)
    assert (again.state, again.outcome) == (match.state, match.outcome)


@every_kind
def test_a_game_of_people_who_never_answer_ends(kind: TableKind) -> None:
    match, dice = kind.start("asleep"), Dice("asleep")
    for _ in range(20_000):
        if match.outcome is not None:
            break
        seat = dice.pick(sorted(match.awaited))
        action = kind.game.default(match.state, seat, Recording(Seeded(bytes(32))))
        assert action in kind.game.legal(match.state, seat)
        match.time_up(seat)
    check_end(kind, match)


@every_kind
def test_a_clock_restarts_with_every_question_but_not_within_a_scramble(kind: TableKind) -> None:
    game = kind.game
    for seed in range(1):
        match, dice = kind.start(("clock", seed)), Dice(seed)
        keys: set[str] = set()
        last = None
        asked: frozenset[Seat] = frozenset()
        for state, seat, _ in play(match, dice):
            deadline = game.deadline(state)
            assert deadline is not None
            if deadline.key == last:
                assert deadline.scramble, "only a scramble goes on with the same clock"
                assert game.awaited(state) < asked, "whoever is asked anew gets a new clock"
            else:
                assert deadline.key not in keys, "a deadline came back"
            keys.add(deadline.key)
            last, asked = deadline.key, game.awaited(state)
            assert seat in asked


@every_kind
def test_whoever_leaves_is_placed_behind_everybody_who_stayed(kind: TableKind) -> None:
    for seed in range(1):
        match, dice = kind.start(("leave", seed)), Dice(seed)
        for number, _ in enumerate(play(match, dice)):
            if number == 5:
                break
        leaver = Seat(dice.below(kind.seats))
        if match.outcome is not None:
            continue
        match.leave(leaver)
        while match.outcome is None:
            assert leaver not in match.awaited, "a seat that has left is asked"
            match.act(*some_action(match, dice))
        outcome = match.outcome
        friends = next(side for side in kind.game.sides(kind.seats, kind.options) if leaver in side)
        others = [outcome.places[seat] for seat in range(kind.seats) if seat not in friends]
        assert outcome.places[leaver] > max(others)
        assert leaver not in outcome.winners
        again = replay(kind.game, kind.seats, kind.options, match.journal)
        assert (again.state, again.outcome) == (match.state, outcome)
