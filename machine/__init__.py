"""What server and client need of the machine they run on. Knows no game, no protocol and no player.

addresses    under which addresses other machines reach this one
file_lock    one program at a time, by a lock on a file
programs     which modules are started as processes of their own
"""
