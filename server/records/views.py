"""A recorded game as somebody saw it: views and news, for those who have no rules to replay it by."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from parlour.engine.maps import tagged, to_map
from parlour.engine.secret import ALL, Seat, project
from parlour.server.records.record import Record
from parlour.server.records.replay import game_of, replay

MOST = 64
"""Entries that are shown at once: each has a whole view."""


def views(record: Record, eyes: int | None, first: int, count: int) -> dict[str, Any]:
    """Entries from `first` on, with the view after each and its news; `eyes` None sees everything.

    Raises Contradiction if the record does not follow from the rules.
    """
    game = game_of(record.header)
    viewer = ALL if eyes is None else Seat(eyes)

    def shown(state: Any, news: tuple[Any, ...]) -> Mapping[str, Any]:
        told = [tagged(project(piece, viewer)) for piece in news]
        return {"view": to_map(project(game.view(state), viewer)), "news": told}

    beats = islice(replay(record), first, first + count)
    return {
        "game": record.header.game,
        "names": list(record.header.names),
        "total": len(record.lines),
        "entries": [{"seat": beat.entry.seat, **shown(beat.state, beat.news)} for beat in beats],
        "result": {
            "winners": list(record.end.winners),
            "places": list(record.end.places),
            "reason": record.end.reason,
        },
    }
