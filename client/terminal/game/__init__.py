"""A game as it is played on the terminal. No screen in it but page.

move_entry    what is asked, what can be chosen next, what was typed
selection     an action chosen field by field out of the legal patterns
offer         what can be chosen now, one by one
move_texts    what can be chosen, as short words
typed_words   what somebody types against what can be chosen
interval      the page between two parts of a game that goes on
late_answers  what was meant for a scramble, and chooses nothing after it
typed_meanings  all that typed words may mean
typed_move    a move that was typed, or what is wrong with it; vocabulary: what may have been meant
touch         a click on the board
absence       who has lost the connection, since when, and who plays for them
story         what happened so far, in sentences
lessons       what a learner has to read, one by one
hints         the key that asks for a hint; hint_texts: its words
page          the whole of it on the screen
"""
