"""After a reload the page finds the tables at which its reader sits; it leaves those that are done with."""

from support.client import node


def test_a_table_at_another_node_of_a_house_is_found_like_one_at_this_node() -> None:
    here, there = {"tables": ["T1"]}, {"tables": [], "elsewhere": [{"table": "T1", "node": "ws://b/"}]}
    welcomes = [here, there, {"tables": ["T2"], "elsewhere": []}]
    assert node.run("seats.mjs", {"welcomes": welcomes, "table": "T1"})["found"] == [True, True, False]


def test_whoever_begins_another_game_leaves_those_that_are_over() -> None:
    bot, friend = {"bot": True}, {"bot": False}
    tables = [
        {"id": "BOTS", "others": [bot, bot]},
        {"id": "ON", "stage": "playing", "others": [bot]},
        {"id": "FRIEND", "others": [friend, bot]},
        {"id": "CUP", "others": [bot], "tournament": "CUP"},
    ]
    full, renamed = {"most": 3}, {"most": 9, "all": True}
    sitting = [{"tables": tables, **given} for given in ({"most": 4}, full, renamed)]
    left = node.run("seats.mjs", {"sitting": sitting})["left"]
    assert left == [["BOTS"], ["BOTS", "FRIEND"], ["BOTS", "FRIEND"]]
