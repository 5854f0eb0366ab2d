"""The rules of the games. Pure: no bytes, no clock, no sockets, no text for people, no luck of its own.

game            what a game is: the contract between the rules and whoever plays, watches or stores them
match           one play of a game: its state, its journal, who has left, and how to replay it
secret          face-down values, who has seen them, and what one viewer may see of a thing
view_fields     how a view is made of a state, field by field
choices         legal actions as a value that can be counted, tested, sampled and listed
patterns        legal actions as maps and back
chance          where luck comes from: a game asks for it by name
options         the options of a game, with defaults and ranges
errors          what can be wrong with what a player, a file or a peer hands in
plain           plain values read strictly, for the engine and for messages alike
maps            values as plain maps and back
identity_cache  what was written of a value, for as long as the value lives on
lean            the decorator for values that are made at every step
scenario        rules cases as data
catalogue       the only list of games

A folder for each game.
"""
