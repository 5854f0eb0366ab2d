"""Texts of somebody who would like a terminal, a spreadsheet, a browser or a reader to do something."""

HOSTILE = {
    "clears the screen": "\x1b[2J\x1b[H",
    "sets the title": "\x1b]0;owned\x07",
    "writes the clipboard": "\x1b]52;c;cm0gLXJm\x1b\\",
    "links elsewhere": "\x1b]8;;http://example.org\x1b\\bank\x1b]8;;\x1b\\",
    "asks the terminal back": "\x1b[6n\x05",
    "device control": '\x1bP$q"p\x1b\\',
    "escapes in eight bits": "\x9b2J\x9d0;owned\x9c\x90q\x9c",
    "control characters": "\x00\x07\x08\x0b\x0c\x0e\x0f\x1f\x7f\x80\x9f",
    "goes back": "safe\rowned\b\b\b",
    "more lines": "a\nb\r\nc\u2028d\u2029e\x85f",
    "columns": "a\tb",
    "turns around": "\u202egnp.exe\u202c \u2066x\u2069 \u200f\u200e\u061c",
    "cannot be seen": "Ad\u200bmin\u200c\u200d\u2060\ufeff\u00ad\U000e0041",
    "no character": "\ud800\uffff\ue000\U0010ffff",
    "blanks": "a\u00a0\u2003\u3000b",
    "piles up": "Z" + "\u0300\u0488" * 60,
    "markup of prompt_toolkit": "<ansired>x</ansired><b fg='red'>&lt;",
    "markup of HTML": "</title></style><script>alert(1)</script><img src=x onerror='a()'>\"'&<!--",
    "markup of Markdown": "[x](javascript:alert(1)) ![y](http://example.org/z) `code` | cell | # head",
    "a style": "[ZeroWidthEscape] class:bar [press:q]",
    "formula": '=HYPERLINK("http://example.org";"x")',
    "formula by plus": "+1+cmd|' /C calc'!A0",
    "formula by minus": "-1+1",
    "formula by at": "@SUM(1;1)",
    "formula behind a tab": "\t=1+1",
    "formula behind a return": "\r=1+1",
    "formula behind a blank": " =1+1",
    "wide formula": "＝1+1",
    "format strings": "%s %n {0} {} %(message)s",
}
FORMULA = tuple("=+-@＝＋－＠\t\r")
"""What no cell of a table begins with."""


def obeyed(text: str) -> list[str]:
    """What in a text of several lines a terminal would obey, turn around or not show."""
    return [letter for letter in text if not letter.isprintable() and letter != "\n"]
