"""Tables, and the games at them. They decide and are told the time; they move no bytes.

registry       all tables by their ids, the work at each, and the border behind which a bug ends one table
table          who sits where, what stage it is at, what each viewer is told
live_game      a game in progress: the match, its clock, its scrambles, who is played for
clock          how long players may think
scramble       who was first, by reaction and not by the length of the line
seats          who sits on a seat, and how a table was made
event_log      what each viewer was told, numbered without gaps
update_frames  one moment of a game as frames; what viewers share is packed once
recorder       the record of the game, written line by line before each counts
alarms         when which table wants to be woken
snapshots      tables and people as plain maps, and back
recovery       after a restart: people and tables come back from the archive
"""
