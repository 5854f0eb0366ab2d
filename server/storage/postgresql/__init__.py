"""An archive in a PostgreSQL database, in a schema of its own named `parlour`.

backend      opens it: for one who writes, for any who read, for a copy
rows         the connection that writes, how it comes back, and what became of a commit without an answer
membership   a server's row among the nodes of a house, and what it has
heartbeat    the thread that renews this row
house        what nodes tell each other, tickets, takeovers and hand-overs
house_values what is found there, as values, and the questions of a node
house_thread the thread that asks them, and the one that waits for the bell
ownership    the last group of rows that each connection has stored
people       how names and tokens are found
insert       the function that puts rows of all kinds into their tables
schema       the tables, their versions, and how to tell ours from others
connection   connects, and tells what is wrong in our own words
"""
