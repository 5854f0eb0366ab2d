"""The scramble: order of arrival, the loser's error, the clock, and replays."""

import itertools

import pytest
from support.hurry_positions import GAME, after, driving, position, read, rolled, scramble

from parlour.engine.chance import Scripted, Seeded
from parlour.engine.errors import IllegalAction
from parlour.engine.hurry_cup import public as p
from parlour.engine.hurry_cup.state import State
from parlour.engine.match import Match, replay
from parlour.engine.secret import Seat


def refusal(state: State, seat: int, action: p.Action) -> IllegalAction:
    with pytest.raises(IllegalAction) as refused:
        GAME.act(state, Seat(seat), action, Scripted(()))
    return refused.value


def key(state: State) -> str:
    deadline = GAME.deadline(state)
    assert deadline is not None
    return deadline.key


def test_the_loser_of_a_race_for_a_pawn_is_told_that_it_is_taken() -> None:
    state = after(read(scramble("grab"), 4), (2, p.Grab("green")))
    for loser in (0, 1, 3):
        refused = refusal(state, loser, p.Grab("green"))
        assert (refused.code, refused.facts) == ("taken", {"pawn": "green"})
    assert refusal(state, 2, p.Grab("red")).code == "not_asked"
    assert refusal(state, 0, p.Grab("black")).code == "no_such_pawn"


def test_a_pawn_that_a_honker_took_is_taken_in_the_grab() -> None:
    state = after(
        read(scramble(), 4),
        *[(0, p.Quiet()), (3, p.Honk("horn")), (2, p.Quiet()), (1, p.Quiet())],
        (3, p.Grab("yellow")),
    )
    assert state.phase == "grab"
    assert refusal(state, 0, p.Grab("yellow")).code == "taken"


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::5])
def test_grabs_count_in_the_order_in_which_they_come(order: tuple[int, ...]) -> None:
    state = read(scramble("grab"), 4)
    got: dict[int, str] = {}
    for seat in order[:3]:
        for pawn in ("green", "red", "yellow", "blue"):
            action = p.Grab(pawn)
            if pawn in got.values():
                assert refusal(state, seat, action).code == "taken"
            else:
                state = after(state, (seat, action))
                got[seat] = pawn
                break
    assert [got[seat] for seat in order[:3]] == ["green", "red", "yellow"]
    assert GAME.position(state)["pawns"][order[3]] == "blue"


def test_one_drivers_grab_does_not_restart_the_clock_of_the_others() -> None:
    state = read(scramble("grab"), 4)
    started = key(state)
    for seat, pawn in ((1, p.PAWNS[0]), (3, p.PAWNS[2])):
        state = after(state, (seat, p.Grab(pawn)))
        assert key(state) == started


def test_one_drivers_horn_does_not_restart_the_clock_of_the_others() -> None:
    state = read(scramble(), 4)
    started = key(state)
    for seat, answer in ((1, p.Honk("horn")), (3, p.Quiet()), (0, p.Honk("horn"))):
        state = after(state, (seat, answer))
        assert key(state) == started


def test_every_decision_has_a_key_of_its_own() -> None:
    state = GAME.setup(4, GAME.read_options({"races": 2}, 4), Seeded(bytes(32))).state
    chance = Seeded(b"clock" + bytes(27))
    keys: list[str] = []
    while asked := GAME.awaited(state):
        deadline = GAME.deadline(state)
        assert deadline is not None
        assert deadline.phase == state.phase
        assert deadline.scramble == (state.phase in ("horn", "look", "grab"))
        if not keys or keys[-1] != deadline.key:
            keys.append(deadline.key)
        seat = min(asked)
        choices = GAME.legal(state, seat)
        state = GAME.act(state, seat, choices[chance.roll("pick", choices.count) - 1], chance).state
    assert len(keys) == len(set(keys))
    assert GAME.deadline(state) is None


@pytest.mark.parametrize("token", [p.Helmet("helmet"), p.Reroll()])
def test_the_clock_starts_again_after_a_token_before_the_move(token: p.Action) -> None:
    state = read(driving([10, 2, 5], spent=[[], [], []], second_chance=[True, False, False]))
    then = after(state, (0, token), chance=Scripted([4] * isinstance(token, p.Reroll)))
    assert GAME.awaited(then) == {0}
    assert key(then) != key(state)


@pytest.mark.parametrize("grab", ["race", "sealed"])
def test_a_journal_replays_to_the_same_state(grab: str) -> None:
    options = GAME.read_options({"grab": grab}, 6)
    match = Match.start(GAME, 6, options, Seeded(bytes(32)))
    pick = Seeded(b"pick" + bytes(28))
    while match.outcome is None:
        seat = sorted(match.awaited)[pick.roll("seat", len(match.awaited)) - 1]
        if pick.roll("late", 8) == 1:
            match.time_up(seat)
            continue
        choices = GAME.legal(match.state, seat)
        match.act(seat, choices[pick.roll("choice", choices.count) - 1])
    again = replay(GAME, 6, options, match.journal)
    assert again.state == match.state
    assert again.journal == match.journal


def test_a_seat_that_has_left_keeps_quiet_and_takes_any_pawn() -> None:
    match = Match.start(GAME, 3, GAME.read_options({"first": 0}, 3), Seeded(bytes(32)))
    match.leave(Seat(1))
    assert 1 not in match.awaited
    for seat in (0, 2):
        match.act(Seat(seat), p.Quiet())
    assert match.state.pawns[1] is not None
    assert sorted(match.awaited) == [0, 2]


def test_the_reason_of_a_refusal_is_told() -> None:
    state = read(driving([10, 2, 5], bonuses=[["oil"], [], []]))
    assert refusal(state, 0, p.Move(4, None)).facts == {"most": 3}
    assert refusal(state, 0, p.Move(1, 10)).code == "no_detour"
    assert refusal(state, 0, p.Helmet("helmet")).code == "no_token"
    assert refusal(state, 0, p.Quiet()).code == "wrong_phase"
    state = after(state, (0, p.Move(2, None)))
    assert refusal(state, 0, p.Nitro("nitro")).code == "fuel_left"
    assert refusal(state, 0, p.Oil(13)).code == "not_entered"
    used = read(driving([10, 2, 5], spent=[[], [], []], token_used=[True, False, False]))
    assert refusal(used, 0, p.Helmet("helmet")).code == "token_used"
    swap = read(
        position(
            "swap",
            [0],
            cars=[1, 2, 3],
            bonuses=[["swap"], [], []],
            accelerator=1,
            dice=rolled([1, 2, 3]),
            pawns=["red", "yellow", "green"],
        )
    )
    assert refusal(swap, 0, p.Swap(Seat(0))).code == "no_such_driver"
    detour = read(driving([10, 2, 5], bonuses=[["detour"], [], []], second_chance=[True, False, False]))
    assert refusal(detour, 0, p.Move(1, 10)).code == "no_such_detour"
    sealed = read(scramble("grab"), 4, grab="sealed")
    assert refusal(sealed, 0, p.Grab("red")).code == "wrong_option"
    assert refusal(sealed, 0, p.Rank(("red",))).facts == {"pawns": 4}
    assert refusal(read(scramble("grab"), 4), 0, p.Rank(("red",))).code == "wrong_option"
