"""`make bench`: prints every speed figure that the project cares about, or only those of the parts named."""

import sys

from bench import (
    archive,
    bots,
    hostile,
    instructions,
    playouts,
    postgresql,
    recovery,
    server,
    terminal,
    tournament,
    web,
)

PARTS = {
    "playouts": playouts.main,
    "server": server.main,
    "instructions": instructions.main,
    "archive": archive.main,
    "postgresql": postgresql.main,
    "recovery": recovery.main,
    "terminal": terminal.main,
    "bots": bots.main,
    "tournament": tournament.main,
    "hostile": hostile.main,
    "web": web.main,
}

if __name__ == "__main__":
    unknown = [name for name in sys.argv[1:] if name not in PARTS]
    if unknown:
        sys.exit(f"{unknown[0]}: there are {', '.join(PARTS)}")
    for name, main in PARTS.items():
        if name in sys.argv[1:] or len(sys.argv) == 1:
            main()
            print()
