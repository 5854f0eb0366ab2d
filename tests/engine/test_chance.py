"""Randomness as an input: reproducible, uniform, recorded and scripted."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.engine.chance import Chance, Luck, Recorded, Recording, Scripted, Seeded, WrongLuck, order

SECRET = bytes(range(32))


def ask(chance: Chance) -> list[Any]:
    return [
        chance.roll("dice", 6),
        chance.draw("bag", ("red", "blue", "grey")),
        chance.shuffle("deck", "abcdef"),
        chance.roll("dice", 6),
    ]


def test_one_secret_gives_one_luck() -> None:
    assert ask(Seeded(SECRET)) == ask(Seeded(SECRET))
    assert ask(Seeded(SECRET)) != ask(Seeded(bytes(32)))


def test_the_numbers_are_those_of_the_published_formula() -> None:
    """Anybody can check them: blake2b keyed with the secret over `stream#index`, as one big-endian number."""
    import hashlib

    number = int.from_bytes(hashlib.blake2b(b"dice#1", key=SECRET).digest(), "big")
    chance = Seeded(SECRET)
    chance.roll("dice", 6)
    assert chance.roll("dice", 6) == number % 6 + 1
    deck = int.from_bytes(hashlib.blake2b(b"deck#0", key=SECRET).digest(), "big")
    cards = list("abcdef")
    for last in range(5, 0, -1):
        deck, chosen = divmod(deck, last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    assert chance.shuffle("deck", "abcdef") == tuple(cards)


def test_streams_do_not_disturb_each_other() -> None:
    plain, busy = Seeded(SECRET), Seeded(SECRET)
    for _ in range(5):
        busy.roll("dice", 6)
    assert plain.shuffle("deck", range(40)) == busy.shuffle("deck", range(40))


def test_a_source_goes_on_where_another_one_stopped() -> None:
    first = Seeded(SECRET)
    ask(first)
    assert ask(Seeded(SECRET, first.used)) == ask(first)


def test_rolls_draws_and_shuffles_are_uniform() -> None:
    chance = Seeded(SECRET)
    rolls = Counter(chance.roll("dice", 6) for _ in range(6000))
    draws = Counter(chance.draw("bag", "ab") for _ in range(2000))
    orders = Counter(chance.shuffle("deck", "abc") for _ in range(6000))
    assert set(rolls) == {1, 2, 3, 4, 5, 6}
    assert all(850 < count < 1150 for count in rolls.values())
    assert all(900 < count < 1100 for count in draws.values())
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


@given(st.integers(0, 2**512 - 1), st.integers(0, 64))
def test_every_number_is_an_order(number: int, size: int) -> None:
    assert sorted(order(number, size)) == list(range(size))


def test_every_order_has_a_number() -> None:
    assert len({tuple(order(number, 5)) for number in range(120)}) == 120


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33)])
def test_a_secret_has_256_bits(secret: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Seeded(secret)


def test_more_than_64_items_are_not_shuffled_unfairly() -> None:
    with pytest.raises(ValueError, match="64"):
        Seeded(SECRET).shuffle("deck", range(65))


def test_what_was_recorded_comes_again() -> None:
    recording = Recording(Seeded(SECRET))
    first = ask(recording)
    recorded = Recorded(recording.heard)
    assert ask(recorded) == first
    recorded.finish()


@pytest.mark.parametrize(
    "heard",
    [
        [],
        [Luck("other", "roll", 3)],
        [Luck("dice", "draw", 3)],
        [Luck("dice", "roll", 7)],
        [Luck("dice", "roll", 0)],
        [Luck("dice", "roll", True)],
        [Luck("dice", "roll", 3), Luck("bag", "draw", "black")],
        [Luck("dice", "roll", 3), Luck("bag", "draw", "red"), Luck("deck", "shuffle", (0, 0, 1, 2, 3, 4))],
    ],
)
def test_a_record_that_does_not_fit_is_refused(heard: list[Luck]) -> None:
    with pytest.raises(WrongLuck):
        ask(Recorded(heard))


def test_a_record_must_be_used_up() -> None:
    with pytest.raises(WrongLuck):
        Recorded([Luck("dice", "roll", 3)]).finish()


def test_a_script_gives_rolls_and_draws_in_order_and_leaves_lists_alone() -> None:
    script = Scripted([4, "grey", 6])
    assert ask(script) == [4, "grey", tuple("abcdef"), 6]
    script.finish()


@pytest.mark.parametrize("entries", [[], [0], [7], ["4"], [True], [4, "black"], [4, 0]])
def test_an_impossible_script_is_refused(entries: list[Any]) -> None:
    with pytest.raises(WrongLuck):
        ask(Scripted(entries))


def test_a_script_must_be_used_up() -> None:
    with pytest.raises(WrongLuck):
        Scripted([1]).finish()
