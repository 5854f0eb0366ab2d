"""Our server as the bench runs it, in a process of its own: it is open to a whole crowd from one address.

An argument is the path of an archive; without one it keeps nothing. With a second one the limits are usual.
"""

import asyncio
import logging
import sys

import attrs

from bench.child import allow_many_sockets, answer_questions, usage
from parlour.client.web.files import page_files
from parlour.server.app import running
from parlour.server.config import make
from parlour.server.interpreter import calm_python
from parlour.server.limits import NO_PACE

CROWD = attrs.evolve(NO_PACE, connections=4000, connections_each=4000, tables=2000, people=10_000)


async def main() -> None:
    allow_many_sockets()
    logging.basicConfig(level=logging.ERROR)
    archive = {"archive": sys.argv[1]} if len(sys.argv) > 1 else {}
    limits = CROWD if len(sys.argv) <= 2 else None
    config = make({"host": "127.0.0.1", "port": 0, "bots": 0, **archive})
    async with running(config, limits, page_files()) as ready:
        calm_python()
        await answer_questions({"port": ready.port}, usage)


if __name__ == "__main__":
    asyncio.run(main())
