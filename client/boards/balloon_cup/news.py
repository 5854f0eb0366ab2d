"""What happens in Balloon Cup as sentences, and how its cards, colours and cubes are called."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from parlour.client.boards.reader import News, Reader, of_a_seat
from parlour.client.language import ENGLISH, Texts
from parlour.engine.balloon_cup import public as p
from parlour.protocol import messages as m

Names = Sequence[str]
LETTERS: Mapping[p.Colour, str] = {"red": "R", "yellow": "Y", "green": "G", "blue": "B", "grey": "E"}
"""The same in every language, so that players of several can talk about a card."""


def colour_of(card: p.Card) -> p.Colour:
    return next(colour for colour in p.COLOURS if card.startswith(colour))


def value_of(card: p.Card) -> int:
    return int(card.rpartition("-")[2])


def short(card: p.Card) -> str:
    """A card in as few letters as possible: `R13`."""
    return f"{LETTERS[colour_of(card)]}{value_of(card)}"


def in_order(cards: Iterable[p.Card]) -> list[p.Card]:
    return sorted(cards, key=p.CARDS.index)


def called(card: p.Card, texts: Texts = ENGLISH) -> str:
    """A card as the object of a sentence: `red 13`."""
    return texts(f"balloon.card.{colour_of(card)}", value=value_of(card))


def size(pile: Any) -> int:
    return pile if isinstance(pile, int) else len(pile or ())


def words(news: News, names: Names, texts: Texts = ENGLISH, me: int | None = None) -> str:
    """One piece of news as a sentence; nothing for a kind that a later server may have."""
    tell = _SENTENCES.get(news["type"])
    return tell(news, Reader(names, texts, me)) if tell is not None else ""


def _shorts(cards: Iterable[p.Card]) -> str:
    return " ".join(map(short, in_order(cards)))


def amount(colour: p.Colour, count: int, texts: Texts) -> str:
    """So many cubes: `3 red`."""
    return texts(f"balloon.amount.{colour}", count=count)


def _amounts(colours: Iterable[p.Colour], texts: Texts) -> str:
    """Colours with how many there are of each: `2 red and 1 blue`."""
    counted = Counter(colours)
    return texts.listed([amount(each, counted[each], texts) for each in p.COLOURS if counted[each]])


def _tile_filled(news: News, reader: Reader) -> str:
    return reader.texts(
        f"balloon.news.tile_filled.{news['terrain']}",
        tile=news["tile"],
        cubes=_amounts(news["cubes"], reader.texts),
    )


def _hand_dealt(news: News, reader: Reader) -> str:
    return reader.told("balloon.news.hand_dealt", news["seat"], count=size(news["cards"]))


def _whose_side(news: News, reader: Reader) -> str:
    """Of a tile: the player's own, the reader's, or that of the player's opponent."""
    if news["side"] == news["seat"]:
        return "own"
    return "yours" if news["side"] == reader.me else "other"


def _card_played(news: News, reader: Reader) -> str:
    return reader.told(
        f"balloon.news.card_played.{_whose_side(news, reader)}",
        news["seat"],
        card=called(news["card"], reader.texts),
        tile=news["tile"],
    )


def _wind_blew(news: News, reader: Reader) -> str:
    return reader.told(
        f"balloon.news.wind_blew.{_whose_side(news, reader)}",
        news["seat"],
        card=called(news["card"], reader.texts),
        replaced=called(news["replaced"], reader.texts),
        tile=news["tile"],
    )


def _tile_scored(news: News, reader: Reader) -> str:
    scored = reader.told(
        f"balloon.news.tile_scored.{news['terrain']}",
        news["winner"],
        tile=news["tile"],
        sum=news["sums"][news["winner"]],
        other=news["sums"][1 - news["winner"]],
        cubes=_amounts(news["cubes"], reader.texts),
    )
    tied = news["sums"][0] == news["sums"][1]
    return reader.texts.in_a_row([scored, reader.texts("balloon.tied")]) if tied else scored


def _tile_removed(news: News, reader: Reader) -> str:
    return reader.texts("balloon.news.tile_removed", tile=news["tile"])


