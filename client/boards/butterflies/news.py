"""What happens in Butterflies as sentences, and how its cards are called."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlour.client.boards.reader import News, Reader, of_a_seat
from parlour.client.language import ENGLISH, Texts
from parlour.protocol import messages as m

Names = Sequence[str]


def words(news: News, names: Names, texts: Texts = ENGLISH, me: int | None = None) -> str:
    """One piece of news as a sentence; nothing for a kind that a later server may have."""
    tell = _SENTENCES.get(news["type"])
    return tell(news, Reader(names, texts, me)) if tell is not None else ""


def called(card: str, texts: Texts = ENGLISH) -> str:
    """`monarch-red` as people say it: `red monarch`."""
    species, _, colour = card.partition("-")
    return texts("butterflies.card", species=named(species, texts), colour=named(colour, texts))


def named(word: str, texts: Texts = ENGLISH) -> str:
    """A colour or a species, as it stands on a goal."""
    return texts(f"butterflies.word.{word}")


def _at(at: Sequence[int]) -> str:
    return f"{at[0]},{at[1]}"


def _goals_dealt(news: News, reader: Reader) -> str:
    seen = [named(news[goal], reader.texts) for goal in ("colour", "species") if news[goal] is not None]
    if not seen:
        return reader.told("butterflies.news.goals_dealt.unseen", news["seat"])
    return reader.told("butterflies.news.goals_dealt.seen", news["seat"], goals=reader.texts.listed(seen))


def _hand_dealt(news: News, reader: Reader) -> str:
    cards = news["cards"]
    if isinstance(cards, int):
        return reader.told("butterflies.news.hand_dealt.unseen", news["seat"], count=cards)
    told = reader.texts.listed([called(card, reader.texts) for card in cards])
    return reader.told("butterflies.news.hand_dealt.seen", news["seat"], cards=told)


def _card_drawn(news: News, reader: Reader) -> str:
    if not news["card"]:
        return reader.told("butterflies.news.card_drawn.unseen", news["seat"])
    return reader.told(
        "butterflies.news.card_drawn.seen", news["seat"], card=called(news["card"], reader.texts)
    )


def _card_turned(news: News, reader: Reader) -> str:
    return reader.told("butterflies.news.card_turned", news["seat"], card=called(news["card"], reader.texts))


def _laid(key: str) -> Callable[[News, Reader], str]:
    return lambda news, reader: reader.told(
        key, news["seat"], card=called(news["card"], reader.texts), at=_at(news["at"])
    )


def _card_moved(news: News, reader: Reader) -> str:
    return reader.told(
        "butterflies.news.card_moved",
        news["seat"],
        card=called(news["card"], reader.texts),
        origin=_at(news["from"]),
        to=_at(news["to"]),
    )


def _token_placed(news: News, reader: Reader) -> str:
    return reader.told(
        f"butterflies.news.token_placed.{news['token']}",
        news["seat"],
        card=called(news["card"], reader.texts),
        at=_at(news["at"]),
    )


def _goal_declared(news: News, reader: Reader) -> str:
    met = "met" if news["met"] else "missed"
    seat, goal = news["seat"], named(news["word"], reader.texts)
    if news["owner"] == seat:
        return reader.told(f"butterflies.news.goal_declared.{met}", seat, goal=goal)
    if news["owner"] == reader.me:
        return reader.told(f"butterflies.news.your_goal_declared.{met}", seat, goal=goal)
    partner = reader.names[news["owner"]]
    return reader.told(f"butterflies.news.partner_goal_declared.{met}", seat, goal=goal, partner=partner)


def _game_won(news: News, reader: Reader) -> str:
    others = reader.texts.listed([reader.names[seat] for seat in news["seats"] if seat != reader.me])
    if not others:
        return reader.texts("butterflies.you.game_won")
    if reader.me in news["seats"]:
        return reader.texts("butterflies.news.your_team_won", who=others)
    return reader.texts("butterflies.news.game_won", who=others, count=len(news["seats"]))


def _game_drawn(news: News, reader: Reader) -> str:
    return reader.texts("butterflies.news.game_drawn", count=news["quiet"])


def won(view: Mapping[str, Any], result: m.Result, reader: Reader) -> str:
    """`Anna wins with a row of four: red.`"""
    if not result.winners or view["won"] is None:
        return words({"type": "game_drawn", "quiet": view["quiet"]}, reader.names, reader.texts)
    seat, goal = view["won"]["seat"], view["won"]["goal"]
    word = view["goals"][seat][goal]
    if word is None:
        return words({"type": "game_won", "seats": result.winners}, reader.names, reader.texts, reader.me)
    if len(result.winners) == 1:
        return reader.told("butterflies.news.won_by_goal", seat, goal=named(word, reader.texts))
    told = {
        "who": reader.texts.listed([reader.names[each] for each in result.winners]),
        "goal": named(word, reader.texts),
    }
    if reader.me is None:
        return reader.texts("butterflies.team_won", **told)
    won = "won" if reader.me in result.winners else "lost"
    return reader.texts(f"butterflies.news.your_team_{won}_by_goal", **told)


_SENTENCES: Mapping[str, Callable[[News, Reader], str]] = {
    "goals_dealt": _goals_dealt,
    "hand_dealt": _hand_dealt,
    "first_chosen": of_a_seat("butterflies.news.first_chosen"),
    "card_played": _laid("butterflies.news.card_played"),
    "card_drawn": _card_drawn,
    "card_turned": _card_turned,
    "card_placed": _laid("butterflies.news.card_placed"),
    "card_moved": _card_moved,
    "token_placed": _token_placed,
    "goal_declared": _goal_declared,
    "turn_passed": of_a_seat("butterflies.news.turn_passed"),
    "game_won": _game_won,
    "game_drawn": _game_drawn,
}
