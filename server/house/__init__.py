"""Several servers over one database: what a node knows of the others, and what it tells them.

house       what lobby and tables need of it, and the house of a server that is alone
node        one node among several: hellos, tickets, takeovers and hand-overs
directions  players are told where their tables are
directory   which tables and tournaments the other nodes have
people      people as the database has them, taken over into what this node remembers
presence    who is connected to which other node
tournament_house  the house as tournaments see it
"""
