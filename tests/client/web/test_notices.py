"""What the page says beside its screens is heard, all of it."""

from typing import Any

from support.client import node


def heard(*tasks: list[list[str]], hidden: bool = False) -> Any:
    return node.run("notices.mjs", {"tasks": tasks, "hidden": hidden})


def test_all_that_is_said_at_one_moment_is_heard_and_what_comes_later_takes_its_place() -> None:
    moved, dealt = "You have the red car.", "The dice are rolled."
    first, second, third = heard(
        [["say", moved], ["announce", "told", dealt]], [["announce", "told", dealt]], [["say", ""]]
    )
    assert (first["told"], second["told"], third["told"]) == (f"{moved} {dealt}", dealt, "")


def test_where_pages_may_not_notify_an_alert_is_still_heard_and_what_follows_it_is_done() -> None:
    alert = ["alert", "Round 1 begins", "Round 1 begins", "T1"]
    assert heard([alert, ["announce", "told", "after"]], hidden=True)[0] == {
        "told": "after",
        "turn": "Round 1 begins",
    }
