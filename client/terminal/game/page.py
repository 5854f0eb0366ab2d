"""A game on the screen: the board, whose turn it is, the story, what can be chosen, and the keys."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.press import pressing
from parlour.client.boards.room import LEAST, SMALLEST, Room
from parlour.client.boards.text import Line, clipped, columns, cut, joined, padded, wrapped
from parlour.client.language import Texts
from parlour.client.language.safe import safe
from parlour.client.table import Table
from parlour.client.terminal.game.absence import absence_texts
from parlour.client.terminal.game.move_entry import MoveEntry, moves_of
from parlour.client.terminal.game.story import Story, lesson_text, names_of, outcome
from parlour.client.terminal.game.typed_move import understood
from parlour.client.terminal.status import connection, turn

FOOT = 5
"""Lines below the board in the smallest window: turn, two of the story, choices, keys."""
STORY, CHOICES = 2, 1
MOST_STORY, MOST_CHOICES = 8, 4
LINGER = 2.5
"""Seconds for which what was scored still stands on the board."""
SPARED = ("/", "A-z", "F2", "←→")
"""Keys that are left out where the line has no room for all: the help tells them."""
Plain = Mapping[str, Any]


def game_page(
    entry: MoveEntry, story: Story, table: Table, width: int, height: int, ascii: bool, to_read: str = ""
) -> list[Line]:
    """The whole window without what is typed at the foot of it.

    What a learner has to read stands in the place of story and choices until a key is pressed.
    """
    if width < SMALLEST.width or height < SMALLEST.height + FOOT:
        return _without_board(entry, table, width, height)
    entry.give_room(_most_choices(height) * (width - 2), table)
    choices_room, story_room = _rooms(entry, table, width, height)
    keys = _hints(entry, width, 1 + story_room) or _keys(entry, table, width)[: max(1, story_room)]
    story_room -= len(keys) - 1
    now = time.monotonic()
    status = _status(entry, table, width, now)[: 1 + story_room]
    story_room -= len(status) - 1
    foot = len(status) + len(keys) + story_room + choices_room
    board = _board(entry, table, Room(width, height - foot, ascii, foot))
    board = _without_gap(board)
    story_room += max(0, height - foot - len(board))
    if to_read:
        told = [[("class:notice", f" {piece}")] for piece in wrapped(to_read, width - 2)]
        below = [*told, *[[]] * (story_room + choices_room + len(keys) - 1 - len(told))]
        keys = [keys_line(entry.player.texts("play.keys_go_on"))]
        return [cut(line, width) for line in [*board, *status, *below, *keys][-height:]]
    lesson = _lesson(entry, table, width)[: max(0, story_room)]
    lines = [
        *board,
        *status,
        *lesson,
        *_story(story, table, entry, width, story_room - len(lesson)),
        *_choices(entry, table, width, choices_room),
        *keys,
    ]
    return [cut(line, width) for line in lines[-height:]]


def _without_gap(board: list[Line]) -> list[Line]:
    """The board with one empty line above whose turn it is, however many it had room for."""
    *above, last = board or [[]]
    while len(above) > 1 and not above[-1] and not above[-2]:
        above.pop()
    return [*above, last]


def _without_board(entry: MoveEntry, table: Table, width: int, height: int) -> list[Line]:
    """What such a window needs, or what to do instead; no choices, since nobody chooses without a board."""
    lines = _board(entry, table, Room(width, height - FOOT, besides=FOOT))
    keys = keys_line(entry.player.texts("play.keys_wait"))
    return [cut(line, width) for line in [*lines, *[[]] * (height - 1 - len(lines)), keys]][-height:]


def _most_choices(height: int) -> int:
    """Lines that choices may have; in the smallest window a second one takes one of the story's."""
    return min(MOST_CHOICES, CHOICES + max(1, height - LEAST.height - FOOT))


