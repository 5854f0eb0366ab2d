"""A bug ends the work that it is in: it is answered, reported by type and place, and nothing else stops."""

import asyncio
import gc
import logging
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from support.server.memory_server import MemoryServer, dealt
from support.server.memory_store import MemoryStore
from support.server.sockets import Caller, gather, open_server

from parlour.server.border import describe, on_loop_error
from parlour.server.tournament.live.running import RunningTournament
from parlour.server.tournament.watching import pictures

RULES = {"name": "Cup", "game": "balloon-cup", "format": "swiss", "rounds": 2, "seed": "lots"}
DIGITS = "9" * 5000
LONGEST_REPR = 2000
PINGS = 20


OURS = ("parlour.server", "parlour.engine.match")


def reached(*things: object) -> list[object]:
    """Everything that can be reached from these, but for classes, functions' globals and modules."""
    found: dict[int, object] = {}
    new = list(things)
    while new:
        thing = new.pop()
        if id(thing) not in found and not isinstance(thing, type | ModuleType):
            found[id(thing)] = thing
            new += [thing.__closure__] if isinstance(thing, FunctionType) else gc.get_referents(thing)
    return list(found.values())


class Bulky:
    """Something that must never be written out."""

    def __repr__(self) -> str:
        raise AssertionError("it was written out")

    def fail(self, *_: object) -> None:
        raise ZeroDivisionError("by nought")


async def test_the_loop_reports_type_and_place_and_no_arguments(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(on_loop_error)
    loop.call_soon(Bulky().fail, "a secret")
    await asyncio.sleep(0)
    (record,) = caplog.records
    told = record.getMessage()
    assert "ZeroDivisionError" in told and "Bulky.fail" in told and f"{Path(__file__).name}:" in told
    assert "secret" not in told


def test_a_description_is_short_and_on_lines_of_its_own_making() -> None:
    try:
        try:
            int("x\n" * 10_000)
        except ValueError as wrong:
            raise RuntimeError("outer") from wrong
    except RuntimeError as bug:
        told = describe(bug)
    assert len(told) < 1000 and "RuntimeError" in told and "after ValueError" in told
    assert "x\nx" not in told


def test_nothing_on_a_server_writes_itself_out_at_length() -> None:
    server = MemoryServer(store=MemoryStore())
    table, people = dealt(server, "hurry-cup", 4)
    people[0].do("say", table=table, text="hello")
    cup = people[0].do("create_tournament", rules=RULES)["tournament"]
    people[0].do("steer", tournament=cup, to="open")
    people[1].do("enter", tournament=cup)
    store = server.store
    assert store is not None
    store.waits = True
    for person in people:
        if person.question(table) is not None:
            person.act(table)
    assert store.waiting
    ours = [
        thing for thing in reached(server.lobby, store.waiting) if type(thing).__module__.startswith(OURS)
    ]
    assert {"Table", "Session", "RunningTournament", "Match", "PendingMove"} <= {
        type(thing).__name__ for thing in ours
    }
    assert {type(thing).__name__ for thing in ours if len(repr(thing)) > LONGEST_REPR} == set()


def test_a_bug_in_a_tournament_is_answered_also_to_those_who_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    server = MemoryServer(store=MemoryStore())
    ann, bob, cleo = server.players(3)
    cup = ann.do("create_tournament", rules=RULES)["tournament"]
    ann.do("steer", tournament=cup, to="open")
    real = RunningTournament.ask

    def ask(tournament: RunningTournament, wanted: Any, answer: Any, people: Any) -> None:
        if any(getattr(event, "name", None) == "Bob" for event in wanted):
            raise ZeroDivisionError
        real(tournament, wanted, answer, people)

    monkeypatch.setattr(RunningTournament, "ask", ask)
    assert server.store is not None
    server.store.waits = True
    ids = [(person, person.send("enter", tournament=cup)) for person in (ann, bob, cleo)]
    server.store.waits = False
    server.settle()
    assert [person.answers(id)[0].get("code") for person, id in ids] == [None, "failed", None]
    assert [(where, type(bug)) for where, _, bug in server.bugs] == [(cup, ZeroDivisionError)]


def test_a_bug_in_standings_is_answered_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    server = MemoryServer()
    (ann,) = server.players(1)
    cup = ann.do("create_tournament", rules=RULES)["tournament"]

    def work_out(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(pictures, "work_out", work_out)
    for count in (1, 2):
        assert ann.refused("watch_tournament", tournament=cup).code == "failed"
        assert len(server.bugs) == count


@pytest.mark.parametrize("queued", [False, True], ids=["alone", "queued"])
async def test_a_number_of_5000_digits_freezes_nobody(
    queued: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    async with open_server(archive=str(tmp_path / "archive.sqlite")) as server:
        table, (ann, bob) = await gather(server.url, "balloon-cup", [Caller, Caller])
        cup = (await ann.do("create_tournament", rules=RULES))["tournament"]
        ids = [await ann.send("say", table=table, text="hello")] if queued else []
        ids.append(await ann.send("replay", game=f"{cup}-{DIGITS}"))
        ids += [await ann.send("ping") for _ in range(PINGS)]
        other = await bob.send("say", table=table, text="hello")
        answers = [await ann.answer(id) for id in ids]
        assert [answer["type"] for answer in answers].count("error") == 1
        assert answers[queued]["code"] == "no_such_replay"
        assert (await bob.answer(other))["type"] == "ok"
    assert caplog.records == []
