"""Which names look alike: the skeletons of Unicode Technical Standard #39, with case folded away.

`confusables.txt` is Unicode's table of characters that look alike; `python -m tools.confusables` writes it.
"""

import functools
import re
import unicodedata
from pathlib import Path

_TABLE = Path(__file__).with_name("confusables.txt")
_JOINERS = str.maketrans({" ": "", "_": "-", ".": "-", "'": "-"})
_RUN = re.compile("-+")
_OPTIONAL = ("COMBINING", "HEBREW", "ARABIC")
"""Marks that belong to no letter here, or that most people leave out; many screens show nothing of them."""
_REMEMBERED = 8192


@functools.lru_cache(_REMEMBERED)
def looks(name: str) -> frozenset[str]:
    """How a name looks: as it is, in lower case and in upper case. Names that share a look are alike.

    All three are needed. A Greek `ν` is a Latin `v`, but its capital is an `N`; a Cyrillic `н` is like
    nothing, but its capital is an `H`; and `Mlke` is like `Mike` because `MIKE` is like `MlKE`.
    """
    return frozenset(_look(text) for text in (name, name.lower(), name.upper()))


def _look(text: str) -> str:
    # A mark that makes one character with its letter, as in `é`, is none of its own.
    composed = unicodedata.normalize("NFC", text)
    shown = "".join(character for character in composed if not _is_optional(character))
    # Twice, for `0` is like `O`, and `M` like `m` only when its case is folded, which is like `rn`.
    joined = skeleton(skeleton(shown).lower()).translate(_JOINERS)
    # Inside a name a joiner is seen, as `M.i.k.e` is not `Mike`; `Mike.` stands at the end of a sentence.
    return _RUN.sub("-", joined.strip("-"))


def _is_optional(character: str) -> bool:
    return unicodedata.category(character) == "Mn" and unicodedata.name(character, "").startswith(_OPTIONAL)


def skeleton(text: str) -> str:
    """The same for all texts that look the same, as Unicode has it; not meant to be shown."""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).translate(_prototypes()))


@functools.cache
def _prototypes() -> dict[int, str]:
    found: dict[int, str] = {}
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            like, _, characters = line.partition(":")
            prototype = "".join(chr(int(code, 16)) for code in like.split())
            found |= dict.fromkeys([int(code, 16) for code in characters.split()], prototype)
    return found