def _trophy_taken(news: News, reader: Reader) -> str:
    paid = [amount(news["trophy"], news["paid"], reader.texts)] if news["paid"] else []
    paid += [
        reader.texts("balloon.traded", amount=amount(colour, p.CUBES_IN_A_TRADE * triples, reader.texts))
        for colour, triples in news["trades"].items()
    ]
    return reader.told(
        f"balloon.news.trophy_taken.{'forced' if news['forced'] else 'claimed'}",
        news["seat"],
        trophy=reader.texts(f"balloon.colour.{news['trophy']}"),
        paid=reader.texts.listed(paid),
    )


def _cubes_traded(news: News, reader: Reader) -> str:
    return reader.told(
        "balloon.news.cubes_traded",
        news["seat"],
        given=amount(news["give"], p.CUBES_IN_A_TRADE, reader.texts),
        taken=amount(news["take"], 1, reader.texts),
    )


def _hand_shown(news: News, reader: Reader) -> str:
    if not news["cards"]:
        return reader.told("balloon.news.nothing_shown", news["seat"])
    return reader.told("balloon.news.hand_shown", news["seat"], cards=_shorts(news["cards"]))


def _colours_shown(news: News, reader: Reader) -> str:
    if not news["colours"]:
        return reader.told("balloon.news.nothing_shown", news["seat"])
    colours = _amounts(news["colours"], reader.texts)
    return reader.told("balloon.news.colours_shown", news["seat"], colours=colours)


def _cards_exchanged(news: News, reader: Reader) -> str:
    return reader.told("balloon.news.cards_exchanged", news["seat"], cards=_shorts(news["cards"]))


def _deck_shuffled(news: News, reader: Reader) -> str:
    return reader.texts("balloon.news.deck_shuffled", count=news["cards"])


def _card_drawn(news: News, reader: Reader) -> str:
    if not news["card"]:
        return reader.told("balloon.news.card_drawn.unseen", news["seat"])
    return reader.told("balloon.news.card_drawn.seen", news["seat"], card=called(news["card"], reader.texts))


def _game_locked(news: News, reader: Reader) -> str:
    told = [
        reader.texts(
            "balloon.standing",
            who=reader.who(seat),
            trophies=reader.texts("balloon.trophy_count", count=trophies),
            cubes=reader.texts("balloon.cube_count", count=cubes),
        )
        for seat, (trophies, cubes) in enumerate(zip(news["trophies"], news["cubes"], strict=True))
    ]
    return reader.texts("balloon.news.game_locked", standings=reader.texts("list.between").join(told))


def won(view: Mapping[str, Any], result: m.Result, reader: Reader) -> str:
    """`Anna wins 3 trophies to 0.`"""
    trophies = [list(view["trophies"].values()).count(seat) for seat in (0, 1)]
    cubes = [sum(view["cubes"][seat].values()) for seat in (0, 1)]
    told = [reader.texts("balloon.locked")] if result.reason == "locked" else []
    if not result.winners:
        return reader.texts.in_a_row([*told, reader.texts("balloon.level")])
    winner = result.winners[0]
    kind, counts = ("trophies", trophies) if trophies[0] != trophies[1] else ("cubes", cubes)
    by = reader.told(f"balloon.news.won_by.{kind}", winner, count=counts[winner], other=counts[1 - winner])
    return reader.texts.in_a_row([*told, by])


_SENTENCES: Mapping[str, Callable[[News, Reader], str]] = {
    "tile_filled": _tile_filled,
    "hand_dealt": _hand_dealt,
    "first_chosen": of_a_seat("balloon.news.first_chosen"),
    "card_played": _card_played,
    "wind_blew": _wind_blew,
    "tile_scored": _tile_scored,
    "tile_removed": _tile_removed,
    "trophy_taken": _trophy_taken,
    "claim_declined": of_a_seat("balloon.news.claim_declined"),
    "cubes_traded": _cubes_traded,
    "hand_shown": _hand_shown,
    "colours_shown": _colours_shown,
    "cards_exchanged": _cards_exchanged,
    "deck_shuffled": _deck_shuffled,
    "card_drawn": _card_drawn,
    "turn_passed": of_a_seat("balloon.news.turn_passed"),
    "game_won": of_a_seat("balloon.news.game_won"),
    "game_locked": _game_locked,
}
