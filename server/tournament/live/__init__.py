"""Tournaments that run on this server: what happens is stored, then it counts, then it is told.

registry    all tournaments: which there are, who watches them, when each wants to be looked after
running     one tournament: its steps are stored, and its tables seated and dealt
course      what is due: opening and starting by itself, rounds, games, whoever does not come
games       the table for each game, dealt from the round's secret, and what came of it
news        what watchers are told of each event
snapshot    a tournament as everybody may know it, in the words of the protocol
scores      how a tournament stands, in the words of the protocol
"""
