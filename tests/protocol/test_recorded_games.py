"""Recorded games: what ships beside the vectors is what a server of today would send."""

import gzip
import json
from typing import Any

import jsonschema
import pytest

from parlour.protocol.codec import read_command
from parlour.protocol.schema import schema
from parlour.server.records.reading import read_record
from parlour.server.records.verify import verify
from parlour.server.storage.library import replay_record
from tools.recorded_games import FOLDER, GAMES

ANEW = "made anew by: python -m tools.recorded_games"
EVERY = 25
"""One frame in so many is held against the schema, which takes its time."""
NUMBERED = ("snapshot", "update", "table_changed", "chat")


@pytest.fixture(params=[name for name, *_ in GAMES], scope="module")
def recorded(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress((FOLDER / f"{request.param}.json.gz").read_bytes()))
    return found


def heard(recorded: dict[str, Any], name: str, *kinds: str) -> list[dict[str, Any]]:
    """The events that came to somebody."""
    return [
        frame
        for who, way, frame in recorded["frames"]
        if (who, way) == (name, "<") and frame["type"] in kinds
    ]


def test_every_game_of_the_list_is_there_and_no_other() -> None:
    there = {path.name for path in FOLDER.iterdir()}
    assert there == {*[f"{name}.json.gz" for name, *_ in GAMES], "tournament.zip"}


def test_its_frames_are_messages(recorded: dict[str, Any]) -> None:
    from_server = jsonschema.Draft202012Validator({**schema(), "oneOf": [{"$ref": "#/$defs/from_server"}]})
    for number, (_, way, frame) in enumerate(recorded["frames"]):
        if way == ">":
            read_command(frame)
        elif number % EVERY == 0:
            from_server.validate(frame)


def test_numbers_of_events_have_no_gaps(recorded: dict[str, Any]) -> None:
    for name in (*recorded["names"], recorded["spectator"]):
        last: int | None = None
        for event in heard(recorded, name, *NUMBERED):
            assert last is None or event["seq"] == last + (event["type"] != "snapshot")
            last = event["seq"]


def test_its_replay_holds(recorded: dict[str, Any]) -> None:
    replay = recorded["replay"]
    record = read_record(replay["header"], replay["journal"], replay["end"])
    last = heard(recorded, recorded["names"][0], "update")[-1]["result"]
    assert not verify(record, last["head"]).faults
    assert (last["winners"], last["secret"]) == (replay["end"]["winners"], replay["end"]["secret"])


def test_everybody_saw_what_the_rules_of_today_would_show(recorded: dict[str, Any]) -> None:
    replay = recorded["replay"]
    game = replay_record(read_record(replay["header"], replay["journal"], replay["end"]))
    places = range(len(replay["journal"]))
    viewers: list[tuple[str, int | None]] = [*zip(recorded["names"], range(6), strict=False)]
    for name, seat in (*viewers, (recorded["spectator"], None)):
        *during, last = [update["view"] for update in heard(recorded, name, "update")]
        scenes = [json.loads(json.dumps(game.scene(place, seat)["view"])) for place in places]
        assert all(view in scenes for view in during), ANEW
        end = game.scene(places[-1], seat if seat is None else "all")["view"]
        assert last == json.loads(json.dumps(end)), ANEW
