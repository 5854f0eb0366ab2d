"""Text in lines of so many columns: words of wide letters are broken anywhere, all others between words."""

from prompt_toolkit.utils import get_cwidth

WIDE = 2


def wrapped(text: str, width: int) -> list[str]:
    """At least one line, each at most so wide."""
    width = max(width, WIDE)
    lines, line = [], ""
    for word in _words(text):
        if get_cwidth(line + word.rstrip()) <= width:
            line += word
            continue
        if line.strip():
            lines.append(line.rstrip())
        line = word.lstrip()
        while get_cwidth(line.rstrip()) > width:
            head = _head(line, width)
            lines.append(head)
            line = line[len(head) :]
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _words(text: str) -> list[str]:
    """Each with the space behind it; a wide letter is a word of its own."""
    words = [""]
    for letter in text:
        if get_cwidth(letter) == WIDE or (words[-1].endswith(" ") and letter != " "):
            words.append(letter)
        else:
            words[-1] += letter
    return words


def _head(text: str, width: int) -> str:
    head = ""
    for letter in text:
        if get_cwidth(head + letter) > width:
            break
        head += letter
    return head
