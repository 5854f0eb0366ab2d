"""What happens in Butterflies as sentences, in the past tense, so that "You" can stand where a name does."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlour.client.pictures.text import listed

News = Mapping[str, Any]
Names = Sequence[str]


def words(news: News, names: Names) -> str:
    """One piece of news as a sentence; nothing for a kind that a later server may have."""
    tell = _SENTENCES.get(news["type"])
    return tell(news, names) if tell is not None else ""


def called(card: str) -> str:
    """`monarch-red` as people say it: `red monarch`."""
    species, _, colour = card.partition("-")
    return f"{colour} {species}"


def _who(news: News, names: Names) -> str:
    return names[news["seat"]]


def _at(at: Sequence[int]) -> str:
    return f"{at[0]},{at[1]}"


def _goals_dealt(news: News, names: Names) -> str:
    seen = [str(news[goal]) for goal in ("colour", "species") if news[goal] is not None]
    told = f": {listed(seen)}" if seen else ""
    return f"{_who(news, names)} got two secret goals{told}."


def _hand_dealt(news: News, names: Names) -> str:
    cards = news["cards"]
    told = listed([called(card) for card in cards]) if not isinstance(cards, int) else f"{cards} cards"
    return f"{_who(news, names)} picked up {told}."


def _first_chosen(news: News, names: Names) -> str:
    return f"The first turn went to {_who(news, names)}."


def _card_played(news: News, names: Names) -> str:
    return f"{_who(news, names)} played the {called(news['card'])} at {_at(news['at'])}."


def _card_drawn(news: News, names: Names) -> str:
    return f"{_who(news, names)} drew {'the ' + called(news['card']) if news['card'] else 'a card'}."


def _card_turned(news: News, names: Names) -> str:
    return f"{_who(news, names)} turned up the {called(news['card'])}."


def _card_placed(news: News, names: Names) -> str:
    return f"{_who(news, names)} placed the {called(news['card'])} at {_at(news['at'])}."


def _card_moved(news: News, names: Names) -> str:
    return (
        f"{_who(news, names)} moved the {called(news['card'])} from {_at(news['from'])} to {_at(news['to'])}."
    )


def _token_placed(news: News, names: Names) -> str:
    return f"{_who(news, names)} put a {news['token']} on the {called(news['card'])} at {_at(news['at'])}."


def _goal_declared(news: News, names: Names) -> str:
    whose = "" if news["owner"] == news["seat"] else f" for {names[news['owner']]}"
    met = "the row was there!" if news["met"] else "the row was not there."
    return f"{_who(news, names)} declared {news['word']}{whose}, and {met}"


def _turn_passed(news: News, names: Names) -> str:
    return f"{_who(news, names)} could do nothing."


def _game_won(news: News, names: Names) -> str:
    return f"{listed([names[seat] for seat in news['seats']])} won."


def _game_drawn(news: News, _: Names) -> str:
    return f"No card was laid for {news['quiet']} turns: nobody won."


_SENTENCES: Mapping[str, Callable[[News, Names], str]] = {
    "goals_dealt": _goals_dealt,
    "hand_dealt": _hand_dealt,
    "first_chosen": _first_chosen,
    "card_played": _card_played,
    "card_drawn": _card_drawn,
    "card_turned": _card_turned,
    "card_placed": _card_placed,
    "card_moved": _card_moved,
    "token_placed": _token_placed,
    "goal_declared": _goal_declared,
    "turn_passed": _turn_passed,
    "game_won": _game_won,
    "game_drawn": _game_drawn,
}
