"""A server that was killed and started again on the same store, and those who come back to it."""

from support.server.memory_server import MemoryServer, Player, asked

from parlour.server.tables.recovery import recover


def restarted(server: MemoryServer, people: list[Player]) -> MemoryServer:
    """Kills the server and starts another on the same store, whose clock began elsewhere."""
    assert server.store is not None
    server.store.waiting.clear()
    server.store.waits = False
    after = MemoryServer(seed=("after", server.at), store=server.store)
    after.at = 7.0
    recover(after.tables, server.store, lambda: after.at)
    for person in people:
        person.server = after
        person.seen.clear()  # the ids of what was not kept may come again
    return after


def back(server: MemoryServer, people: list[Player]) -> MemoryServer:
    """The same, and everybody has come back to every table of theirs."""
    after = restarted(server, people)
    for person in people:
        for table in person.come_back()["tables"]:
            person.resume(table, person.memories[table].seq if table in person.memories else None)
    return after


def play(people: list[Player], table: str, moves: int, first: int = 0) -> int:
    """So many moves, the same ones every time; how many there were before the end."""
    for number in range(first, first + moves):
        players = asked(people, table)
        if not players:
            return number
        player = players[number % len(players)]
        (answer,) = player.answers(player.act(table, number * 7))
        assert answer["type"] == "ok", answer
        if player.server.live_game(table).scramble is not None:
            player.server.wait(0.2)
    return first + moves
