"""How the styles that pictures name look in a terminal. Colour never stands alone: a letter says the same."""

from prompt_toolkit.styles import Style

# The sixteen colours of the terminal's own theme, so that the picture fits a dark and a light one.
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
    }
)
