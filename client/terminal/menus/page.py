"""A menu on the screen, and a text that is being read."""

import time

from parlour.client.boards.press import pressing
from parlour.client.boards.text import Line, columns, cut, padded, wrapped
from parlour.client.terminal.game.page import keys_line
from parlour.client.terminal.game.story import said_by
from parlour.client.terminal.menus.menu import Item, Menu, Reading
from parlour.client.terminal.player import Player
from parlour.client.terminal.status import connection, turn

LEAST_WIDTH, LEAST_HEIGHT = 40, 12
ABOUT = 3
"""Lines for what is explained of the item that is pointed at."""
CHAT = 4


def too_small(player: Player, width: int, height: int) -> list[Line]:
    told = player.texts("menu.too_small", has=f"{width}x{height}", needs=f"{LEAST_WIDTH}x{LEAST_HEIGHT}")
    return [[("class:name", piece)] for piece in wrapped(told, max(width, 2))][: max(height, 0)]


def menu_page(player: Player, menu: Menu, cursor: int, width: int, height: int) -> list[Line]:
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return too_small(player, width, height)
    head = [_title(player, menu.title, width), []]
    for text in menu.about:
        head += [[("", f"  {piece}")] for piece in wrapped(text, width - 4)]
    if menu.about:
        head.append([])
    pointed = menu.items[cursor] if menu.items else None
    about = wrapped(pointed.about, width - 6)[:ABOUT] if pointed is not None and pointed.about else []
    explained: list[Line] = [[("class:faint", f"    {text}")] for text in about]
    foot = _foot(player, width)
    height -= len(foot)
    chat = _chat(player, width, min(CHAT, max(0, height - len(head) - len(menu.items) - ABOUT - 1)))
    room = max(3, height - len(head) - ABOUT - len(chat))
    body = _items(menu, cursor, width, room)
    lines = [*head, *body, [], *explained]
    lines = [*lines[: height - len(chat)], *[[]] * (height - len(chat) - len(lines)), *chat]
    return [cut(line, width) for line in [*lines, *foot]]


def _title(player: Player, title: str, width: int) -> Line:
    right = connection(player, time.monotonic())
    left: Line = [("class:bar", f" PARLOUR  {title} ")]
    return [*padded(left, width - columns(right) - 1), *right]


def _foot(player: Player, width: int) -> list[Line]:
    if player.notice:
        return [[("class:notice", f" {piece}")] for piece in wrapped(player.notice, width - 2)[:ABOUT]]
    return [keys_line(player.texts("menu.keys"))]


def _items(menu: Menu, cursor: int, width: int, room: int) -> list[Line]:
    first = max(0, min(cursor - room // 2, len(menu.items) - room))
    lines = [
        _item(item, number, number == cursor, width)
        for number, item in list(enumerate(menu.items))[first : first + room]
    ]
    if first:
        lines[0] = [("class:faint", "  …")]
    if first + room < len(menu.items):
        lines[-1] = [("class:faint", "  …")]
    return lines


def _item(item: Item, number: int, pointed: bool, width: int) -> Line:
    press = pressing(f"item:{number}")
    key = f"{item.key} " if item.key else "  "
    mark = "▸ " if pointed else "  "
    style = f"class:chosen {press}" if pointed else press
    return cut([(press, f" {mark}"), (f"class:key {press}", key), (style, f" {item.words} ")], width)


def _chat(player: Player, width: int, room: int) -> list[Line]:
    table = player.table
    said = list(table.chat) if table is not None else player.lobby_chat
    lines: list[Line] = []
    for line in said[-room:] if room > 0 else []:
        lines += [[("class:faint", "  "), ("", piece)] for piece in said_by(line, width - 4, player.texts)]
    return lines[-room:] if room > 0 else []


def reading_page(
    player: Player, reading: Reading, top: int, width: int, height: int
) -> tuple[list[Line], int]:
    """The text from a line on, and the last line that it can begin with."""
    text: list[Line] = []
    if reading.live is not None:
        text = [[("", f"  {line}")] for line in reading.live(width - 4)]
    for paragraph in reading.paragraphs:
        text += [[("", f"  {piece}")] for piece in wrapped(paragraph, min(width - 4, 100))]
        text.append([])
    room = max(1, height - 3)
    last = max(0, len(text) - room)
    shown = text[min(top, last) :][:room]
    more = f" {min(100, 100 * (min(top, last) + room) // max(1, len(text)))}%" if last else ""
    asked = player.table if player.table is not None and player.table.question is not None else None
    # Whoever reads in the middle of a game sees that the others wait, and how long they do.
    below = turn(asked, player.texts, time.monotonic()) if asked is not None else []
    lines = [_title(player, f"{reading.title}{more}", width), below, *shown, *[[]] * (room - len(shown))]
    return [cut(line, width) for line in [*lines, keys_line(player.texts("menu.reading_keys"))]][
        -height:
    ], last
