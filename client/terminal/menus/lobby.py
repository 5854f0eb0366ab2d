"""The lobby: the tables of a server, sitting down or watching, and opening one."""

from collections.abc import Callable

from parlour.client.connection import Refused
from parlour.client.language.safe import safe
from parlour.client.table import Table
from parlour.client.terminal.menus.menu import Item, Menu, Prompt
from parlour.client.terminal.menus.new_table import Plan, choose_game
from parlour.client.terminal.menus.overlays import read_help, sure
from parlour.client.terminal.menus.replays import look_back
from parlour.client.terminal.menus.terms import terms
from parlour.client.terminal.menus.tournaments import open_tournaments
from parlour.client.terminal.player import Player
from parlour.protocol import messages as m


def lobby(player: Player) -> Menu:
    texts = player.texts
    tables = list((player.session.lobby or {}).values()) if player.session is not None else []
    order = {"gathering": 0, "playing": 1, "finished": 2, "closed": 3}
    tables.sort(key=lambda info: (order[info.stage], None not in info.chairs, info.table))
    mine = player.own_tables
    tables = [info for info in tables if info.table not in {each.id for each in mine}]
    items = [
        *[_own(player, each) for each in mine],
        *[_table(player, info) for info in tables],
        Item(texts("lobby.new"), lambda: player.open(lambda: choose_game(player, Plan())), "n"),
        Item(texts("lobby.code"), lambda: _ask_code(player), "c"),
        Item(texts("lobby.tournaments"), lambda: player.do(open_tournaments(player)), "t"),
        Item(texts("lobby.replays"), lambda: player.do(look_back(player)), "g"),
        Item(texts("lobby.say"), lambda: ask_chat(player), "/"),
        Item(texts("start.help"), lambda: read_help(player), "?"),
        Item(texts("lobby.leave"), player.leave_server, "q"),
    ]
    open_here = [texts("lobby.reached_at", url=safe(player.reached_at[0]))] if player.reached_at else []
    there = [texts("lobby.open_tables", count=len(tables))] if tables else []
    about = [
        *open_here,
        *(
            there
            if tables or mine
            else [texts("lobby.no_tables_alone" if player.alone else "lobby.no_tables")]
        ),
    ]
    return Menu(texts("lobby.title"), items, about, player.leave_server, "lobby")


def _own(player: Player, table: Table) -> Item:
    """The way back to a table at which the player has a seat."""
    key = f"game.{table.info.game}"
    game = player.texts(key) if player.texts.has(key) else safe(table.info.game)
    names = [safe(chair.name) for chair in table.info.chairs if chair is not None]
    words = player.texts("lobby.go_back", game=game, names=player.texts.listed(names))
    return Item(words, lambda: player.look_at(table.id), facts={"table": table.id, "game": table.info.game})


def _table(player: Player, info: m.TableInfo) -> Item:
    texts = player.texts
    names = [safe(chair.name) for chair in info.chairs if chair is not None]
    seats = texts("lobby.seats", taken=len(names), seats=len(info.chairs))
    game = texts(f"game.{info.game}") if texts.has(f"game.{info.game}") else safe(info.game)
    free = info.stage == "gathering" and None in info.chairs
    key = "lobby.join" if free else "lobby.watch" if info.watching != "nobody" else "lobby.closed"
    words = texts(key, game=game, seats=seats, names=texts.listed(names) or "-")
    facts = {"table": info.table, "game": info.game, "stage": info.stage, "free": free}
    about = texts.in_a_row([texts(f"lobby.stage_{info.stage}"), terms(info, texts)])
    return Item(words, _go(player, info, free), about=about, facts=facts)


def _go(player: Player, info: m.TableInfo, free: bool) -> Callable[[], None]:
    def sit() -> None:
        player.do(join(player, table=info.table) if free else player.watch(info.table))

    return sit


async def join(player: Player, **where: str) -> None:
    """Sits down by `table` or `code`, or goes back to a seat there; if all are taken, offers to watch."""
    try:
        await player.join(**where)
    except Refused as refused:
        if refused.facts.get("problem") == "seated":
            code = where.get("code", "").casefold()
            there = [each.id for each in player.own_tables if (each.code or "").casefold() == code]
            player.look_at(there[0] if there else player.table_id)
            return
        if refused.code != "no_seat" or refused.facts.get("watching") in (None, "nobody"):
            raise
        sure(player, player.texts("lobby.full"), lambda: player.do(player.watch(**where)))


def _ask_code(player: Player) -> None:
    def typed(text: str) -> None:
        code = "".join(filter(str.isalnum, text))  # people write it in groups
        if code:
            player.do(join(player, code=code))

    player.prompt = Prompt(player.texts("lobby.type_code"), typed, name="code")


def ask_chat(player: Player) -> None:
    if player.table is not None and player.table.seat is None:
        player.notice = player.texts("lobby.watchers_listen")
        return
    player.prompt = Prompt(player.texts("lobby.type_chat"), player.chat, name="chat")
