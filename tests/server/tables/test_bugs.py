"""A fault of ours in one table ends that table only."""

from typing import Any

import attrs
import pytest
from support.server.memory_server import MemoryServer, Player, asked, dealt

from parlour.engine.hurry_cup.rules import HurryCup
from parlour.engine.view_fields import From


class Broken(HurryCup):
    """Hurry' Cup with a fault at one place."""

    def __init__(self, place: str) -> None:
        super().__init__()
        self.place = place
        if place == "view":
            self.views = HurryCup.views.replaced(to_act=From("waiting", make=lambda _: self._fail("view")))

    def _fail(self, place: str) -> None:
        if place == self.place:
            raise ZeroDivisionError(place)

    def apply(self, *given: Any) -> Any:
        self._fail("apply")
        return super().apply(*given)

    def default(self, *given: Any) -> Any:
        self._fail("default")
        return super().default(*given)


def break_in(server: MemoryServer, table: str, place: str) -> None:
    at = server.table(table)
    game = Broken(place)
    at.settings = attrs.evolve(at.settings, game=game)
    server.match(table).game = game


def others_go_on(server: MemoryServer, table: str, people: list[Player]) -> None:
    assert table in server.tables.by_id
    before = len(server.match(table).journal)
    asked(people, table)[0].act(table)
    server.wait(0.2)
    assert len(server.match(table).journal) > before


@pytest.fixture
def server() -> MemoryServer:
    return MemoryServer()


def test_a_bug_in_an_action_ends_that_table_only(server: MemoryServer) -> None:
    table, people = dealt(server, "hurry-cup", 3)
    wes = server.player("Wes")
    wes.do("watch", table=table)
    break_in(server, table, "apply")
    id = people[0].act(table)
    (answer,) = people[0].answers(id)
    assert (answer["code"], answer["facts"]) == ("failed", {"table": table})
    assert table not in server.tables.by_id
    for person in (*people, wes):
        assert person.last("lobby_gone")["table"] == table
        assert person.peer.closed is None
        person.do("ping")
    ((where, entry, bug),) = server.bugs
    assert (where, entry, type(bug)) == (table, 1, ZeroDivisionError)
    again, playing = people[0].do("create_table", game="balloon-cup", seats=2)["table"], people[:2]
    playing[1].do("join", table=again)
    for person in playing:
        person.do("ready", table=again)
    playing[0].do("start", table=again)
    others_go_on(server, again, playing)


def test_a_bug_when_time_is_up_ends_that_table_only(server: MemoryServer) -> None:
    table, people = dealt(server, "hurry-cup", 3)
    break_in(server, table, "default")
    server.wait(20)
    assert not server.tables.by_id
    assert server.tables.wake_at() is None
    assert len(server.bugs) == 1
    people[0].do("ping")


def test_a_command_that_was_done_before_the_bug_is_not_answered_twice(server: MemoryServer) -> None:
    table, people = dealt(server, "hurry-cup", 3)
    break_in(server, table, "view")
    id = people[0].act(table)
    server.wait(0.2)
    assert len(people[0].answers(id)) == 1
    assert not server.tables.by_id


def test_whoever_waits_for_an_answer_gets_one_when_the_table_ends(server: MemoryServer) -> None:
    table, people = dealt(server, "hurry-cup", 3)
    for person in people:
        server.lobby.note_round_trip(person.session, 0.1)
    held = people[0].act(table)
    assert people[0].answers(held) == []
    break_in(server, table, "apply")
    server.wait(1)
    assert [answer["code"] for answer in people[0].answers(held)] == ["failed"]
    people[0].send("act", id=held, table=table, turn=1, action={"type": "quiet"})
    assert [answer["code"] for answer in people[0].answers(held)] == ["failed", "failed"]


@pytest.mark.parametrize(
    "command",
    [
        {"word": "resume", "after": None},
        {"word": "resign"},
        {"word": "leave"},
    ],
)
def test_a_bug_in_what_is_shown_ends_that_table_only(server: MemoryServer, command: dict[str, Any]) -> None:
    table, people = dealt(server, "hurry-cup", 4)
    break_in(server, table, "view")
    fields = dict(command)
    refused = people[1].refused(fields.pop("word"), table=table, **fields)
    assert refused.code == "failed"
    assert not server.tables.by_id
    assert all(not person.session.tables for person in people)


def test_a_bug_met_by_a_watcher_ends_that_table_only(server: MemoryServer) -> None:
    table, people = dealt(server, "hurry-cup", 3)
    break_in(server, table, "view")
    wes = server.player("Wes")
    assert wes.refused("watch", table=table).code == "failed"
    assert not server.tables.by_id
    assert wes.session.watching == set()
    people[0].do("ping")
