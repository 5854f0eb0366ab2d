"""The decisions of tournaments: plain values and pure functions. No sockets, no clock, no luck of its own.

    rules, rules_reading    what is settled before the start, from TOML or a map
    history, points         rounds and results so far; what they are worth, in half points
    pairing                 `pairings(history, entrants, rules)`: the next round, or None when there is none
    swiss, round_robin, knockout    the three formats; matching, seating and lots are what they stand on
    deals                   the deals of a round, one set for all tables, from its secret and the nonces
    scores, tie_breaks      standings and the crosstable; luck and means put errors beside them
    ratings                 openskill ratings per game, from one tournament to the next
    events, lifecycle, state    what may happen when: events, one line each, folded into a state

`live/` runs tournaments on this. It stores each event before it counts (`events.line`), folds it into the
state (`lifecycle.after`), and asks the state for what comes next: `pairings` when a round is over, `deals`
when it starts, `standings` whenever somebody looks. Read back, the same lines give the same state.
`watching/` is for those who look on; `export/` writes a finished tournament into a folder that anybody can
check.
"""
