"""An archive that is one SQLite file.

backend       opens it: for one who writes, for any who read, for a backup
rows          the connection that writes, and the log beside the file
bulk_insert   one statement for a whole transaction
schema        the file: its tables, its versions, and how to tell a sound one
place         whether an open archive is still the file at its path
log_check     whether the log of a crash is read to its end
lock          one server to an archive
"""
