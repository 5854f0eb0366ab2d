"""The commands about games that were played.

commands    games, replay, verify, export, import, hint and stats as subcommands
actions     what each of them does
places      the archives in which they are looked for
hint        what a strategy would have played
"""
