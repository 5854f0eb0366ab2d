"""Balloon Cup as text: the board compared letter by letter, and a sentence for each piece of news."""

from typing import Any

import attrs
import pytest

from parlour.client.boards.balloon_cup.board import draw, words
from parlour.client.boards.text import columns, plain
from parlour.client.cli.demo import random_game
from parlour.client.language import LANGUAGES, Texts
from parlour.engine.balloon_cup import public as p
from parlour.engine.catalogue import GAMES
from parlour.engine.maps import Counts, tagged, to_map
from parlour.engine.secret import ALL, Seat, project
from tools.kept_boards import looking

NAMES = ("Anna", "Ben")
ANNA, BEN = Seat(0), Seat(1)
C = p.Card


def cards(*names: str) -> tuple[p.Card, ...]:
    return tuple(map(C, names))


TABLE = p.View(
    options=p.BalloonOptions(),
    tiles=(
        p.Tile(number=1, terrain="plain", cubes=("grey",)),
        p.Tile(number=2, terrain="mountain", cubes=("blue", "red"), sides=(cards("red-13"), ())),
        p.Tile(
            number=4,
            terrain="plain",
            cubes=("red", "red", "yellow", "green"),
            sides=(cards("green-12", "red-2", "red-11"), cards("yellow-1")),
        ),
    ),
    hands=(cards("grey-4", "red-7", "yellow-11", "red-1"), 8),
    deck=20,
    discard=cards("blue-1", "blue-3"),
    bag={"red": 3, "blue": 1},
    cubes=({"red": 4, "green": 3}, {"yellow": 5, "green": 1}),
    trophies={"green": ANNA, "grey": BEN},
    to_act=(ANNA,),
    phase="play",
)


def text(view: p.View, me: int | None = 0, names: tuple[str, str] = NAMES) -> list[str]:
    return [plain(line) for line in draw(to_map(view), me, names)]


def changed(**fields: Any) -> p.View:
    return attrs.evolve(TABLE, **fields)


def test_the_board_of_a_player() -> None:
    assert text(TABLE) == [
        " BALLOON CUP                                                deck 20   discard 2",
        "",
        " Ben        ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ 8 cards",
        "╭─ 1 ─────────────╮ ╭─ 2 ─────────────╮ ╭─ 4 ─────────────╮",
        "│       e··       │ │     r·· b··     │ │ r·· r·· Y1  g·· │",
        "│        -        │ │        -        │ │      sum 1      │",
        "│  ▁▁▁ plain ▁▁▁  │ │ /\\ mountain /\\  │ │  ▁▁▁ plain ▁▁▁  │",
        "│       [E]       │ │     [R] [B]     │ │ [R] [R] [Y] [G] │",
        "│        -        │ │     sum 13      │ │     sum 25      │",
        "│       e··       │ │     R13 b··     │ │ R2  R11 y·· G12 │",
        "╰─ low sum wins ──╯ ╰─ high sum wins ─╯ ╰─ low sum wins ──╯",
        " Anna       R1 R7   Y11   E4",
        "",
        " trophies   R red 7      Y yellow 6   G green ★    B blue 4     E grey ★",
        " Ben ★      ······· 0    ■■■■■· 5       ■ x1       ···· 0       ★",
        " Anna ★     ■■■■··· 4    ······ 0     ★ ■ x3       ···· 0",
        " bag 4      3            0            0            1            0",
        "",
        " ▶ Anna: play a card",
    ]


def test_every_viewer_has_the_own_side_at_the_bottom() -> None:
    of_anna, of_ben = text(TABLE, 0), text(TABLE, 1)
    hand, cards_, sum_, terrain, cubes = 2, 4, 5, 6, 7
    assert [of_anna[row] for row in (cards_, sum_)] == [of_ben[row] for row in (9, 8)]
    assert [of_anna[row] for row in (terrain, cubes)] == [of_ben[row] for row in (terrain, cubes)]
    assert of_anna[hand] == of_ben[11] and of_anna[11] == of_ben[hand]
    assert text(TABLE, None) == of_anna


