"""The list of messages and codes is in order: one sender each, one answer, no word twice."""

import attrs
import pytest

from parlour.protocol import messages as m
from parlour.protocol.errors import CLOSE_CODES, CODES, ProtocolError
from parlour.server.lobby.commands import DO


def test_every_message_has_its_own_word_and_one_sender() -> None:
    assert len({kind.WORD for kind in m.ALL}) == len(m.ALL) == len(m.FROM_CLIENT) + len(m.FROM_SERVER)


def test_the_server_does_every_command() -> None:
    assert set(DO) == set(m.COMMANDS)


@pytest.mark.parametrize("kind", m.COMMANDS, ids=lambda kind: str(kind.WORD))
def test_every_command_begins_with_its_id(kind: type[m.Message]) -> None:
    first = attrs.fields(kind)[0]
    assert (first.name, first.type) == ("id", int)


@pytest.mark.parametrize(
    "kind", [m.TableChanged, m.Update, m.Chat, m.Snapshot], ids=lambda kind: str(kind.WORD)
)
def test_events_of_a_table_say_which_table_and_which_number(kind: type[m.Message]) -> None:
    assert [field.name for field in attrs.fields(kind)][:2] == ["table", "seq"]


def test_the_handshake_is_frozen() -> None:
    """Later minors may add fields with defaults at the end; these stay as they are."""
    hello = [(field.name, field.default is attrs.NOTHING) for field in attrs.fields(m.Hello)]
    assert hello[:6] == [
        ("versions", True),
        ("client", True),
        ("name", False),
        ("token", False),
        ("bot", False),
        ("features", False),
    ]
    welcome = [field.name for field in attrs.fields(m.Welcome)]
    assert welcome[:11] == [
        *("version", "minor", "server", "features", "limits", "heartbeat"),
        *("you", "token", "last_id", "tables", "now"),
    ]


def test_an_error_tells_its_code_and_facts() -> None:
    wrong = ProtocolError("no_seat", seat=3)
    assert str(wrong) == "no_seat (seat 3)"
    assert str(ProtocolError("not_host")) == "not_host"


def test_every_code_says_what_it_means_and_what_to_do() -> None:
    for name, code in CODES.items():
        assert name == code.name
        assert code.meaning.endswith(".") and code.advice.endswith(".")


def test_close_codes_of_our_own_are_in_the_range_for_applications() -> None:
    assert all(code in (1000, 1001, 1009, 1012) or 4000 <= code < 5000 for code in CLOSE_CODES)
