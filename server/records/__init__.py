"""A game on paper. Knows the engine and the protocol, and nothing else of the server.

record        how a game was set up, its journal line by line, how it ended, and the running hash
reading       records from plain maps, strictly and by form alone
replay        a record played again by the rules
replay_file   records as JSON text that people can read
verify        whether a record is what rules, commitment and hash say it must be
fairness      luck that players can check: a secret committed to before the deal, mixed with nonces
stats         who plays, who wins, against whom, how often in a row
"""
