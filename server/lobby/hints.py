"""What a strategy would play, and why: a process of its own thinks, for the server knows no strategy."""

import json
import subprocess
from collections.abc import Mapping
from typing import Any

from parlour.engine.maps import to_map
from parlour.engine.secret import Seat, project
from parlour.machine.programs import THINKER, command_line
from parlour.protocol.errors import ProtocolError
from parlour.server.tables.table import Table

MOST_WAITING = 8
"""Hints that may wait for their turn; one is thought about at a time."""
PATIENCE = 20.0
AGAIN_AFTER = 5.0


def decision_at(table: Table, seat: Seat) -> dict[str, Any]:
    """What this seat knows and may do now; raises `not_allowed` and `not_asked`."""
    info, game = table.info(), table.live_game
    if not info.hints or info.tournament is not None:
        raise ProtocolError("not_allowed")
    question = game.question(seat) if game is not None else None
    if game is None or question is None:
        raise ProtocolError("not_asked")
    return {
        "game": info.game,
        "options": info.options,
        "seat": seat,
        "view": to_map(project(game.match.view, seat)),
        "legal": question.legal,
        "news": [],
        "news_missed": True,
        "phase": question.phase,
        "scramble": question.scramble,
        "turn": question.turn,
        "seq": 0,
        "until": None,
    }


def think(decision: Mapping[str, Any], strategy: str) -> dict[str, Any]:
    """The best few actions, best first; raises `busy` if nothing came of it in time."""
    order = json.dumps({"strategy": strategy, "decision": decision}).encode()
    try:
        done = subprocess.run(command_line(THINKER), input=order, capture_output=True, timeout=PATIENCE)
        ranked = json.loads(done.stdout)["ranked"]
    except (subprocess.TimeoutExpired, OSError, ValueError, KeyError):
        raise ProtocolError("busy", retry_after=AGAIN_AFTER) from None
    return {"turn": decision["turn"], "ranked": ranked}
