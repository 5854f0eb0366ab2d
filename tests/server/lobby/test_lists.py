"""Long lists: packed a few at a time, the same for all who ask, and always before the events that follow."""

from collections.abc import Callable
from typing import Any

import pytest
from support import soak
from support.server.by_hand import ByHand
from support.server.memory_server import MemoryServer, Player
from support.server.memory_store import MemoryStore

from parlour.protocol.codec import pack, unpack, write_part
from parlour.protocol.frame import Frame
from parlour.server.lobby import lists
from parlour.server.lobby.lists import AT_A_TIME, PackedList


class Things:
    """A list whose items count how often they are made."""

    def __init__(self, count: int) -> None:
        self.versions: dict[str, object] = {f"{number}": object() for number in range(count)}
        self.made: list[str] = []
        self.broken = False
        self.background = ByHand()
        self.list = PackedList("things", self.background, self.read)

    def read(self) -> Any:
        for key, version in self.versions.items():
            yield key, version, lambda key=key: self.make(key)

    def make(self, key: str) -> dict[str, str]:
        if self.broken:
            raise ZeroDivisionError
        self.made.append(key)
        return {"name": key}

    def ask(self, json: bool = False) -> list[Frame]:
        """Where the answer will be."""
        found: list[Frame] = []
        self.list.ask(json, lambda answer: found.append(answer(7)))
        return found


COUNT = soak.count(5, 500) * AT_A_TIME


def test_no_step_packs_more_than_a_few_items() -> None:
    things = Things(COUNT)
    found = things.ask()
    most, going_on = len(things.made), True
    while going_on:
        before = len(things.made)
        going_on = things.background.step()
        most = max(most, len(things.made) - before)
    assert most == AT_A_TIME and len(things.made) == COUNT
    listed = [{"name": key} for key in things.versions]
    assert found[0].plain == {"type": "ok", "id": 7, "result": {"things": listed}}


def test_all_who_ask_meanwhile_get_the_same_list_and_it_is_packed_once() -> None:
    things = Things(3 * AT_A_TIME)
    answers = [things.ask() for _ in range(10)]
    things.background.finish_steps()
    assert {frame.packed() for found in answers for frame in found} == {answers[0][0].packed()}
    assert len(things.made) == 3 * AT_A_TIME


def test_only_what_has_changed_is_packed_again_and_what_is_gone_is_left_out() -> None:
    things = Things(AT_A_TIME)
    things.ask()
    things.background.finish_steps()
    things.made.clear()
    things.versions["3"] = object()
    del things.versions["5"]
    found = things.ask()
    things.background.finish_steps()
    (frame,) = found
    assert things.made == ["3"]
    assert {"name": "5"} not in frame.plain["result"]["things"]


def test_what_changes_while_the_list_is_packed_is_in_it_as_it_is_in_the_end() -> None:
    things = Things(3 * AT_A_TIME)
    found = things.ask()
    things.background.step()
    things.versions["0"] = object()
    del things.versions["1"]
    things.background.finish_steps()
    assert things.made.count("0") == 2
    assert {"name": "1"} not in found[0].plain["result"]["things"]


def test_the_list_reads_the_same_in_both_encodings() -> None:
    things = Things(AT_A_TIME)
    found = things.ask(json=True)
    things.background.finish_steps()
    (frame,) = found
    assert unpack(frame.text()) == frame.plain


def test_a_bug_is_told_to_all_who_wait_and_the_list_goes_on() -> None:
    things, told = Things(3 * AT_A_TIME), list[str]()

    def take(answer: Callable[[int], Frame]) -> None:
        with pytest.raises(ZeroDivisionError):
            answer(1)
        told.append("bug")

    things.list.ask(False, take)
    things.list.ask(False, take)
    things.background.step()
    things.broken = True
    things.background.finish_steps()
    assert told == ["bug", "bug"]
    things.broken = False
    found = things.ask()
    things.background.finish_steps()
    assert len(found) == 1


# The lobby


def in_steps(server: MemoryServer) -> ByHand:
    """From now on the list of tables is packed step by step."""
    steps = ByHand()
    server.lobby._context.table_list.background = steps
    return steps


def full_lobby(monkeypatch: pytest.MonkeyPatch) -> tuple[MemoryServer, list[Player]]:
    monkeypatch.setattr(lists, "AT_A_TIME", 2)
    server = MemoryServer()
    hosts = [server.player(f"Host {number}") for number in range(8)]
    for host in hosts:
        host.do("create_table", game="balloon-cup", seats=2)
    return server, hosts


def test_the_list_of_tables_is_always_what_the_tables_are(monkeypatch: pytest.MonkeyPatch) -> None:
    server, hosts = full_lobby(monkeypatch)
    ann = server.player("Ann")
    hosts[0].do("leave", table=next(iter(hosts[0].session.tables)))
    for host in hosts[1:4]:
        table = next(iter(host.session.tables))
        ann.do("join", table=table)
        host.do("ready", table=table)
        hosts[7].do("watch", table=table)
        infos = [each.info() for each in server.tables.by_id.values()]
        assert ann.do("list_tables")["tables"] == [unpack(pack(write_part(info))) for info in infos]


def test_the_list_comes_before_the_changes_that_are_not_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    server, hosts = full_lobby(monkeypatch)
    steps = in_steps(server)
    ann = server.player("Ann")
    id = ann.send("watch_lobby", on=True)
    gone = next(iter(hosts[0].session.tables))
    hosts[0].do("leave", table=gone)
    hosts[0].do("say", text="before the list")
    assert ann.read() == []
    steps.finish_steps()
    hosts[0].do("say", text="after it")
    answer, chat = ann.read()
    assert answer["id"] == id and gone not in [each["table"] for each in answer["result"]["tables"]]
    assert chat["line"]["text"] == "after it"


def test_whoever_stops_watching_before_the_list_is_there_gets_it_and_no_events(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server, hosts = full_lobby(monkeypatch)
    steps = in_steps(server)
    ann = server.player("Ann")
    on, off = ann.send("watch_lobby", on=True), ann.send("watch_lobby", on=False)
    steps.finish_steps()
    hosts[0].do("say", text="to nobody")
    assert [each["id"] for each in ann.read()] == [off, on]


def test_a_list_goes_to_the_connection_that_asked_or_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    server, hosts = full_lobby(monkeypatch)
    steps = in_steps(server)
    ann = server.player("Ann")
    ann.send("watch_lobby", on=True)
    ann.come_back()
    steps.finish_steps()
    hosts[0].do("say", text="to nobody")
    assert ann.read() == []


def test_whoever_was_shown_a_seat_that_could_not_be_stored_is_told_that_it_is_free() -> None:
    store = MemoryStore()
    server = MemoryServer(store=store)
    ann, bob, eve = (server.player(name) for name in ("Ann", "Bob", "Eve"))
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    store.waits = True
    bob.send("join", table=table)
    eve.send("watch_lobby", on=True)
    store.waits, store.refuses = False, lambda _: True
    server.settle()
    shown, told = eve.read()
    assert shown["result"]["tables"][0]["chairs"][1]["name"] == "Bob"
    assert told["type"] == "lobby_table" and told["info"]["chairs"][1] is None
