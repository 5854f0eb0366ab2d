"""Butterflies drawn and put into words.

board    the whole of it; grid is the part with the cards
news     what happened, in sentences; described: the position in sentences
moves    actions: in words, ranked, typed, touched
facts    the facts of objections
rules    the rules in paragraphs
"""

from parlour.client.boards.butterflies import board, described, facts, moves, news, rules
from parlour.client.boards.game_board import GameBoard
from parlour.engine.butterflies.public import ButterflyOptions

BUTTERFLIES = GameBoard(
    board.draw,
    board.words,
    moves.MOVES,
    facts.fact,
    rules.paragraphs,
    ButterflyOptions,
    describe=described.describe,
    team=board.team,
    won=news.won,
)
