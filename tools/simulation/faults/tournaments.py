"""Faults in tournaments and clocks."""

from tools.simulation.faults.planting import Edit, Fault

LIVE, WATCHING = "server.tournament.live", "server.tournament.watching"
WATCHERS, RUNNING = f"{WATCHING}.watchers:Watchers", f"{LIVE}.running:RunningTournament"
GAME, CLOCK = "server.tables.live_game:LiveGame", "server.tables.clock"

TOURNAMENTS = (
    Fault.of(
        "a result is counted twice",
        5,
        f"{WATCHING}.snapshot:snapshot",
        "tuple(map(result, state.history.results))",
        "tuple(map(result, (*state.history.results, *state.history.results[-1:])))",
    ),
    Fault.of(
        "a game counts for the other player",
        28,
        f"{LIVE}.games:played",
        "places=outcome.places,",
        "places=outcome.places[::-1],",
    ),
    Fault.of(
        "a game is finished twice",
        5,
        f"{LIVE}.course:_look_after",
        "batch.add(events.GameFinished(games.played(dealt, table, tournament.tables.store.durable)))",
        "for _ in range(2): batch.add(events.GameFinished("
        "games.played(dealt, table, tournament.tables.store.durable)))",
    ),
    Fault.of(
        "an event of a tournament has the number of the one before",
        5,
        f"{WATCHERS}.tell",
        "self.next_seq(id)",
        "self.seq(id)",
    ),
    Fault.of(
        "who watches a tournament is not told of results",
        5,
        f"{WATCHERS}.tell",
        "if made is not None:",
        "if made is not None and type(event).__name__ == 'GameFinished':\n"
        "    self.next_seq(id)\n"
        "elif made is not None:",
    ),
    Fault.of(
        "a picture has a wrong number",
        5,
        f"{WATCHERS}._take_picture",
        "answer = picture.answer(drawing.seq)",
        "answer = picture.answer(drawing.seq + 1)",
    ),
    Fault.of(
        "what happens while a picture is drawn is not told",
        32,
        f"{WATCHERS}._show",
        "for frame, _ in drawing.held:",
        "for frame, _ in ():",
    ),
    Fault.of(
        "a batch that was refused counts",
        40,
        f"{RUNNING}._undo",
        "self.looks_at = self.tables.clock() + AGAIN_AFTER",
        "self.looks_at, self.state = self.tables.clock() + AGAIN_AFTER, batch.now",
    ),
    Fault.of(
        "a number of a tournament's log is used again",
        10,
        f"{RUNNING}.store",
        "first = len(self.log) + 1",
        "first = max(1, len(self.log))",
    ),
    Fault.of(
        "private lines of the log are told",
        5,
        "server.lobby.tournament_commands:page",
        "if note.public",
        "if True",
    ),
    Fault.of(
        "standings count games twice",
        5,
        "server.tournament.scores:standings",
        "games=len(games),",
        "games=2 * len(games),",
    ),
    Fault.of(
        "a tournament's game is dealt with another's secret",
        5,
        f"{LIVE}.games:key",
        "number = game.game if game.spare is None else game.spare",
        "number = 0",
    ),
    Fault.of(
        "who withdraws stays on the list",
        16,
        f"{WATCHING}.news:message",
        "m.TournamentEntrant(id, seq, entrant, withdrawn)",
        "m.TournamentEntrant(id, seq, entrant, False)",
    ),
    Fault(
        "time is up too early",
        1,
        (
            Edit(
                f"{GAME}.wake_at", "end = self.clock.next_end()", "end = (self.clock.next_end() or 1e9) - 0.3"
            ),
            Edit(
                f"{GAME}.tick",
                "for seat in self.clock.timed_out(now):",
                "now += 0.3\nfor seat in self.clock.timed_out(now):",
            ),
        ),
    ),
    Fault.of(
        "a clock runs on while its player is away",
        42,
        f"{CLOCK}:SeatClock.end",
        "grace = self.grace if self.patient and self.away_since is not None else 0.0",
        "grace = 0.0",
    ),
    Fault.of(
        "a scramble is won by who came last",
        894,
        "server.tables.scramble:Scramble.first",
        "return min(self.held,",
        "return max(self.held,",
    ),
)
