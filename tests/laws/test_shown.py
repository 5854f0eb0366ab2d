"""What is written once for all viewers is what would be written for each of them alone."""

import json
from typing import Any

import pytest
from laws.leaks import viewers
from laws.playing import ALL_KINDS, Dice, TableKind, moments

from parlour.engine.lean import lean
from parlour.engine.maps import StillHidden, tagged, to_map
from parlour.engine.secret import ALL, Seat, Secret, Viewer, project
from parlour.engine.shown import Shown


def written(thing: Any) -> str:
    """In any order of the fields."""
    return json.dumps(thing, sort_keys=True)


@pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
def test_each_viewer_is_shown_just_what_projecting_for_it_leaves(kind: TableKind) -> None:
    match = kind.start("shown")
    everybody: list[Viewer] = [*viewers(kind.seats), ALL]
    for state, seat, action in moments(match, Dice("shown")):
        view = kind.game.view(state)
        at_once = Shown(view)
        news = [item for beat in match.propose(seat, action).beats for item in beat.news]
        news_at_once = [Shown(item, tagged=True) for item in news]
        for viewer in everybody:
            assert written(at_once.to(viewer)) == written(to_map(project(view, viewer)))
            for item, shown in zip(news, news_at_once, strict=True):
                assert written(shown.to(viewer)) == written(tagged(project(item, viewer)))


@lean
class Mislaid:
    """A class that hides something in a field that does not say so."""

    card: Secret[str] | str | None
    seat: Seat
    hint: Any


def test_what_is_still_hidden_cannot_be_written_down() -> None:
    shown = Shown(Mislaid(Secret("red-7"), Seat(0), ""))
    assert shown.to(Seat(0)) == {"card": None, "seat": 0, "hint": ""}
    with pytest.raises(StillHidden):
        Shown(Mislaid(None, Seat(0), Secret("red-7")))
