"""The rules of each game as paragraphs to be read, with the options of a table applied."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from parlour.client.language import ENGLISH, Texts
from parlour.engine.balloon_cup.public import BalloonOptions
from parlour.engine.butterflies.public import ButterflyOptions
from parlour.engine.hurry_cup.public import HurryOptions

Chosen = Mapping[str, Any]
TOPIC = "rules"
"""A file of its own in every language: most players never open it."""


def rules(game: str, options: Chosen, texts: Texts = ENGLISH) -> list[str]:
    """The paragraphs, in the order in which a player needs them; none for a game that has no text here."""
    if game not in _GAMES:
        return []
    kind, tell = _GAMES[game]
    return tell(_settled(kind, options), Texts(texts.language, TOPIC))


def _settled(kind: type[Any], given: Chosen) -> Chosen:
    """Every option: as it was given, else as the edition has it, else as usual."""
    usual = {field.name: field.default for field in attrs.fields(kind)}
    return {**usual, **kind.EDITIONS.get(str(given.get("edition")), {}), **given}


def _first(options: Chosen, texts: Texts) -> str:
    if options["first"] == "random":
        return texts("common.first_random")
    return texts("common.first_seat", seat=options["first"] + 1)


def _balloon_cup(options: Chosen, texts: Texts) -> list[str]:
    caps = [texts("balloon-cup.tile_cap")] if options["tile_cap"] != "none" else []
    caps += [texts("balloon-cup.table_cap")] if options["table_cap"] == "on" else []
    return [
        texts("balloon-cup.goal"),
        texts("balloon-cup.cards"),
        texts("balloon-cup.trophies"),
        texts("balloon-cup.setup"),
        *caps,
        _first(options, texts),
        texts("balloon-cup.turn"),
        texts("balloon-cup.fit"),
        texts(f"balloon-cup.side_{options['opponent_side']}"),
        *([texts("balloon-cup.wind")] if options["wind"] == "on" else []),
        texts(f"balloon-cup.stuck_{options['stuck_shows']}"),
        texts("balloon-cup.score"),
        texts("balloon-cup.refill"),
        texts("balloon-cup.next"),
        texts("balloon-cup.forced"),
        texts(f"balloon-cup.trade_{options['trade']}"),
        texts(f"balloon-cup.paid_{options['paid_cubes']}"),
        texts("balloon-cup.end"),
        texts("balloon-cup.lock"),
        texts("common.clock"),
        texts("common.leave_two"),
    ]


def _hurry_cup(options: Chosen, texts: Texts) -> list[str]:
    track = options["track"]
    laid = "own" if not isinstance(track, str) else "random" if track == "random" else "named"
    races = options["races"]
    return [
        texts("hurry-cup.goal"),
        texts("hurry-cup.road"),
        texts(f"hurry-cup.track_{laid}", track=track),
        texts("hurry-cup.dice"),
        texts("hurry-cup.order"),
        _first(options, texts),
        texts("hurry-cup.lantern"),
        texts("hurry-cup.boost"),
        texts("hurry-cup.roll"),
        texts("hurry-cup.horn"),
        texts(f"hurry-cup.grab_{options['grab']}"),
        texts("hurry-cup.swap"),
        texts("hurry-cup.drive"),
        texts("hurry-cup.stuck"),
        texts("hurry-cup.bonus"),
        texts("hurry-cup.one_token"),
        texts("hurry-cup.trumps"),
        texts("hurry-cup.second_chance"),
        texts("hurry-cup.detour"),
        texts("hurry-cup.boost_token"),
        texts("hurry-cup.assist"),
        texts("hurry-cup.oil"),
        texts("hurry-cup.swap_token"),
        texts("hurry-cup.empty_tank", fuel=options["empty_tank"]),
        texts("hurry-cup.finish"),
        texts(f"hurry-cup.end_{'first' if races > 1 else options['finish']}"),
        *([texts("hurry-cup.races", races=races, count=races)] if races > 1 else []),
        texts("common.clock"),
        texts("common.leave_many"),
    ]


def _butterflies(options: Chosen, texts: Texts) -> list[str]:
    teams = options["teams"] == "on"
    return [
        texts("butterflies.goal"),
        texts("butterflies.cards"),
        texts("butterflies.setup"),
        _first(options, texts),
        texts("butterflies.turn"),
        texts("butterflies.later"),
        texts("butterflies.lay"),
        texts("butterflies.move"),
        texts("butterflies.net"),
        texts("butterflies.web"),
        texts("butterflies.tokens"),
        texts("butterflies.deck"),
        texts("butterflies.row"),
        texts(f"butterflies.declare_{options['declare']}"),
        *([texts("butterflies.teams")] if teams else []),
        texts("butterflies.draw", count=options["quiet_limit"]),
        texts("common.clock"),
        texts("common.leave_teams" if teams else "common.leave_some"),
    ]


_GAMES: Mapping[str, tuple[type[Any], Callable[[Chosen, Texts], list[str]]]] = {
    "balloon-cup": (BalloonOptions, _balloon_cup),
    "hurry-cup": (HurryOptions, _hurry_cup),
    "butterflies": (ButterflyOptions, _butterflies),
}
