"""Taps on the page that were meant for what stood there before: they do nothing, wherever they land."""

from typing import Any

from support.client import node

GRAB = {"name": "grab", "scramble": True}
HORN = {"name": "horn", "scramble": True}
DRIVE, LANTERN = {"name": "drive"}, {"name": "lantern"}
HOME, OVER = {"name": "home"}, {"name": "over", "over": True}
FAR = 500
"""Pixels from the tap before."""


def asks(at: int, what: dict[str, Any] | None) -> dict[str, Any]:
    return {"at": at, "asks": what}


def tap(at: int, x: int = 0, on: str = "pawn") -> dict[str, Any]:
    return {"at": at, "taps": on, "x": x}


def answer(at: int, what: dict[str, Any], x: int = 0) -> list[dict[str, Any]]:
    return [tap(at, x), {"at": at, "answers": what["name"]}, asks(at, None)]


def stray(*story: dict[str, Any]) -> Any:
    return node.run("taps.mjs", [story])[0]


def test_after_a_scramble_no_tap_chooses_wherever_it_lands_until_somebody_could_look() -> None:
    grabbed = [asks(0, GRAB), *answer(2000, GRAB)]
    assert stray(*grabbed, asks(2100, DRIVE), tap(2650, FAR), tap(3200)) == [False, True, False]
    assert stray(*grabbed, asks(2500, DRIVE), tap(3050, FAR)) == [False, True]  # it has only just come
    assert stray(*grabbed, asks(9000, DRIVE), tap(9100, FAR)) == [False, False]


def test_what_time_or_others_took_away_was_not_answered() -> None:
    taken = [asks(0, LANTERN), asks(1000, HORN)]
    assert stray(*taken, tap(1100)) == [True]
    assert stray(*taken, tap(1700)) == [False]


def test_a_series_of_quick_taps_on_two_pawns_takes_one_pawn_and_nothing_else() -> None:
    """It went on to drive, to refuse the lantern, to honk, and to take a pawn in the round after."""
    series: list[dict[str, Any]] = [asks(0, GRAB), *answer(2000, GRAB)]
    for number in range(1, 12):
        question = (DRIVE, LANTERN, HORN)[number // 2 % 3]
        series += [asks(2000 + 300 * number, question), tap(2100 + 300 * number, number % 2 * FAR)]
    assert stray(*series) == [False, *[True] * 11]
    assert stray(*series, tap(2100 + 300 * 11 + 500)) == [False, *[True] * 11, False]


def test_a_deliberate_tap_at_a_new_question_counts_at_once() -> None:
    drove = [asks(0, DRIVE), *answer(2000, DRIVE), asks(2300, LANTERN)]
    assert stray(*drove, tap(2390, FAR)) == [False, True]
    assert stray(*drove, tap(2450, FAR)) == [False, False]


def test_in_a_scramble_one_may_take_the_next_pawn_as_soon_as_another_driver_was_quicker() -> None:
    refused = [asks(0, GRAB), tap(2000), asks(2000, None), asks(2050, GRAB)]
    assert stray(*refused, tap(2200, FAR)) == [False, False]


def test_the_end_of_a_game_comes_under_a_thumb_that_wanted_to_see_it() -> None:
    home = [asks(0, HOME), tap(2000, on="end"), asks(2000, OVER)]
    assert stray(*home, tap(2300, on="again")) == [False, True]
    assert stray(*home, tap(2590, FAR, on="again")) == [False, True]
    assert stray(*home, tap(2700, on="again")) == [False, False]
    assert stray(asks(0, None), asks(2000, OVER), tap(2300, on="again")) == [True]


def test_at_one_spot_a_tap_means_what_the_one_before_met() -> None:
    shown = [asks(0, DRIVE), tap(2000, on="helmet")]
    assert stray(*shown, tap(2500, on="really")) == [False, True]
    assert stray(*shown, tap(2500, FAR, on="really")) == [False, False]


def test_what_is_no_part_of_the_game_counts_at_any_time() -> None:
    menu = {**tap(2100, FAR, "menu"), "inGame": False}
    assert stray(asks(0, GRAB), *answer(2000, GRAB), menu) == [False, False]


def test_whoever_goes_on_tapping_at_what_was_seen_means_it() -> None:
    """'Keep quiet' stood where a pawn came: a quick hand tapped at that for seconds, and others took it."""
    quiet = [asks(0, HORN), tap(2000, on="quiet"), {"at": 2000, "answers": HORN["name"]}, asks(2030, GRAB)]
    hammered = [tap(2000 + 130 * number) for number in range(1, 9)]
    assert stray(*quiet, *hammered) == [False, *[True] * 7, False]


def test_whoever_has_answered_one_scramble_is_not_held_back_in_the_next_one() -> None:
    quiet = [asks(0, HORN), *answer(2000, HORN), asks(2030, GRAB)]
    assert stray(*quiet, tap(2300, FAR)) == [False, True]
    assert stray(*quiet, tap(2420, FAR)) == [False, False]
