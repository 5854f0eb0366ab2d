"""What happens in Hurry' Cup as sentences, and how its sections, pawns and tokens are called."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from parlour.client.language import ENGLISH, Texts
from parlour.engine.hurry_cup import public as p

News = Mapping[str, Any]
Names = Sequence[str]
_ENDS: Mapping[int, str] = {p.START: "start", p.FINISH: "finish"}


def words(news: News, names: Names, texts: Texts = ENGLISH) -> str:
    """One piece of news as a sentence; nothing for a kind that a later server may have."""
    tell = _SENTENCES.get(news["type"])
    return tell(news, names, texts) if tell is not None else ""


def colour(pawn: str, texts: Texts = ENGLISH) -> str:
    return texts(f"hurry.colour.{pawn}")


def where(way: Literal["to", "on", "origin"], section: int, texts: Texts) -> str:
    """`to section 5`, `on section 5`, `from section 5`: other languages bend the word for each."""
    return texts(f"hurry.{way}.{_ENDS.get(section, 'section')}", section=section)


def _bonus(token: str, texts: Texts) -> str:
    return texts.or_else(f"hurry.bonus.{token}", token)


def _dice(values: Sequence[int], texts: Texts) -> str:
    told = [
        texts("hurry.die", colour=colour(pawn, texts), value=value)
        for pawn, value in zip(p.PAWNS, values, strict=False)
    ]
    return texts.listed(told)


def _race_begun(news: News, names: Names, texts: Texts) -> str:
    return texts("hurry.news.race_begun", race=news["race"], who=names[news["starter"]])


def _round_begun(news: News, names: Names, texts: Texts) -> str:
    return texts("hurry.news.round_begun", round=news["round"], who=names[news["starter"]])


def _lantern_used(news: News, names: Names, texts: Texts) -> str:
    to = where("to", news["section"], texts)
    return texts("hurry.news.lantern_used", who=names[news["seat"]], to=to)


def _boosted(news: News, names: Names, texts: Texts) -> str:
    return texts("hurry.news.boosted", who=names[news["seat"]], to=where("to", news["section"], texts))


def _token_skipped(news: News, names: Names, texts: Texts) -> str:
    return texts("hurry.news.token_skipped", who=names[news["seat"]], bonus=_bonus(news["token"], texts))


def _accelerator_rolled(news: News, _: Names, texts: Texts) -> str:
    return texts("hurry.news.accelerator_rolled", value=news["value"])


def _honked(news: News, names: Names, texts: Texts) -> str:
    return texts(f"hurry.news.honked.{news['via']}", who=names[news["seat"]])


def _cup_lifted(news: News, names: Names, texts: Texts) -> str:
    who = names[news["seat"]]
    if news["dice"] is None:
        return texts("hurry.news.cup_lifted.unseen", who=who)
    return texts("hurry.news.cup_lifted.seen", who=who, dice=_dice(news["dice"], texts))


def _dice_opened(news: News, _: Names, texts: Texts) -> str:
    return texts("hurry.news.dice_opened", dice=_dice(news["dice"], texts))


def _pawn_taken(news: News, names: Names, texts: Texts) -> str:
    return texts("hurry.news.pawn_taken", who=names[news["seat"]], pawn=texts(f"hurry.pawn.{news['pawn']}"))


def _ranking_sealed(news: News, names: Names, texts: Texts) -> str:
    who = names[news["seat"]]
    if news["pawns"] is None:
        return texts("hurry.news.ranking_sealed.unseen", who=who)
    ranked = texts("list.between").join(colour(pawn, texts) for pawn in news["pawns"])
    return texts("hurry.news.ranking_sealed.seen", who=who, pawns=ranked)


def _rankings_opened(news: News, names: Names, texts: Texts) -> str:
    return texts("hurry.news.rankings_opened", order=texts.listed([names[seat] for seat in news["order"]]))


def _pawns_swapped(news: News, names: Names, texts: Texts) -> str:
    return texts("hurry.news.pawns_swapped", who=names[news["seat"]], other=names[news["with"]])


def _helmet_put_on(news: News, names: Names, texts: Texts) -> str:
    return texts(f"hurry.news.helmet_put_on.{news['via']}", who=names[news["seat"]])


def _die_rerolled(news: News, names: Names, texts: Texts) -> str:
    return texts(
        "hurry.news.die_rerolled",
        who=names[news["seat"]],
        colour=colour(news["pawn"], texts),
        value=news["value"],
    )


def _car_moved(news: News, names: Names, texts: Texts) -> str:
    who, entered = names[news["seat"]], news["entered"]
    to = where("to", entered[-1] if entered else news["from"], texts)
    if news["detour"] is None:
        return texts("hurry.news.car_moved", who=who, count=len(entered), to=to)
    origin = where("origin", news["detour"], texts)
    return texts("hurry.news.car_detoured", who=who, count=len(entered), to=to, origin=origin)


def _car_stayed(news: News, names: Names, texts: Texts) -> str:
    got = "consoled" if news["second_chance"] else "alone"
    return texts(
        f"hurry.news.car_stayed.{got}",
        who=names[news["seat"]],
        origin=where("origin", news["section"], texts),
    )


def _nitro_used(news: News, names: Names, texts: Texts) -> str:
    to = where("to", news["section"], texts)
    return texts(f"hurry.news.nitro_used.{news['via']}", who=names[news["seat"]], to=to)


def _oil_spilled(news: News, names: Names, texts: Texts) -> str:
    return texts("hurry.news.oil_spilled", who=names[news["seat"]], on=where("on", news["section"], texts))


def _bonus_taken(news: News, names: Names, texts: Texts) -> str:
    return texts(
        "hurry.news.bonus_taken",
        who=names[news["seat"]],
        bonus=_bonus(news["token"], texts),
        on=where("on", news["section"], texts),
    )


def _car_finished(news: News, names: Names, texts: Texts) -> str:
    place = texts.or_else(f"hurry.place.{news['place']}", str(news["place"]))
    return texts("hurry.news.car_finished", who=names[news["seat"]], place=place)


def _lantern_given(news: News, names: Names, texts: Texts) -> str:
    if news["seat"] is None:
        return texts("hurry.news.lantern_left")
    return texts("hurry.news.lantern_given", who=names[news["seat"]])


def _race_scored(news: News, names: Names, texts: Texts) -> str:
    told = [
        texts("hurry.scored", who=name, points=points)
        for name, points in zip(names, news["points"], strict=False)
    ]
    return texts("hurry.news.race_scored", race=news["race"], points=texts.listed(told))


def _race_over(news: News, _: Names, texts: Texts) -> str:
    return texts("hurry.news.race_over", race=news["race"])


def _of_a_seat(key: str) -> Callable[[News, Names, Texts], str]:
    """A sentence that needs no other fact than who it is about."""
    return lambda news, names, texts: texts(key, who=names[news["seat"]])


_SENTENCES: Mapping[str, Callable[[News, Names, Texts], str]] = {
    "race_begun": _race_begun,
    "round_begun": _round_begun,
    "tank_emptied": _of_a_seat("hurry.news.tank_emptied"),
    "lantern_used": _lantern_used,
    "lantern_unused": _of_a_seat("hurry.news.lantern_unused"),
    "boosted": _boosted,
    "token_skipped": _token_skipped,
    "accelerator_rolled": _accelerator_rolled,
    "honked": _honked,
    "quiet_kept": _of_a_seat("hurry.news.quiet_kept"),
    "cup_lifted": _cup_lifted,
    "dice_opened": _dice_opened,
    "pawn_taken": _pawn_taken,
    "ranking_sealed": _ranking_sealed,
    "rankings_opened": _rankings_opened,
    "pawns_swapped": _pawns_swapped,
    "helmet_put_on": _helmet_put_on,
    "die_rerolled": _die_rerolled,
    "car_moved": _car_moved,
    "car_stayed": _car_stayed,
    "nitro_used": _nitro_used,
    "oil_spilled": _oil_spilled,
    "bonus_taken": _bonus_taken,
    "car_finished": _car_finished,
    "lantern_given": _lantern_given,
    "race_scored": _race_scored,
    "race_over": _race_over,
}
