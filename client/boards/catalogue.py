"""BOARDS: the boards of all games, a line each."""

from parlour.client.boards.balloon_cup import BALLOON_CUP
from parlour.client.boards.butterflies import BUTTERFLIES
from parlour.client.boards.game_board import GameBoard
from parlour.client.boards.hurry_cup import HURRY_CUP

BOARDS: dict[str, GameBoard] = {
    "balloon-cup": BALLOON_CUP,
    "hurry-cup": HURRY_CUP,
    "butterflies": BUTTERFLIES,
}
PLAIN = GameBoard()


def board_of(game: str | None) -> GameBoard:
    """The board of a game, or the plain one."""
    return BOARDS.get(game, PLAIN) if game is not None else PLAIN
