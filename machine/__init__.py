"""What server and client need of the machine they run on. Knows no game, no protocol and no player.

addresses       under which addresses other machines reach this one
file_lock       one program at a time, by a lock on a file
kept_output     what a program of somebody else writes to its stderr, the newest of it
output          what is written for people to read: shown, and never obeyed
process_group   programs of others, each in a group that is ended whole
program_pipes   what such a program reads and writes
programs        which modules are started as processes of their own
this_process    which process this is, and the clock that goes on while the machine sleeps
"""
