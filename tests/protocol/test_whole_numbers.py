"""Messages, values of games and replay files have one bound for whole numbers, and it is the page's."""

import json
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from support.paths import ROOT

from parlour.engine.errors import Malformed
from parlour.engine.maps import from_map, from_tagged, to_map
from parlour.engine.plain import BOUND
from parlour.protocol.codec import pack, pack_json, read_command, unpack
from parlour.protocol.errors import ProtocolError
from parlour.protocol.messages import Ping
from parlour.server.records import replay_file


@attrs.frozen
class Step:
    far: int


@attrs.frozen
class MaybeStep:
    far: int | None


@attrs.frozen
class Seconds:
    long: float


def replay(number: int) -> None:
    """A file is looked through before anything in it is missed."""
    try:
        replay_file.read(json.dumps({"header": {"x": number}}).encode())
    except Malformed as wrong:
        if "2^53" in wrong.problem:
            raise


READERS: dict[str, Callable[[int], Any]] = {
    "msgpack": lambda number: unpack(pack({"x": number})),
    "JSON": lambda number: unpack(pack_json({"x": number})),
    "a message": lambda number: read_command({"type": "ping", "id": number}),
    "a value": lambda number: from_map(Step, {"far": number}),
    "a value or none": lambda number: from_map(MaybeStep, {"far": number}),
    "a number of seconds": lambda number: from_map(Seconds, {"long": number}),
    "an action": lambda number: from_tagged({"step": Step}, {"type": "step", "far": number}),
    "a replay": replay,
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_whole_number_lies_strictly_within_the_bound(name: str, sign: int) -> None:
    READERS[name](sign * (BOUND - 1))
    for beyond in (BOUND, BOUND + 1):
        with pytest.raises((Malformed, ProtocolError)):
            READERS[name](sign * beyond)


def test_the_bound_is_that_of_the_page() -> None:
    assert BOUND == 2**53
    page = (ROOT / "PROTOCOL.md").read_text(encoding="utf-8")
    assert "Whole numbers lie strictly between -2^53 and 2^53." in page
    assert "All numbers are whole, strictly between -2^53 and 2^53." in page


def test_what_lies_within_the_bound_is_written_as_it_was_read() -> None:
    assert read_command({"type": "ping", "id": BOUND - 1}) == Ping(BOUND - 1)
    assert to_map(from_map(Step, {"far": 1 - BOUND})) == {"far": 1 - BOUND}
