"""Which names people may choose, and which are the same to a reader."""

import pytest

from parlour.protocol.errors import ProtocolError
from parlour.protocol.names import clean_name, name_key


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Zoë",
        "O'Neil",
        "J. R. R.",
        "佐々木",
        "ひらがなカタカナ",
        "Дмитрий",
        "نور٣",
        "ไทย",
        "42",
        "a-b_c",
    ],
)
def test_a_name_has_letters_of_one_script_digits_and_a_few_joiners(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("", "length"),
        ("x" * 25, "length"),
        (" Ann", "spaces"),
        ("Ann ", "spaces"),
        ("A  n", "spaces"),
        ("--", "letters"),
        ("Ivan Иван", "one_script"),
        ("Аnn", "one_script"),
        ("Ann٣", "one_script"),
        ("Ann\u0e31", "one_script"),
        ("Ann\n", "spaces"),
        ("A\x07nn", "characters"),
        ("Ann\u202e", "characters"),
        ("A\u200bnn", "characters"),
        ("Ann\ufe0f", "characters"),
        ("\u3164", "characters"),
        ("A\u034fnn", "characters"),
        ("\u0301nn", "characters"),
        ("A\ud800", "characters"),
        ("Ann!", "characters"),
        ("😀", "characters"),
        ("<b>", "characters"),
    ],
)
def test_a_name_that_could_trick_a_reader_is_refused_with_the_rule(name: str, rule: str) -> None:
    with pytest.raises(ProtocolError) as refused:
        clean_name(name)
    assert refused.value.code.name == "bad_name"
    assert refused.value.facts["rule"] == rule


def test_a_name_is_shown_in_its_plain_form() -> None:
    assert clean_name("Ａｎｎ") == "Ann"
    assert clean_name("Zoe\u0308") == "Zoë"


def test_twenty_four_characters_are_the_most_after_normalising() -> None:
    assert clean_name("x" * 24) == "x" * 24
    with pytest.raises(ProtocolError):
        clean_name("\ufdfa\ufdfa")  # one character that stands for eighteen


@pytest.mark.parametrize("other", ["ann lee", "ANNLEE", "Ann Lee", "ＡｎｎLee"])
def test_names_that_differ_in_case_width_or_spaces_are_one(other: str) -> None:
    assert name_key(other) == name_key("Ann Lee")


def test_joiners_are_alike_but_not_nothing() -> None:
    assert name_key("a-b") == name_key("a_b") == name_key("a.b") != name_key("ab")
