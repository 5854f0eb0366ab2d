"""How long a node that has ended stays away."""

from parlour.server.processes.pauses import FIRST, LONGEST, SERVED, Pauses


def test_pauses_grow_while_a_node_does_not_live_and_begin_anew_after_it_has_served() -> None:
    pauses = Pauses()
    row = [pauses.after(0.1) for _ in range(12)]
    assert row[0] == FIRST and row[1] == 2 * FIRST
    assert row == sorted(row) and row[-1] == row[-2] == LONGEST
    assert pauses.after(SERVED) == FIRST
    assert pauses.after(1.0) == 2 * FIRST
