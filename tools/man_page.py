"""`python -m tools.man_page`: writes the manual page docs/parlour.1 from the parser of `parlour`.

The wheel puts the page where `man parlour` finds it. A test compares the file with what this module gives.
"""

from pathlib import Path

from parlour.client.cli.main import parser
from parlour.client.cli.subcommand import Parser
from tools.commands_page import about_of, arguments_of, name_of, usage_of

PAGE = Path(__file__).parent.parent / "docs" / "parlour.1"
OPENING = """\
.TH PARLOUR 1
.SH NAME
parlour \\- board games for a local network, and tournaments for bots
.SH SYNOPSIS
.B parlour
[COMMAND] [ARGUMENT ...]
.SH DESCRIPTION
Without a command it is
.BR "parlour play" .
Every command explains itself with
.BR \\-\\-help .
.SH COMMANDS
"""
CLOSING = """\
.SH EXIT STATUS
.TP
.B 0
All went well.
.TP
.B 1
A command that checks something has found a fault, or a game could not be played.
.TP
.B 2
The command was not understood, or cannot read what it was given.
"""


def page() -> str:
    """The whole page."""
    parts = [OPENING]
    for name, command in parser().words.items():
        parts.append(_section(f"parlour {name}", command))
        parts += [_section(f"parlour {name} {word}", below) for word, below in command.words.items()]
    return "".join([*parts, CLOSING])


def _section(title: str, command: Parser) -> str:
    lines = [f".SS {_escaped(title)}", _escaped(command.description or ""), ".PP", ".nf"]
    lines += [_escaped(line) for line in usage_of(title, command)]
    lines.append(".fi")
    for argument in arguments_of(command):
        name = name_of(argument).replace("\\|", "|")
        told = about_of(title, argument).replace("\\|", "|")
        lines += [".TP", f".B {_escaped(name)}", _escaped(told)]
    return "".join(f"{line}\n" for line in lines)


def _escaped(text: str) -> str:
    """As roff reads it: no sign has a meaning of its own."""
    told = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{told}" if told[:1] in (".", "'") else told


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
