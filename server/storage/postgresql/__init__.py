"""An archive in a PostgreSQL database, in a schema of its own named `parlour`.

backend      opens it: for one who writes, for any who read, for a copy
rows         the connection that writes, how it comes back, and what became of a commit without an answer
ownership    one server to an archive, and the last group of rows that each has stored
insert       the function that puts rows of all kinds into their tables
schema       the tables, their versions, and how to tell ours from others
connection   connects, and tells what is wrong in our own words
"""
