"""Watchers: what they may see, and when."""

import pytest
from support.server.memory_server import MemoryServer, Refused, asked, dealt

BALLOON = {"game": "balloon-cup", "seats": 2}


def test_a_table_says_who_may_watch() -> None:
    server = MemoryServer()
    ann, wes = server.players(2)
    shut = ann.do("create_table", **BALLOON, watching="nobody")["table"]
    assert wes.refused("watch", table=shut).facts == {"setting": "watching"}
    assert ann.refused("watch", table=shut).code == "not_allowed"
    open_ = ann.do("create_table", **BALLOON, watching="public")["table"]
    wes.do("watch", table=open_)
    assert ann.memory(open_).known["info"]["watchers"] == 1
    assert ann.refused("watch", table=open_).code == "not_now"
    wes.do("watch", table=open_)
    assert ann.memory(open_).known["info"]["watchers"] == 1
    wes.do("leave", table=open_)
    assert ann.memory(open_).known["info"]["watchers"] == 0
    wes.do("watch", table=open_)
    wes.drop()
    assert ann.memory(open_).known["info"]["watchers"] == 0


@pytest.mark.parametrize("watching", ["public", "everything"])
def test_watchers_see_the_public_part_and_after_the_end_everything_if_the_table_says_so(
    watching: str,
) -> None:
    server = MemoryServer()
    table, (ann, bob) = dealt(server, "balloon-cup", 2, watching=watching)
    wes = server.player("Wes")
    wes.do("watch", table=table)
    assert [type(hand) for hand in wes.memory(table).known["view"]["hands"]] == [int, int]
    assert [type(hand) for hand in ann.memory(table).known["view"]["hands"]] == [list, int]
    assert wes.memory(table).known["question"] is None
    bob.do("resign", table=table)
    assert [type(hand) for hand in ann.memory(table).known["view"]["hands"]] == [list, list]
    shown = list if watching == "everything" else int
    assert [type(hand) for hand in wes.memory(table).known["view"]["hands"]] == [shown, shown]
    result = wes.memory(table).known["result"]
    assert (result["secret"] is not None) == (watching == "everything")
    late = server.player("Lea")
    late.do("watch", table=table)
    assert late.memory(table).comparable() | {"info": None} == wes.memory(table).comparable() | {"info": None}
    assert ann.memory(table).known["result"]["secret"] is not None


def test_all_watchers_share_one_packed_frame() -> None:
    server = MemoryServer()
    table, people = dealt(server)
    watchers = [server.player(name) for name in ("Wes", "Lea")]
    for watcher in watchers:
        watcher.do("watch", table=table)
    asked(people, table)[0].act(table)
    assert watchers[0].peer.frames[-1] is watchers[1].peer.frames[-1]


def test_a_watcher_who_joins_watches_no_longer() -> None:
    server = MemoryServer()
    ann, bob = server.players(2)
    table = ann.do("create_table", **BALLOON)["table"]
    bob.do("watch", table=table)
    with pytest.raises(Refused):
        bob.do("join", table=table, seat=0)
    assert ann.memory(table).known["info"]["watchers"] == 1
    bob.do("join", table=table)
    assert ann.memory(table).known["info"]["watchers"] == 0
    assert bob.memory(table).known["seat"] == 1
    ann.do("say", table=table, text="once")
    assert len(bob.events("chat")) == 1
