"""Which names people may choose, and which are the same to a reader."""

import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support import soak

from parlour.protocol.errors import ProtocolError
from parlour.protocol.lookalikes import looks
from parlour.protocol.names import clean_name


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
        "ख़ाँ",
        "x\u0302\u0303",
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
        ("가\u1161나", "characters"),
        ("مح\u0640مد", "characters"),
        ("x\u0302\u0303\u0304", "marks"),
        ("x\u0302\u0302", "marks"),
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


def alike(one: str, other: str) -> bool:
    return not looks(clean_name(one)).isdisjoint(looks(clean_name(other)))


@pytest.mark.parametrize("other", ["ann lee", "ANNLEE", "Ann Lee", "ＡｎｎLee"])
def test_names_that_differ_in_case_width_or_spaces_are_one(other: str) -> None:
    assert alike(other, "Ann Lee")


def test_joiners_are_alike_but_not_nothing() -> None:
    assert alike("a-b", "a_b") and alike("a-b", "a.b") and alike("O'Neil", "O-Neil")
    assert alike("Mike", "Mike.") and alike("Mike", "_Mike'") and alike("Mi-ke", "Mi. -ke")
    for one, other in itertools.combinations(("Mike", "M.i.k.e", "M_ike"), 2):
        assert not alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("сор", "cop"),  # Cyrillic letters and Latin ones
        ("Ван", "BAH"),  # only the capitals are alike
        ("νο", "vo"),  # only the small letters are: Greek nu has the capital of N
        ("Βν", "Bv"),  # alike as they are written, and in neither case
        ("Bernie", "Bemie"),
        ("MARNIE", "mamie"),
        ("B0b", "BOB"),
        ("Mike", "Mlke"),
        ("Mike", "MlKE"),
        ("Mike", "M1ke"),
        ("Henry I", "Henry 1"),
        ("Straße", "STRASSE"),
        ("ロ", "口"),  # Katakana and Han
        ("Ann", "Ann\U0001e000"),  # a mark that few fonts have
        ("xyz", "x\u0302yz"),
        ("محمد", "مُحَمَّد"),
        ("משה", "מֹשֶׁה"),  # with points
    ],
)
def test_names_that_a_reader_could_confuse_are_one(one: str, other: str) -> None:
    assert alike(one, other) and alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Иван", "Ivan"),
        ("Саша", "Маша"),
        ("Dan", "Dav"),
        ("José", "Jose"),
        ("กา", "กี"),
        ("की", "कु"),
        ("王伟", "王芳"),
        ("Bot 12", "Bot 21"),
        ("Ann", "Anna"),
    ],
)
def test_names_that_a_reader_can_tell_apart_are_two(one: str, other: str) -> None:
    assert not alike(one, other)


@settings(max_examples=soak.count(50, 5000))
@given(st.text(st.characters(categories=("L", "Nd", "Mn", "Mc")), min_size=1, max_size=24))
def test_every_name_is_like_itself_in_any_case(given: str) -> None:
    try:
        name = clean_name(given)
    except ProtocolError:
        assume(False)
    assert all(looks(name)) and alike(name, name)
    for other in (name.lower(), name.upper()):
        assert not looks(name).isdisjoint(looks(other))
