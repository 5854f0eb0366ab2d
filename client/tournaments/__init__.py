"""Tournaments as clients know them, and put into words.

following    a tournament kept up to date by its events. No I/O
texts        formats, phases, and what the rules of one say
tables       standings, crosstable, pairings, entrants as lines of text
report       one page of HTML; charts: its drawings
faults       what is wrong with a tournament's folder, in words
"""
