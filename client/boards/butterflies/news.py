"""What happens in Butterflies as sentences, and how its cards are called."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlour.client.language import ENGLISH, Texts

News = Mapping[str, Any]
Names = Sequence[str]


def words(news: News, names: Names, texts: Texts = ENGLISH) -> str:
    """One piece of news as a sentence; nothing for a kind that a later server may have."""
    tell = _SENTENCES.get(news["type"])
    return tell(news, names, texts) if tell is not None else ""


def called(card: str, texts: Texts = ENGLISH) -> str:
    """`monarch-red` as people say it: `red monarch`."""
    species, _, colour = card.partition("-")
    return texts("butterflies.card", species=named(species, texts), colour=named(colour, texts))


def named(word: str, texts: Texts = ENGLISH) -> str:
    """A colour or a species, as it stands on a goal."""
    return texts(f"butterflies.word.{word}")


def _at(at: Sequence[int]) -> str:
    return f"{at[0]},{at[1]}"


def _goals_dealt(news: News, names: Names, texts: Texts) -> str:
    who = names[news["seat"]]
    seen = [named(news[goal], texts) for goal in ("colour", "species") if news[goal] is not None]
    if not seen:
        return texts("butterflies.news.goals_dealt.unseen", who=who)
    return texts("butterflies.news.goals_dealt.seen", who=who, goals=texts.listed(seen))


def _hand_dealt(news: News, names: Names, texts: Texts) -> str:
    who, cards = names[news["seat"]], news["cards"]
    if isinstance(cards, int):
        return texts("butterflies.news.hand_dealt.unseen", who=who, count=cards)
    told = texts.listed([called(card, texts) for card in cards])
    return texts("butterflies.news.hand_dealt.seen", who=who, cards=told)


def _card_drawn(news: News, names: Names, texts: Texts) -> str:
    who = names[news["seat"]]
    if not news["card"]:
        return texts("butterflies.news.card_drawn.unseen", who=who)
    return texts("butterflies.news.card_drawn.seen", who=who, card=called(news["card"], texts))


def _card_turned(news: News, names: Names, texts: Texts) -> str:
    return texts("butterflies.news.card_turned", who=names[news["seat"]], card=called(news["card"], texts))


def _laid(key: str) -> Callable[[News, Names, Texts], str]:
    return lambda news, names, texts: texts(
        key, who=names[news["seat"]], card=called(news["card"], texts), at=_at(news["at"])
    )


def _card_moved(news: News, names: Names, texts: Texts) -> str:
    return texts(
        "butterflies.news.card_moved",
        who=names[news["seat"]],
        card=called(news["card"], texts),
        origin=_at(news["from"]),
        to=_at(news["to"]),
    )


def _token_placed(news: News, names: Names, texts: Texts) -> str:
    return texts(
        f"butterflies.news.token_placed.{news['token']}",
        who=names[news["seat"]],
        card=called(news["card"], texts),
        at=_at(news["at"]),
    )


def _goal_declared(news: News, names: Names, texts: Texts) -> str:
    met = "met" if news["met"] else "missed"
    who, goal = names[news["seat"]], named(news["word"], texts)
    if news["owner"] == news["seat"]:
        return texts(f"butterflies.news.goal_declared.{met}", who=who, goal=goal)
    partner = names[news["owner"]]
    return texts(f"butterflies.news.partner_goal_declared.{met}", who=who, goal=goal, partner=partner)


def _game_won(news: News, names: Names, texts: Texts) -> str:
    winners = texts.listed([names[seat] for seat in news["seats"]])
    return texts("butterflies.news.game_won", who=winners, count=len(news["seats"]))


def _game_drawn(news: News, _: Names, texts: Texts) -> str:
    return texts("butterflies.news.game_drawn", count=news["quiet"])


def _of_a_seat(key: str) -> Callable[[News, Names, Texts], str]:
    """A sentence that needs no other fact than who it is about."""
    return lambda news, names, texts: texts(key, who=names[news["seat"]])


_SENTENCES: Mapping[str, Callable[[News, Names, Texts], str]] = {
    "goals_dealt": _goals_dealt,
    "hand_dealt": _hand_dealt,
    "first_chosen": _of_a_seat("butterflies.news.first_chosen"),
    "card_played": _laid("butterflies.news.card_played"),
    "card_drawn": _card_drawn,
    "card_turned": _card_turned,
    "card_placed": _laid("butterflies.news.card_placed"),
    "card_moved": _card_moved,
    "token_placed": _token_placed,
    "goal_declared": _goal_declared,
    "turn_passed": _of_a_seat("butterflies.news.turn_passed"),
    "game_won": _game_won,
    "game_drawn": _game_drawn,
}
