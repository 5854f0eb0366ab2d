"""Hurry' Cup drawn and put into words.

board    the whole of it: road, stops, panel and legend are its parts
news     what happened, in sentences; described: the position in sentences
moves    actions: in words, ranked, typed, touched
facts    the facts of objections
rules    the rules in paragraphs
practice a first race, explained
"""

from parlour.client.boards.game_board import GameBoard
from parlour.client.boards.hurry_cup import board, described, facts, moves, news, practice, rules
from parlour.engine.hurry_cup.public import HurryOptions

HURRY_CUP = GameBoard(
    board.draw,
    board.words,
    moves.MOVES,
    facts.fact,
    rules.paragraphs,
    HurryOptions,
    seats=4,
    describe=described.describe,
    lesson=practice.lesson,
    befallen=practice.befallen,
    interval=news.interval,
    won=news.won,
)
