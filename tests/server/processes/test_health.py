"""What is told of all nodes together."""

from prometheus_client.parser import text_string_to_metric_families

from parlour.server.processes.figures import one_page
from parlour.server.processes.health import health_of

PAGE = """\
# HELP parlour_frames_total Frames taken from clients
# TYPE parlour_frames_total counter
parlour_frames_total {frames}
# HELP parlour_tables Tables by stage
# TYPE parlour_tables gauge
parlour_tables{{stage="playing"}} {tables}
"""


def test_the_house_is_well_while_a_node_is_and_the_others_are_named() -> None:
    away = 503, "nothing is kept: there is no connection to the database of the archive\n"
    assert health_of({"a-1": (200, "ok\n"), "a-2": (200, "ok\n")}) == (200, "ok\n")
    assert health_of({"a-1": (200, "ok\n"), "a-2": None}) == (
        200,
        "1 of 2 nodes are well\na-2: does not answer\n",
    )
    status, told = health_of({"a-1": away, "a-2": None})
    assert status == 503
    assert told.splitlines() == ["0 of 2 nodes are well", f"a-1: {away[1].strip()}", "a-2: does not answer"]


def test_figures_of_all_nodes_are_one_page_in_which_each_has_its_node() -> None:
    pages = {"a-1": PAGE.format(frames=5, tables=2), "a-2": PAGE.format(frames=7, tables=0), "a-3": None}
    page = one_page(pages, {"a-1": 1, "a-2": 4, "a-3": 1})
    found = {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }
    assert found["parlour_frames_total", ("node", "a-1")] == 5
    assert found["parlour_frames_total", ("node", "a-2")] == 7
    assert found["parlour_tables", ("node", "a-1"), ("stage", "playing")] == 2
    assert found["parlour_node_up", ("node", "a-2")] == 1
    assert found["parlour_node_up", ("node", "a-3")] == 0
    assert found["parlour_node_restarts_total", ("node", "a-2")] == 3
    assert page.count("# TYPE parlour_tables gauge") == 1
