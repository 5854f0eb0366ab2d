"""Keys of other keyboard layouts and of input methods: which key of a Latin keyboard is meant by a letter."""

import unicodedata

_PLACES = dict(zip("йцукенгшщзхъфывапролджэячсмитьбю", "qwertyuiop[]asdfghjkl;'zxcvbnm,.", strict=True))
_SAME_PLACE = str.maketrans({**_PLACES, **{key.upper(): latin.upper() for key, latin in _PLACES.items()}})
"""ЙЦУКЕН and QWERTY."""
_MARKS = str.maketrans("、。", "/.")
"""What a Chinese input method writes for these keys."""

_WIDER = ord("！") - ord("!")
"""How far the letters of full width are from those of ASCII."""


def narrow(text: str) -> str:
    """Letters, digits and marks of an input method as a keyboard without one has them."""
    return unicodedata.normalize("NFKC", text).translate(_MARKS)


def twins(key: str) -> list[str]:
    """A key by its name, and the letters that mean the same key."""
    if len(key) != 1:
        return [key]
    wide = chr(ord(key) + _WIDER)
    return [key, wide, *(letter for letter, latin in _PLACES.items() if latin == key)]


def same_place(text: str) -> str:
    """The keys of a Latin keyboard that are in the same places."""
    return narrow(text).translate(_SAME_PLACE)
