"""A table before and after a game: who sits where, who is ready, and what the player may do."""

import functools
from collections.abc import Callable

import attrs

from parlour.client.boards.catalogue import board_of
from parlour.client.language.safe import safe
from parlour.client.levels import level_of
from parlour.client.table import Table
from parlour.client.terminal.game.absence import absent, may_be_cleared
from parlour.client.terminal.game.hint_texts import bot_name
from parlour.client.terminal.game.hints import ask_hint
from parlour.client.terminal.menus.against_bots import play_again, strategies
from parlour.client.terminal.menus.lobby import ask_chat
from parlour.client.terminal.menus.menu import Item, Menu
from parlour.client.terminal.menus.overlays import read_help, read_invitation, read_rules, sure
from parlour.client.terminal.menus.terms import terms
from parlour.client.terminal.player import Player
from parlour.protocol import messages as m

KEYS = {"easy": "e", "medium": "m", "hard": "h"}
"""Keys that add a bot."""


def table_place(player: Player, table: Table) -> Menu:
    """The menu of a table between games."""
    texts, info = player.texts, table.info
    key = f"game.{info.game}"
    title = texts("table.title", game=texts(key) if texts.has(key) else safe(info.game))
    about = [_seat(player, table, seat) for seat in range(len(info.chairs))]
    free = None in info.chairs
    about += [terms(info, texts), _teams(player, table)]
    if table.code is not None and not player.alone and (free or info.watching != "nobody"):
        about.append(texts("table.code" if free else "table.code_watch", code=safe(table.code)))
    about.append(_waits_for(player, table))
    about = [line for line in about if line]
    return Menu(title, table_items(player, table), about, lambda: leave(player, table), "table")


def _seat(player: Player, table: Table, seat: int) -> str:
    texts, chair = player.texts, table.info.chairs[seat]
    if chair is None:
        return texts("table.free", number=seat + 1)
    marks = [
        texts("table.you") if seat == table.seat else "",
        texts("table.host") if chair.name == table.info.host else "",
        texts("table.bot") if chair.bot else "",
        bot_name(chair.strategy, texts) if chair.strategy is not None else "",
        board_of(table.info.game).team(table.info.options, seat, texts),
        texts("table.ready") if chair.ready else texts("table.not_ready"),
        "" if chair.here else texts("table.away"),
    ]
    told = texts("list.between").join(mark for mark in marks if mark)
    return texts("table.seat", number=seat + 1, name=safe(chair.name), told=told)


def _teams(player: Player, table: Table) -> str:
    """Who plays with whom, if there are teams."""
    texts, team = player.texts, board_of(table.info.game).team
    sides: dict[str, list[str]] = {}
    for seat, chair in enumerate(table.info.chairs):
        sides.setdefault(team(table.info.options, seat, texts), []).append(safe(chair.name) if chair else "…")
    told = [f"{texts('list.lead', what=side)}{texts.listed(names)}" for side, names in sides.items() if side]
    return texts("list.apart").join(told)


def _waits_for(player: Player, table: Table) -> str:
    texts, chairs = player.texts, table.info.chairs
    if table.info.stage != "gathering":
        return ""
    if None in chairs:
        return texts("table.waits_for_players", count=sum(chair is None for chair in chairs))
    if not all(chair is not None and chair.ready for chair in chairs):
        return texts("table.waits_for_ready")
    return texts("table.can_start" if table.hosting else "table.waits_for_host")


def table_items(player: Player, table: Table) -> list[Item]:
    """What the player may do between games, the likeliest first."""
    texts = player.texts
    items: list[Item] = []
    if table.info.stage == "gathering" and table.me is not None:
        items += _gathering(player, table, table.me)
    if table.info.stage == "finished" and table.me is not None and table.info.tournament is None:
        items.append(Item(texts("table.rematch"), lambda: player.do(play_again(player)), "m"))
    if table.info.stage in ("gathering", "finished") and table.hosting:
        items += [_kick(player, table, seat) for seat in _others(table)]
        items += [_let_back(player, name) for name in table.info.kicked]
    if table.code is not None and not player.alone:
        items.append(Item(texts("table.invite"), lambda: read_invitation(player, table), "i"))
    items += [
        Item(texts("menu.rules"), lambda: read_rules(player, table.info.game, table.options), "r"),
        Item(texts("lobby.say"), lambda: ask_chat(player), "/"),
        Item(texts("start.help"), lambda: read_help(player), "?"),
        Item(texts("table.leave"), lambda: leave(player, table), "q"),
    ]
    return items


def _gathering(player: Player, table: Table, me: m.Chair) -> list[Item]:
    texts, chairs = player.texts, table.info.chairs
    full = None not in chairs
    items = []
    if table.hosting and full and all(chair is not None and chair.ready for chair in chairs):
        start = Item(texts("table.start"), lambda: player.command(m.Start), "s")
        items.append(attrs.evolve(start, instead_of=texts("table.get_unready")))
    word = "table.get_unready" if me.ready else "table.get_ready"
    items.append(
        Item(texts(word), lambda: player.command(m.Ready, on=not me.ready), "y", "", {"ready": me.ready})
    )
    if table.hosting and not full and table.info.bots:
        items += _bots(player, table)
    free = [seat for seat, chair in enumerate(chairs) if chair is None]
    items += [
        Item(texts("table.sit", number=seat + 1), _sit(player, seat), facts={"seat": seat}) for seat in free
    ]
    return items


