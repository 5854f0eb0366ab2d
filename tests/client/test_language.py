"""The language is the one asked for, texts take their facts and forms, and what is missing is noticed."""

import pytest

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
