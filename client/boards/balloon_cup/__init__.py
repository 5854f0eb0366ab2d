"""Balloon Cup drawn and put into words.

board    the table in text
news     what happened, in sentences
moves    actions: in words, ranked, typed, touched
facts    the facts of objections
rules    the rules in paragraphs
"""

from parlour.client.boards.balloon_cup import board, facts, moves, rules
from parlour.client.boards.game_board import GameBoard

BALLOON_CUP = GameBoard(board.draw, board.words, moves.MOVES, facts.fact, rules.paragraphs)
