"""The menu of tournaments, and the page of one with all that a player may do there."""

import secrets
from collections.abc import Callable

from parlour.client.following import Followed
from parlour.client.language.safe import safe
from parlour.client.terminal.menus.menu import Item, Menu, Prompt
from parlour.client.terminal.menus.overlays import sure
from parlour.client.terminal.menus.tournament_pages import read_entrants, read_live, read_rules_of
from parlour.client.terminal.player import Player
from parlour.client.tournaments.tables import (
    cross_lines,
    game_of,
    head_lines,
    pairing_lines,
    phase_line,
    standings_lines,
)
from parlour.client.tournaments.texts import format_name
from parlour.protocol import messages as m
from parlour.protocol.codec import read_part

BEST = 5
"""Lines of the standings on a tournament's page."""
OPEN = ("announced", "registration", "check_in", "running", "paused")


async def open_tournaments(player: Player) -> None:
    """Asks which tournaments there are, and opens the list."""
    infos = await _infos(player)
    player.open(lambda: tournaments(player, infos))


async def _infos(player: Player) -> list[m.TournamentInfo]:
    told = (await player.ask(m.Tournaments))["tournaments"]
    return [read_part(each, m.TournamentInfo) for each in told]


def tournaments(player: Player, infos: list[m.TournamentInfo]) -> Menu:
    texts = player.texts

    async def again() -> None:
        infos[:] = await _infos(player)

    items = [
        *[_entry(player, info) for info in infos],
        Item(texts("tournaments.look"), lambda: player.do(again()), "l"),
        Item(texts("menu.back"), player.close, "q"),
    ]
    about = [] if infos else [texts("tournaments.none"), texts("tournaments.hint")]
    return Menu(texts("tournaments.title"), items, about, player.close, "tournaments")


def _entry(player: Player, info: m.TournamentInfo) -> Item:
    texts = player.texts
    words = texts(
        "tournaments.entry",
        id=safe(info.tournament),
        name=safe(info.name),
        game=game_of(info, texts),
        format=format_name(info.format, texts),
        phase=phase_line(info, texts),
    )
    facts = {"tournament": info.tournament, "phase": info.phase}
    return Item(words, lambda: player.do(go_to_tournament(player, info.tournament)), facts=facts)


async def go_to_tournament(player: Player, id: str) -> None:
    """Follows a tournament from now on, and opens its page."""
    await player.ask(m.WatchTournament, tournament=id, on=True)
    player.tournament = lambda: tournament(player, id)
    player.open(player.tournament)


def tournament(player: Player, id: str) -> Menu:
    """The page of a tournament, as it stands now."""
    texts = player.texts
    followed = player.session.tournaments.get(id) if player.session is not None else None

    def back() -> None:
        player.tournament = None
        player.close()
        if player.connection is not None:
            player.connection.tell(m.WatchTournament, tournament=id, on=False)

    leave = Item(texts("menu.back"), back, "q")
    if followed is None:
        return Menu(texts("tournaments.title"), [leave], [texts("connection.opening")], back, "tournament")
    about = [*head_lines(followed, texts), _you(player, followed)]
    if followed.crosstable:
        about += ["", *standings_lines(followed, texts, BEST)]
    items = [*_own(player, followed), *_looks(player, followed), *_organising(player, followed), leave]
    return Menu(safe(followed.info.name), items, [line for line in about if line], back, "tournament")


def _me(player: Player, followed: Followed) -> m.Entrant | None:
    return followed.entrants.get(player.own_name)


def _you(player: Player, followed: Followed) -> str:
    me, phase = _me(player, followed), followed.info.phase
    if me is None or phase not in OPEN:
        return ""
    if me.gone:
        return player.texts("tournaments.you_gone")
    if me.checked_in:
        return player.texts("tournaments.you_there")
    return player.texts("tournaments.you_must" if phase in ("check_in", "running") else "tournaments.you")


# What entrants may do


