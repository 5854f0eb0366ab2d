"""Games of a tournament in the client: each opens by itself when it begins, and the hall is back after it."""

from typing import TYPE_CHECKING

from parlour.client.table import Table
from parlour.protocol import messages as m

if TYPE_CHECKING:
    from parlour.client.terminal.player import Guest


def dealt(guest: "Guest") -> Table | None:
    """A game of a tournament that waits for us."""
    for table in guest.session.tables.values() if guest.session is not None else ():
        if table.info.tournament is not None and table.seat is not None and table.result is None:
            return table
    return None


def called_to_table(guest: "Guest") -> None:
    """Goes to such a game, unless we are in another that is not over."""
    here, there = guest.table, dealt(guest)
    if guest.hall is None and there is not None and there.info.tournament is not None:
        _follow(guest, there.info.tournament)
    if there is None or (here is not None and (here.info.tournament is None or here.result is None)):
        return
    guest.places.clear()
    guest.reading = guest.prompt = None
    guest.table_id = there.id
    guest.notice = guest.texts("hall.next_game")


def _follow(guest: "Guest", id: str) -> None:
    """Who comes back in the middle of a tournament has not been in the hall yet."""
    from parlour.client.terminal.menus.tournaments import tournament  # which knows guests already

    guest.hall = lambda: tournament(guest, id)
    if guest.connection is not None:
        guest.connection.tell(m.WatchTournament, tournament=id, on=True)


def back_to_hall(guest: "Guest") -> None:
    """After a game of a tournament: to its page, once, though its table may close while we leave it."""
    if guest.hall is not None and guest.hall not in guest.places:
        guest.open(guest.hall)
