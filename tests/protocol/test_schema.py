"""`parlour schema` says of messages what the codec does."""

import copy
import json
from typing import Any

import jsonschema
import pytest
from support.results import check_result
from support.server.memory_server import MemoryServer, Player

from parlour.client.cli.main import main
from parlour.protocol.codec import write
from parlour.protocol.messages import ALL, BY_WORD, FROM_CLIENT, Hello, Ping
from parlour.protocol.results import RESULTS
from parlour.protocol.schema import schema
from tools.protocol_page.vectors import FOLDER

SCHEMA = schema()


def listed(name: str) -> list[Any]:
    found = [one for one in json.loads((FOLDER / name).read_text(encoding="utf-8")) if "json" in one]
    return [pytest.param(one, id=one["name"]) for one in found]


def by(sender: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/from_{sender}"}]})


def test_the_command_prints_a_schema_of_the_current_draft(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == SCHEMA
    jsonschema.Draft202012Validator.check_schema(printed)


def test_every_message_and_nothing_else_is_allowed() -> None:
    senders = [SCHEMA["$defs"][f"from_{sender}"]["oneOf"] for sender in ("client", "server")]
    named = [each["$ref"].rpartition("/")[2] for refs in senders for each in refs]
    assert sorted(named) == sorted(kind.WORD for kind in ALL)


@pytest.mark.parametrize("vector", listed("messages.json"))
def test_every_valid_vector_passes(vector: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(vector["json"])
    by(vector["sender"]).validate(vector["json"])


@pytest.mark.parametrize("vector", listed("broken.json"))
def test_every_vector_of_a_wrong_shape_fails(vector: dict[str, Any]) -> None:
    assert not by("client").is_valid(vector["json"])


@pytest.mark.parametrize("vector", listed("messages.json"))
def test_a_message_without_a_field_that_it_must_have_fails(vector: dict[str, Any]) -> None:
    checker = jsonschema.Draft202012Validator(SCHEMA)
    required = SCHEMA["$defs"][vector["json"]["type"]]["required"]
    for field in required:
        plain = copy.deepcopy(vector["json"])
        del plain[field]
        assert not checker.is_valid(plain)


def test_a_message_says_who_sends_it_and_since_when() -> None:
    for word, kind in BY_WORD.items():
        told = SCHEMA["$defs"][word]
        assert (told["x-sender"], told["x-since"]) == (kind.SENDER, f"1.{kind.SINCE}")
    assert by("client").is_valid(write(Ping(1))) and not by("server").is_valid(write(Ping(1)))


# What `ok` brings


def test_every_command_says_what_its_ok_brings() -> None:
    for word, kind in FROM_CLIENT.items():
        assert ("x-result" in SCHEMA["$defs"][word]) == (kind is not Hello)


def test_ids_of_commands_have_bounds() -> None:
    for word in set(FROM_CLIENT) - {"hello"}:
        id = jsonschema.Draft202012Validator(SCHEMA["$defs"][word]["properties"]["id"])
        assert [id.is_valid(given) for given in (0, 1, 2**53 - 1, 2**53, 1.5, None)] == [
            *(False, True, True),
            *(False, False, False),
        ]


def test_what_a_server_answers_is_what_the_schema_says() -> None:
    """A table from its opening to a rematch, and everything else that brings something."""
    server = MemoryServer()
    ann, bob = server.player("Ann"), server.player("Bob")
    found: dict[str, Any] = {}

    def do(player: Player, word: str, **fields: Any) -> Any:
        found[word] = check_result(word, player.do(word, **fields))
        return found[word]

    do(ann, "ping")
    do(ann, "games")
    table = do(ann, "create_table", game="balloon-cup", seats=2, public=False)["table"]
    code = found["create_table"]["code"]
    do(bob, "watch", code=code)
    do(bob, "leave", table=table)
    do(bob, "join", code=code)
    do(bob, "leave", table=table)
    do(ann, "sit", table=table, seat=1)
    do(bob, "join", code=code, seat=0)
    do(ann, "kick", table=table, seat=0)
    do(ann, "let_back", table=table, name="Bob")
    do(bob, "join", code=code, seat=0)
    for player in (ann, bob):
        do(player, "ready", table=table)
    do(ann, "start", table=table)
    do(ann, "resume", table=table)
    do(ann, "say", table=table, text="hello")
    do(bob, "resign", table=table)
    do(ann, "rematch", table=table)
    public = do(bob, "create_table", game="butterflies", seats=2)["table"]
    do(bob, "list_tables")
    do(bob, "watch_lobby", on=True)
    do(bob, "watch_lobby", on=False)
    do(bob, "add_bot", table=public)
    do(bob, "played")
    do(bob, "tournaments")
    do(bob, "bye")
    assert set(found) >= {kind.WORD for kind in RESULTS} - OF_ARCHIVES


OF_ARCHIVES = {
    *("replay", "create_tournament", "watch_tournament", "tournament_log"),
    *("replay_view", "hint", "substitute"),
}
"""tests/server/tournament/live/test_commands.py holds the first of these against the schema, and
tests/server/lobby/ the others."""
