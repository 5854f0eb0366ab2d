"""What happens in Hurry' Cup as sentences, and how its sections, pawns and tokens are called."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from parlour.client.boards.reader import News, Reader, of_a_seat
from parlour.client.language import ENGLISH, Texts
from parlour.engine.hurry_cup import public as p
from parlour.protocol import messages as m

Names = Sequence[str]
_ENDS: Mapping[int, str] = {p.START: "start", p.FINISH: "finish"}


def words(news: News, names: Names, texts: Texts = ENGLISH, me: int | None = None) -> str:
    """One piece of news as a sentence; nothing for a kind that a later server may have."""
    tell = _SENTENCES.get(news["type"])
    return tell(news, Reader(names, texts, me)) if tell is not None else ""


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


def _race_begun(news: News, reader: Reader) -> str:
    return reader.told("hurry.news.race_begun", news["starter"], race=news["race"])


def _round_begun(news: News, reader: Reader) -> str:
    return reader.told("hurry.news.round_begun", news["starter"], round=news["round"])


def _lantern_used(news: News, reader: Reader) -> str:
    to = where("to", news["section"], reader.texts)
    return reader.told("hurry.news.lantern_used", news["seat"], to=to)


def _boosted(news: News, reader: Reader) -> str:
    return reader.told("hurry.news.boosted", news["seat"], to=where("to", news["section"], reader.texts))


def _token_skipped(news: News, reader: Reader) -> str:
    return reader.told("hurry.news.token_skipped", news["seat"], bonus=_bonus(news["token"], reader.texts))


def _accelerator_rolled(news: News, reader: Reader) -> str:
    return reader.texts("hurry.news.accelerator_rolled", value=news["value"])


def _honked(news: News, reader: Reader) -> str:
    return reader.told(f"hurry.news.honked.{news['via']}", news["seat"])


def _cup_lifted(news: News, reader: Reader) -> str:
    if news["dice"] is None:
        return reader.told("hurry.news.cup_lifted.unseen", news["seat"])
    return reader.told("hurry.news.cup_lifted.seen", news["seat"], dice=_dice(news["dice"], reader.texts))


def _dice_opened(news: News, reader: Reader) -> str:
    return reader.texts("hurry.news.dice_opened", dice=_dice(news["dice"], reader.texts))


def _pawn_taken(news: News, reader: Reader) -> str:
    return reader.told("hurry.news.pawn_taken", news["seat"], pawn=reader.texts(f"hurry.pawn.{news['pawn']}"))


def _ranking_sealed(news: News, reader: Reader) -> str:
    if news["pawns"] is None:
        return reader.told("hurry.news.ranking_sealed.unseen", news["seat"])
    ranked = reader.texts("list.between").join(colour(pawn, reader.texts) for pawn in news["pawns"])
    return reader.told("hurry.news.ranking_sealed.seen", news["seat"], pawns=ranked)


def _rankings_opened(news: News, reader: Reader) -> str:
    return reader.texts(
        "hurry.news.rankings_opened", order=reader.texts.listed([reader.who(seat) for seat in news["order"]])
    )


def _pawns_swapped(news: News, reader: Reader) -> str:
    if news["with"] == reader.me:
        return reader.told("hurry.news.your_pawn_swapped", news["seat"])
    return reader.told("hurry.news.pawns_swapped", news["seat"], other=reader.names[news["with"]])


def _helmet_put_on(news: News, reader: Reader) -> str:
    return reader.told(f"hurry.news.helmet_put_on.{news['via']}", news["seat"])


def _die_rerolled(news: News, reader: Reader) -> str:
    return reader.told(
        "hurry.news.die_rerolled",
        news["seat"],
        colour=colour(news["pawn"], reader.texts),
        value=news["value"],
    )


def _car_moved(news: News, reader: Reader) -> str:
    seat, entered = news["seat"], news["entered"]
    to = where("to", entered[-1] if entered else news["from"], reader.texts)
    if news["detour"] is None:
        return reader.told("hurry.news.car_moved", seat, count=len(entered), to=to)
    origin = where("origin", news["detour"], reader.texts)
    return reader.told("hurry.news.car_detoured", seat, count=len(entered), to=to, origin=origin)


def _car_stayed(news: News, reader: Reader) -> str:
    got = "consoled" if news["second_chance"] else "alone"
    return reader.told(
        f"hurry.news.car_stayed.{got}",
        news["seat"],
        origin=where("origin", news["section"], reader.texts),
    )


def _nitro_used(news: News, reader: Reader) -> str:
    to = where("to", news["section"], reader.texts)
    return reader.told(f"hurry.news.nitro_used.{news['via']}", news["seat"], to=to)


def _oil_spilled(news: News, reader: Reader) -> str:
    return reader.told("hurry.news.oil_spilled", news["seat"], on=where("on", news["section"], reader.texts))


def _bonus_taken(news: News, reader: Reader) -> str:
    return reader.told(
        "hurry.news.bonus_taken",
        news["seat"],
        bonus=_bonus(news["token"], reader.texts),
        on=where("on", news["section"], reader.texts),
    )


def _car_finished(news: News, reader: Reader) -> str:
    place = reader.texts.or_else(f"hurry.place.{news['place']}", str(news["place"]))
    return reader.told("hurry.news.car_finished", news["seat"], place=place)


def _lantern_given(news: News, reader: Reader) -> str:
    if news["seat"] is None:
        return reader.texts("hurry.news.lantern_left")
    return reader.told("hurry.news.lantern_given", news["seat"])


def _race_scored(news: News, reader: Reader) -> str:
    told = [
        reader.texts("hurry.scored", who=reader.who(seat), points=points)
        for seat, points in enumerate(news["points"])
    ]
    return reader.texts("hurry.news.race_scored", race=news["race"], points=reader.texts.listed(told))


def interval(news: News, view: Mapping[str, Any], names: Names, texts: Texts) -> list[str]:
    """After a race of a championship that goes on: how everybody stands, best first."""
    races = view["options"].get("races", 1)
    if news["type"] != "race_scored" or news["race"] >= races:
        return []
    totals = view["points"]
    order = sorted(range(len(names)), key=lambda seat: -totals[seat])
    return [
        texts("hurry.after_race", race=news["race"], races=races),
        *[
            texts(
                "hurry.stands",
                place=1 + sum(total > totals[seat] for total in totals),
                who=names[seat],
                crew=texts(f"hurry.crew.{seat + 1}"),
                total=totals[seat],
                points=news["points"][seat],
            )
            for seat in order
        ],
    ]


def _race_over(news: News, reader: Reader) -> str:
    return reader.texts("hurry.news.race_over", race=news["race"])


def won(view: Mapping[str, Any], result: m.Result, reader: Reader) -> str:
    """`Anna wins the race. Places: 1. Anna, 2. Ben, 3. Chloe.`"""
    if len(result.winners) != 1:
        return ""
    (winner,) = result.winners
    first = reader.told("hurry.news.won_race", winner)
    if result.reason == "points":
        points = view["points"][winner]
        first = reader.told("hurry.news.won_points", winner, points=points, count=points)
    seats = sorted(range(len(result.places)), key=lambda seat: result.places[seat])
    places = reader.texts("list.between").join(f"{result.places[seat]}. {reader.who(seat)}" for seat in seats)
    return reader.texts.in_a_row([first, reader.texts("hurry.places", places=places)])


_SENTENCES: Mapping[str, Callable[[News, Reader], str]] = {
    "race_begun": _race_begun,
    "round_begun": _round_begun,
    "tank_emptied": of_a_seat("hurry.news.tank_emptied"),
    "lantern_used": _lantern_used,
    "lantern_unused": of_a_seat("hurry.news.lantern_unused"),
    "boosted": _boosted,
    "token_skipped": _token_skipped,
    "accelerator_rolled": _accelerator_rolled,
    "honked": _honked,
    "quiet_kept": of_a_seat("hurry.news.quiet_kept"),
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
