"""The language is the one asked for, texts take their facts and forms, and what is missing is noticed."""

import io
import sys

import pytest

from parlour.client.boards.sheet import Sheet
from parlour.client.boards.text import columns, plain, spread, wrapped
from parlour.client.cli.subcommand import BadArguments, speaking
from parlour.client.language import ENGLISH, LANGUAGES, MissingText, NoSuchLanguage, Texts, choose


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "it_CH"}, "it"),
        ({"LANG": "zh_TW.UTF-8"}, "zh"),
        ({"LANG": "ru_RU.UTF-8", "LC_MESSAGES": "it_IT"}, "it"),
        ({"LANG": "ru_RU.UTF-8", "LC_MESSAGES": "it_IT", "LC_ALL": "zh_CN.GB18030"}, "zh"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": ""}, "ru"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "fr:it:ru"}, "it"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "it"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_locale_chooses_the_language(environ: dict[str, str], language: str) -> None:
    assert choose(environ=environ).language == language


@pytest.mark.parametrize("lang", ["ru", "RU", "ru_RU.UTF-8", "ru-RU", "ru.KOI8-R"])
def test_a_language_that_is_asked_for_wins_over_the_locale(lang: str) -> None:
    assert choose(lang, {"LC_ALL": "it_IT.UTF-8"}).language == "ru"


def test_a_language_that_nobody_has_written_is_refused_with_those_there_are() -> None:
    with pytest.raises(NoSuchLanguage) as refused:
        choose("tlh", {})
    assert refused.value.asked == "tlh"
    assert all(code in str(refused.value) for code in LANGUAGES)


def test_a_text_that_is_missing_is_told_by_its_key_and_noticed() -> None:
    with pytest.warns(MissingText, match="no text 'no.such' in en"):
        assert ENGLISH("no.such") == "no.such"


def test_a_fact_that_is_missing_stays_in_its_braces_and_is_noticed() -> None:
    with pytest.warns(MissingText, match="no fact 'last'"):
        assert ENGLISH("list.last", before="red") == "red and {last}"


def test_facts_are_written_as_they_are() -> None:
    assert ENGLISH("list.last", before="{last}", last="{0!r}") == "{last} and {0!r}"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "red, blue and grey"),
        ("ru", "red, blue и grey"),
        ("it", "red, blue e grey"),
        ("zh", "red、blue和grey"),
    ],
)
def test_words_are_listed_as_a_sentence_does(language: str, told: str) -> None:
    texts = Texts(language)
    assert texts.listed(["red", "blue", "grey"]) == told
    assert texts.listed(["red"]) == "red"
    assert texts.listed([]) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_follow_each_other_as_the_language_sets_them(language: str) -> None:
    told = Texts(language).in_a_row(["One.", "Two.", "Three."])
    assert told == ("One.Two.Three." if language == "zh" else "One. Two. Three.")


# What the commands speak


def test_a_command_refuses_a_language_that_nobody_has_written() -> None:
    with pytest.raises(BadArguments, match=r"^--lang: there is no language 'tlh'; there are: en"):
        speaking("tlh")


@pytest.mark.parametrize(
    ("encoding", "spoken"),
    [
        ("utf-8", ["en", "ru", "it", "zh"]),
        ("cp1251", ["en", "ru", "it", "en"]),
        ("ascii", ["en", "en", "it", "en"]),
    ],
)
def test_letters_that_the_output_cannot_write_are_not_spoken(
    encoding: str, spoken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert [speaking(language).language for language in LANGUAGES] == spoken


# Wide letters


@pytest.mark.parametrize("width", [2, 3, 7, 20, 78])
@pytest.mark.parametrize(
    "text",
    [
        "Anna played red 7 at tile 3, on the opponent's side.",
        "Anna在3号板块的对手一侧出了红7。没有能出的牌；请换一到四张。",
        "Anna кладёт красную 7 к тайлу 3, на сторону соперника.",
        "w" * 90,
    ],
)
def test_wrapped_lines_are_no_wider_than_they_may_be_and_lose_nothing(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert max(columns([("", line)]) for line in lines) <= width


def test_lines_break_between_words_and_between_wide_letters() -> None:
    assert wrapped("one two  three", 8) == ["one two", "three"]
    assert wrapped("出牌或翻牌", 4) == ["出牌", "或翻", "牌"]
    assert wrapped("", 10) == []


def test_no_line_begins_with_what_ends_a_sentence() -> None:
    assert wrapped("请出一张牌。然后摸牌", 10) == ["请出一张", "牌。然后摸", "牌"]


def test_a_wide_letter_takes_two_columns_of_what_is_filled_up() -> None:
    assert spread("平原", 6, "─") == "平原──"


@pytest.mark.parametrize(
    ("left", "width", "shown"),
    [(0, 6, "a平原b"), (1, 4, "平原"), (2, 3, " 原"), (0, 4, "a平"), (2, 4, " 原b")],
)
def test_a_wide_letter_that_is_cut_leaves_a_blank(left: int, width: int, shown: str) -> None:
    sheet = Sheet()
    sheet.put(0, 0, "a平原b")
    (line,) = sheet.lines(left, 0, width, 1)
    assert columns(line) == width and plain(line) == shown


def test_a_word_stands_in_for_a_text_that_is_not_written_yet() -> None:
    assert ENGLISH.or_else("game.chess", "chess") == "chess"
    assert ENGLISH.or_else("game.butterflies", "butterflies") == "Butterflies"
