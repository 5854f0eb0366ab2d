"""A game drawn and put into words: one folder a game, and what they share. Pure: views in, styled text out.

catalogue    which game has which board
plain        the board of a game that has none of its own
text, style  styled lines, measured in columns; how styles look
room, sheet  how much room there is; squared paper to draw on
press        what a click on a piece of text presses
balloon_cup/  hurry_cup/  butterflies/    board (drawn), news (sentences), and their parts
"""
