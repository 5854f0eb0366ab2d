"""Composes rules and protocol: sessions, lobby, tables, clocks, archive, tournaments.

Rooms, from the top down; each imports only from those below it (`python -m tools.rooms` checks that):

    app             a server from its settings to its last goodbye
    wire/           bytes: websockets, HTTP, connections, what goes out to whom
    lobby/          what each command does, once, and its one answer
    tournament/live/    tournaments that run here
    tournament/export/  a tournament as a folder of files, and its verification
    tables/         tables, the games at them, clocks, scrambles, what viewers are told
    people/         who is who: sessions, names' owners, how much of everything one may ask for
    storage/        the archive: everything is stored before it counts
    tournament/     pairing, scores and the life of a tournament, as pure functions
    records/        a game on paper: record, replay, verification
    config, limits, metrics, discovery, bot_workers, interpreter, border     what all this stands on
"""
