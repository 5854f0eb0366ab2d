"""The tournament hall: the list of tournaments, and the page of one with all that one may do there."""

import secrets
from collections.abc import Callable

from parlour.client.following import Followed
from parlour.client.language.safe import safe
from parlour.client.terminal.menus.menu import Item, Menu
from parlour.client.terminal.menus.overlays import sure
from parlour.client.terminal.menus.tournament_pages import read_entrants, read_live, read_rules_of
from parlour.client.terminal.player import Guest
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


async def go_to_hall(guest: Guest) -> None:
    """Asks which tournaments there are, and opens the list."""
    infos = await _infos(guest)
    guest.open(lambda: hall(guest, infos))


async def _infos(guest: Guest) -> list[m.TournamentInfo]:
    told = (await guest.ask(m.Tournaments))["tournaments"]
    return [read_part(each, m.TournamentInfo) for each in told]


def hall(guest: Guest, infos: list[m.TournamentInfo]) -> Menu:
    texts = guest.texts

    async def again() -> None:
        infos[:] = await _infos(guest)

    items = [
        *[_entry(guest, info) for info in infos],
        Item(texts("hall.look"), lambda: guest.do(again()), "l"),
        Item(texts("menu.back"), guest.close, "q"),
    ]
    about = [] if infos else [texts("hall.none"), texts("hall.hint")]
    return Menu(texts("hall.title"), items, about, guest.close)


def _entry(guest: Guest, info: m.TournamentInfo) -> Item:
    texts = guest.texts
    kind = f"{game_of(info, texts)}, {format_name(info.format, texts)}"
    words = f"{safe(info.tournament)}  {safe(info.name)}: {kind}, {phase_line(info, texts)}"
    return Item(words, lambda: guest.do(go_to_tournament(guest, info.tournament)))


async def go_to_tournament(guest: Guest, id: str) -> None:
    """Follows a tournament from now on, and opens its page."""
    await guest.ask(m.WatchTournament, tournament=id, on=True)
    guest.tournament = lambda: tournament(guest, id)
    guest.open(guest.tournament)


def tournament(guest: Guest, id: str) -> Menu:
    """The page of a tournament, as it stands now."""
    texts = guest.texts
    followed = guest.session.tournaments.get(id) if guest.session is not None else None

    def back() -> None:
        guest.tournament = None
        guest.close()
        if guest.connection is not None:
            guest.connection.tell(m.WatchTournament, tournament=id, on=False)

    leave = Item(texts("menu.back"), back, "q")
    if followed is None:
        return Menu(texts("hall.title"), [leave], [texts("connection.opening")], back)
    about = [*head_lines(followed, texts), _you(guest, followed)]
    if followed.crosstable:
        about += ["", *standings_lines(followed, texts, BEST)]
    items = [*_own(guest, followed), *_looks(guest, followed), *_organising(guest, followed), leave]
    return Menu(safe(followed.info.name), items, [line for line in about if line], back)


def _me(guest: Guest, followed: Followed) -> m.Entrant | None:
    return followed.entrants.get(guest.own_name)


def _you(guest: Guest, followed: Followed) -> str:
    me, phase = _me(guest, followed), followed.info.phase
    if me is None or phase not in OPEN:
        return ""
    if me.gone:
        return guest.texts("hall.you_gone")
    if me.checked_in:
        return guest.texts("hall.you_there")
    return guest.texts("hall.you_must" if phase in ("check_in", "running") else "hall.you")


# What entrants may do


def _own(guest: Guest, followed: Followed) -> list[Item]:
    texts, me, phase, id = guest.texts, _me(guest, followed), followed.info.phase, followed.id
    items = []
    late = phase == "running" and followed.info.round < int(followed.rules["entry"]["late"])
    if me is None and (phase in ("registration", "check_in") or late):
        items.append(Item(texts("hall.enter"), lambda: guest.do(_enter(guest, followed)), "e"))
    if me is not None and not me.gone and phase in OPEN:
        if not me.checked_in and phase in ("check_in", "running"):
            items.append(Item(texts("hall.check_in"), lambda: guest.do(_check_in(guest, id)), "c"))
        items.append(Item(texts("hall.withdraw"), lambda: _withdraw(guest, id), "w"))
    return items


async def _enter(guest: Guest, followed: Followed) -> None:
    await guest.ask(m.Enter, tournament=followed.id)
    if followed.info.phase != "registration":
        await _check_in(guest, followed.id)


async def _check_in(guest: Guest, id: str) -> None:
    await guest.ask(m.CheckIn, tournament=id, nonce=secrets.token_hex(8))


def _withdraw(guest: Guest, id: str) -> None:
    sure(
        guest,
        guest.texts("hall.sure_withdraw"),
        lambda: guest.do(guest.ask(m.Withdraw, tournament=id)),
    )


# What everybody may look at


def _looks(guest: Guest, followed: Followed) -> list[Item]:
    texts, id = guest.texts, followed.id

    def now() -> Followed:
        session = guest.session
        return session.tournaments.get(id, followed) if session is not None else followed

    def live(key: str, lines: Callable[[int], list[str]]) -> Callable[[], None]:
        return lambda: read_live(guest, texts(key), lines)

    pairings = live("hall.pairings", lambda _: pairing_lines(now(), texts))
    standings = live("hall.standings", lambda _: standings_lines(now(), texts))
    crosses = live("hall.crosstable", lambda width: cross_lines(now(), texts, width))
    return [
        Item(texts("hall.crosstable"), crosses, "x"),
        Item(texts("hall.standings"), standings, "s"),
        Item(texts("hall.pairings"), pairings, "p"),
        Item(texts("hall.entrants"), lambda: read_entrants(guest, now), "n"),
        Item(texts("hall.rules"), lambda: read_rules_of(guest, now()), "r"),
    ]


# What its organiser may do


def _organising(guest: Guest, followed: Followed) -> list[Item]:
    if followed.info.organiser != guest.own_name or followed.over:
        return []
    texts, id = guest.texts, followed.id

    def steer(to: str) -> Callable[[], None]:
        return lambda: guest.do(guest.ask(m.Steer, tournament=id, to=to))

    def cancel() -> None:
        sure(guest, texts("hall.sure_cancel"), steer("cancel"))

    items = []
    match followed.info.phase:
        case "announced":
            items = [
                Item(texts("hall.steer.open"), steer("open"), "o"),
                Item(texts("hall.steer.start"), steer("start"), "g"),
            ]
        case "registration":
            items = [Item(texts("hall.steer.start"), steer("start"), "g")]
        case "check_in":
            items = [Item(texts("hall.steer.begin"), steer("start"), "g")]
        case "running":
            items = [Item(texts("hall.steer.pause"), steer("pause"), "u")]
        case "paused":
            items = [Item(texts("hall.steer.resume"), steer("resume"), "u")]
    return [*items, Item(texts("hall.steer.cancel"), cancel, "k")]
