"""What every message is: a frozen class that knows who sends it, and since which minor version."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal

import attrs

Plain = Mapping[str, Any]
"""A map that the game, not the protocol, has the say over."""
Sender = Literal["client", "server"]
LEFT_OUT: Final = "left out"


def left_out(default: Any = None) -> Any:
    """A field that is not written while it has its default: what one server alone never sends."""
    return attrs.field(default=default, metadata={LEFT_OUT: True})


class Message:
    """The root of all messages. `WORD` is its `type` on the wire."""

    WORD: ClassVar[str]
    SENDER: ClassVar[Sender]
    SINCE: ClassVar[int] = 0


class Command(Message):
    """What a client asks for; the answer carries its id."""

    SENDER = "client"


class Reply(Message):
    """The one answer to a command."""

    SENDER = "server"


class Event(Message):
    """Something happened."""

    SENDER = "server"
