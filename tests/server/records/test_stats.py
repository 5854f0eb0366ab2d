"""Statistics of finished games: wins, streaks, games of each kind, and who came out before whom."""

import attrs

from parlour.server.records.stats import Player, Rivalry, Statistics, Tally, statistics


@attrs.frozen
class Row:
    ended: int
    game: str
    names: tuple[str, ...]
    places: tuple[int, ...]
    winners: tuple[int, ...]
    bots: tuple[bool, ...] = (False,) * 6


def duel(ended: int, winner: str, loser: str, game: str = "balloon-cup") -> Row:
    return Row(ended, game, (winner, loser), (1, 2), (0,))


def of(stats: Statistics, name: str) -> Player:
    return next(player for player in stats.players if player.name == name)


def test_no_games_make_no_statistics() -> None:
    assert statistics([]) == Statistics(0, None, None, ())


def test_games_and_wins_are_counted_by_player_and_by_game() -> None:
    stats = statistics(
        [duel(1, "Anna", "Ben"), duel(2, "Ben", "Anna", "butterflies"), duel(3, "Anna", "Ben", "butterflies")]
    )
    assert (stats.games, stats.since, stats.until) == (3, 1, 3)
    anna = of(stats, "Anna")
    assert (anna.games, anna.wins, anna.last) == (3, 2, 3)
    assert anna.by_game == [Tally("butterflies", 2, 1), Tally("balloon-cup", 1, 1)]
    assert [player.name for player in stats.players] == ["Anna", "Ben"]


def test_a_streak_is_of_wins_in_a_row_in_the_order_of_the_games_and_not_of_the_rows() -> None:
    won, lost = ("Anna", "Ben"), ("Ben", "Anna")
    order = [won, won, won, lost, won, won]
    rows = [duel(when, *names) for when, names in enumerate(order)]
    anna = of(statistics(reversed(rows)), "Anna")
    assert (anna.streak, anna.best_streak) == (2, 3)
    ben = of(statistics(rows), "Ben")
    assert (ben.streak, ben.best_streak) == (0, 1)


def test_a_draw_is_nobodys_win_and_ends_a_streak() -> None:
    stats = statistics([duel(1, "Anna", "Ben"), Row(2, "butterflies", ("Anna", "Ben"), (1, 1), ())])
    anna = of(stats, "Anna")
    assert (anna.wins, anna.drawn, anna.streak, anna.best_streak) == (1, 1, 0, 1)
    assert anna.against == [Rivalry("Ben", games=2, ahead=1, behind=0, level=1)]


def test_at_a_larger_table_everybody_is_compared_with_everybody() -> None:
    stats = statistics([Row(1, "hurry-cup", ("Anna", "Ben", "Chloe"), (2, 1, 3), (1,))])
    assert of(stats, "Anna").against == [Rivalry("Ben", 1, 0, 1), Rivalry("Chloe", 1, 1, 0)]
    assert of(stats, "Ben").against == [Rivalry("Anna", 1, 1, 0), Rivalry("Chloe", 1, 1, 0)]


def test_partners_win_together_and_are_level() -> None:
    stats = statistics([Row(1, "butterflies", ("Anna", "Ben", "Chloe", "David"), (1, 2, 1, 2), (0, 2))])
    assert (of(stats, "Anna").wins, of(stats, "Chloe").wins, of(stats, "Ben").wins) == (1, 1, 0)
    assert Rivalry("Chloe", 1, 0, 0, 1) in of(stats, "Anna").against


def test_two_owners_of_names_that_look_alike_are_two_players() -> None:
    stats = statistics([duel(1, "anna", "Ben"), duel(2, "Anna", "Ben")])
    assert [player.name for player in stats.players] == ["Anna", "anna", "Ben"]
    assert of(stats, "Anna").against == [Rivalry("Ben", 1, 1)]


def test_of_two_with_as_many_wins_the_one_who_needed_fewer_games_comes_first() -> None:
    stats = statistics([duel(1, "Anna", "Ben"), duel(2, "Ben", "Anna"), duel(3, "Chloe", "Anna")])
    assert [player.name for player in stats.players] == ["Chloe", "Ben", "Anna"]
