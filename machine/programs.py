"""Programs of Parlour that others of its programs start, by the names of their modules.

Server and client start each other as processes, never by import, so nobody would notice that a module has
moved: a test starts each.
"""

import sys

PARLOUR = "parlour.client.cli.main"
BOT_WORKER = "parlour.client.bots.worker"
THINKER = "parlour.client.bots.thinker"


def command_line(module: str, *words: str) -> list[str]:
    """How a program is started, with the Python that runs now, and never from the working folder: a folder
    named `parlour` there would be taken for ours."""
    return [sys.executable, "-P", "-m", module, *words]
