"""Whoever was late twice in a row is told what a third time brings."""

from typing import Any

from support.client import node

MINE, THEIRS, ANSWERED, QUIET = {"late": [0]}, {"late": [1]}, {"answered": True}, dict[str, Any]()


def told(*steps: dict[str, Any], late: str = "stand_in") -> Any:
    table = {"id": "T", "info": {"clocks": {"late": late}}, "seat": 0, "result": None}
    return node.run("late.mjs", {"table": table, "steps": steps})


def test_after_the_second_time_in_a_row_it_is_said_what_the_third_one_brings() -> None:
    for late in ("stand_in", "forfeit"):
        said = [{"text": f"web.twice_late.{late}", "holds": True}]
        assert told(MINE, QUIET, THEIRS, MINE, late=late) == said


def test_it_is_said_no_longer_once_i_have_answered_or_the_third_time_has_come() -> None:
    for after in (ANSWERED, MINE):
        assert [each["holds"] for each in told(MINE, MINE, after)] == [False]


def test_an_answer_begins_the_count_anew_and_the_time_of_others_is_theirs() -> None:
    assert told(MINE, ANSWERED, MINE, THEIRS) == []