def _rooms(entry: MoveEntry, table: Table, width: int, height: int) -> tuple[int, int]:
    """Lines for choices and story: what a window has beyond the smallest is shared with the board."""
    extra = max(0, height - LEAST.height - FOOT)
    wanted = len(_flow(entry, entry.lead(table), width, MOST_CHOICES, {})) - CHOICES
    more = min(extra, wanted)
    # In the smallest window a second line of choices takes one of the story's.
    squeezed = int(more < wanted and extra == 0)
    return CHOICES + more + squeezed, STORY - squeezed + min((extra - more) // 2, MOST_STORY - STORY)


def _board(entry: MoveEntry, table: Table, room: Room) -> list[Line]:
    legal = entry.selection.legal if entry.selection is not None else ()
    view = table.view or {}
    # Somebody gave the game up: nobody is asked any more.
    broken_off = table.result is not None and bool(view.get("to_act"))
    view = {**view, "to_act": ()} if broken_off else view
    view = board_of(table.info.game).lately(view, table.news, _recent(entry, table))
    names, marked, texts = _names(table, entry.player.texts), entry.marked(table), entry.player.texts
    lines = board_of(table.info.game).draw(view, table.seat, names, room, legal, marked, texts)
    lines = [*lines[:-1], []] if broken_off else lines
    if not entry.player.stale:
        return lines
    # A stale board must not look like a live one.
    return [[("class:faint", text) for _, text in line] for line in lines]


def _names(table: Table, texts: Texts) -> list[str]:
    """As they stand on the board: with a mark for those who gave up."""
    names = names_of(table)
    for seat, chair in enumerate(table.chairs):
        if chair is not None and chair.left:
            names[seat] = texts("board.gave_up", name=names[seat])
    return names


def _recent(entry: MoveEntry, table: Table) -> list[tuple[Plain, Sequence[Plain]]]:
    """The updates that linger: none once a key was pressed, so that they are in nobody's way."""
    since = max(time.monotonic() - LINGER, entry.pressed_at)
    lingering = [each for each in table.recent if each.at > since and each.before]
    return [(each.before, each.news) for each in lingering] if entry.player.settings.linger else []


def _status(entry: MoveEntry, table: Table, width: int, now: float) -> list[Line]:
    """Whose turn it is, or how the game ended and who wants another one; beside it the connection."""
    texts, right = entry.player.texts, connection(entry.player, now)
    if table.info.watchers:
        right = [("class:faint", f"{texts('play.watchers', count=table.info.watchers)}  "), *right]
    if entry.player.settings.quiet and moves_of(table).quiet:
        right = [("class:faint", f"{texts('play.kept_quiet')}  "), *right]
    room = width - columns(right) - 1
    if entry.player.stale:
        left: list[Line] = [[("class:alarm", f" {texts('play.stale')} ")]]
    elif table.result is not None:
        left = [[("class:turn", f" {piece} ")] for piece in wrapped(outcome(table, texts), room - 2)]
        left += [[("class:notice", f" {piece}")] for piece in wrapped(_rematch(entry, table), room - 2)]
    else:
        left = [turn(table, texts, now)]
        away = [texts("absence.own_key")] if table.played_for else []
        away += absence_texts(table, texts, now)
        told = wrapped(texts.in_a_row(away), width - 2) if away else []
        left += [[("class:alarm", f" {piece} ")] for piece in told]
    first, *others = left
    return [[*padded(first, room), *right], *others]


def _rematch(entry: MoveEntry, table: Table) -> str:
    """Who waits for this player to play again."""
    now = entry.player.table
    if now is None or now.info.stage != "gathering" or table.seat is None:
        return ""
    ready = [
        safe(chair.name)
        for seat, chair in enumerate(now.info.chairs)
        if chair and chair.ready and seat != now.seat
    ]
    texts = entry.player.texts
    return texts("over.waits", who=texts.listed(ready), count=len(ready)) if ready else ""


def _lesson(entry: MoveEntry, table: Table, width: int) -> list[Line]:
    told = lesson_text(table, entry.player.texts)
    return [[("class:notice", f" {piece}")] for piece in wrapped(told, width - 2)] if told else []


def _story(story: Story, table: Table, entry: MoveEntry, width: int, room: int) -> list[Line]:
    lines = story.lines(width, room, entry.player.texts)
    if table.news_missed and len(story.sentences) < room:
        lines[:0] = [[("class:faint", f" {entry.player.texts('play.missed')}")]]
    lines = lines[-room:] if room else []
    return [*lines, *[[]] * (room - len(lines))]


def _choices(entry: MoveEntry, table: Table, width: int, room: int) -> list[Line]:
    several = _typed_so_far(entry, table) if entry.typed else []
    if several:
        lines = [[*_lead(entry, entry.lead(table)), *several]]
    else:
        lines = _flow(entry, entry.lead(table), width, room, entry.keys(table))
    return [*lines, *[[]] * (room - len(lines))]


def _lead(entry: MoveEntry, settled: Line) -> Line:
    """What is settled, and what was typed after it."""
    between = entry.player.texts("list.lead", what="") if settled else ""
    typed: Line = [("class:name", f"{entry.typed}▏")] if entry.typed else []
    return [("", " "), *settled, ("class:name", between), *typed]


def _typed_so_far(entry: MoveEntry, table: Table) -> Line:
    """What was typed of several steps at once, marked if Enter would take it; nothing if offers tell it."""
    found, shown = understood(entry, table), entry.fitting()
    only = found.only if entry.cursor is None or not shown else None
    if only is not None and (len(only.offers) > 1 or not shown):
        return [("", "▸"), *only.line, ("", "◂")]
    if shown:
        return []
    if not found.best:
        return [("class:faint", entry.player.texts("play.nothing_fits"))]
    return joined([each.line for each in found.best], "   ")


def _flow(entry: MoveEntry, settled: Line, width: int, room: int, keys: dict[str, int]) -> list[Line]:
    """The offers one after the other, as many lines as there are, around the one that is pointed at."""
    lines: list[Line] = []
    lead = _lead(entry, settled)
    line, at = lead, 0
    for number in entry.fitting():
        piece = _offer(entry, number, keys)
        if columns(line) + columns(piece) + 2 > width and columns(line) > columns(lead):
            lines.append(line)
            line = [("", " ")]
        if number == entry.cursor:
            at = len(lines)
        line = [*line, *piece, ("", " ")]
    lines.append(line)
    first = max(0, min(at - room // 2, len(lines) - room))
    window = lines[first : first + room]
    if first and window:
        window[0] = [("class:faint", "…"), *window[0][1:]]
    if first + room < len(lines):
        window[-1] = [*cut(window[-1], width - 2), ("class:faint", " …")]
    return window


def _offer(entry: MoveEntry, number: int, keys: dict[str, int]) -> Line:
    press = pressing(f"offer:{number}")
    pointed = number == entry.cursor
    letter = next((each for each, whose in keys.items() if whose == number and each.isascii()), "")
    hot: Line = [(f"class:key {press}", f"{letter.upper()} ")] if letter else []
    item = entry.offers[number].item
    if item is not None and item.key:
        hot = [(f"class:key {press}", item.key), (press, " ")]
    if letter and plain_begins(entry.offers[number].line, letter):
        hot = []
    inside = [(f"{style} {press}", clipped(text, 60)) for style, text in [*hot, *entry.offers[number].line]]
    left, right = ("▸", "◂") if pointed else (" ", " ")
    style = f"class:chosen {press}" if pointed else press
    return [(style, left), *inside, (style, right)]


def plain_begins(line: Line, letter: str) -> bool:
    """Whether the words show the letter by themselves."""
    return "".join(text for _, text in line)[:1].casefold() == letter


def _hints(entry: MoveEntry, width: int, room: int) -> list[Line]:
    """What a strategy would play, in the place of story and keys; its title if there is room."""
    hints = entry.player.hints
    if hints is None:
        return []
    told = [piece for each in hints.paragraphs for piece in wrapped(each, width - 2)]
    told = [hints.title, *told] if len(told) < room else told
    return [[("class:notice", f" {each}")] for each in told[:room]]


def _keys(entry: MoveEntry, table: Table, width: int) -> list[Line]:
    """What was wrong, in as many lines as it takes, or what there is to know; otherwise the keys."""
    texts = entry.player.texts
    if entry.wrong:
        return [[("class:alarm", f" {piece}")] for piece in wrapped(entry.wrong, width - 2)]
    if entry.player.notice:
        return [[("class:notice", f" {piece}")] for piece in wrapped(entry.player.notice, width - 2)]
    if entry.selection is not None and table.question is not None and table.question.scramble:
        words = texts("play.keys_scramble")
    elif entry.selection is not None:
        begun = entry.typed or entry.selection.before is not None
        words = texts("play.keys_choose" if begun else "play.keys_first")
    elif entry.offers:
        words = texts("play.keys_over")
    else:
        words = texts("play.keys_wait")
    if entry.offers and entry.cursor is None and not entry.typed:
        words = _without(words, "Enter ")
    if not table.info.hints or table.info.tournament is not None:
        words = _without(words, "F3")
    if table.seat is None:  # spectators cannot chat
        words = _without(words, "/")
    for key in SPARED:
        words = words if columns(keys_line(words)) <= width else _without(words, key)
    return [keys_line(words)]


def _without(words: str, key: str) -> str:
    return "|".join(part for part in words.split("|") if not part.startswith(key))


def keys_line(words: str) -> Line:
    """`key words|key words`: keys can be clicked, except where several stand together."""
    parts: list[Line] = []
    for part in words.split("|"):
        key, _, what = part.partition(" ")
        press = pressing(key.casefold())
        parts.append([(f"class:key {press}", key), (f"class:faint {press}", f" {what}")])
    return [("", " "), *joined(parts, "  ")]
