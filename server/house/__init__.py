"""Several servers over one database: what a node knows of the others, and what it tells them.

house       what lobby and tables need of it, and the house of a server that is alone
node        one node among several: what it hears, and how it begins and ends
hellos      who says hello: what the whole house knows of them
news        what a node tells the others
takeover    what it gets from others: read, restored and shown
gifts       tables that it gives to others, and how much each has
directions  players are told where their tables are
directory   which tables and tournaments the other nodes have
elsewhere   what they tell of those, and what they did not live to tell
epochs      of the leases that are this node's, so that it knows old news
people      people as the database has them, taken over into what this node remembers
presence    who is connected to which other node
tournament_house  the house as tournaments see it
"""
