"""A tournament as a folder of files that anybody can check.

library      for commands: files and plain maps in, plain maps out
facts        a finished tournament with all its games; standings, ratings and crosstable as plain maps
files        which files the folder has, and the text of each
tables       standings and crosstable as CSV
folder       the folder on a disk: written whole or not at all, read without trust
verify       whether a folder is right: every game is replayed, all else computed again
crosscheck   whether events and records agree
derived      checks the files that only show what follows from the JSON
faults       what is wrong in a folder, as a value
"""
