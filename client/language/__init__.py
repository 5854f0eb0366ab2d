"""Words for people in their language: `texts = choose()`, then `texts("lobby.title", table="Oak", count=3)`.

A key names a text in `en.toml`, `ru.toml`, `it.toml` and `zh.toml`: section, dot, name in the section. Braces
in a text hold a fact: `{table}`. A text with several forms is a table of plural categories, chosen by the
fact `count`: `seats = { one = "{count} seat", other = "{count} seats" }`.

Write keys as literals where they are used, or as f-strings with the section in front, so that
tests/client/language/test_catalogues.py can find keys that are missing and texts that nobody uses.

plurals  which form of a text goes with which number
safe     makes what a peer wrote safe to print
"""

import functools
import os
import sys
import tomllib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from typing import Any

import attrs

from parlour.client.language.plurals import CATEGORIES, RULES

LANGUAGES: Mapping[str, str] = {"en": "English", "ru": "Русский", "it": "Italiano", "zh": "中文"}
"""By the code that `--lang` takes, as each calls itself."""
Text = str | Mapping[str, str]
"""One form, or the forms by their plural category."""


class MissingText(ResourceWarning):
    """A key or a fact that is not there: tests turn it into an error, players never see it."""


@attrs.frozen
class NoSuchLanguage(ValueError):
    """Nobody has written the catalogue of the language that was asked for."""

    asked: str

    def __str__(self) -> str:
        known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        return f"there is no language {self.asked!r}; there are: {known}"


class _Facts(dict[str, Any]):
    """Leaves the name of a fact that is not there in its braces."""

    def __missing__(self, name: str) -> str:
        warnings.warn(f"no fact {name!r}", MissingText, stacklevel=4)
        return f"{{{name}}}"


@attrs.frozen
class Texts:
    """All texts in one language; a text that it lacks is told in English, and failing that by its key."""

    language: str
    topic: str = ""

    def __call__(self, key: str, /, **facts: Any) -> str:
        text = catalogue(self.language, self.topic).get(key)
        if text is not None:
            return _filled(self.language, text, facts)
        warnings.warn(f"no text {key!r} in {self.language}", MissingText, stacklevel=2)
        text = catalogue("en", self.topic).get(key)
        return key if text is None else _filled("en", text, facts)

    def has(self, key: str) -> bool:
        """For codes of a later server, which have no words yet."""
        return key in catalogue(self.language, self.topic)

    def or_else(self, key: str, otherwise: str, /, **facts: Any) -> str:
        """The text, or the word of a later server that has no text yet."""
        return self(key, **facts) if self.has(key) else otherwise

    def listed(self, words: Sequence[str]) -> str:
        """Words as a sentence lists them: `red, blue and grey`."""
        if len(words) < 2:
            return "".join(words)
        return self("list.last", before=self("list.between").join(words[:-1]), last=words[-1])

    def number(self, told: str) -> str:
        """A number as programs write it, with the decimal mark of this language."""
        return told.replace(".", self("list.point"))

    def in_a_row(self, sentences: Iterable[str]) -> str:
        """Sentences one after the other, as this language sets them apart."""
        return functools.reduce(lambda told, more: self("list.sentences", told=told, more=more), sentences)


def _filled(language: str, text: Text, facts: Mapping[str, Any]) -> str:
    known = _Facts(facts)
    if not isinstance(text, str):
        count = known["count"]
        category = RULES[language](count) if isinstance(count, int) else "other"
        text = text.get(category) or list(text.values())[-1]
    return text.format_map(known)


@functools.cache
def catalogue(language: str, topic: str = "") -> Mapping[str, Text]:
    """Every text of a language by its key; a topic has a file of its own, read only when it is needed."""
    name = f"{language}-{topic}.toml" if topic else f"{language}.toml"
    written = resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
    return dict(_flat(tomllib.loads(written)))


def _flat(section: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Text]]:
    for name, value in section.items():
        if isinstance(value, str) or (isinstance(value, dict) and CATEGORIES.issuperset(value)):
            yield f"{path}{name}", value
        else:
            yield from _flat(value, f"{path}{name}.")


ENGLISH = Texts("en")


def choose(lang: str | None = None, environ: Mapping[str, str] = os.environ) -> Texts:
    """The language asked for, else the one of the locale, else English; raises NoSuchLanguage."""
    if lang:
        code = _code(lang)
        if code not in LANGUAGES:
            raise NoSuchLanguage(lang)
        return Texts(code)
    for wish in _wishes(environ):
        if (code := _code(wish)) in LANGUAGES:
            return Texts(code)
    return ENGLISH


def _code(name: str) -> str:
    """`zh` of `zh_CN.UTF-8`, `zh-Hans` and `ZH`."""
    return name.strip().replace("-", "_").partition(".")[0].partition("_")[0].lower()


def _wishes(environ: Mapping[str, str]) -> list[str]:
    """Locales in the order of gettext: the first variable that is set counts, LANGUAGE being a list."""
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    if _code(locale) in ("c", "posix"):
        return []
    wishes = [*environ.get("LANGUAGE", "").split(":"), locale]
    return wishes if any(wishes) else _of_the_system()


def _of_the_system() -> list[str]:
    """Windows keeps the language of its screens elsewhere."""
    if sys.platform == "win32":
        import ctypes
        import locale

        return [locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")]
    return []
