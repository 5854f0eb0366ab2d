"""The `parlour` command: the one room that may import everything. A subcommand is loaded when it is chosen.

main            which subcommand is meant, and how a mistake ends the program
commands        every subcommand, and what is loaded once it is chosen
completion      what shells need to complete words
subcommand      what every subcommand is made of
play            play and join: arguments, and which way of playing they start
doctor          why a server is not reached
serve           a server from its flags; serve_screen: its one screen and its log
bot             bots on a server; bot_check and relay: a bot tried out
arena           strategies against each other
demo            a game between random players; demo_screen shows it
rules_commands  scenario and schema
archive_texts   what is wrong with an archive, in words
conforming/     `parlour conform`: a client put through the guarantees
records/        games that were played
tournament/     `parlour tournament`
"""