def _own(player: Player, followed: Followed) -> list[Item]:
    texts, me, phase, id = player.texts, _me(player, followed), followed.info.phase, followed.id
    items = []
    late = phase == "running" and followed.info.round < int(followed.rules["entry"]["late"])
    if me is None and (phase in ("registration", "check_in") or late):
        items.append(Item(texts("tournaments.enter"), lambda: _ask_to_enter(player, followed), "e"))
    if me is not None and not me.gone and phase in OPEN:
        if not me.checked_in and phase in ("check_in", "running"):
            items.append(Item(texts("tournaments.check_in"), lambda: player.do(_check_in(player, id)), "c"))
        items.append(Item(texts("tournaments.withdraw"), lambda: _withdraw(player, id), "w"))
    return items


def _ask_to_enter(player: Player, followed: Followed) -> None:
    """Asks for the invitation first, where the rules want one."""

    def typed(text: str) -> None:
        if text.strip():
            player.do(_enter(player, followed, text.strip()))

    if followed.rules["entry"].get("invitation"):
        player.prompt = Prompt(player.texts("tournaments.type_code"), typed, name="invitation")
    else:
        player.do(_enter(player, followed, None))


async def _enter(player: Player, followed: Followed, code: str | None) -> None:
    await player.ask(m.Enter, tournament=followed.id, code=code)
    if followed.info.phase != "registration":
        await _check_in(player, followed.id)


async def _check_in(player: Player, id: str) -> None:
    await player.ask(m.CheckIn, tournament=id, nonce=secrets.token_hex(8))


def _withdraw(player: Player, id: str) -> None:
    sure(
        player,
        player.texts("tournaments.sure_withdraw"),
        lambda: player.do(player.ask(m.Withdraw, tournament=id)),
    )


# What everybody may look at


def _looks(player: Player, followed: Followed) -> list[Item]:
    texts, id = player.texts, followed.id

    def now() -> Followed:
        session = player.session
        return session.tournaments.get(id, followed) if session is not None else followed

    def live(key: str, lines: Callable[[int], list[str]]) -> Callable[[], None]:
        return lambda: read_live(player, texts(key), lines)

    pairings = live("tournaments.pairings", lambda _: pairing_lines(now(), texts))
    standings = live("tournaments.standings", lambda _: standings_lines(now(), texts))
    crosses = live("tournaments.crosstable", lambda width: cross_lines(now(), texts, width))
    return [
        Item(texts("tournaments.crosstable"), crosses, "x"),
        Item(texts("tournaments.standings"), standings, "s"),
        Item(texts("tournaments.pairings"), pairings, "p"),
        Item(texts("tournaments.entrants"), lambda: read_entrants(player, now), "n"),
        Item(texts("tournaments.rules"), lambda: read_rules_of(player, now()), "r"),
    ]


# What its organiser may do


def _organising(player: Player, followed: Followed) -> list[Item]:
    if followed.info.organiser != player.own_name or followed.over:
        return []
    texts, id = player.texts, followed.id

    def steer(to: str) -> Callable[[], None]:
        return lambda: player.do(player.ask(m.Steer, tournament=id, to=to))

    def cancel() -> None:
        sure(player, texts("tournaments.sure_cancel"), steer("cancel"))

    items = []
    match followed.info.phase:
        case "announced":
            items = [
                Item(texts("tournaments.steer.open"), steer("open"), "o"),
                Item(texts("tournaments.steer.start"), steer("start"), "g"),
            ]
        case "registration":
            items = [Item(texts("tournaments.steer.start"), steer("start"), "g")]
        case "check_in":
            items = [Item(texts("tournaments.steer.begin"), steer("start"), "g")]
        case "running":
            items = [Item(texts("tournaments.steer.pause"), steer("pause"), "u")]
        case "paused":
            items = [Item(texts("tournaments.steer.resume"), steer("resume"), "u")]
    return [*items, Item(texts("tournaments.steer.cancel"), cancel, "k")]
