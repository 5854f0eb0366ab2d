"""The four catalogues say the same: nothing is missing, nothing is left over, forms and facts agree."""

import ast
import functools
import re
import string
from pathlib import Path
from typing import Any

import pytest
from laws.playing import Dice, TableKind, some_action
from laws.trying import Tried
from support.client.texts_used import Asked, keys_asked, of_the_client, of_the_rules
from support.paths import ROOT

from parlour.client.boards.refusals import OWN, objection, refusal_text
from parlour.client.boards.rules import TOPIC
from parlour.client.boards.text import columns
from parlour.client.connection import Refused
from parlour.client.language import LANGUAGES, Text, Texts, catalogue
from parlour.client.language.plurals import FORMS, RULES
from parlour.client.lines.wire import FINAL
from parlour.engine.catalogue import GAMES
from parlour.engine.errors import IllegalAction
from parlour.engine.maps import to_map
from parlour.protocol import messages as m
from parlour.protocol.errors import CODES

TOPICS = ("", TOPIC)
ENGINE = ROOT / "engine"


@functools.cache
def used(topic: str) -> list[Asked]:
    """Read once by the tests that need it: at module level, each worker read it while it collected."""
    return of_the_rules() if topic == TOPIC else of_the_client()


def forms(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def facts(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


# Keys


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_texts_of_english_and_no_others(language: str, topic: str) -> None:
    ours, english = set(catalogue(language, topic)), set(catalogue("en", topic))
    assert (sorted(english - ours), sorted(ours - english)) == ([], [])


@pytest.mark.parametrize("topic", TOPICS)
def test_every_text_that_the_code_asks_for_is_there(topic: str) -> None:
    missing = [
        f"{each.where} {each.key}"
        for each in used(topic)
        if each.direct and not any(map(each.means, catalogue("en", topic)))
    ]
    assert missing == []


@pytest.mark.parametrize("topic", TOPICS)
def test_every_text_is_asked_for_somewhere(topic: str) -> None:
    literal = {each.key for each in used(topic) if not each.pattern}
    patterns = [each for each in used(topic) if each.pattern]
    unused = [
        key
        for key in catalogue("en", topic)
        if key not in literal and not any(each.means(key) for each in patterns)
    ]
    assert unused == []


def keys_in(source: str) -> list[Asked]:
    return [each for each in keys_asked(source, "example.py") if each.direct]


def test_keys_are_found_however_texts_are_called() -> None:
    source = """
texts("a.b", count=3)
self.player.texts("c.d" if day else "e.f")
texts(f"g.{night}.h")
print("no.key")
"""
    assert [each.key for each in keys_in(source)] == ["a.b", r"g\..+\.h", "c.d", "e.f"]


def test_a_pattern_means_the_keys_that_it_can_become() -> None:
    (pattern,) = keys_in('texts(f"refused.{code}")')
    assert pattern.means("refused.taken") and not pattern.means("why.taken")


def test_all_news_about_somebody_is_also_told_to_them() -> None:
    """What a team or the owner of a side or a goal is told stands under `your…`: it has its reader in it."""
    english = catalogue("en")
    news = {key for key, text in english.items() if ".news." in key and "who" in facts(forms(text)[-1])}
    told = {key.replace(".you.", ".news.") for key in english if ".you." in key}
    assert {key for key in news if ".your" not in key} == told


# Facts and forms


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_tells_the_facts_that_english_tells(language: str, topic: str) -> None:
    english = catalogue("en", topic)
    for key, text in catalogue(language, topic).items():
        wanted = facts(forms(english[key])[-1])
        # A form may say "a seat" for "1 seat".
        spoken = set() if isinstance(text, str) else {"count"}
        assert [form for form in forms(text) if facts(form) | spoken != wanted | spoken] == [], key


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_with_forms_has_every_form_of_its_language(language: str, topic: str) -> None:
    for key, text in catalogue(language, topic).items():
        assert isinstance(text, str) or set(text) == FORMS[language], key


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_one_line_of_letters_with_plain_facts(language: str, topic: str) -> None:
    for key, text in catalogue(language, topic).items():
        for form in forms(text):
            assert form.isprintable() and form, key
            for _, name, spec, conversion in string.Formatter().parse(form):
                assert name is None or (name.isidentifier() and not spec and conversion is None), key


@pytest.mark.parametrize(
    ("language", "category", "counts"),
    [
        ("en", "one", [1]),
        ("en", "other", [0, 2, 5, 11, 21, 101]),
        ("it", "one", [1]),
        ("it", "other", [0, 2, 8, 11, 21]),
        ("ru", "one", [1, 21, 31, 101, 121]),
        ("ru", "few", [2, 3, 4, 22, 24, 33, 104]),
        ("ru", "many", [0, 5, 9, 10, 11, 12, 13, 14, 19, 20, 25, 100, 111, 112]),
        ("zh", "other", [0, 1, 2, 5, 21]),
    ],
)
def test_numbers_choose_their_form(language: str, category: str, counts: list[int]) -> None:
    assert {RULES[language](count) for count in counts} == {category}
    assert category in FORMS[language]


def test_a_count_chooses_the_form_of_a_text() -> None:
    cards = [Texts("ru")("board.cards", count=count) for count in (1, 3, 8, 21)]
    assert cards == ["1 карта", "3 карты", "8 карт", "21 карта"]


MOST_COLUMNS = {
    "balloon.aim.": 14,
    "hurry.home": 4,
    "hurry.short.": 2,
    "serve.here": 17,
    "serve.network": 17,
    "play.keys_": 78,
    "menu.keys": 78,
    "menu.reading_keys": 78,
    "menu.prompt_keys": 78,
    "replay.keys_": 79,
    "new.watching_": 74,
    "new.pace": 74,
    "play.quiet_": 74,
    "play.bell_": 74,
    "play.title_": 74,
}
"""By what a key begins with: the columns that a text has in a window of 80."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("begins", MOST_COLUMNS)
def test_texts_fit_the_place_where_they_stand(begins: str, language: str) -> None:
    found = {key: text for key, text in catalogue(language).items() if key.startswith(begins)}
    assert found
    for key, text in found.items():
        for form in forms(text):
            # Two blanks stand between keys, where the text has a bar.
            assert columns([("", form.replace("|", "  "))]) <= MOST_COLUMNS[begins], key


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_stands_twice_and_dots_stand_at_their_word(language: str, topic: str) -> None:
    for key, text in catalogue(language, topic).items():
        for form in forms(text):
            assert not re.search(r"\b([^\W\d_]{2,}) \1\b", form, re.IGNORECASE), key
            assert not re.search(r" (\.\.\.|…)", form), key
            assert language != "zh" or not re.search(r"[一-鿿][,;!?]|[,;][一-鿿]", form), key


QUOTES = {"en": "“”", "ru": "«»", "it": "«»", "zh": "“”"}


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_quotes_are_those_of_the_language_and_open_and_close(language: str, topic: str) -> None:
    opening, closing = QUOTES[language]
    for key, text in catalogue(language, topic).items():
        for form in forms(text):
            assert set(form) & set('"„“”«»「」') <= {opening, closing}, key
            assert form.count(opening) == form.count(closing), key
            assert not re.search(r"[\d}] %", form), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_explains_every_letter_of_a_token(language: str) -> None:
    texts = catalogue(language)
    explained = str(texts["help.letters.hurry-cup"])
    for key, short in texts.items():
        if key.startswith("hurry.short."):
            assert re.search(rf"[ ：、，]{re.escape(str(short))} ", explained), (key, short)


# Errors and objections


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", sorted({*CODES, *OWN, *FINAL.values()}))
def test_every_error_has_a_sentence(code: str, language: str) -> None:
    texts = Texts(language)
    sentence = refusal_text(Refused(m.Error(id=1, code=code, facts={}, retry_after=None)), texts)
    assert sentence == texts(f"refused.{code}") and sentence != code


@functools.cache
def codes_raised(kind: str, folder: Path) -> set[str]:
    """The first arguments with which a class is called, whichever way an `if` in them goes."""
    calls = [
        node.args[0]
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == kind
    ]
    told_by = [(each.body, each.orelse) if isinstance(each, ast.IfExp) else (each,) for each in calls]
    return {str(part.value) for parts in told_by for part in parts if isinstance(part, ast.Constant)}


def test_objections_are_found_in_all_three_games() -> None:
    raised = codes_raised("IllegalAction", ENGINE)
    assert {"no_room", "not_entered", "would_split", "token_used", "no_token", "over"} <= raised


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_objection_of_the_rules_has_a_sentence_and_every_sentence_an_objection(language: str) -> None:
    ours = {key.removeprefix("why.") for key in catalogue(language) if key.startswith("why.")}
    assert ours - {"token_spent"} == codes_raised("IllegalAction", ENGINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_names_has_a_sentence(language: str) -> None:
    root = ENGINE.parent
    sources = [*(root / "server").rglob("*.py"), *(root / "protocol").rglob("*.py")]
    rules = {
        str(keyword.value.value)
        for path in sources
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "rule" and isinstance(keyword.value, ast.Constant)
    }
    prefix = "refused.name."
    assert rules == {key.removeprefix(prefix) for key in catalogue(language) if key.startswith(prefix)}


def objections(kind: TableKind, seed: str) -> list[IllegalAction]:
    """What the rules had against actions that were tried out of season."""
    match, dice, tried = kind.start(seed), Dice(seed), Tried()
    found = []
    for _ in range(150):
        if match.outcome is not None:
            break
        seat, action = some_action(match, dice)
        tried.add(action)
        legal = match.game.legal(match.state, seat)
        found += [
            match.game.objection(match.state, seat, other)
            for other in tried.others(dice)
            if other not in legal
        ]
        match.act(seat, action)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_objections_of_real_games_are_told_with_their_facts(name: str) -> None:
    kind = TableKind(GAMES[name], GAMES[name].seats[-1], {})
    found = objections(kind, name)
    assert len({wrong.code for wrong in found}) >= 4
    for wrong in found:
        said: dict[str, Any] = to_map(dict(wrong.facts))
        for language in LANGUAGES:
            sentence = objection(wrong.code, said, Texts(language), name)
            assert sentence and "{" not in sentence and "[" not in sentence


def test_a_move_that_is_refused_is_told_by_what_the_rules_have_against_it() -> None:
    error = m.Error(id=1, code="illegal", facts={"why": "no_room", "card": "red-7", "tile": 2, "side": 0})
    assert refusal_text(Refused(error), game="balloon-cup") == "that side of tile 2 has no room for R7"


def test_an_objection_of_a_later_server_is_told_in_general() -> None:
    assert objection("too_windy", {"force": 12}) == "the rules do not allow it now"
