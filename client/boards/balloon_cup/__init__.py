"""Balloon Cup drawn and put into words.

board    the table in text; scale: how large it is drawn; lately: what has just happened there
news     what happened, in sentences; described: the position in sentences
moves    actions: in words, ranked, typed, touched
facts    the facts of objections
rules    the rules in paragraphs
"""

from parlour.client.boards.balloon_cup import board, described, facts, lately, moves, news, rules
from parlour.client.boards.game_board import GameBoard
from parlour.engine.balloon_cup.public import BalloonOptions

BALLOON_CUP = GameBoard(
    board.draw,
    board.words,
    moves.MOVES,
    facts.fact,
    rules.paragraphs,
    BalloonOptions,
    describe=described.describe,
    won=news.won,
    lately=lately.lately,
)
