"""All faults that are planted, and the first seed that finds each."""

import re
from collections.abc import Iterable
from pathlib import Path

from tools.simulation.faults.answers import ANSWERS
from tools.simulation.faults.events import EVENTS
from tools.simulation.faults.house import HOUSE
from tools.simulation.faults.mended import MENDED
from tools.simulation.faults.planting import Fault, planted
from tools.simulation.faults.storing import STORING
from tools.simulation.faults.tournaments import TOURNAMENTS
from tools.simulation.seeds import run_seed

PLANTED: tuple[Fault, ...] = (*ANSWERS, *EVENTS, *STORING, *TOURNAMENTS, *HOUSE)
EVERY: tuple[Fault, ...] = (*MENDED, *PLANTED)


def found_by(fault: Fault, seeds: Iterable[int]) -> tuple[int, str] | None:
    """The first of these seeds in which a planted fault is found, and what was broken."""
    with planted(fault):
        for seed in seeds:
            try:
                run_seed(seed)
            except Exception as wrong:
                return seed, f"{type(wrong).__name__}: {wrong}"
    return None


def note_seed(fault: Fault, seed: int | None, folder: Path = Path(__file__).parent) -> None:
    """Writes the seed that finds a fault into the file that has the fault."""
    place = re.compile(rf"({re.escape(chr(34) + fault.name + chr(34))},\s+)(?:None|\d+)(?=,)")
    for file in sorted(folder.glob("*.py")):
        text = file.read_text(encoding="utf-8")
        noted = place.sub(rf"\g<1>{seed}", text)
        if noted != text:
            file.write_text(noted, encoding="utf-8")
