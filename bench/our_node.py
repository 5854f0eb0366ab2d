"""A node as the bench runs it, in a process of its own: its archive, its name and its port are arguments."""

import asyncio
import logging
import sys

from bench.child import allow_many_sockets, answer_questions, usage
from bench.our_server import CROWD
from parlour.server.app import running
from parlour.server.config import make
from parlour.server.interpreter import calm_python


async def main(archive: str, name: str, port: int) -> None:
    allow_many_sockets()
    logging.basicConfig(level=logging.ERROR)
    where = {"host": "127.0.0.1", "port": port, "node": name, "advertise": f"ws://127.0.0.1:{port}"}
    async with running(make({**where, "bots": 0, "archive": archive}), CROWD):
        calm_python()
        await answer_questions({"port": port}, usage)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
