"""What is packed once for all viewers is what would be written for each of them alone."""

import json
from typing import Any

import pytest
from laws.leaks import viewers
from laws.playing import ALL_KINDS, Dice, TableKind, moments

from parlour.engine.lean import lean
from parlour.engine.maps import tagged, to_map
from parlour.engine.secret import ALL, Pile, Seat, Secret, Viewer, project
from parlour.engine.view_fields import ViewFields
from parlour.protocol.codec import unpack
from parlour.server.tables.view_writer import Segments, ViewWriter, Written, view_writer, write_news


def sorted_json(thing: Any) -> str:
    """In any order of the fields."""
    return json.dumps(thing, sort_keys=True)


@pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
def test_each_viewer_gets_just_what_projecting_for_it_leaves(kind: TableKind) -> None:
    match = kind.start("written")
    everybody: list[Viewer] = [*viewers(kind.seats), ALL]
    how = view_writer(kind.game.views)
    after: Written | None = None
    for state, seat, action in moments(match, Dice("written")):
        view = kind.game.view(state)
        # After the view of another moment, as a server writes it; and by itself.
        anew = how.write(state)
        if after is None:
            after = how.write(state)
        else:
            how.write_on(after, state)
        news = [item for beat in match.propose(seat, action).beats for item in beat.news]
        for viewer in everybody:
            packed = after.packed_for(viewer)
            assert packed == anew.packed_for(viewer)
            assert sorted_json(unpack(packed)) == sorted_json(to_map(project(view, viewer)))
            for item in news:
                packed = Segments([write_news(item)]).packed_for(viewer)
                assert sorted_json(unpack(packed)) == sorted_json(tagged(project(item, viewer)))


def test_a_secret_within_a_secret_has_an_audience_of_its_own() -> None:
    inner = Pile(("red-7", "red-8"), frozenset({Seat(1)}))
    parts = Segments.of({"box": Secret((inner, 3), frozenset({Seat(0), Seat(1)}))})
    assert unpack(parts.packed_for(Seat(0))) == {"box": [2, 3]}
    assert unpack(parts.packed_for(Seat(1))) == {"box": [["red-7", "red-8"], 3]}
    assert unpack(parts.packed_for(None)) == {"box": None}
    assert unpack(parts.packed_for(ALL)) == {"box": [["red-7", "red-8"], 3]}


@lean
class Mislaid:
    """A class that hides something in a field that does not say so."""

    card: Secret[str] | str | None
    seat: Seat
    hint: str


def test_what_no_type_announces_as_hidden_cannot_be_packed() -> None:
    how = ViewWriter(ViewFields.of(Mislaid))
    written = how.write(Mislaid(Secret("red-7"), Seat(0), ""))
    assert unpack(written.packed_for(Seat(0))) == {"card": None, "seat": 0, "hint": ""}
    with pytest.raises(TypeError):
        how.write_on(written, Mislaid(None, Seat(0), Secret("red-7")))  # type: ignore[arg-type]
