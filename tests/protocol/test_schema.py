"""`parlour schema` says of messages what the codec does."""

import copy
import json
from typing import Any

import jsonschema
import pytest

from parlour.client.cli.main import main
from parlour.protocol.codec import write
from parlour.protocol.messages import ALL, BY_WORD, Ping
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
