"""`parlour tournament` and the words behind it.

commands    create, list, enter, watch, start, pause, cancel, export and verify as subcommands
arguments   what may stand behind each word
actions     what each of them does
entry       a bot that takes part until the end
steering    starting a tournament as its organiser
connecting  a connection for one command
watch       a tournament watched from a shell
"""
