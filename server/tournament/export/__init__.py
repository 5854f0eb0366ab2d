"""A tournament as a folder of files that anybody can check.

library      for commands: files and plain maps in, plain maps out
facts        a tournament with all its games, as plain maps
files        which files the folder has, and the text of each
tables       standings and crosstable as CSV
folder       the folder on a disk: written whole or not at all, read with suspicion
verify       whether a folder is right: every game played again, all else worked out anew
crosscheck   what events and records say of each other
derived      the files that only show what follows from the JSON
faults       what is wrong in a folder, as a value
"""
