"""`python -m tools.simulate`: plays worlds of the simulation, and tells where a guarantee was broken.

--seed N --trace     tells one world as a story
--first N --count N  plays many, and stops at the first that is broken; --all goes on
--house              plays only those of them that have three nodes of a house: one in twelve
--planted [WORDS]    plants faults into the server, one at a time, those whose names have these words; says
                     which of the seeds finds each
--planted --stale    only those whose known seed finds them no longer, and with WORDS also those without one;
                     notes in tools/simulation/faults/ the seed that does, or None
"""

import argparse
import sys
import time
from collections import Counter

from tools.simulation.faults.every import EVERY, found_by, note_seed
from tools.simulation.faults.planting import Fault
from tools.simulation.seeds import houses, run_seed


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.simulate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seed", type=int, help="one world")
    parser.add_argument("--trace", action="store_true", help="tell everything that happens in it")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--all", action="store_true", help="go on after a broken guarantee, and count them")
    parser.add_argument("--planted", nargs="?", const="", metavar="WORDS", help="plant faults, and find them")
    parser.add_argument("--stale", action="store_true", help="with --planted: note seeds that find them")
    parser.add_argument("--house", action="store_true", help="only worlds with three nodes")
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.count)
    if given.house:
        seeds = houses(seeds)
    if given.planted is not None:
        return find_planted(given.planted, seeds, given.stale)
    if given.seed is not None:
        return tell(given.seed, given.trace)
    return play(seeds, given.all)


def tell(seed: int, trace: bool) -> int:
    try:
        run_seed(seed, trace)
    except Exception as wrong:
        print(f"seed {seed}: {wrong or type(wrong).__name__}")
        if not hasattr(wrong, "guarantee"):
            raise
        return 1
    print(f"seed {seed}: every guarantee was kept")
    return 0


def play(seeds: range, go_on: bool) -> int:
    found: Counter[str] = Counter()
    began = time.process_time()
    for seed in seeds:
        try:
            run_seed(seed)
        except Exception as wrong:
            print(f"seed {seed}: {type(wrong).__name__}: {wrong}"[:300], flush=True)
            found[str(getattr(wrong, "guarantee", type(wrong).__name__))] += 1
            if not go_on:
                return 1
    took = time.process_time() - began
    print(f"{len(seeds)} seeds in {took:.1f} s of one core: {dict(found) or 'every guarantee was kept'}")
    return 1 if found else 0


def is_stale(fault: Fault, named: bool) -> bool:
    return named if fault.seed is None else found_by(fault, [fault.seed]) is None


def find_planted(words: str, seeds: range, stale: bool) -> int:
    faults = [fault for fault in EVERY if words in fault.name]
    if stale:
        faults = [fault for fault in faults if is_stale(fault, bool(words))]
    missed = []
    for fault in faults:
        found = found_by(fault, seeds)
        if stale:
            note_seed(fault, None if found is None else found[0])
        if found is None:
            missed.append(fault.name)
            print(f"      -  {fault.name}: not found", flush=True)
        else:
            seed, broken = found
            print(f"{seed:7}  {fault.name}: {broken}"[:200], flush=True)
    print(f"{len(faults) - len(missed)} of {len(faults)} faults found within {len(seeds)} seeds")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
