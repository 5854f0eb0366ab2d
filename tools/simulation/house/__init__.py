"""Worlds in which three nodes share one house: real servers over one simulated database.

world       one seed: three nodes, who is killed, frozen, cut off or stopped, and what must hold
guest       one person with a session at each node
habits      how a client follows its tables from node to node
node        one node: a real server on a loop of its own that the world moves round by round
threads     the threads of a node, replaced by steps on the agenda
shared      the database that all nodes share, and what is under way in it
connection  a node's connection to it
sql         PostgreSQL's statements, said to SQLite in memory
"""
