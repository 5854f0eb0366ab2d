"""Tables, and the games at them. They decide and are told the time; they move no bytes.

registry       all tables by their ids, the work at each, and the border behind which a bug ends one table
table          the players at it, its stage, and the events for each viewer
seating        who sits down, gets up, is sent away, and is ready
absences       how long nobody, or the host, has been away
substitutes    who loses the connection and comes back, and who plays in between
watchers       who watches the lobby, and who watches which table
live_game      a game in progress: the match, its clock, its scrambles, who is played for
clock          how long players may think
scramble       who was first, by reaction time and not by the length of the way
seats          the players on their seats, and the settings of a table
event_log      the events that each viewer got, numbered without gaps
view_writer    views and news as bytes, with what everybody may see packed once
update_frames  one moment of a game as frames; what viewers share is packed once
recorder       the record of the game, written line by line before each counts
alarms         when which table wants to be woken
stored_maps    tables and people as plain maps to be stored, and back
recovery       restores people and tables from the archive after a restart
"""
