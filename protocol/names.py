"""Names that people may choose: what is refused, and by which rule."""

import unicodedata

from parlour.protocol.errors import ProtocolError

NAME_LENGTH = 24
MARKS = 2
"""Marks that may stand above or below one letter: more of them run into the lines around."""
_JOINERS = " -_'."
_TOGETHER = ({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}, {"CJK", "HANGUL"}, {"CJK", "BOPOMOFO"})
"""Scripts that one language writes side by side."""
_EVERYWHERE = frozenset({"COMBINING", "DIGIT"})
"""What marks and digits that belong to no script are called."""
_SCRIPTS = {"ARABIC-INDIC": "ARABIC", "EXTENDED": "ARABIC", "IDEOGRAPHIC": "CJK"}
"""Where the first word of a Unicode name is not the script."""
_UNSEEN = ("FILLER", "SELECTOR", "INHERENT", "GRAPHEME JOINER", "JUNGSEONG", "JONGSEONG", "TATWEEL")
"""Letters and marks with these words in their names show nothing, or nothing outside a Hangul syllable, or
only draw a word out."""


def clean_name(given: str) -> str:
    """The name as it will be shown; raises `bad_name` with the rule that it breaks."""
    name = unicodedata.normalize("NFKC", given)
    if not 1 <= len(name) <= NAME_LENGTH:
        raise ProtocolError("bad_name", rule="length", most=NAME_LENGTH)
    if name != name.strip() or "  " in name:
        raise ProtocolError("bad_name", rule="spaces")
    scripts = set()
    before = " "
    marks: list[str] = []
    for character in name:
        category = unicodedata.category(character)
        if category[0] == "L" or category in ("Nd", "Mn", "Mc"):
            called = unicodedata.name(character, "?")
            on_nothing = category[0] == "M" and before in _JOINERS
            if on_nothing or any(word in called for word in _UNSEEN):
                raise ProtocolError("bad_name", rule="characters")
            marks = [*marks, character] if category == "Mn" else []
            if len(marks) > MARKS or len(set(marks)) < len(marks):
                raise ProtocolError("bad_name", rule="marks", most=MARKS)
            script = called.split()[0]
            scripts.add(_SCRIPTS.get(script, script))
        elif character not in _JOINERS:
            raise ProtocolError("bad_name", rule="characters")
        before = character
    if not scripts:
        raise ProtocolError("bad_name", rule="letters")
    scripts -= _EVERYWHERE
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise ProtocolError("bad_name", rule="one_script")
    return name
