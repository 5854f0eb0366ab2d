"""The archive: everything is stored before it counts.

archive        who owns which name, every table as it stands, every game that was played
store          where tables hand changes in, and learn whether they are stored
gate           one change at a time: busy, waiting, commit, undo and answers
low_priority   a store for tournaments, whose games must not hold up those of people
change         what is to be stored, as values
seal           the sum that every stored map carries
writer         the thread that writes: all changes that wait are stored with one flush
answers        answers to changes: in their order, a slice in each round of the loop
backend        what an archive needs of the database that it is kept in
backends       which database that is, by the archive's place
sqlite         one file
postgresql     a database at an address
older_people   people as older archives have them, taken apart
tables         the tables that an archive is made of, in every database
copying        a whole archive moved into another database
errors         what can be wrong with an archive, as facts
played_games   finished games, for those who played them
library        finished games for commands: paths in, plain maps out
check          everything held against its sums
backup         a copy of an archive that may be in use
"""
