"""Where the answer to a command goes: to the connection on which it came, or to whichever the player has."""

from typing import Any

from parlour.protocol import messages as m
from parlour.server.lobby.commands import REPEATABLE
from parlour.server.people.session import Peer, Session


def answer(session: Session, command: Any, peer: Peer | None, answer: m.Ok | m.Error) -> None:
    """Answers a command: on the connection on which it came, or, if the answer is remembered, wherever."""
    if type(command) in REPEATABLE:
        session.answer_on(peer, answer)
    else:
        session.answer(command.id, answer)
