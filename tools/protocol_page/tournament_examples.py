"""The examples of the messages about tournaments."""

import attrs

from parlour.protocol import messages as m

TOURNAMENT = "Q4XTZK"
PUBLISHED = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"
INFO = m.TournamentInfo(
    tournament=TOURNAMENT,
    name="Winter league",
    game="balloon-cup",
    format="swiss",
    seats=2,
    phase="running",
    organiser="Anna",
    entrants=2,
    checked_in=2,
    round=1,
    rounds=1,
    starts=None,
    published=PUBLISHED,
)
ROUND = m.Round(
    round=1, tables=(m.PairedTable(number=1, players=("Gusto", "Zephyr"), stake=""),), byes=(), secret=None
)
RESULT = m.GameResult(
    round=1,
    table=1,
    game=0,
    deal=0,
    players=("Gusto", "Zephyr"),
    places=(2, 1),
    failures=(m.Failure("Gusto", "late", 2),),
    forfeits=(),
    void=False,
    replay=f"{TOURNAMENT}-1-1-1-1",
    moves=(41, 43),
    thinking=(12.25, 3.5),
)
ENTRANT = m.Entrant(
    name="Gusto", bot=True, since=1, gone=False, checked_in=True, nonce="breeze", strength=867
)
RULES = {
    "name": "Winter league",
    "game": "balloon-cup",
    "format": "swiss",
    "seed": "snow",
    "rounds": 5,
    "clocks": {"decision": 10.0},
    "failures": {"late": "default", "strikes": 3},
}


def _standing(rank: int, name: str, points: float) -> m.Standing:
    return m.Standing(
        rank=rank,
        name=name,
        points=points,
        games=1,
        wins=int(points),
        byes=0,
        tie_breaks={"buchholz": 1.0 - points, "sonneborn_berger": 0.0, "head_to_head": 0.0},
        share=m.Mean(count=1, mean=points, error=None, low=None, high=None),
        adjusted=m.Mean(count=0, mean=None, error=None, low=None, high=None),
        strikes=0,
        gone=False,
    )


STANDINGS = m.TournamentStandings(
    tournament=TOURNAMENT,
    seq=9,
    standings=(_standing(1, "Zephyr", 1.0), _standing(2, "Gusto", 0.0)),
    crosstable=(m.Cross("Gusto", "Zephyr", 1, 0.0), m.Cross("Zephyr", "Gusto", 1, 1.0)),
    ratings=(
        m.Rating("Gusto", mean=23.5, error=8.0, low=7.75, high=39.25, games=1),
        m.Rating("Zephyr", mean=26.5, error=8.0, low=10.75, high=42.25, games=1),
    ),
)

EXAMPLES: dict[str, tuple[m.Message, ...]] = {
    "tournaments": (m.Tournaments(25),),
    "create_tournament": (m.CreateTournament(26, RULES),),
    "enter": (m.Enter(27, TOURNAMENT),),
    "withdraw": (m.Withdraw(28, TOURNAMENT),),
    "check_in": (m.CheckIn(29, TOURNAMENT, nonce="breeze"), m.CheckIn(29, TOURNAMENT)),
    "steer": (
        m.Steer(30, TOURNAMENT, "start", seconds=40),
        m.Steer(31, TOURNAMENT, "pause", "lunch"),
        m.Steer(32, TOURNAMENT, "start"),
    ),
    "watch_tournament": (m.WatchTournament(32, TOURNAMENT), m.WatchTournament(33, TOURNAMENT, on=False)),
    "tournament_log": (m.TournamentLog(34, TOURNAMENT, after=200),),
    "tournament_changed": (
        m.TournamentChanged(TOURNAMENT, 6, INFO),
        m.TournamentChanged(TOURNAMENT, 7, attrs.evolve(INFO, phase="paused", why="lunch")),
    ),
    "tournament_entrant": (m.TournamentEntrant(TOURNAMENT, 2, ENTRANT, withdrawn=False),),
    "tournament_round": (m.TournamentRound(TOURNAMENT, 5, ROUND),),
    "tournament_result": (m.TournamentResult(TOURNAMENT, 8, RESULT),),
    "tournament_standings": (STANDINGS,),
}
