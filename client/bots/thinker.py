"""The process that thinks about one decision for somebody: `python -m parlour.client.bots.thinker`.

On stdin there is a JSON map with `strategy` and `decision`, on stdout then one with `ranked`, the best few,
or `wrong`.
"""

import json
import os
import sys
from random import Random
from typing import Any

from parlour.client.bots.hint_maker import decision_of, make_hints

NICE = 10
"""The same machine draws the screen of whoever asked, and may run a server."""


def main() -> int:
    if hasattr(os, "nice"):
        os.nice(NICE)
    order = json.loads(sys.stdin.read())
    told: dict[str, Any]
    try:
        told = {"ranked": make_hints(decision_of(order["decision"]), order["strategy"], Random())}
    except ValueError as wrong:
        told = {"wrong": str(wrong)}
    json.dump(told, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
