"""Commands that had no answer when the server was killed, and come again: each is done once."""

from typing import Any

import attrs
import pytest
from support.server.memory_server import MemoryServer, Player, asked, dealt, seated
from support.server.memory_store import MemoryStore
from support.server.restarted_servers import back, restarted

Plain = dict[str, Any]


@pytest.fixture
def server() -> MemoryServer:
    return MemoryServer(store=MemoryStore())


def prepared(server: MemoryServer, word: str) -> tuple[str, list[Player], Plain]:
    """A table at which the first player can do this, and the fields of the command."""
    if word in ("act", "resign"):
        table, people = dealt(server)
        people.sort(key=lambda person: person.question(table) is None)
        return table, people, {"table": table}
    if word == "rematch":
        table, people = dealt(server)
        people[1].do("resign", table=table)
        return table, people, {"table": table}
    table, people = seated(server, "balloon-cup", 2)
    if word == "start":
        for person in people:
            person.do("ready", table=table)
    fields: Plain = {"table": table}
    match word:
        case "create_table":
            fields = {"game": "butterflies", "seats": 2}
        case "say":
            fields["text"] = "Hello"
        case "kick":
            fields["seat"] = 1
        case "join":
            people.insert(0, server.player("Zoe"))
            fields = {"table": people[2].do("create_table", game="balloon-cup", seats=2)["table"]}
    return table, people, fields


WORDS = ["create_table", "join", "ready", "start", "say", "leave", "kick", "act", "resign", "rematch"]


@pytest.mark.parametrize("stored", [0, 1, 2, 3])
@pytest.mark.parametrize("word", WORDS)
def test_a_command_sent_again_after_a_crash_is_done_once_whenever_the_crash_was(
    server: MemoryServer, word: str, stored: int
) -> None:
    def done(server: MemoryServer, crash: bool) -> Plain:
        """How everything stands after the command, with its answer."""
        assert server.store is not None
        table, people, fields = prepared(server, word)
        player = people[0]
        if word == "act":
            fields |= {"turn": player.turn(table), "action": player.action(table)}
        if crash:
            server.store.waits = True
            id = player.send(word, **fields)
            for _ in range(min(stored, len(server.store.waiting))):
                server.store.settle_one()
            server = restarted(server, people)
            for person in people:
                person.come_back()
            player.send(word, id=id, **fields)
        else:
            id = player.send(word, **fields)
        (answer,) = player.answers(id)
        assert answer["type"] == "ok", answer
        player.send(word, id=id, **fields)
        assert player.answers(id) == [answer] * 2
        games = {
            id: table.live_game and table.live_game.match.journal for id, table in server.tables.by_id.items()
        }
        seats = {name: sorted(session.tables) for name, session in server.tables.sessions.items()}
        infos = [attrs.evolve(table.info(), commitment="") for table in server.tables.by_id.values()]
        chat = [[line.text for line in table.chat_lines()] for table in server.tables.by_id.values()]
        return {"answer": answer, "games": games, "seats": seats, "infos": infos, "chat": chat}

    once, again = done(MemoryServer(store=MemoryStore()), False), done(server, True)
    if word == "create_table":  # one that was not kept is made anew, under another name
        assert len(again["infos"]) == len(once["infos"]) == 2
        assert again["answer"]["result"]["table"] in again["seats"]["Ann"]
    else:
        assert again == once


def test_an_action_that_a_scramble_held_when_the_server_was_killed_can_be_sent_again(
    server: MemoryServer,
) -> None:
    table, people = dealt(server, "hurry-cup", 3)
    for _ in range(200):
        if server.live_game(table).scramble is not None:
            break
        asked(people, table)[0].act(table)
    for person in people:
        server.lobby.note_round_trip(person.session, 0.1)
    players = asked(people, table)
    player, other = players[0], players[-1]
    turn, action = player.turn(table), player.action(table)
    id = player.act(table)
    assert player.answers(id) == []
    other.do("say", table=table, text="Too slow")
    server = back(server, people)
    assert server.live_game(table).scramble is not None
    entries = len(server.match(table).journal)
    player.send("act", id=id, table=table, turn=turn, action=action)
    server.wait(1.0)
    assert [answer["type"] for answer in player.answers(id)] == ["ok"]
    assert len(server.match(table).journal) > entries
