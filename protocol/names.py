"""Names that people may choose: readable, and hard to mistake for another."""

import unicodedata

from parlour.protocol.errors import ProtocolError

NAME_LENGTH = 24
_JOINERS = " -_'."
_TOGETHER = ({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}, {"CJK", "HANGUL"}, {"CJK", "BOPOMOFO"})
"""Scripts that one language writes side by side."""
_EVERYWHERE = frozenset({"COMBINING", "DIGIT"})
"""What marks and digits that belong to no script are called."""
_SCRIPTS = {"ARABIC-INDIC": "ARABIC", "EXTENDED": "ARABIC", "IDEOGRAPHIC": "CJK"}
"""Where the first word of a Unicode name is not the script."""
_UNSEEN = ("FILLER", "SELECTOR", "INHERENT", "GRAPHEME JOINER")
"""Letters and marks with these words in their names show nothing."""


def clean_name(given: str) -> str:
    """The name as it will be shown; raises `bad_name` with the rule that it breaks."""
    name = unicodedata.normalize("NFKC", given)
    if not 1 <= len(name) <= NAME_LENGTH:
        raise ProtocolError("bad_name", rule="length", most=NAME_LENGTH)
    if name != name.strip() or "  " in name:
        raise ProtocolError("bad_name", rule="spaces")
    scripts = set()
    before = " "
    for character in name:
        category = unicodedata.category(character)
        if category[0] == "L" or category in ("Nd", "Mn", "Mc"):
            called = unicodedata.name(character, "?")
            on_nothing = category[0] == "M" and before in _JOINERS
            if on_nothing or any(word in called for word in _UNSEEN):
                raise ProtocolError("bad_name", rule="characters")
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


def name_key(name: str) -> str:
    """What must be unique: two names with one key are the same to a reader."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return folded.replace(" ", "").translate(_ALIKE)


_ALIKE = str.maketrans({"_": "-", ".": "-", "'": "-"})
