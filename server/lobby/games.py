"""The games of the catalogue, described for clients: seats, and options with their values."""

import functools
from typing import Any

import attrs

from parlour.engine.game import Game
from parlour.protocol.codec import write_part
from parlour.protocol.messages import GameInfo


@functools.cache
def describe_once(game: Game[Any, Any, Any], strategies: tuple[str, ...]) -> dict[str, Any]:
    """The description as a map, which nobody changes."""
    described: dict[str, Any] = write_part(describe(game, strategies))
    return described


def describe(game: Game[Any, Any, Any], strategies: tuple[str, ...]) -> GameInfo:
    options = [_option(field) for field in attrs.fields(game.options)]
    return GameInfo(game.name, game.seats, tuple(options), strategies)


def _option(field: "attrs.Attribute[Any]") -> dict[str, Any]:
    """Describes an option: default, and values or range; `open` if a map or list is taken as well."""
    plain: dict[str, Any] = {"option": field.name, "default": field.default}
    if "values" in field.metadata:
        plain["values"] = list(field.metadata["values"])
    if "least" in field.metadata:
        plain["least"], plain["most"] = field.metadata["least"], field.metadata["most"]
    if field.metadata.get("open"):
        plain["open"] = True
    return plain
