"""The lobby: the tables of a server, sitting down or watching, and opening one."""

from collections.abc import Callable

from parlour.client.language.safe import safe
from parlour.client.table import Table
from parlour.client.terminal.menus.menu import Item, Menu, Prompt
from parlour.client.terminal.menus.new_table import Plan, choose_game
from parlour.client.terminal.menus.overlays import read_help
from parlour.client.terminal.menus.replays import look_back
from parlour.client.terminal.menus.tournaments import go_to_hall
from parlour.client.terminal.player import Guest
from parlour.protocol import messages as m


def lobby(guest: Guest) -> Menu:
    texts = guest.texts
    tables = list((guest.session.lobby or {}).values()) if guest.session is not None else []
    order = {"gathering": 0, "playing": 1, "finished": 2, "closed": 3}
    tables.sort(key=lambda info: (order[info.stage], None not in info.chairs, info.table))
    mine = guest.own_tables
    tables = [info for info in tables if info.table not in {each.id for each in mine}]
    items = [
        *[_own(guest, each) for each in mine],
        *[_table(guest, info) for info in tables],
        Item(texts("lobby.new"), lambda: guest.open(lambda: choose_game(guest, Plan())), "n"),
        Item(texts("lobby.code"), lambda: _ask_code(guest), "c"),
        Item(texts("lobby.tournaments"), lambda: guest.do(go_to_hall(guest)), "t"),
        Item(texts("lobby.replays"), lambda: guest.do(look_back(guest)), "g"),
        Item(texts("lobby.say"), lambda: ask_chat(guest), "/"),
        Item(texts("start.help"), lambda: read_help(guest), "?"),
        Item(texts("lobby.leave"), guest.leave_server, "q"),
    ]
    open_here = [texts("lobby.reached_at", url=safe(guest.reached_at[0]))] if guest.reached_at else []
    there = [texts("lobby.open_tables", count=len(tables))] if tables else []
    about = [*open_here, *(there if tables or mine else [texts("lobby.no_tables")])]
    return Menu(texts("lobby.title"), items, about, guest.leave_server)


def _own(guest: Guest, table: Table) -> Item:
    """A table at which one has a seat, and is not looking."""
    key = f"game.{table.info.game}"
    game = guest.texts(key) if guest.texts.has(key) else safe(table.info.game)
    names = [safe(chair.name) for chair in table.info.chairs if chair is not None]
    words = guest.texts("lobby.go_back", game=game, names=guest.texts.listed(names))
    return Item(words, lambda: guest.look_at(table.id))


def _table(guest: Guest, info: m.TableInfo) -> Item:
    texts = guest.texts
    names = [safe(chair.name) for chair in info.chairs if chair is not None]
    seats = texts("lobby.seats", taken=len(names), seats=len(info.chairs))
    game = texts(f"game.{info.game}") if texts.has(f"game.{info.game}") else safe(info.game)
    free = info.stage == "gathering" and None in info.chairs
    key = "lobby.join" if free else "lobby.watch" if info.watching != "nobody" else "lobby.closed"
    words = texts(key, game=game, seats=seats, names=texts.listed(names) or "-")
    return Item(words, _go(guest, info, free), about=texts(f"lobby.stage_{info.stage}"))


def _go(guest: Guest, info: m.TableInfo, free: bool) -> Callable[[], None]:
    def sit() -> None:
        guest.do(guest.join(table=info.table) if free else guest.watch(info.table))

    return sit


def _ask_code(guest: Guest) -> None:
    def typed(text: str) -> None:
        if text.strip():
            guest.do(guest.join(code=text.strip()))

    guest.prompt = Prompt(guest.texts("lobby.type_code"), typed)


def ask_chat(guest: Guest) -> None:
    if guest.table is not None and guest.table.seat is None:
        guest.notice = guest.texts("lobby.watchers_listen")
        return
    guest.prompt = Prompt(guest.texts("lobby.type_chat"), guest.chat)
