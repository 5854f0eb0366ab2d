"""What people ask for: each command is done once and answered once.

lobby        who connects, who leaves, and that each command is done once, in its order
other_nodes  commands for what another node has
answering    to which connection an answer goes
commands     what each command does, one function each; tournament_commands: those of tournaments
context      what commands work on
games        the games of the catalogue, described for clients
absent       the names of people who are not connected
bots         built-in bots as commands see them
chat         what text a chat line may have
lists        long lists as answers, packed step by step
turnstiles   dear commands of one network, one at a time
hints        what a strategy would play, from a process of its own
later        answers that are read or made beside the event loop
"""
