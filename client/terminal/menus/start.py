"""The first menu: servers on this network, those of last time, playing here, and the player's name."""

import functools
from collections.abc import Awaitable, Callable

from parlour.client.addresses import as_url
from parlour.client.boards.catalogue import BOARDS
from parlour.client.language import LANGUAGES, choose
from parlour.client.language.safe import safe
from parlour.client.levels import LEVELS
from parlour.client.terminal.connecting import connect
from parlour.client.terminal.menus.against_bots import play_bots
from parlour.client.terminal.menus.menu import Item, Menu, Prompt
from parlour.client.terminal.menus.overlays import read_help
from parlour.client.terminal.player import Player, Server, WayBack

Play = Callable[[str, int], Callable[[], None]]
"""What begins a game with so many seats."""


def start(player: Player) -> Menu:
    texts = player.texts
    back = [player.way_back] if player.way_back is not None else []
    before = {each.url for each in back}
    found = [
        Item(
            texts("start.found", name=safe(each.label), url=safe(each.url)),
            _go(player, each.url),
            facts={"url": each.url},
        )
        for each in sorted(player.found.values(), key=lambda each: each.label)
        if each.url not in before
    ]
    known = before | {each.url for each in player.found.values()}
    recent = [
        Item(texts("start.recent", url=safe(url)), _go(player, url), facts={"url": url})
        for url in player.settings.recent
        if url not in known
    ]
    items = [
        *[Item(texts("start.come_back", url=safe(way.url)), _return(player, way), "b") for way in back],
        *found,
        *recent,
        Item(
            texts("start.play_here"),
            lambda: player.open(lambda: games(player)),
            "p",
            texts("start.play_here_about"),
        ),
        Item(
            texts("start.host"), lambda: connect(player, Server(None, True)), "o", texts("start.host_about")
        ),
        Item(texts("start.address"), lambda: _ask_address(player), "a", texts("start.address_about")),
        Item(texts("start.name", name=safe(player.settings.name)), lambda: _ask_name(player), "n"),
        Item(
            texts("start.language", language=LANGUAGES[texts.language]),
            lambda: player.open(lambda: languages(player)),
            "l",
        ),
        Item(texts("start.help"), lambda: read_help(player), "?"),
        Item(texts("start.leave"), player.leave_program, "q"),
    ]
    about = [
        texts("start.hello", name=safe(player.settings.name)),
        "" if player.found else texts("start.looking"),
    ]
    return Menu(texts("start.title"), items, [line for line in about if line], name="start")


def games(player: Player, play: Play | None = None) -> Menu:
    """The games to play here against bots: those that have boards; other servers send their own list."""
    play = play or functools.partial(_here, player)
    texts = player.texts
    items = [
        Item(
            texts.or_else(f"game.{game}", game),
            play(game, board.seats),
            str(number),
            texts.or_else(f"new.game.{game}", ""),
            {"game": game},
        )
        for number, (game, board) in enumerate(BOARDS.items(), 1)
    ]
    items += [
        Item(
            texts("start.practice", game=texts(f"game.{game}")),
            _here(player, game, board.seats, practice=True),
            "p",
            texts("start.practice_about"),
            {"game": game, "practice": True},
        )
        for game, board in BOARDS.items()
        if board.lesson is not None
    ]
    level = texts("start.bots", level=texts(f"bots.{player.settings.level}"))
    bots = Item(
        level, lambda: _other_bots(player), "b", texts("start.bots_about"), {"level": player.settings.level}
    )
    back = Item(texts("menu.back"), player.close, "q")
    return Menu(texts("start.which_game"), [*items, bots, back], back=player.close, name="games")


def _other_bots(player: Player) -> None:
    """Switches to the next level, after the hardest to the easiest."""
    levels = [*LEVELS]
    player.settings.level = levels[(levels.index(player.settings.level) + 1) % len(levels)]
    player.settings.write()


def languages(player: Player) -> Menu:
    def speak(code: str) -> Callable[[], None]:
        def spoken() -> None:
            player.texts = choose(code)
            player.settings.lang = code
            player.settings.write()
            player.close()

        return spoken

    items = [
        Item(name, speak(code), str(number), facts={"language": code})
        for number, (code, name) in enumerate(LANGUAGES.items(), 1)
    ]
    return Menu(player.texts("start.which_language"), items, back=player.close, name="languages")


def _go(player: Player, url: str) -> Callable[[], None]:
    return lambda: connect(player, Server(url))


def _return(player: Player, way: WayBack) -> Callable[[], None]:
    return lambda: connect(player, Server(way.url), way.then)


def _here(player: Player, game: str, seats: int, practice: bool = False) -> Callable[[], None]:
    def then() -> Awaitable[None]:
        return play_bots(player, game, seats, practice)

    return lambda: connect(player, Server(None), then)


def _ask_address(player: Player) -> None:
    def typed(text: str) -> None:
        if text.strip():
            connect(player, Server(as_url(text)))

    player.prompt = Prompt(player.texts("start.type_address"), typed, name="address")


def _ask_name(player: Player) -> None:
    def typed(text: str) -> None:
        if text.strip():
            player.settings.name = text.strip()
            player.settings.write()

    player.prompt = Prompt(player.texts("start.type_name"), typed, player.settings.name, name="name")
