"""What the page tells somebody who takes part in a tournament, and how its list of them stays true."""

from typing import Any

from support.client import node

CUP = {"tournament": "CUP", "name": "Kitchen cup", "game": "balloon-cup", "round": 0}


def picture(phase: str, *entrants: str, there: str = "") -> dict[str, Any]:
    people = [{"name": name, "gone": False, "checked_in": name in there.split()} for name in entrants]
    return {"seq": 1, "info": {**CUP, "phase": phase}, "entrants": people, "rounds": [], "results": []}


def begun(seq: int = 2) -> dict[str, Any]:
    return {
        "type": "tournament_changed",
        "tournament": "CUP",
        "seq": seq,
        "info": {**CUP, "phase": "running"},
    }


def lived(*story: dict[str, Any], name: str = "Ann") -> Any:
    return node.run("entrant.mjs", {"lived": [{"name": name, "story": story}], "asked": []})["lived"][0]


def test_that_check_in_was_missed_is_told_and_stays_told_after_a_reload() -> None:
    called = picture("check_in", "Ann", "Ben", "Cara", there="Ben Cara")
    told = lived({"entered": "CUP"}, {"picture": called}, {"event": begun()}, {"reloads": True})
    assert told["missed"] == "Kitchen cup" and len(told["heard"]) == 1
    assert lived({"picture": called}, {"event": begun()}, name="Ben") | {"heard": []} == {
        "heard": [],
        "missed": None,
        "absentees": ["Ann"],
    }


def test_whoever_was_away_when_it_began_hears_it_at_the_next_look() -> None:
    before, after = picture("registration", "Ann", "Ben"), picture("running", "Ben", there="Ben")
    assert lived({"entered": "CUP"}, {"picture": before}, {"picture": after})["missed"] == "Kitchen cup"
    assert lived({"picture": before}, {"picture": after})["missed"] is None
    here = picture("running", "Ann", "Ben", there="Ann Ben")
    assert lived({"entered": "CUP"}, {"picture": here})["missed"] is None


def test_who_has_withdrawn_has_missed_nothing() -> None:
    leaving = {
        "type": "tournament_entrant",
        "tournament": "CUP",
        "seq": 2,
        "withdrawn": True,
        "entrant": {"name": "Ann", "gone": False, "checked_in": False},
    }
    called = picture("check_in", "Ann", "Ben", there="Ben")
    told = lived({"entered": "CUP"}, {"picture": called}, {"event": leaving}, {"event": begun(3)})
    assert (told["missed"], told["absentees"]) == (None, [])


def test_the_list_is_asked_for_again_while_it_is_looked_at() -> None:
    seconds = [["tournaments"] * 13, ["lobby"] * 13, ["table"] * 13]
    told = [node.run("entrant.mjs", {"lived": [], "asked": [each]})["asked"][0] for each in seconds]
    assert told == [{"count": 4, "open": 1}, {"count": 1, "open": 1}, {"count": 0, "open": 0}]
