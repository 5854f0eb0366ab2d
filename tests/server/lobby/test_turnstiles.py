"""Dear commands of one network are done one at a time; moves, and other networks, go in between."""

from collections.abc import Callable

from support import soak
from support.server.by_hand import ByHand
from support.server.memory_server import MemoryPeer, MemoryServer, Player, dealt
from support.server.memory_store import MemoryStore

from parlour.server.limits import PLENTY, Limits
from parlour.server.lobby.turnstiles import DEAR
from parlour.server.people.rate_limit import Budget

NAMES = soak.count(6, 80)


def crowd(server: MemoryServer, address: str) -> list[Player]:
    """Names that come from one address."""
    found = []
    for number in range(NAMES):
        player = server.player(f"{number} of {address}")
        assert isinstance(player.session.peer, MemoryPeer)
        player.session.peer.address = address
        found.append(player)
    return found


def by_hand(server: MemoryServer) -> ByHand:
    """From now on the rounds of the event loop are counted by hand."""
    steps = ByHand()
    server.lobby._turnstiles.background = steps
    return steps


def done_in_each_round(steps: ByHand, count: Callable[[], int]) -> list[int]:
    found, before = [], count()
    while steps.steps:
        for step in [steps.steps.pop(0) for _ in range(len(steps.steps))]:
            step()
        found.append(count() - before)
        before = count()
    return found


def test_one_table_of_a_network_is_made_in_each_round() -> None:
    server = MemoryServer(Limits(seats=PLENTY))
    here, there = crowd(server, "10.0.0.1"), crowd(server, "10.0.0.2")
    steps = by_hand(server)
    for player in (*here, *there):
        player.send("create_table", game="balloon-cup", seats=2)
    assert len(server.tables.by_id) == 2
    rounds = done_in_each_round(steps, lambda: len(server.tables.by_id))
    assert rounds == [2] * (NAMES - 1) + [0]
    assert all(len(player.session.tables) == 1 for player in (*here, *there))


def test_a_move_waits_for_nobody_elses_dear_commands() -> None:
    server = MemoryServer(Limits(seats=PLENTY))
    table, people = dealt(server)
    others = crowd(server, "memory")
    by_hand(server)
    for player in others:
        player.send("create_table", game="balloon-cup", seats=2)
    entries = len(server.match(table).journal)
    asked = next(person for person in people if person.question(table) is not None)
    asked.act(table)
    assert len(server.match(table).journal) > entries


def test_the_commands_of_one_player_stay_in_their_order() -> None:
    server = MemoryServer(Limits(seats=PLENTY))
    first, second, *_ = crowd(server, "10.0.0.1")
    steps = by_hand(server)
    first.send("create_table", game="balloon-cup", seats=2)
    ids = [second.send("create_table", game="balloon-cup", seats=2), second.send("ping"), second.send("ping")]
    assert second.read() == []
    done_in_each_round(steps, lambda: 0)
    assert [each["id"] for each in second.read() if each["type"] == "ok"] == ids


def test_no_move_waits_at_a_turnstile() -> None:
    assert {kind.WORD for kind in DEAR}.isdisjoint({"act", "ready"})


def test_games_of_a_network_begin_and_are_given_up_one_by_one() -> None:
    server = MemoryServer(Limits(seats=PLENTY))
    hosts = crowd(server, "10.0.0.1")
    tables = at_tables(hosts)
    for host, table in zip(hosts, tables, strict=True):
        server.player(f"guest of {host.session.name}", bot=True).do("join", table=table)
        host.do("ready", table=table, on=True)
    steps = by_hand(server)
    for word, stage in (("start", "playing"), ("resign", "finished")):
        for host, table in zip(hosts, tables, strict=True):
            host.send(word, table=table)
        done = [table for table in tables if server.table(table).stage == stage]
        assert len(done) == 1
        done_in_each_round(steps, lambda: 0)
        assert all(server.table(table).stage == stage for table in tables)


def at_tables(players: list[Player]) -> list[str]:
    """Each has made a table."""
    return [player.do("create_table", game="balloon-cup", seats=2)["table"] for player in players]


def resumed(players: list[Player]) -> int:
    """How many answers have come."""
    return sum(each["type"] == "ok" for player in players for each in player.read())


def test_a_league_that_comes_back_resumes_all_its_tables_at_once() -> None:
    server = MemoryServer()
    players = crowd(server, "10.0.0.1")
    tables = at_tables(players)
    by_hand(server)
    resumed(players)
    for player, table in zip(players, tables, strict=True):
        player.send("resume", table=table)
    assert resumed(players) == NAMES


def test_resumes_beyond_the_budget_are_done_one_by_one_and_all_are_done() -> None:
    few = Budget(per_second=1.0, burst=1, network_per_second=1.0, network_burst=2)
    server = MemoryServer(Limits(resumes=few))
    here, (there, *_) = crowd(server, "10.0.0.1"), crowd(server, "10.0.0.2")
    tables, other = at_tables(here), at_tables([there])[0]
    steps = by_hand(server)
    resumed([*here, there])
    for player, table in zip(here, tables, strict=True):
        player.send("resume", table=table)
    assert resumed(here) == 3, "two by the budget, and one more through the turnstile"
    there.send("resume", table=other)
    assert resumed([there]) == 1, "another network does not wait"
    answers = 0

    def count() -> int:
        nonlocal answers
        answers += resumed(here)
        return answers

    assert done_in_each_round(steps, count) == [1] * (NAMES - 3) + [0]


def test_nothing_is_stored_because_somebody_watches() -> None:
    store = MemoryStore()
    server = MemoryServer(store=store)
    table, (ann, _) = dealt(server)
    eve = server.player("Eve")
    puts = store.puts
    eve.do("watch", table=table)
    assert ann.memory(table).known["info"]["watchers"] == 1
    eve.do("leave", table=table)
    assert ann.memory(table).known["info"]["watchers"] == 0
    assert store.puts == puts
