"""All limits and intervals of a server."""

import attrs

from parlour.protocol import messages as m
from parlour.protocol.codec import DEPTH, FRAME_BYTES
from parlour.protocol.names import NAME_LENGTH
from parlour.server.people.rate_limit import Budget
from parlour.server.people.remembered import REMEMBERED
from parlour.server.records.fairness import NONCE_LENGTH

LINES = Budget(1.0, 10, 5.0, 40)
LISTS = Budget(1.0, 10, 10.0, 240)
SEATS = Budget(5.0, 20, 20.0, 160)
ENTRIES = Budget(0.2, 20, 10.0, 200)
PAGES = Budget(20.0, 100, 40.0, 400)
RESUMES = Budget(10.0, 40, 40.0, 400)
"""For each name, and for each network: so many a second, and at once."""
PLENTY = Budget(10_000.0, 10_000, 100_000.0, 100_000)
"""More than anybody asks for."""


@attrs.frozen
class Limits:
    """Limits of one server. Times are in seconds."""

    heartbeat: float = 15.0
    """How often the server pings; a peer that does not answer for two heartbeats is gone."""
    hello_within: float = 10.0
    tables_each: int = 4
    tables: int = 1000
    people: int = 5000
    """Names that have neither finished a game nor entered a tournament, at a time."""
    names_each: int = 500
    """New names from one network in an hour: two leagues of 200 bots on one machine, or a large LAN party
    behind one address; and one network needs ten hours to crowd out the new names of others."""
    connections: int = 2000
    connections_each: int = 100
    """From one address: a whole bot league may sit behind it."""
    built_in_bots: int = 400
    """Connected at a time. They come in by a way of their own and are no `connections`."""
    built_in_bots_each: int = 100
    """Of these for one network: five people with four full tables each, and three such networks more."""
    commands_per_second: float = 50.0
    burst: int = 100
    chat_length: int = 300
    lines: Budget = LINES
    """Of chat, which reaches many."""
    lists: Budget = LISTS
    """Of all the tables, of tournaments, or of games that were played, which may be long. Eighty bots that
    come to their league look at the lobby and at the tournament."""
    seats: Budget = SEATS
    """Tables made, joined and watched, and games given up: each is stored, or told to many. Eighty bots sit
    down at once; games that follow at the same tables are not counted."""
    tournaments: int = 16
    """That are not over, at a time."""
    tournaments_each: int = 4
    """Of these of one organiser: so that nobody takes all places for tournaments."""
    tournament_idle: float = 86_400.0
    """After which one that has not begun is cancelled, if nothing happens in it."""
    tournament_tables: int = 32
    """At a time, of all tournaments together: what is left over is for people."""
    tournament_stands: float = 1_209_600.0
    """After which one that has begun is cancelled, if nothing happens in it: two weeks, so that a club that
    meets every week finds the one that it has paused."""
    tournament_ahead: float = 1_209_600.0
    """How far ahead the time may be at which one starts by itself."""
    entries: Budget = ENTRIES
    """Entering, checking in, withdrawing and steering: each is a line in the archive. Eighty bots enter and
    check in at once."""
    pages: Budget = PAGES
    """Of the log of a tournament, and of its games: an export asks for all of them."""
    resumes: Budget = RESUMES
    """Tables resumed, before those of a network are resumed one by one. They are never refused, for a game
    waits for them, but each costs the server a view. A hundred bots whose server was restarted come back to
    four tables each."""
    rest: float = 0.003
    """After a dear command, before the next one of its network: they take a third of the time at most. A
    league of eighty sits down in a quarter of a second."""
    grace: float | None = None
    """The longest that a clock may wait for somebody who is disconnected; None: as the table says."""
    errors_in_a_row: int = 20
    outbox_frames: int = 256
    stuck_after: float = 4.0
    """Seconds after which a peer that does not read is dropped."""
    origins: tuple[str, ...] = ()
    """Web pages that may connect; programs, which send no Origin, always may."""

    def message(self) -> m.Limits:
        """The limits that a client is told in `welcome`."""
        return m.Limits(
            frame_bytes=FRAME_BYTES,
            depth=DEPTH,
            name_length=NAME_LENGTH,
            chat_length=self.chat_length,
            nonce_length=NONCE_LENGTH,
            tables_each=self.tables_each,
            commands_per_second=self.commands_per_second,
            burst=self.burst,
            remembered_ids=REMEMBERED,
        )


NO_PACE = Limits(
    names_each=100_000,
    commands_per_second=10_000.0,
    burst=10_000,
    lines=PLENTY,
    lists=PLENTY,
    seats=PLENTY,
    entries=PLENTY,
    pages=PLENTY,
    resumes=PLENTY,
    rest=0.0,
)
"""Nobody is held back for being quick: for authors, benches and tests, each with what else they need."""
