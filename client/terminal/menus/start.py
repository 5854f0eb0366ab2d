"""The first place: servers on this network, those of last time, and playing here; and what one is called."""

from collections.abc import Awaitable, Callable

from parlour.client.addresses import as_url
from parlour.client.boards.catalogue import BOARDS
from parlour.client.language import LANGUAGES, choose
from parlour.client.language.safe import safe
from parlour.client.levels import LEVELS
from parlour.client.terminal.connecting import visit
from parlour.client.terminal.menus.against_bots import play_bots
from parlour.client.terminal.menus.menu import Item, Menu, Prompt
from parlour.client.terminal.menus.overlays import read_help
from parlour.client.terminal.player import Guest, Server, WayBack


def start(guest: Guest) -> Menu:
    texts = guest.texts
    back = [guest.way_back] if guest.way_back is not None else []
    before = {each.url for each in back}
    found = [
        Item(texts("start.found", name=safe(each.label), url=safe(each.url)), _go(guest, each.url))
        for each in sorted(guest.found.values(), key=lambda each: each.label)
        if each.url not in before
    ]
    known = before | {each.url for each in guest.found.values()}
    recent = [
        Item(texts("start.recent", url=safe(url)), _go(guest, url))
        for url in guest.settings.recent
        if url not in known
    ]
    items = [
        *[Item(texts("start.come_back", url=safe(way.url)), _return(guest, way), "b") for way in back],
        *found,
        *recent,
        Item(
            texts("start.play_here"),
            lambda: guest.open(lambda: games(guest)),
            "p",
            texts("start.play_here_about"),
        ),
        Item(texts("start.host"), lambda: visit(guest, Server(None, True)), "o", texts("start.host_about")),
        Item(texts("start.address"), lambda: _ask_address(guest), "a", texts("start.address_about")),
        Item(texts("start.name", name=safe(guest.settings.name)), lambda: _ask_name(guest), "n"),
        Item(
            texts("start.language", language=LANGUAGES[texts.language]),
            lambda: guest.open(lambda: languages(guest)),
            "l",
        ),
        Item(texts("start.help"), lambda: read_help(guest), "?"),
        Item(texts("start.leave"), guest.leave_program, "q"),
    ]
    about = [
        texts("start.hello", name=safe(guest.settings.name)),
        "" if guest.found else texts("start.looking"),
    ]
    return Menu(texts("start.title"), items, [line for line in about if line])


def games(guest: Guest) -> Menu:
    """Which game to play here against bots: those that have boards; a server tells its own list."""
    texts = guest.texts
    items = [
        Item(
            texts.or_else(f"game.{game}", game),
            _here(guest, game, board.seats),
            str(number),
            texts.or_else(f"new.game.{game}", ""),
        )
        for number, (game, board) in enumerate(BOARDS.items(), 1)
    ]
    level = texts("start.bots", level=texts(f"bots.{guest.settings.level}"))
    bots = Item(level, lambda: _other_bots(guest), "b", texts("start.bots_about"))
    back = Item(texts("menu.back"), guest.close, "q")
    return Menu(texts("start.which_game"), [*items, bots, back], back=guest.close)


def _other_bots(guest: Guest) -> None:
    """The next level, and after the hardest the easiest."""
    levels = [*LEVELS]
    guest.settings.level = levels[(levels.index(guest.settings.level) + 1) % len(levels)]
    guest.settings.write()


def languages(guest: Guest) -> Menu:
    def speak(code: str) -> Callable[[], None]:
        def spoken() -> None:
            guest.texts = choose(code)
            guest.settings.lang = code
            guest.settings.write()
            guest.close()

        return spoken

    items = [Item(name, speak(code), str(number)) for number, (code, name) in enumerate(LANGUAGES.items(), 1)]
    return Menu(guest.texts("start.which_language"), items, back=guest.close)


def _go(guest: Guest, url: str) -> Callable[[], None]:
    return lambda: visit(guest, Server(url))


def _return(guest: Guest, way: WayBack) -> Callable[[], None]:
    return lambda: visit(guest, Server(way.url), way.then)


def _here(guest: Guest, game: str, seats: int) -> Callable[[], None]:
    def then() -> Awaitable[None]:
        return play_bots(guest, game, seats)

    return lambda: visit(guest, Server(None), then)


def _ask_address(guest: Guest) -> None:
    def typed(text: str) -> None:
        if text.strip():
            visit(guest, Server(as_url(text)))

    guest.prompt = Prompt(guest.texts("start.type_address"), typed)


def _ask_name(guest: Guest) -> None:
    def typed(text: str) -> None:
        if text.strip():
            guest.settings.name = text.strip()
            guest.settings.write()

    guest.prompt = Prompt(guest.texts("start.type_name"), typed, guest.settings.name)
