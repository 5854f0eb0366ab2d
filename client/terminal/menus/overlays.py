"""What opens over any place: the keys, the rules of a game with a table's options, and a question."""

from collections.abc import Callable, Mapping
from typing import Any

from parlour.client.addresses import only_here
from parlour.client.boards.catalogue import BOARDS, board_of
from parlour.client.boards.options import unusual
from parlour.client.boards.text import wrapped
from parlour.client.language import Texts
from parlour.client.language.safe import safe
from parlour.client.table import Table
from parlour.client.terminal.game.story import Story
from parlour.client.terminal.menus.menu import Item, Menu, Reading
from parlour.client.terminal.player import Player
from parlour.client.web.invitation import page_address, qr_lines


def read_help(player: Player) -> None:
    """Opens the keys and marks; at a table with what is typed and drawn in its game, else in all games."""
    texts, table = player.texts, player.table
    games = [table.info.game] if table is not None else [*BOARDS]
    examples = [each for game in games for each in typed_examples(game, texts)]
    hurried = ["scramble"] if any(board_of(game).moves.quiet for game in games) else []
    letters = {game: texts.or_else(f"help.letters.{game}", "") for game in games}
    if table is None:
        letters = {game: f"{texts(f'game.{game}')}: {told}" for game, told in letters.items() if told}
    paragraphs = [
        *[texts(f"help.{part}") for part in ("menus", "moves")],
        texts("help.typing", examples=texts("list.apart").join(examples)),
        *[texts(f"help.{part}") for part in (*hurried, "keyboard", "keys", "chat", "mouse", "connection")],
        *[texts("help.marks"), *letters.values()],
    ]
    player.reading = Reading(texts("help.title"), [each for each in paragraphs if each])


def typed_examples(game: str, texts: Texts) -> list[str]:
    """Moves of a game as they may be typed."""
    return [each for each in texts.or_else(f"help.examples.{game}", "").split("|") if each]


def read_rules(player: Player, game: str, options: Mapping[str, Any]) -> None:
    """Opens the rules; what is unusual at the table comes first."""
    texts, board = player.texts, board_of(game)
    told = texts("list.apart").join(unusual(game, board.options, options, texts))
    first = [texts("options.unusual", options=told)] if told else []
    player.reading = Reading(texts.or_else(f"game.{game}", game), [*first, *board.rules(options, texts)])


def read_log(player: Player, story: Story) -> None:
    """Opens all that has happened and was said in this game."""

    def lines(width: int) -> list[str]:
        return [piece for sentence in story.sentences for piece in wrapped(sentence, width)]

    player.reading = Reading(player.texts("play.log"), (), lines)


def read_invitation(player: Player, table: Table) -> None:
    """Opens the way to a private table for others: its code, and its address as text and as a QR code."""
    texts, code = player.texts, table.code or ""
    url = next(iter(player.reached_at), player.connection.url if player.connection is not None else "")
    if only_here(url):
        told = [texts("table.only_here", choice=texts("start.host"))]
        player.reading = Reading(texts("table.invite"), told)
        return
    address = page_address(url, code)
    told = [texts("table.code", code=safe(code)), texts("table.address", address=safe(address)), ""]
    player.reading = Reading(texts("table.invite"), (), lambda _: [*told, *qr_lines(address)])


def sure(player: Player, question: str, do: Callable[[], None]) -> None:
    """Opens a question before what cannot be taken back."""

    def yes() -> None:
        player.close()
        do()

    texts = player.texts
    # In Russian, the letter of No is in the place of Y.
    items = [
        Item(words, do_it, key, letter=words[:1].casefold())
        for words, do_it, key in ((texts("menu.no"), player.close, "n"), (texts("menu.yes"), yes, "y"))
    ]
    player.open(lambda: Menu(texts("menu.sure"), items, [question], player.close, "sure"))
