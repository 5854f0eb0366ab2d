"""What the page shows a moment later, and what at once."""

from support.client import node


def test_a_board_that_plays_back_is_up_to_date_as_soon_as_somebody_is_raced() -> None:
    """Whoever is to take a pawn needs the dice of this round, not the drives of the one before."""
    calm, raced = False, True
    shown = node.run("playback.mjs", [calm, calm, calm, raced, raced, calm])
    assert shown == [[0, False], [0, True], [0, True], [3, False], [4, False], [5, False]]
