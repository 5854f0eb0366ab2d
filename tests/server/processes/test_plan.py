"""What the nodes of one machine are called, where they listen, and how they are started."""

import argparse
from typing import Any

import pytest

from parlour.client.cli import serve_screen
from parlour.server.config import BadConfig, Config, flags_of, make
from parlour.server.processes.plan import plan_nodes

HERE: dict[str, Any] = {"archive": "postgresql://parlour@localhost/parlour", "processes": 3, "bots": 4}
OWN = ["10.0.0.7", "fd00::7"]


def nodes(**settings: Any) -> list[Config]:
    return [plan.config for plan in plan_nodes(make({**HERE, **settings}), OWN)]


def test_names_and_ports_go_in_a_row_and_processes_for_bots_are_shared() -> None:
    made = nodes(node="club", port=4000)
    assert [config.node for config in made] == ["club-1", "club-2", "club-3"]
    assert [config.port for config in made] == [4000, 4001, 4002]
    assert {config.bots for config in made} == {1}
    assert {config.processes for config in made} == {None}
    assert [config.hidden for config in made] == [False, True, True]


@pytest.mark.parametrize(
    ("settings", "first", "last"),
    [
        ({}, "ws://10.0.0.7:21925", "ws://10.0.0.7:21927"),
        ({"host": "127.0.0.1"}, "ws://127.0.0.1:21925", "ws://127.0.0.1:21927"),
        ({"host": "fd00::7", "port": 80}, "ws://[fd00::7]:80", "ws://[fd00::7]:82"),
        ({"name": ["games.lan"], "cert": "c", "key": "k"}, "wss://games.lan:21925", "wss://games.lan:21927"),
        ({"advertise": "wss://games.example:443"}, "wss://games.example:443", "wss://games.example:445"),
        ({"advertise": "ws://games.lan", "port": 4000}, "ws://games.lan:21925", "ws://games.lan:21927"),
    ],
)
def test_clients_are_told_ports_in_a_row_from_what_was_given(
    settings: dict[str, Any], first: str, last: str
) -> None:
    made = nodes(**settings)
    assert (made[0].advertise, made[2].advertise) == (first, last)


def test_a_node_without_a_name_has_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "кафе-größe_" + "x" * 60)
    for config in nodes():
        assert make({"node": config.node, "advertise": "ws://a:1", "archive": HERE["archive"]}).node


@pytest.mark.parametrize("port", [0, 65533])
def test_all_ports_and_that_of_the_parent_must_be_there(port: int) -> None:
    with pytest.raises(BadConfig, match="port: with 3 processes must be from 1 to 65532"):
        nodes(port=port)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"host": "::1", "port": 4, "web": False, "hidden": True, "heartbeat": 2.5, "bots": 0},
        {"name": ["a", "b"], "origin": ["http://a b"], "cert": "-c", "key": "a=b", "verbose": True},
    ],
)
def test_the_flags_of_a_process_give_the_settings_that_were_meant(settings: dict[str, Any]) -> None:
    meant = nodes(**settings)[2]
    parser = argparse.ArgumentParser()
    serve_screen.add_flags(parser)
    assert make(serve_screen.flags(parser.parse_args(flags_of(meant)))) == meant
