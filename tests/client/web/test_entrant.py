"""What the page tells somebody who takes part in a tournament, and how its list of them stays true."""

from typing import Any

from support.client import node

CUP = {"tournament": "CUP", "name": "Kitchen cup", "game": "balloon-cup", "round": 0}


def picture(phase: str, *entrants: str, there: str = "") -> dict[str, Any]:
    people = [{"name": name, "gone": False, "checked_in": name in there.split()} for name in entrants]
    rules = {"games": 2, "bye": "half"}
    info = {**CUP, "phase": phase}
    return {"seq": 1, "info": info, "entrants": people, "rounds": [], "results": [], "rules": rules}


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
    told = lived({"picture": called}, {"event": begun()}, name="Ben")
    assert (told["missed"], told["absentees"]) == (None, ["Ann"])


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


OTHER = {"tournament": "OPEN", "name": "Garden open"}


def other(phase: str, *entrants: str) -> dict[str, Any]:
    shown = picture(phase, *entrants)
    return shown | {"info": shown["info"] | OTHER}


def test_check_in_calls_whoever_looks_at_another_tournament() -> None:
    called = picture("check_in", "Ann", "Ben", there="Ben")
    looks = ({"entered": "CUP"}, {"looks": called}, {"looks": other("running", "Cara")})
    assert lived(*looks)["called"] == "Kitchen cup"
    assert lived(*looks, {"event": begun()})["missed"] == "Kitchen cup"
    assert lived(*looks, {"reloads": True}, {"reconnects": True})["called"] == "Kitchen cup"


def test_who_withdraws_from_another_tournament_stays_in_this_one() -> None:
    leaving = {
        "type": "tournament_entrant",
        "tournament": "OPEN",
        "seq": 2,
        "withdrawn": True,
        "entrant": {"name": "Ann", "gone": False, "checked_in": False},
    }
    called = picture("check_in", "Ann", "Ben", there="Ben")
    told = lived(
        {"entered": "CUP"},
        {"looks": other("registration", "Ann")},
        {"event": leaving},
        {"looks": called},
        {"plays": True},
        {"reloads": True},
        {"reconnects": True},
    )
    assert told["called"] == "Kitchen cup"


def test_a_tournament_that_is_gone_after_a_new_line_takes_nobody_out_of_a_game() -> None:
    shown = picture("running", "Ann", "Ben", there="Ann Ben")
    told = lived({"looks": shown}, {"plays": True}, {"closes": "CUP"}, {"reconnects": True})
    assert (told["went"], told["absentees"]) == ([], None)
    missed = {"event": begun(5)}
    assert lived({"looks": shown}, {"plays": True}, {"closes": "CUP"}, missed)["went"] == []


def playing(*results: dict[str, Any]) -> dict[str, Any]:
    pairing = {"number": 1, "players": ["Ann", "Ben"]}
    rounds = [{"round": 1, "tables": [pairing], "byes": ["Cara"], "secret": None}]
    people = picture("running", "Ann", "Ben", "Cara", there="Ann Ben Cara")
    return people | {"rounds": rounds, "results": results}


def test_a_game_of_a_tournament_says_which_it_is_and_against_whom() -> None:
    facts = '{"name":"Kitchen cup","round":1,"game":%d,"games":2,"names":["Ben"]}'
    first = {"round": 1, "table": 1, "game": 0, "replay": "T1-1"}
    for results, game in [((), 1), ((first,), 2), ((first, first | {"game": 1, "replay": "T2-1"}), 2)]:
        assert lived({"picture": playing(*results)})["game"] == f"web.cup_game {facts % game}"
    nobody = playing() | {"rounds": []}
    assert lived({"picture": nobody})["game"] is None
    # Of a game that is over, and of which no archive knows, it is still said when the next round is paired.
    over = {"type": "tournament_result", "tournament": "CUP", "seq": 2, "result": first | {"replay": None}}
    second = playing()["rounds"][0] | {"round": 2}
    paired = {"type": "tournament_round", "tournament": "CUP", "seq": 3, "round": second}
    told = lived({"picture": playing()}, {"draws": True}, {"event": over}, {"event": paired})
    assert told["game"] == f"web.cup_game {facts % 1}"


def test_whoever_has_no_opponent_in_a_round_is_told_and_what_it_brings() -> None:
    paired = {"type": "tournament_round", "tournament": "CUP", "seq": 2, "round": playing()["rounds"][0]}
    for name, times in (("Cara", 1), ("Ann", 0)):
        told = lived({"picture": playing() | {"rounds": []}}, {"event": paired}, name=name)
        assert len(told["heard"]) == times and bool(told["bye"]) is bool(times)
        assert all("web.no_opponent" in text and "tournament.bye.half" in text for text in told["heard"])


def test_the_list_is_asked_for_again_while_it_is_looked_at() -> None:
    seconds = [["tournaments"] * 13, ["lobby"] * 13, ["table"] * 13]
    told = [node.run("entrant.mjs", {"lived": [], "asked": [each]})["asked"][0] for each in seconds]
    assert told == [{"count": 4, "open": 1}, {"count": 1, "open": 1}, {"count": 0, "open": 0}]
