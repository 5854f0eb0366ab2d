"""Who sits with whom so that it costs least: algorithms on numbers that know nothing of tournaments.

largest     the largest matching of a graph, by augmenting paths (Edmonds)
exchange    better pairs from given ones: opponents exchanged around a ring
seating     tables of three and more, by swapping while it pays
"""
