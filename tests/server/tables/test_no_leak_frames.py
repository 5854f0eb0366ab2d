"""Two worlds that differ only in secrets give a viewer the same bytes, and planted leaks are found."""

import zlib
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from laws.leaks import Leak
from laws.playing import ALL_KINDS, TableKind
from support.server.twin_servers import TableViewer, check_frames

from parlour.engine.secret import ALL, Seat
from parlour.protocol.errors import ProtocolError
from parlour.server.tables.live_game import LiveGame
from parlour.server.tables.table import Table

PLAIN = [kind for kind in ALL_KINDS if not kind.given]
SEALED = [kind for kind in ALL_KINDS if kind.given == {"grab": "sealed"}][:1]
BY_NAME = {str(kind): kind for kind in ALL_KINDS}


def viewers(kind: TableKind) -> list[TableViewer]:
    return [Seat(0), Seat(kind.seats - 1), None]


@pytest.mark.parametrize("kind", [*PLAIN, *SEALED], ids=str)
def test_a_viewer_cannot_tell_two_worlds_apart_by_what_comes_over_the_wire(kind: TableKind) -> None:
    total = {"frames": 0, "differing": 0, "steps": 0}
    for seed in range(2):
        for viewer in viewers(kind):
            for name, number in check_frames(kind, ("world", seed), viewer).items():
                total[name] += number
    assert total["differing"] >= 3, "the worlds hardly differ: the law says nothing"
    assert total["steps"] >= 3, "hardly any step was compared: the law says nothing"


def plant_question(patch: pytest.MonkeyPatch) -> None:
    """Whoever is asked nothing gets the question of somebody who is."""
    real = LiveGame.question

    def question(game: LiveGame, seat: Seat) -> Any:
        asked = sorted(game.match.awaited)
        return real(game, asked[0] if asked and seat not in asked else seat)

    patch.setattr(LiveGame, "question", question)


def plant_view(patch: pytest.MonkeyPatch) -> None:
    """Everybody sees everything."""
    patch.setattr(Table, "_engine_viewer", lambda _table, _viewer: ALL)


def plant_refusal(patch: pytest.MonkeyPatch) -> None:
    """A refusal says what the position is."""
    real = LiveGame.act

    def act(game: LiveGame, *given: Any) -> None:
        try:
            real(game, *given)
        except ProtocolError as wrong:
            wrong.facts["hint"] = str(game.match.game.position(game.match.state))
            raise

    patch.setattr(LiveGame, "act", act)


def plant_info(patch: pytest.MonkeyPatch) -> None:
    """The public part of a table counts something hidden."""
    real = Table.info

    def info(table: Table) -> Any:
        game = table.live_game
        known = str(game.match.game.position(game.match.state)) if game and game.match.journal else ""
        return attrs.evolve(real(table), watchers=zlib.crc32(known.encode()))

    patch.setattr(Table, "info", info)


@pytest.mark.parametrize("plant", [plant_question, plant_view, plant_refusal, plant_info])
@pytest.mark.parametrize("kind", ["balloon-cup-2", "butterflies-3"])
def test_a_leak_that_was_put_in_is_found(
    kind: str, plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def look() -> None:
        for seed in range(6):
            check_frames(BY_NAME[kind], ("planted", seed), Seat(1))

    look()
    plant(monkeypatch)
    with pytest.raises(Leak):
        look()
