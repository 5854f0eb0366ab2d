"""One thing has one name: the words of docs/glossary.md are used, and those that they replaced are not."""

import re
from collections.abc import Iterator

import pytest
from support.paths import ROOT

from parlour.client.boards.rules import TOPIC
from parlour.client.language import LANGUAGES, catalogue

PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
COLUMNS = ("en", "ru", "it", "zh")


def rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and not set(line) <= set("| -") and len(cells) == len(COLUMNS):
            yield cells


TERMS_PAGE, _, REPLACED_PAGE = PAGE.partition("## Not these")
TERMS = [cells for cells in rows(TERMS_PAGE) if cells[0] != "English"]
REPLACED = [cells for cells in rows(REPLACED_PAGE) if cells[0] != "language"]


def texts_of(language: str) -> list[tuple[str, str]]:
    """Every form of every text, with its key."""
    return [
        (key, form)
        for topic in ("", TOPIC)
        for key, text in catalogue(language, topic).items()
        for form in ([text] if isinstance(text, str) else text.values())
    ]


def stem(term: str) -> str:
    """Words as they stand in a text, whatever ending they have there."""
    return " ".join(word[: max(3, len(word) - 2)] for word in term.casefold().split())


def stemmed(text: str, term: str) -> bool:
    pattern = r"\w* ".join(re.escape(word) for word in stem(term).split())
    return re.search(pattern, text.casefold()) is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_of_the_glossary_is_used(language: str) -> None:
    column, texts = COLUMNS.index(language), [text for _, text in texts_of(language)]
    unused = [cells[column] for cells in TERMS if not any(stemmed(text, cells[column]) for text in texts)]
    assert len(TERMS) > 50 and unused == []


def uses(text: str, word: str, language: str) -> bool:
    if language == "zh":
        return word in text
    return re.search(rf"(?<!\w){re.escape(word)}", text.casefold()) is not None


@pytest.mark.parametrize(("language", "word", "instead", "where"), REPLACED)
def test_a_term_that_was_replaced_is_not_used(language: str, word: str, instead: str, where: str) -> None:
    keys = ("",) if where == "everywhere" else tuple(where.split())
    allowed = [each.strip() for each in instead.split(",")]

    def without(text: str) -> str:
        """The text without the words that are right and begin alike."""
        for each in allowed:
            text = re.sub(rf"{re.escape(each)}\w*", "", text, flags=re.IGNORECASE)
        return text

    found = [
        key
        for key, text in texts_of(language)
        if key.startswith(keys) and uses(without(text), word, language)
    ]
    assert found == [], f"{word}: write {instead}"
