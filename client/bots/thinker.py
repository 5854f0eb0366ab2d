"""The process that thinks about one decision for somebody: `python -m parlour.client.bots.thinker`.

On stdin there is a line with a JSON map of `strategy` and `decision`, on stdout then one with `ranked`, the
best few, or `wrong`. When stdin ends before that, whoever asked has gone, and so does the process.
"""

import json
import os
import sys
import threading
from random import Random
from typing import Any

from parlour.client.bots.hint_maker import decision_of, make_hints

NICE = 10
"""The same machine draws the screen of whoever asked, and may run a server."""


def _end_with_asker() -> None:
    # Not `sys.stdin.read`, whose lock the end of Python would wait for.
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(1)  # the main thread is thinking, and would not hear of it


def main() -> int:
    if hasattr(os, "nice"):
        os.nice(NICE)
    order = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_asker, daemon=True).start()
    told: dict[str, Any]
    try:
        told = {"ranked": make_hints(decision_of(order["decision"]), order["strategy"], Random())}
    except ValueError as wrong:
        told = {"wrong": str(wrong)}
    json.dump(told, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
