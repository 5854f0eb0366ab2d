"""Which times a table or a tournament may ask for."""

from parlour.protocol.errors import ProtocolError
from parlour.protocol.messages import Clocks

LONGEST = 86_400.0
"""No clock of a table runs for more than a day."""


def check_clocks(clocks: Clocks, reaction: float, practice: bool = False) -> None:
    """Times that make sense; raises `bad_options`."""
    allowed = {
        "clocks.decision": (clocks.decision, 0.5, LONGEST),
        "clocks.scramble": (clocks.scramble, 0.5, LONGEST),
        "clocks.bank": (clocks.bank, 0.0, LONGEST),
        "clocks.grace": (clocks.grace, 0.0, LONGEST),
        "reaction": (reaction, 0.0, 5.0),
    }
    for where, (value, least, most) in allowed.items():
        if value is not None and not least <= value <= most:
            raise ProtocolError("bad_options", where=where, problem=f"must be {least:g} to {most:g} seconds")
    if practice and clocks.decision is not None:
        raise ProtocolError(
            "bad_options", where="clocks.decision", problem="must be null at a table for practice"
        )
