"""Records of games. Knows the engine and the protocol, and nothing else of the server.

record        header, journal lines and end of a game, and the running hash
reading       reads records from plain maps, strictly, and checks their form
replay        replays a record by the rules
replay_file   records as JSON text that people can read
views         a record as somebody saw it, for clients without rules
verify        whether a record is what rules, commitment and hash say it must be
fairness      luck that players can check: a secret committed to before the deal, mixed with nonces
stats         who plays, who wins, against whom, how often in a row
"""
