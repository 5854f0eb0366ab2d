"""Laws that hold for every game in the catalogue, at every kind of table."""

import copy
from typing import Any

import pytest
from laws.leaks import viewers
from laws.playing import (
    ALL_KINDS,
    GAMES_EACH,
    AnyGame,
    AnyMatch,
    Dice,
    Moments,
    TableKind,
    moments,
    play,
    some_action,
)
from laws.trying import Asked, Tried, check_choices, check_legal
from laws.writing import alike, as_json, parts_of

from parlour.engine.chance import Recording, Seeded
from parlour.engine.errors import Malformed
from parlour.engine.maps import from_map, tagged, to_map
from parlour.engine.match import replay
from parlour.engine.secret import ALL, Pile, Seat, Secret, project

every_kind = pytest.mark.parametrize("kind", ALL_KINDS, ids=str)


@every_kind
def test_games_end_conserve_and_keep_to_their_legal_actions(kind: TableKind) -> None:
    """Ten games, and at some moments of each all that must hold at any moment."""
    game = kind.game
    for seed in range(GAMES_EACH):
        match, dice = kind.start(("law", seed)), Dice(seed)
        tried = Tried()
        copies: dict[int, Any] = {}
        """What states share is copied once a game, and then held to what it was at first."""
        first = before = game.material(match.state)
        when = Moments(dice, about=4)
        for number, (state, seat, action) in enumerate(play(match, dice)):
            assert game.outcome(state) is None
            assert game.awaited(state)
            chosen = when.has(number)
            if chosen or number % 5 == 0:
                before = check_material(game, first, before, state)
            if chosen:
                tried.add(action)
                kept = copy.deepcopy(state, copies)
                for anybody in map(Seat, range(kind.seats)):
                    asked = Asked.of(game, state, anybody)
                    check_legal(asked, tried, dice)
                    if anybody == seat:
                        check_choices(asked, action)
                assert state == kept, "a step changed the state it was given"
                check_round_trip(kind, state)
        check_material(game, first, before, match.state)
        check_round_trip(kind, match.state)
        check_end(kind, match)
        check_replay(kind, match)


def check_replay(kind: TableKind, match: AnyMatch) -> None:
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
    position = game.position(state)
    plain = as_json(position)
    again = game.from_position(plain, kind.seats, kind.options)
    assert again == state
    there = game.position(again)
    assert alike(there, position) or as_json(there) == plain
    for seat in range(kind.seats):
        assert game.legal(again, Seat(seat)) == game.legal(state, Seat(seat))
    shown = game.view(state)
    views: list[Any] = []
    for viewer in (*viewers(kind.seats), ALL):
        view = project(shown, viewer)
        # Many see the same; that it can be read once is enough.
        if not any(view == other and alike(view, other) for other in views):
            assert not holds_secrets(view)
            assert from_map(game.view_class, as_json(to_map(view))) == view
            views.append(view)


def holds_secrets(thing: Any) -> bool:
    kind = type(thing)
    if kind is Secret or kind is Pile:
        return True
    if kind is tuple:
        return any(map(holds_secrets, thing))
    if kind is dict:
        return any(map(holds_secrets, thing.values()))
    parts = parts_of(kind)
    return parts is not None and any(map(holds_secrets, parts(thing)))


@every_kind
def test_a_journal_with_overslept_decisions_replays_to_the_same_state(kind: TableKind) -> None:
    for seed in range(GAMES_EACH):
        match, dice = kind.start(("journal", seed)), Dice(seed)
        while match.outcome is None:
            if dice.one_in(8):
                match.time_up(dice.pick(sorted(match.awaited)))
            else:
                match.act(*some_action(match, dice))
        check_replay(kind, match)


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
    for seed in range(2):
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
    for seed in range(3):
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