def test_a_hidden_hand_is_its_size_and_the_cards_of_it_that_were_shown() -> None:
    assert text(changed(hands=((), 1)))[2] == " Ben        ▒▒ 1 card"
    assert text(changed(hands=((), 1)))[11] == " Anna       no cards"
    assert text(changed(seen=((), cards("red-9", "blue-5"))))[2] == " Ben        8 cards, shown: R9   B5"


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"phase": "exchange", "to_act": (BEN,)}, " ▶ Ben: no card fits; exchange one to four"),
        ({"phase": "claim"}, " ▶ Anna: claim a trophy or decline"),
        ({"to_act": ()}, " The game is over."),
    ],
)
def test_the_last_line_says_who_does_what(fields: dict[str, Any], line: str) -> None:
    assert text(changed(**fields))[-1] == line


def test_a_table_without_tiles_can_still_be_drawn() -> None:
    assert " no tiles left" in text(changed(tiles=()))


def test_tiles_that_one_may_play_at_have_a_plus() -> None:
    legal = [{"type": "play", "card": "red-7", "tile": {"one_of": [2, 4]}, "side": 0}, {"type": "decline"}]
    frames = plain(draw(to_map(TABLE), 0, NAMES, legal=legal)[3])
    assert frames == "╭─ 1 ─────────────╮ ╭─ 2+ ────────────╮ ╭─ 4+ ────────────╮"


def test_the_tile_that_is_chosen_stands_out() -> None:
    chosen = {"type": "play", "card": "red-7", "tile": 2, "side": 0}
    line = looking(draw(to_map(TABLE), 0, NAMES, chosen=chosen))[3]
    assert [text[3] for style, text in line if style == "class:chosen"] == ["2"]


def test_colour_never_stands_alone() -> None:
    """Every piece that is coloured by a card or cube has its letter, or stands in the column that does."""
    for line in looking(draw(to_map(TABLE), 0, NAMES))[:14]:
        for style, piece in line:
            if style.startswith(("class:card.", "class:cube.", "class:room.")):
                letter = {"grey": "E"}.get(style.split(".")[1], style.split(".")[1][0].upper())
                assert letter in piece.upper()


def test_long_and_wide_names_move_nothing() -> None:
    plain_widths = [columns(line) for line in draw(to_map(changed(to_act=())), 0, NAMES)]
    for names in (("A" * 100, "B" * 100), ("安娜安娜安娜安娜", "本")):
        assert [columns(line) for line in draw(to_map(changed(to_act=())), 0, names)] == plain_widths
        assert max(columns(line) for line in draw(to_map(TABLE), 0, names)) <= 80


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("edition", ["standard", "italian"])
def test_every_board_of_whole_games_fits_80_by_24_for_every_viewer(seed: int, edition: str) -> None:
    game = GAMES["balloon-cup"]
    for beat in random_game(game, 2, bytes([seed] * 32), {"edition": edition}):
        for viewer, me in ((ANNA, 0), (BEN, 1), (None, None), (ALL, 0)):
            board = draw(to_map(project(game.view(beat.state), viewer)), me, NAMES)
            assert len(board) <= 19
            assert max(map(columns, board)) <= 79
            for piece in beat.news:
                assert words(tagged(project(piece, viewer)), NAMES)


