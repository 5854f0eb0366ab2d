"""The options of a table in words, settled as the server does: given, else by the edition, else usual."""

from collections.abc import Mapping
from typing import Any

import attrs

from parlour.client.language import Texts
from parlour.client.language.safe import safe

Chosen = Mapping[str, Any]


def settled(kind: type[Any] | None, given: Chosen) -> Chosen:
    """Every option: as it was given, else as the edition has it, else as usual."""
    if kind is None:
        return given
    usual = {field.name: field.default for field in attrs.fields(kind)}
    return {**usual, **kind.EDITIONS.get(str(given.get("edition")), {}), **given}


def needed(kind: type[Any] | None, given: Chosen) -> dict[str, Any]:
    """What has to be said: the options that are other than they would be if they were left out."""
    return {
        name: value
        for name, value in given.items()
        if settled(kind, {other: given[other] for other in given if other != name}).get(name) != value
    }


def option_name(game: str, name: str, texts: Texts) -> str:
    return texts.or_else(f"options.{game}.{name}.name", safe(name).replace("_", " "))


def option_value(game: str, name: str, value: Any, texts: Texts) -> str:
    """A value in words; seats count from 1, as at the table."""
    if name == "first" and type(value) is int:
        return texts("options.values.seat", seat=value + 1)
    if isinstance(value, list | tuple):
        value = "own"
    common = texts.or_else(f"options.values.{value}", safe(value))
    return texts.or_else(f"options.{game}.{name}.{value}", common)


def unusual(game: str, kind: type[Any] | None, given: Chosen, texts: Texts) -> list[str]:
    """The options of a table that are not as usual: the edition, and what is not as it has it."""
    said = needed(kind, given)
    return [option_line(game, name, value, texts) for name, value in said.items()]


def option_line(game: str, name: str, value: Any, texts: Texts) -> str:
    return texts(
        "new.option", name=option_name(game, name, texts), value=option_value(game, name, value, texts)
    )
