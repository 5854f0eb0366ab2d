"""The guarantees of PROTOCOL.md, one function each: what a peer may hold against every frame that it gets.

A function is told the peer, the line on which something came, and what came, before the peer takes it in.

broken    a guarantee that was not kept
answers   what is answered to commands: G1 to G3, G9, G12, G17, G18
tables    the events of tables: G5 to G8, G10, G12, G13
ends      ends of games, servers and lines: G15, G16, close codes
clocks    nobody is played for before their time is up
leaks     G14: what is hidden from a peer is in no frame that it gets
lobby     what is told of the lobby and of tournaments
fairness  fair luck in tournaments, and fair scrambles
kept      at the end of a world: what was acknowledged, and what is kept (G2, G4, G16)
every     all of them: which a frame is held against, and which hold at the end
"""
