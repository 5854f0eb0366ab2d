"""Tournaments put into words; client/following.py has what a client knows of one.

texts        formats, phases, and what the rules of one say
tables       standings, crosstable, pairings, entrants as lines of text
report       one page of HTML; charts: its drawings
faults       what is wrong with a tournament's folder, in words
"""
