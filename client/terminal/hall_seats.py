"""Games of a tournament in the client: each opens by itself when it begins, and the hall is back after it."""

from typing import TYPE_CHECKING

from parlour.client.table import Table

if TYPE_CHECKING:
    from parlour.client.terminal.guest import Guest


def dealt(guest: "Guest") -> Table | None:
    """A game of a tournament that waits for us."""
    for table in guest.session.tables.values() if guest.session is not None else ():
        if table.info.tournament is not None and table.seat is not None and table.result is None:
            return table
    return None


def called_to_table(guest: "Guest") -> None:
    """Goes to such a game, unless we are in another that is not over."""
    here, there = guest.table, dealt(guest)
    if there is None or (here is not None and (here.info.tournament is None or here.result is None)):
        return
    guest.places.clear()
    guest.reading = guest.prompt = None
    guest.table_id = there.id
    guest.notice = guest.texts("hall.next_game")


def back_to_hall(guest: "Guest") -> None:
    """After a game: to the page of its tournament, if one came from there."""
    if guest.hall is not None:
        guest.open(guest.hall)
