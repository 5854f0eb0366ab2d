"""What a strategy would play, and why: a process of its own thinks, for the server knows no strategy."""

import json
import subprocess
import threading
from collections.abc import Mapping
from typing import Any

import attrs

from parlour.engine.maps import to_map
from parlour.engine.secret import Seat, project
from parlour.machine.programs import THINKER, command_line
from parlour.protocol.errors import ProtocolError
from parlour.protocol.messages import TableChanged, Update
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
    news, news_missed = _news_told(table, seat)
    return {
        "game": info.game,
        "options": info.options,
        "seat": seat,
        "view": to_map(project(game.match.view, seat)),
        "legal": question.legal,
        "news": news,
        "news_missed": news_missed,
        "phase": question.phase,
        "scramble": question.scramble,
        "turn": question.turn,
        "seq": 0,
        "until": None,
    }


def _news_told(table: Table, seat: Seat) -> tuple[list[Any], bool]:
    """The news of this game that a seat got, as far as they are kept, and whether others came before."""
    news: list[Any] = []
    missed = True
    for frame in table.event_log.kept(seat):
        match frame.plain:
            case {"type": Update.WORD, "news": more}:
                news += more
            case {"type": TableChanged.WORD, "info": {"stage": stage}} if stage != "playing":
                news, missed = [], False  # what follows is of another game, from its deal on
    return news, missed


@attrs.define(repr=False)
class Thinker:
    """The process that thinks about one hint at a time. It ends with the server, however that ends."""

    _process: subprocess.Popen[bytes] | None = None
    _ended: bool = False
    _lock: threading.Lock = attrs.field(factory=threading.Lock)

    def think(self, decision: Mapping[str, Any], strategy: str) -> dict[str, Any]:
        """The best few actions, best first; raises `busy` if nothing came of it in time."""
        order = json.dumps({"strategy": strategy, "decision": decision}).encode()
        try:
            ranked = json.loads(self._ask(order))["ranked"]
        except (OSError, ValueError, KeyError):
            raise ProtocolError("busy", retry_after=AGAIN_AFTER) from None
        return {"turn": decision["turn"], "ranked": ranked}

    def _ask(self, order: bytes) -> bytes:
        """What the process said; nothing if it was ended."""
        pipe = subprocess.PIPE
        with self._lock:
            if self._ended:
                return b""
            process = subprocess.Popen(
                command_line(THINKER), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
            )
            self._process = process
        assert process.stdin is not None and process.stdout is not None
        patience = threading.Timer(PATIENCE, process.kill)
        patience.start()
        try:
            with process:  # its stdin stays open while somebody waits: when that ends, so does the process
                process.stdin.write(order + b"\n")
                process.stdin.flush()
                return process.stdout.read()
        finally:
            patience.cancel()
            self._process = None

    def end(self) -> None:
        """Ends the process, for nobody is left to answer; called from another thread."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                self._process.kill()
