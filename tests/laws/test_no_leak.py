"""No game tells a viewer more than that viewer may know."""

import pytest
from laws.leaks import check_seed, check_worlds
from laws.playing import ALL_KINDS, GAMES_EACH, TableKind


@pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
def test_two_worlds_that_differ_in_secrets_look_the_same(kind: TableKind) -> None:
    total = {"worlds": 0, "differing": 0, "news": 0}
    for seed in range(GAMES_EACH):
        for name, count in check_worlds(kind, ("leak", str(kind), seed), about=4).items():
            total[name] += count
    assert total["differing"] > total["worlds"] / 2, "the imagined worlds hardly differ: the law says nothing"
    assert total["news"] > GAMES_EACH, "hardly any news was compared: the law says nothing"


@pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
def test_the_seed_shows_in_nothing_but_its_outcomes(kind: TableKind) -> None:
    for seed in range(max(2, GAMES_EACH // 5)):
        check_seed(kind, ("seed", str(kind), seed))
