"""What people play with: menus and choices without a screen, the full screen, and plain lines.

app            the full screen on a terminal: keys and mouse in, lines out
screen         the screen without a terminal: keys by name in, lines for a window of any size out
player         one player: where they are, whom they are connected to, all that they do
connecting     to a server, one's own or another's, with a name that it accepts
status         what is always on the screen
keyboard       keys of other layouts and of input methods
line_mode      playing in plain lines
choice_ids     ids of what can be chosen, for scripts
replay         a replay as it is looked at; replay_screen: the same on a full screen
menus/         places that offer things to do
game/          a game as it is played: what can be chosen, typed or touched
"""
