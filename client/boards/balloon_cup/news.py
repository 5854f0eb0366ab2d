"""What happens in Balloon Cup as sentences, and how its cards, colours and cubes are called."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from parlour.client.language import ENGLISH, Texts
from parlour.engine.balloon_cup import public as p

News = Mapping[str, Any]
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


def words(news: News, names: Names, texts: Texts = ENGLISH) -> str:
    """One piece of news as a sentence; nothing for a kind that a later server may have."""
    tell = _SENTENCES.get(news["type"])
    return tell(news, names, texts) if tell is not None else ""


def _shorts(cards: Iterable[p.Card]) -> str:
    return " ".join(map(short, in_order(cards)))


def amount(colour: p.Colour, count: int, texts: Texts) -> str:
    """So many cubes: `3 red`."""
    return texts(f"balloon.amount.{colour}", count=count)


def _amounts(colours: Iterable[p.Colour], texts: Texts) -> str:
    """Colours with how many there are of each: `2 red and 1 blue`."""
    counted = Counter(colours)
    return texts.listed([amount(each, counted[each], texts) for each in p.COLOURS if counted[each]])


def _tile_filled(news: News, _: Names, texts: Texts) -> str:
    return texts(
        f"balloon.news.tile_filled.{news['terrain']}",
        tile=news["tile"],
        cubes=_amounts(news["cubes"], texts),
        count=len(news["cubes"]),
    )


def _hand_dealt(news: News, names: Names, texts: Texts) -> str:
    return texts("balloon.news.hand_dealt", who=names[news["seat"]], count=size(news["cards"]))


def _card_played(news: News, names: Names, texts: Texts) -> str:
    side = "own" if news["side"] == news["seat"] else "other"
    return texts(
        f"balloon.news.card_played.{side}",
        who=names[news["seat"]],
        card=called(news["card"], texts),
        tile=news["tile"],
    )


def _wind_blew(news: News, names: Names, texts: Texts) -> str:
    side = "own" if news["side"] == news["seat"] else "other"
    return texts(
        f"balloon.news.wind_blew.{side}",
        who=names[news["seat"]],
        card=called(news["card"], texts),
        replaced=called(news["replaced"], texts),
        tile=news["tile"],
    )


def _tile_scored(news: News, names: Names, texts: Texts) -> str:
    return texts(
        f"balloon.news.tile_scored.{news['terrain']}",
        who=names[news["winner"]],
        tile=news["tile"],
        sum=news["sums"][news["winner"]],
        other=news["sums"][1 - news["winner"]],
        cubes=_amounts(news["cubes"], texts),
    )


def _tile_removed(news: News, _: Names, texts: Texts) -> str:
    return texts("balloon.news.tile_removed", tile=news["tile"])


def _trophy_taken(news: News, names: Names, texts: Texts) -> str:
    paid = [amount(news["trophy"], news["paid"], texts)] if news["paid"] else []
    paid += [
        texts("balloon.traded", amount=amount(colour, p.CUBES_IN_A_TRADE * triples, texts))
        for colour, triples in news["trades"].items()
    ]
    return texts(
        f"balloon.news.trophy_taken.{'forced' if news['forced'] else 'claimed'}",
        who=names[news["seat"]],
        trophy=texts(f"balloon.colour.{news['trophy']}"),
        paid=texts.listed(paid),
    )


def _cubes_traded(news: News, names: Names, texts: Texts) -> str:
    return texts(
        "balloon.news.cubes_traded",
        who=names[news["seat"]],
        given=amount(news["give"], p.CUBES_IN_A_TRADE, texts),
        taken=amount(news["take"], 1, texts),
    )


def _hand_shown(news: News, names: Names, texts: Texts) -> str:
    if not news["cards"]:
        return texts("balloon.news.nothing_shown", who=names[news["seat"]])
    return texts("balloon.news.hand_shown", who=names[news["seat"]], cards=_shorts(news["cards"]))


def _colours_shown(news: News, names: Names, texts: Texts) -> str:
    if not news["colours"]:
        return texts("balloon.news.nothing_shown", who=names[news["seat"]])
    colours = _amounts(news["colours"], texts)
    return texts("balloon.news.colours_shown", who=names[news["seat"]], colours=colours)


def _cards_exchanged(news: News, names: Names, texts: Texts) -> str:
    return texts("balloon.news.cards_exchanged", who=names[news["seat"]], cards=_shorts(news["cards"]))


def _deck_shuffled(news: News, _: Names, texts: Texts) -> str:
    return texts("balloon.news.deck_shuffled", count=news["cards"])


def _card_drawn(news: News, names: Names, texts: Texts) -> str:
    if not news["card"]:
        return texts("balloon.news.card_drawn.unseen", who=names[news["seat"]])
    return texts("balloon.news.card_drawn.seen", who=names[news["seat"]], card=called(news["card"], texts))


def _game_locked(news: News, names: Names, texts: Texts) -> str:
    told = [
        texts(
            "balloon.standing",
            who=name,
            trophies=texts("balloon.trophy_count", count=trophies),
            cubes=texts("balloon.cube_count", count=cubes),
        )
        for name, trophies, cubes in zip(names, news["trophies"], news["cubes"], strict=True)
    ]
    return texts("balloon.news.game_locked", standings=texts("list.between").join(told))


def _of_a_seat(key: str) -> Callable[[News, Names, Texts], str]:
    """A sentence that needs no other fact than who it is about."""
    return lambda news, names, texts: texts(key, who=names[news["seat"]])


_SENTENCES: Mapping[str, Callable[[News, Names, Texts], str]] = {
    "tile_filled": _tile_filled,
    "hand_dealt": _hand_dealt,
    "first_chosen": _of_a_seat("balloon.news.first_chosen"),
    "card_played": _card_played,
    "wind_blew": _wind_blew,
    "tile_scored": _tile_scored,
    "tile_removed": _tile_removed,
    "trophy_taken": _trophy_taken,
    "claim_declined": _of_a_seat("balloon.news.claim_declined"),
    "cubes_traded": _cubes_traded,
    "hand_shown": _hand_shown,
    "colours_shown": _colours_shown,
    "cards_exchanged": _cards_exchanged,
    "deck_shuffled": _deck_shuffled,
    "card_drawn": _card_drawn,
    "turn_passed": _of_a_seat("balloon.news.turn_passed"),
    "game_won": _of_a_seat("balloon.news.game_won"),
    "game_locked": _game_locked,
}
