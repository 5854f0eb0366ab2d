"""After a reload the page finds the tables at which its reader sits."""

from support.client import node


def test_a_table_at_another_node_of_a_house_is_found_like_one_at_this_node() -> None:
    here, there = {"tables": ["T1"]}, {"tables": [], "elsewhere": [{"table": "T1", "node": "ws://b/"}]}
    welcomes = [here, there, {"tables": ["T2"], "elsewhere": []}]
    assert node.run("seats.mjs", {"welcomes": welcomes, "table": "T1"}) == [True, True, False]
