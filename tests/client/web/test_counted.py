"""The page counts games as `parlour stats` does, and says of tables and tournaments what others say."""

from random import Random
from typing import Any

import attrs
import pytest
from laws.playing import ALL_KINDS, TableKind
from support.client import node
from support.client.tournament_page import info

from parlour.client.boards.catalogue import BOARDS
from parlour.client.boards.options import unusual
from parlour.client.language import LANGUAGES, Texts, catalogue
from parlour.client.tournaments.tables import phase_line
from parlour.protocol.codec import write_part
from parlour.server.records.stats import statistics

NAMES = ("Ann", "Ben", "Cleo", "Dora")


@attrs.frozen
class Played:
    """A game of an archive, as much of it as is counted."""

    game: str
    names: list[str]
    places: list[int]
    winners: list[int]
    ended: int
    bots: list[bool]


def some_game(luck: Random, ended: int) -> Played:
    names = luck.sample(NAMES, luck.choice((2, 3, 4)))
    places = [luck.randint(1, len(names)) for _ in names]
    winners = [seat for seat, place in enumerate(places) if place == 1]
    return Played(luck.choice([*BOARDS]), names, places, winners, ended, [False] * len(names))


def asked(**given: Any) -> Any:
    texts = {
        each: {"language": each, "languages": {}, "texts": catalogue(each), "rules": catalogue(each, "rules")}
        for each in LANGUAGES
    }
    return node.run("words.mjs", {"catalogues": texts, **given})


def test_the_page_counts_games_as_the_archive_does() -> None:
    luck = Random("statistics")
    games = [some_game(luck, ended) for ended in range(60)]
    newest_first = [attrs.asdict(game) for game in reversed(games)]
    found = asked(players=NAMES, games=newest_first)["statistics"]
    ours = {player.name: attrs.asdict(player) for player in statistics(games).players}
    assert dict(zip(NAMES, found, strict=True)) == {
        name: {field: ours[name][field] for field in theirs}
        for name, theirs in zip(NAMES, found, strict=True)
    }


@pytest.mark.parametrize("kind", [kind for kind in ALL_KINDS if kind.given], ids=str)
def test_the_page_says_what_is_unusual_at_a_table(kind: TableKind) -> None:
    game, given = kind.game.name, dict(kind.given)
    said = asked(tables=[{"game": game, "options": given}])["unusual"]
    for language in LANGUAGES:
        assert said[language] == [unusual(game, BOARDS[game].options, given, Texts(language))]


def test_the_page_says_where_a_tournament_stands_and_why() -> None:
    infos = [
        info("announced"),
        info("registration", round=0),
        info("check_in", checked_in=3),
        info("running"),
        info("running", rounds=None),
        info("paused", why="Pizza"),
        info("cancelled", cause="idle"),
        info("finished"),
    ]
    said = asked(phases=[write_part(each) for each in infos])["phases"]
    for language in LANGUAGES:
        assert said[language] == [phase_line(each, Texts(language)) for each in infos]
