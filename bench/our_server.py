"""Our server as the bench runs it, in a process of its own: it is open to a whole crowd from one address.

An argument is the path of an archive; without one it keeps nothing. With a second one the limits are usual,
and the event loop notes its longest piece of work.
"""

import asyncio
import logging
import sys
from typing import Any

import attrs

from bench.child import allow_many_sockets, answer_questions, usage
from bench.timed_loop import PIECES, TimedLoop, time_reading
from parlour.client.web.files import page_files
from parlour.server.app import running
from parlour.server.config import make
from parlour.server.interpreter import calm_python
from parlour.server.limits import NO_PACE

CROWD = attrs.evolve(NO_PACE, connections=4000, connections_each=4000, tables=2000, people=10_000)


async def answer(question: dict[str, Any]) -> dict[str, Any]:
    return PIECES.look() if question.get("pieces") else await usage(question)


async def main(as_usual: bool) -> None:
    allow_many_sockets()
    logging.basicConfig(level=logging.ERROR)
    archive = {"archive": sys.argv[1]} if len(sys.argv) > 1 else {}
    limits = None if as_usual else CROWD
    config = make({"host": "127.0.0.1", "port": 0, "bots": 0, **archive})
    async with running(config, limits, page_files()) as ready:
        calm_python()
        await answer_questions({"port": ready.port}, answer)


if __name__ == "__main__":
    as_usual = len(sys.argv) > 2
    if as_usual:
        time_reading()
    with asyncio.Runner(loop_factory=TimedLoop if as_usual else None) as runner:
        runner.run(main(as_usual))
