"""`parlour conform`: a client in any language, put through what PROTOCOL.md guarantees and asks for.

command   the subcommand: trials one after the other, and what came of them for people and programs
trial     an undisturbed game, what is noted of it, and how it is judged
events    messages that are new, in pieces, slow, twice or missing
lines     lines that break in each state, a restart, another connection that takes over
answers   clocks, answers that come too late, scrambles lost and won
trials    all of them, in the order in which they are run
"""
