"""Frames to messages and back: what passes, what is refused, and what is said about it."""

import math
from collections.abc import Callable
from typing import Any

import attrs
import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.engine.plain import BOUND
from parlour.protocol import messages as m
from parlour.protocol.codec import (
    DEPTH,
    pack,
    pack_json,
    read_command,
    read_event,
    unpack,
    write,
)
from parlour.protocol.errors import ProtocolError

scalars = (
    st.none() | st.booleans() | st.integers(1 - BOUND, BOUND - 1) | st.floats(allow_nan=False) | st.text()
)
finite = scalars.filter(lambda value: not isinstance(value, float) or math.isfinite(value))
values = st.recursive(
    finite,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


untimed = settings(deadline=None)


def outcome(read: Callable[[Any], Any], given: Any) -> type | str:
    """What becomes of it: the class of what was read, or the code."""
    try:
        return type(read(given))
    except ProtocolError as wrong:
        return wrong.code.name


def refusal(plain: Any) -> ProtocolError:
    with pytest.raises(ProtocolError) as wrong:
        read_command(plain)
    return wrong.value


@untimed
@given(st.dictionaries(st.text(), values, max_size=4))
def test_every_map_of_the_profile_passes_in_both_encodings_unchanged(plain: dict[str, Any]) -> None:
    assert unpack(pack(plain)) == plain
    assert unpack(pack_json(plain)) == plain


@untimed
@given(st.binary(max_size=64) | st.text(max_size=64))
def test_any_frame_is_a_map_or_a_bad_frame(frame: bytes | str) -> None:
    assert outcome(unpack, frame) in (dict, "bad_frame")


@untimed
@given(st.dictionaries(st.sampled_from(["type", "id", "table", "clocks", "game", "x"]), values))
def test_any_map_is_a_message_or_says_what_is_wrong(plain: dict[str, Any]) -> None:
    assert outcome(read_command, plain) in (*m.COMMANDS, m.Hello, "bad_message", "unknown_type")


@pytest.mark.parametrize(
    ("levels", "fits"), [(DEPTH - 1, True), (DEPTH, False), (500, False), (50_000, False)]
)
def test_the_depth_is_counted_from_the_message_itself(levels: int, fits: bool) -> None:
    text = '{"x":' + "[" * levels + "]" * levels + "}"
    packed = b"\x81\xa1x" + b"\x91" * (levels - 1) + b"\x90"
    for frame in (text, packed):
        if fits:
            unpack(frame)
        else:
            with pytest.raises(ProtocolError):
                unpack(frame)


def test_long_numbers_in_json_are_no_trouble() -> None:
    with pytest.raises(ProtocolError):
        unpack('{"x":' + "9" * 10_000 + "}")


@pytest.mark.parametrize(
    ("plain", "where", "problem"),
    [
        ({"type": "ping"}, "id", "is missing"),
        ({"type": "ping", "id": True}, "id", "must be a whole number, not True"),
        ({"type": "sit", "id": 1, "table": None, "seat": 0}, "table", "must be text, not None"),
        (
            {"type": "create_table", "id": 1, "game": "g", "seats": 2, "clocks": {"bank": "x"}},
            "clocks.bank",
            "must be a number, not 'x'",
        ),
        (
            {"type": "create_table", "id": 1, "game": "g", "seats": 2, "watching": "all"},
            "watching",
            "must be one of nobody, public, everything, not 'all'",
        ),
        (
            {"type": "hello", "client": "x", "versions": [1, "2"]},
            "versions.1",
            "must be a whole number, not '2'",
        ),
        ({"type": "hello", "client": "x", "versions": {}}, "versions", "must be a list, not {}"),
        ({"type": "act", "id": 1, "table": "t", "turn": 1, "action": []}, "action", "must be a map, not []"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(plain: Any, where: str, problem: str) -> None:
    wrong = refusal(plain)
    assert (wrong.code.name, wrong.facts) == ("bad_message", {"where": where, "problem": problem})


def test_a_wrong_value_is_told_in_short() -> None:
    assert len(refusal({"type": "ping", "id": "x" * 10_000}).facts["problem"]) < 100
    assert len(refusal({"type": "x" * 10_000, "id": 1}).facts["type"]) <= 40


def test_fields_that_nobody_knows_are_ignored() -> None:
    assert read_command({"type": "ping", "id": 1, "mood": "fine"}) == m.Ping(1)


def test_clients_do_not_speak_for_the_server_nor_the_server_for_clients() -> None:
    assert refusal(write(m.LobbyGone("t"))).code.name == "unknown_type"
    with pytest.raises(ProtocolError):
        read_event(write(m.Ping(1)))


def test_whole_numbers_do_for_seconds() -> None:
    plain = {"type": "create_table", "id": 1, "game": "g", "seats": 2, "clocks": {"decision": 30}}
    command = read_command(plain)
    assert isinstance(command, m.CreateTable)
    assert command.clocks == m.Clocks(decision=30.0) and type(command.clocks.decision) is float


def test_what_is_written_begins_with_its_type_and_has_every_field() -> None:
    plain = write(m.Join(6, code="H3VW8N"))
    assert list(plain) == ["type", *[field.name for field in attrs.fields(m.Join)]]
    assert plain == {"type": "join", "id": 6, "table": None, "code": "H3VW8N", "seat": None}


def test_msgpack_is_what_others_pack_too() -> None:
    plain = write(m.Say(15, "Wer spielt mit? 🦋"))
    assert msgpack.unpackb(pack(plain)) == plain == unpack(msgpack.packb(plain))


def test_what_is_told_of_nodes_is_left_out_where_there_are_none_and_read_where_there_are() -> None:
    hello = m.Hello((1,), "test", "Anna")
    assert "ticket" not in write(hello)
    with_ticket = attrs.evolve(hello, name=None, ticket="abc")
    assert write(with_ticket)["ticket"] == "abc"
    assert read_command(write(with_ticket)) == with_ticket
    assert read_command(write(hello)) == hello