def _bots(player: Player, table: Table) -> list[Item]:
    """From easy to hard; those of other names by their numbers."""

    def item(strategy: str, number: int) -> Item:
        words = player.texts("table.add_bot", level=bot_name(strategy, player.texts))
        key = KEYS.get(level_of(strategy) or "", str(number))
        add = functools.partial(player.command, m.AddBot, strategy=strategy)
        return Item(words, add, key, "", {"strategy": strategy})

    return [item(each, number) for number, each in enumerate(strategies(player, table.info.game), 1)]


def _others(table: Table) -> list[int]:
    return [seat for seat, chair in enumerate(table.info.chairs) if chair is not None and seat != table.seat]


def _sit(player: Player, seat: int) -> Callable[[], None]:
    return lambda: player.command(m.Sit, seat=seat)


def _kick(player: Player, table: Table, seat: int) -> Item:
    chair = table.info.chairs[seat]
    name = safe(chair.name) if chair is not None else ""

    def kick() -> None:
        if chair is not None and chair.bot:
            player.command(m.Kick, seat=seat)
        else:
            sure(
                player, player.texts("table.sure_kick", name=name), lambda: player.command(m.Kick, seat=seat)
            )

    return Item(player.texts("table.kick", name=name), kick, facts={"kick": seat})


def _let_back(player: Player, name: str) -> Item:
    words = player.texts("table.let_back", name=safe(name))
    return Item(words, lambda: player.command(m.LetBack, name=name), facts={"let_back": name})


def leave(player: Player, table: Table) -> None:
    """Leaves the table; asks first if that gives up a game."""
    if table.info.stage == "playing" and table.seat is not None:
        sure(player, player.texts("table.sure_leave"), lambda: player.do(player.leave_table()))
    else:
        player.do(player.leave_table())


def pause(player: Player, table: Table) -> Menu:
    """What the player may do during a game besides moving."""
    texts, settings = player.texts, player.settings

    def turn(field: str) -> Callable[[], None]:
        def turned() -> None:
            setattr(settings, field, not getattr(settings, field))
            settings.write()

        return turned

    items = [
        Item(texts("play.go_on"), player.close, "g"),
        Item(texts("menu.rules"), lambda: read_rules(player, table.info.game, table.options), "r"),
        Item(texts("lobby.say"), lambda: ask_chat(player), "/"),
        Item(texts("start.help"), lambda: read_help(player), "?"),
        Item(texts("play.bell_off" if settings.bell else "play.bell_on"), turn("bell"), "b"),
        Item(texts("play.title_off" if settings.title else "play.title_on"), turn("title"), "t"),
    ]
    board = board_of(table.info.game)
    if board.moves.quiet:
        items.append(Item(texts("play.quiet_off" if settings.quiet else "play.quiet_on"), turn("quiet"), "h"))
    if board.lingers:
        words = texts("play.linger_off" if settings.linger else "play.linger_on")
        items.append(Item(words, turn("linger"), "s"))
    items[1:1] = _for_absent(player, table)
    allowed = table.info.hints and table.info.tournament is None
    if allowed and table.question is not None and not player.stale:
        items.insert(2, Item(texts("hint.ask"), lambda: _hint(player, table), "f"))
    if player.lost_at is not None:
        # Without a connection no command about the table arrives; the seat is kept.
        items.append(Item(texts("lobby.leave"), player.leave_server, "q", texts("connection.leave_about")))
        return Menu(texts("play.menu"), items, back=player.close, name="pause")
    if table.seat is not None and table.result is None:
        items.append(Item(texts("play.resign"), lambda: _resign(player, table), "x"))
    if table.seat is not None:
        items.append(Item(texts("play.to_lobby"), lambda: player.look_at(None), "l"))
    items.append(Item(texts("table.leave"), lambda: leave(player, table), "q"))
    if table.seat is None:
        items = [item for item in items if item.key != "/"]
    return Menu(texts("play.menu"), items, back=player.close, name="pause")


def _for_absent(player: Player, table: Table) -> list[Item]:
    """What the host may do about those who have lost the connection."""
    texts = player.texts
    items: list[Item] = []
    if not table.hosting or table.info.tournament is not None or player.lost_at is not None:
        return items

    def put_in(seat: int, strategy: str | None) -> Callable[[], None]:
        def ask() -> None:
            player.close()
            player.command(m.Substitute, seat=seat, strategy=strategy)

        return ask

    for seat, chair in absent(table):
        name = safe(chair.name)
        if table.info.bots and chair.substitute is not None:
            words = texts("absence.take_out", bot=safe(chair.substitute), name=name)
            items.append(Item(words, put_in(seat, None), facts={"substitute": None, "seat": seat}))
        elif table.info.bots and chair.strategy is None:
            items += [
                Item(
                    texts("absence.put_in", name=name, level=bot_name(each, texts)),
                    put_in(seat, each),
                    facts={"substitute": each, "seat": seat},
                )
                for each in strategies(player, table.info.game)
            ]
        if may_be_cleared(table, chair):
            items.append(_clear(player, table, seat, name))
    return items


def _clear(player: Player, table: Table, seat: int, name: str) -> Item:
    two = len(table.info.chairs) == 2

    def clear() -> None:
        player.places.clear()
        player.command(m.Kick, seat=seat)

    texts = player.texts
    words = texts("absence.end" if two else "absence.go_on", name=name)
    return Item(words, lambda: sure(player, texts("absence.sure", name=name), clear), facts={"kick": seat})


def _hint(player: Player, table: Table) -> None:
    player.close()
    ask_hint(player, table)


def _resign(player: Player, table: Table) -> None:
    key = "sure_resign_team" if table.options.get("teams") == "on" else "sure_resign"

    def resign() -> None:
        player.places.clear()
        player.command(m.Resign)

    sure(player, player.texts(f"play.{key}"), resign)
