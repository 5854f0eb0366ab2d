"""Speed, measured as ratios within one run: machines are noisy, and a figure alone tells little.

__main__     `make bench`: all parts, or those that are named
playouts     random playouts of every game, beside two games of OpenSpiel
server       the server under load, beside the relay
instructions what a move takes, counted by valgrind
archive      what storing everything costs
postgresql   the same in PostgreSQL, beside a file
nodes        two nodes of a house beside a server that is alone, and how long a takeover takes
recovery     how soon a server that was killed serves again
terminal     how long a key takes to the screen
bots         people's moves while bots think
tournament   a whole tournament, and whether two people at their own table feel it
hostile      honest moves while others ask for what is dear
web          the page in a real browser, and what loading it costs others
memory       what the page holds after each of 20 games

our_server, our_node, relay, players, league, thinking, attackers, lean_socket, child: what these run.
hostile_archive: what the server of `hostile` finds in its archive.
"""
