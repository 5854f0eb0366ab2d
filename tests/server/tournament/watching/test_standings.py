"""Standings for those who watch: worked out beside the loop, and in the end always the last ones."""

from support.server.by_hand import ByHand
from support.server.memory_server import MemoryServer

from parlour.server.limits import PLENTY, Limits

RULES = {"name": "Cup", "game": "balloon-cup", "format": "swiss", "rounds": 2, "seed": "lots"}


def test_a_game_that_ends_while_standings_are_worked_out_is_in_the_next_ones() -> None:
    server = MemoryServer(Limits(lists=PLENTY, entries=PLENTY))
    olga, *players = map(server.player, ("Olga", "Ann", "Bob", "Cleo", "Dan"))
    cup = olga.do("create_tournament", rules=RULES)["tournament"]
    for phase in ("open", "check_in"):
        olga.do("steer", tournament=cup, to=phase)
        for player in players:
            player.do("enter" if phase == "open" else "check_in", tournament=cup)
    olga.do("watch_tournament", tournament=cup)
    tournaments = server.lobby.tournaments
    olga.do("steer", tournament=cup, to="start")
    while len(server.tables.by_id) < 2:
        tournaments.tick(server.at)
    working = tournaments.working = ByHand()
    for table in list(server.tables.by_id.values()):
        player = next(player for player in players if table.seat_of(player.name) is not None)
        player.do("withdraw", tournament=cup)
        tournaments.tick(server.at)
    while working.waiting:
        working.finish_one()
        tournaments.tick(server.at)
    last = olga.events("tournament_standings")[-1]["standings"]
    assert [line["games"] for line in last] == [2, 2, 2, 2]