SENTENCES: list[tuple[Any, str]] = [
    (p.TileFilled(3, "plain", ("red", "red", "grey")), "Tile 3 is now a plain; cubes: 2 red and 1 grey."),
    (p.TileFilled(1, "mountain", ("blue",)), "Tile 1 is now a mountain; cubes: 1 blue."),
    (p.HandDealt(ANNA, 8), "Anna was dealt 8 cards."),
    (p.HandDealt(ANNA, cards("red-1", "red-2")), "Anna was dealt 2 cards."),
    (p.FirstChosen(BEN), "The first turn went to Ben."),
    (p.CardPlayed(ANNA, C("red-7"), 3, ANNA), "Anna played red 7 at tile 3."),
    (p.CardPlayed(ANNA, C("red-7"), 3, BEN), "Anna played red 7 at tile 3, on the opponent's side."),
    (p.WindBlew(BEN, C("red-7"), 2, BEN, C("red-13")), "Ben blew red 13 away with red 7 at tile 2."),
    (
        p.TileScored(2, "mountain", (12, 20), BEN, ("red", "blue")),
        "Ben won tile 2, a mountain, 20 against 12: 1 red and 1 blue.",
    ),
    (p.TileRemoved(4), "Too few cubes were left for tile 4, and it left the game."),
    (p.TrophyTaken(ANNA, "green", 5, Counts(()), True), "Anna took the green trophy for 5 green."),
    (
        p.TrophyTaken(ANNA, "blue", 2, Counts((("red", 2),)), False),
        "Anna claimed the blue trophy for 2 blue and 6 red in trade.",
    ),
    (
        p.TrophyTaken(ANNA, "grey", 0, Counts((("green", 1), ("red", 2))), False),
        "Anna claimed the grey trophy for 3 green in trade and 6 red in trade.",
    ),
    (p.ClaimDeclined(BEN), "Ben claimed nothing more."),
    (p.CubesTraded(BEN, "red", "blue"), "Ben traded 3 red for 1 blue out of the bag."),
    (p.HandShown(ANNA, cards("blue-1", "red-10")), "Anna had no card that fitted and showed R10 B1."),
    (
        p.ColoursShown(ANNA, ("red", "red", "blue", "grey")),
        "Anna had no card that fitted and showed 2 red, 1 blue and 1 grey.",
    ),
    (p.HandShown(ANNA, ()), "Anna had no cards left."),
    (p.CardsExchanged(BEN, cards("red-1", "grey-4")), "Ben discarded R1 E4 and drew as many."),
    (p.DeckShuffled(12), "The discard pile was shuffled into a new deck of 12."),
    (p.CardDrawn(ANNA, None), "Anna drew a card."),
    (p.CardDrawn(ANNA, C("yellow-11")), "Anna drew yellow 11."),
    (p.TurnPassed(ANNA, 2), "Anna could not play a card."),
    (p.GameWon(BEN), "Ben took the third trophy and won."),
    (
        p.GameLocked((2, 1), (4, 9)),
        "No card fitted anywhere any more: Anna had 2 trophies and 4 cubes, Ben had 1 trophy and 9 cubes.",
    ),
]


@pytest.mark.parametrize(("news", "sentence"), SENTENCES)
def test_news_is_told_in_a_sentence(news: Any, sentence: str) -> None:
    assert words(tagged(news), NAMES) == sentence


TO_BEN = [
    (p.CardPlayed(ANNA, C("green-13"), 3, BEN), "Anna played green 13 at tile 3, on your side."),
    (p.CardPlayed(BEN, C("green-13"), 3, ANNA), "You played green 13 at tile 3, on the opponent's side."),
    (p.CardPlayed(BEN, C("green-13"), 3, BEN), "You played green 13 at tile 3."),
    (
        p.WindBlew(ANNA, C("red-7"), 2, BEN, C("red-13")),
        "Anna blew red 13 away with red 7 at tile 2, on your side.",
    ),
    (p.CardDrawn(BEN, C("yellow-11")), "You drew yellow 11."),
    (p.FirstChosen(BEN), "The first turn is yours."),
    (
        p.GameLocked((2, 1), (4, 9)),
        "No card fitted anywhere any more: Anna had 2 trophies and 4 cubes, you had 1 trophy and 9 cubes.",
    ),
]


@pytest.mark.parametrize(("news", "sentence"), TO_BEN)
def test_news_speaks_to_the_reader(news: Any, sentence: str) -> None:
    assert words(tagged(news), NAMES, me=BEN) == sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_news_is_told_in_every_language(language: str) -> None:
    for news, english in SENTENCES:
        told = words(tagged(news), NAMES, Texts(language))
        assert told[-1] in ".!。！" and (told == english) == (language == "en")


def test_every_kind_of_news_has_its_sentence() -> None:
    assert {type(news) for news, _ in SENTENCES} == set(p.NEWS)
