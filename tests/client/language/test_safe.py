"""Nothing that a peer wrote can do anything to a terminal but be read."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.client.language.safe import HIDDEN, LONGEST, safe


@given(st.text())
def test_no_control_escape_or_bidi_character_gets_through(text: str) -> None:
    shown = safe(text)
    assert not [letter for letter in shown if unicodedata.category(letter) in HIDDEN]
    assert len(shown) <= LONGEST
    assert safe(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "�[2J"),
        ("a\nb\tc", "a�b�c"),
        ("‮evil", "�evil"),
        ("zero​width", "zero�width"),
        ("non breaking", "non breaking"),
        ("Анна 你好 è", "Анна 你好 è"),
    ],
)
def test_what_cannot_be_shown_is_marked_and_all_else_stays(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_marks_do_not_pile_up() -> None:
    assert len(safe("Z" + "̀" * 50)) < 6


def test_markup_is_only_text() -> None:
    assert safe("<b>[press:q]</b>") == "<b>[press:q]</b>"
