"""Faults that are planted into the server, one at a time, to see that the simulation finds them.

planting      puts a fault into a function of the server, and takes it out again
mended        faults that the server once had, put back
answers       commands and their answers
events        events of tables, and who gets them
storing       the store, records and restarts
tournaments   tournaments and clocks
house         several nodes of one house
every         all of them, and which seed finds each
"""
