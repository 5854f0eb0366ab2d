"""A game drawn and put into words: one folder a game, and what they share. Pure: views in, styled text out.

catalogue    which game has which board, a line each
game_board   what a game brings: all of it can be left out
reader       to whom news is told: "you" or a name
moves        how its actions are put into words, ranked, typed, touched
options      the options of a table: settled as the server does, and in words
rules        what the rules of all games share when they are told
plain        the board of a game that has none of its own
refusals     why a server or the rules say no
text, style  styled lines, measured in columns; how styles look
room, sheet  how much room there is; squared paper to draw on
press        what a click on a piece of text presses
ending       who won a game, and by what
records      lists and verdicts of games that were played
stats        who won how often, and who came out before whom

A folder for each game: board (drawn), described (the position in sentences), news (sentences), moves,
facts (of objections), rules (paragraphs).
"""
