"""The options of a game: typed, with defaults, ranges and named editions, and errors that name the field."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import attrs

from parlour.engine.errors import BadOptions
from parlour.engine.maps import to_map
from parlour.engine.plain import short_repr


def choice(*values: str | int) -> Any:
    """One of a few words or numbers; the first is the default."""

    def check(_: object, attribute: "attrs.Attribute[Any]", value: object) -> None:
        if not any(type(allowed) is type(value) and allowed == value for allowed in values):
            told = ", ".join(map(str, values))
            raise BadOptions(attribute.name, f"must be one of {told}, not {short_repr(value)}")

    return attrs.field(default=values[0], validator=check, metadata={"values": values})


def whole(default: int, least: int, most: int) -> Any:
    """A whole number in a range."""

    def check(_: object, attribute: "attrs.Attribute[Any]", value: object) -> None:
        if type(value) is not int or not least <= value <= most:
            raise BadOptions(
                attribute.name, f"must be a whole number from {least} to {most}, not {short_repr(value)}"
            )

    return attrs.field(default=default, validator=check, metadata={"least": least, "most": most})


@attrs.frozen
class Options:
    """What every game's options have in common. Fields are made with `choice` and `whole`."""

    EDITIONS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """What an `edition` sets; an option given beside it wins."""

    @classmethod
    def read(cls, given: Any, seats: int) -> Self:
        """The options from a map; raises BadOptions."""
        if not isinstance(given, Mapping):
            raise BadOptions("options", f"must be a map, not {short_repr(given)}")
        known = {field.name for field in attrs.fields(cls)}
        for name in given:
            if name not in known:
                raise BadOptions(
                    str(name)[:40], f"is not an option here; there are {', '.join(sorted(known))}"
                )
        edition = given.get("edition")
        preset = cls.EDITIONS.get(edition, {}) if type(edition) is str else {}
        options = cls(**cls.prepare({**preset, **given}))
        options.check(seats)
        return options

    @classmethod
    def prepare(cls, given: dict[str, Any]) -> dict[str, Any]:
        """For options that are more than a word or a number: turns plain values into their own."""
        return given

    def check(self, seats: int) -> None:
        """For what depends on the number of seats or on several options at once; raises BadOptions."""
        first = getattr(self, "first", None)
        if type(first) is int and first >= seats:
            raise BadOptions("first", f"must be random or a seat below {seats}, not {first}")

    def plain(self) -> dict[str, Any]:
        """All the options as a map that `read` takes."""
        written: dict[str, Any] = to_map(self)
        return written
