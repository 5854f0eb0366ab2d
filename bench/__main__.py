"""`make bench`: prints every speed figure that the project cares about, or only those of the parts named.

`python -m bench hostile resume sit` makes these attacks only.
"""

import sys

from bench import (
    archive,
    bots,
    hostile,
    instructions,
    memory,
    nodes,
    playouts,
    postgresql,
    recovery,
    server,
    terminal,
    tournament,
    web,
)
from bench.attackers import ATTACKS

PARTS = {
    "playouts": playouts.main,
    "server": server.main,
    "instructions": instructions.main,
    "archive": archive.main,
    "postgresql": postgresql.main,
    "nodes": nodes.main,
    "recovery": recovery.main,
    "terminal": terminal.main,
    "bots": bots.main,
    "tournament": tournament.main,
    "hostile": hostile.main,
    "web": web.main,
    "memory": memory.main,
}


def run(names: list[str]) -> None:
    if names[:1] == ["hostile"] and names[1:] and names[1] not in PARTS:
        unknown = [name for name in names[1:] if name not in ATTACKS]
        if unknown:
            sys.exit(f"{unknown[0]}: attacks are {', '.join(ATTACKS)}")
        hostile.main(names[1:])
        return
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.exit(f"{unknown[0]}: there are {', '.join(PARTS)}")
    for name, main in PARTS.items():
        if name in names or not names:
            main()
            print()


if __name__ == "__main__":
    run(sys.argv[1:])
