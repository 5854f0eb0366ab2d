"""What happens in Hurry' Cup as sentences, in the past tense, so that "You" can stand where a name does."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlour.client.pictures.text import listed
from parlour.engine.hurry_cup import public as p

News = Mapping[str, Any]
Names = Sequence[str]
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
BONUSES: Mapping[str, str] = {
    "detour": "a detour",
    "boost": "a boost",
    "assist": "an assist",
    "oil": "a can of oil",
    "swap": "a swap",
    "empty_tank": "an empty tank",
}


def words(news: News, names: Names) -> str:
    """One piece of news as a sentence; nothing for a kind that a later server may have."""
    tell = _SENTENCES.get(news["type"])
    return tell(news, names) if tell is not None else ""


def _who(news: News, names: Names) -> str:
    return names[news["seat"]]


def _where(section: int) -> str:
    return {p.START: "the start", p.FINISH: "the finish"}.get(section, f"section {section}")


def _bonus(token: str) -> str:
    return BONUSES.get(token, token)


def _dice(values: Sequence[int]) -> str:
    return listed([f"{pawn} {value}" for pawn, value in zip(p.PAWNS, values, strict=False)])


def _by(news: News, token: str) -> str:
    return f"{token}, thanks to an assist" if news["via"] == "assist" else token


def _race_begun(news: News, names: Names) -> str:
    return f"Race {news['race']} began; {names[news['starter']]} started it."


def _round_begun(news: News, names: Names) -> str:
    return f"Round {news['round']} began with {names[news['starter']]}."


def _tank_emptied(news: News, names: Names) -> str:
    return f"{_who(news, names)} had an empty tank in this round."


def _lantern_used(news: News, names: Names) -> str:
    return f"By the lantern {_who(news, names)} advanced to {_where(news['section'])}."


def _lantern_unused(news: News, names: Names) -> str:
    return f"{_who(news, names)} had the lantern and stayed."


def _boosted(news: News, names: Names) -> str:
    return f"{_who(news, names)} boosted to {_where(news['section'])}, right behind the next car."


def _token_skipped(news: News, names: Names) -> str:
    return f"{_who(news, names)} kept {_bonus(news['token'])} for later."


def _accelerator_rolled(news: News, _: Names) -> str:
    return f"The accelerator showed {news['value']}; the fuel dice were under the cup."


def _honked(news: News, names: Names) -> str:
    return f"{_who(news, names)} honked the {_by(news, 'horn')}!"


def _quiet_kept(news: News, names: Names) -> str:
    return f"{_who(news, names)} kept quiet."


def _cup_lifted(news: News, names: Names) -> str:
    seen = f" and saw {_dice(news['dice'])}" if news["dice"] is not None else ""
    return f"{_who(news, names)} looked under the cup{seen}."


def _dice_opened(news: News, _: Names) -> str:
    return f"The cup was lifted: {_dice(news['dice'])}."


def _pawn_taken(news: News, names: Names) -> str:
    return f"{_who(news, names)} took the {news['pawn']} pawn."


def _ranking_sealed(news: News, names: Names) -> str:
    told = f": {', '.join(news['pawns'])}" if news["pawns"] is not None else ""
    return f"{_who(news, names)} handed in a ranking{told}."


def _rankings_opened(news: News, names: Names) -> str:
    return (
        f"Pawns were given out by the rankings, in this order: {listed([names[s] for s in news['order']])}."
    )


def _pawns_swapped(news: News, names: Names) -> str:
    return f"{_who(news, names)} swapped pawns with {names[news['with']]}."


def _helmet_put_on(news: News, names: Names) -> str:
    return f"{_who(news, names)} put on the {_by(news, 'helmet')}."


def _die_rerolled(news: News, names: Names) -> str:
    return f"{_who(news, names)} took a second chance: the {news['pawn']} die now showed {news['value']}."


def _car_moved(news: News, names: Names) -> str:
    entered = news["entered"]
    sections = "1 section" if len(entered) == 1 else f"{len(entered)} sections"
    past = f", with a detour from {_where(news['detour'])}" if news["detour"] is not None else ""
    to = _where(entered[-1]) if entered else _where(news["from"])
    return f"{_who(news, names)} drove {sections} to {to}{past}."


def _car_stayed(news: News, names: Names) -> str:
    got = " and got a second chance" if news["second_chance"] else ""
    return f"{_who(news, names)} could not move from {_where(news['section'])}{got}."


def _nitro_used(news: News, names: Names) -> str:
    return f"{_who(news, names)} shot on to {_where(news['section'])} with {_by(news, 'nitro')}."


def _oil_spilled(news: News, names: Names) -> str:
    return f"{_who(news, names)} spilled oil on {_where(news['section'])}."


def _bonus_taken(news: News, names: Names) -> str:
    return f"{_who(news, names)} found {_bonus(news['token'])} on {_where(news['section'])}."


def _car_finished(news: News, names: Names) -> str:
    place = news["place"]
    told = PLACES[place - 1] if 0 < place <= len(PLACES) else str(place)
    return f"{_who(news, names)} came home {told}."


def _lantern_given(news: News, names: Names) -> str:
    if news["seat"] is None:
        return "Several cars were last, and nobody had the lantern."
    return f"{_who(news, names)} was last and got the lantern."


def _race_scored(news: News, names: Names) -> str:
    told = [f"{name} {points}" for name, points in zip(names, news["points"], strict=False)]
    return f"Points for race {news['race']}: {listed(told)}."


def _race_over(news: News, _: Names) -> str:
    return f"Race {news['race']} was over, and with it the game."


_SENTENCES: Mapping[str, Callable[[News, Names], str]] = {
    "race_begun": _race_begun,
    "round_begun": _round_begun,
    "tank_emptied": _tank_emptied,
    "lantern_used": _lantern_used,
    "lantern_unused": _lantern_unused,
    "boosted": _boosted,
    "token_skipped": _token_skipped,
    "accelerator_rolled": _accelerator_rolled,
    "honked": _honked,
    "quiet_kept": _quiet_kept,
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
