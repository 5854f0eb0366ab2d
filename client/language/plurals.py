"""Which form of a text goes with which whole number, by the plural rules of the Unicode CLDR."""

from collections.abc import Callable, Mapping

CATEGORIES = frozenset({"zero", "one", "two", "few", "many", "other"})


def _one_or_other(count: int) -> str:
    return "one" if abs(count) == 1 else "other"


def _slavic(count: int) -> str:
    tens, ones = abs(count) % 100 // 10, abs(count) % 10
    if tens == 1 or ones == 0 or ones > 4:
        return "many"
    return "one" if ones == 1 else "few"


def _always_other(_: int) -> str:
    return "other"


RULES: Mapping[str, Callable[[int], str]] = {
    "en": _one_or_other,
    "ru": _slavic,
    # CLDR has "many" for whole millions too; nothing in a game comes in millions.
    "it": _one_or_other,
    "zh": _always_other,
}
FORMS: Mapping[str, frozenset[str]] = {
    "en": frozenset({"one", "other"}),
    "ru": frozenset({"one", "few", "many"}),
    "it": frozenset({"one", "other"}),
    "zh": frozenset({"other"}),
}
"""The forms that a language has for whole numbers: all of them are written wherever one is."""
