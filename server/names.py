"""Names that people may choose: readable, and hard to mistake for another."""

import unicodedata

from parlour.protocol.errors import ProtocolError

NAME_LENGTH = 24
_JOINERS = " -_'."
_TOGETHER = ({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}, {"CJK", "HANGUL"}, {"CJK", "BOPOMOFO"})
"""Scripts that one language writes side by side."""


def clean_name(given: str) -> str:
    """The name as it will be shown; raises `bad_name` with the rule that it breaks."""
    name = unicodedata.normalize("NFKC", given)
    if not 1 <= len(name) <= NAME_LENGTH:
        raise ProtocolError("bad_name", rule="length", most=NAME_LENGTH)
    if name != name.strip() or "  " in name:
        raise ProtocolError("bad_name", rule="spaces")
    scripts = set()
    letters = False
    for character in name:
        category = unicodedata.category(character)
        if category[0] == "L":
            scripts.add(unicodedata.name(character, "?").split()[0])
            letters = True
        elif category in ("Mn", "Mc"):
            if not letters:
                raise ProtocolError("bad_name", rule="characters")
        elif category != "Nd" and character not in _JOINERS:
            raise ProtocolError("bad_name", rule="characters")
    if not letters and not any(character.isdigit() for character in name):
        raise ProtocolError("bad_name", rule="letters")
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise ProtocolError("bad_name", rule="one_script")
    return name


def name_key(name: str) -> str:
    """What must be unique: two names with one key are the same to a reader."""
    return unicodedata.normalize("NFKC", name).casefold().replace(" ", "").translate(_ALIKE)


_ALIKE = str.maketrans({"_": "-", ".": "-", "'": "-"})
