"""`python -m tools.simulate`: plays worlds of the simulation, and tells where a guarantee was broken.

--seed N --trace     tells one world as a story
--first N --count N  plays many, and stops at the first that is broken; --all goes on
"""

import argparse
import sys
import time
from collections import Counter

from tools.simulation.world import run_seed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.simulate", description=__doc__)
    parser.add_argument("--seed", type=int, help="one world")
    parser.add_argument("--trace", action="store_true", help="tell everything that happens in it")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--all", action="store_true", help="go on after a broken guarantee, and count them")
    given = parser.parse_args()
    if given.seed is not None:
        run_seed(given.seed, given.trace)
        print(f"seed {given.seed}: every guarantee was kept")
        return 0
    found: Counter[str] = Counter()
    began = time.process_time()
    for seed in range(given.first, given.first + given.count):
        try:
            run_seed(seed)
        except Exception as wrong:
            print(f"seed {seed}: {type(wrong).__name__}: {wrong}"[:300], flush=True)
            found[str(getattr(wrong, "guarantee", type(wrong).__name__))] += 1
            if not given.all:
                return 1
    took = time.process_time() - began
    print(f"{given.count} seeds in {took:.1f} s of one core: {dict(found) or 'every guarantee was kept'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
