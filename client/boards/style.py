"""How the styles that boards name look in a terminal. Colour never stands alone: a letter says the same."""

from prompt_toolkit.styles import Style

# The sixteen colours of the terminal's own theme, so that the board fits a dark and a light one.
STYLE = Style.from_dict(
    {
        "title": "bold",
        "name": "bold",
        "turn": "bold reverse",
        "faint": "ansibrightblack",
        "trophy": "bold ansiyellow",
        "card.red": "bg:ansired fg:ansiwhite bold",
        "card.yellow": "bg:ansiyellow fg:ansiblack bold",
        "card.green": "bg:ansigreen fg:ansiblack bold",
        "card.blue": "bg:ansiblue fg:ansiwhite bold",
        "card.grey": "bg:ansibrightblack fg:ansiwhite bold",
        "cube.red": "ansired bold",
        "cube.yellow": "ansiyellow bold",
        "cube.green": "ansigreen bold",
        "cube.blue": "ansibrightblue bold",
        "cube.grey": "bold",
        "room.red": "ansired",
        "room.yellow": "ansiyellow",
        "room.green": "ansigreen",
        "room.blue": "ansibrightblue",
        "room.grey": "",
        "wall": "",
        "mine": "bold reverse",
        "car": "bg:ansicyan fg:ansiblack bold",
        "sign": "bold",
        "speed": "bold",
        "sign.slow": "ansired bold",
        "star": "bold ansiyellow",
        "oil": "bg:ansimagenta fg:ansiwhite bold",
        "home": "ansigreen bold",
        "open": "ansigreen bold",
        "chosen": "bold reverse",
        "pawn.red": "bg:ansired fg:ansiwhite bold",
        "pawn.yellow": "bg:ansiyellow fg:ansiblack bold",
        "pawn.green": "bg:ansigreen fg:ansiblack bold",
        "pawn.blue": "bg:ansiblue fg:ansiwhite bold",
        "pawn.white": "bg:ansiwhite fg:ansiblack bold",
        "pawn.black": "bg:ansiblack fg:ansiwhite bold",
    }
)
