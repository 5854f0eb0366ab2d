"""Composes rules and protocol: sessions, lobby, tables, clocks, archive, tournaments.

Rooms, from the top down; each imports only from those below it (`python -m tools.rooms` checks that):

    processes/      nodes on one machine, and the parent that keeps them alive
    app             a server from its settings to its last goodbye
    wire/           bytes: websockets, HTTP, connections, outboxes
    lobby/          does each command once, and answers it once
    tournament/live/    tournaments that run here
    tournament/watching/    what those get who watch one
    tournament/export/  a tournament as a folder of files, and its verification
    house/          several servers over one database: what each knows of the others
    tables/         tables, the games at them, clocks, scrambles, events for viewers
    people/         who is who: sessions, names and their owners, rate limits
    storage/        the archive: everything is stored before it counts
    tournament/     pairing, scores and the life of a tournament, as pure functions
    records/        records of games: writing, reading, replaying, verifying
    author_mode, chaos  for whoever writes a client: `--test` and `--chaos`
    config, limits, metrics, discovery, bot_workers, interpreter, border, background, toml     small modules
"""
