"""Tournaments that run on this server: what happens is stored, then it counts, then watchers are told.

registry    all tournaments: they are made and restored, and each goes on when it is time
listing     which tournaments there are: those in memory, and what is listed of all
stored      what is stored of them: logs, the states that follow from these, and ratings
running     one tournament: its steps are stored, and its tables seated and dealt
course      what is due: opening and starting by itself, rounds, games, players who do not come
dealing     a game is dealt at this node, whoever has its tournament
asking      what a player or an organiser asks for, as the events that are to happen
errands     commands about a tournament of another node, from clients that cannot go there
guests      games in a house: dealt when players have come, given back when they are over
house       what tournaments need of a house of several nodes
entering    the invitation, and what the log keeps of where an entrant comes from
games       the table for each game, dealt from the round's secret, and its result
"""
