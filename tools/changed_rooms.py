"""`python -m tools.changed_rooms`: runs the tests of the rooms that a change touches, as `make check` does.

What has changed is what git says: since the branch left main, and what is not committed yet. A test module
that changed itself comes first, then the cheapest, as long as there is time; how long each takes was noted by
the last `make test`. What is left out is said.
"""

import functools
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

import attrs

ROOT = Path(__file__).parent.parent
NOTES = ROOT / ".pytest_cache" / "d" / "parlour"
SECONDS = NOTES / "seconds.json"
"""Seconds that each test module took, by its path: written by tests/conftest.py after a run of all tests."""
TOLD = NOTES / "changed-rooms"
"""What was run and what was left out, for the last line of `make check`."""
BUDGET = 12.0
"""Seconds on all cores."""
USUAL = 5.0
"""For a test module that nobody has measured."""
MAIN = ("main", "origin/main")
BESIDE = {"engine": ("laws",)}
"""Tests of a package that stand in no folder of its name."""
NAMED = 5
"""So many modules are named in a line, and others are counted."""


@attrs.frozen
class Choice:
    """Test modules to be run, and those that would take too long."""

    run: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        if not self.run and not self.left_out:
            return "none"
        ran = f"all tests of {_listed(self.run)}" if self.run else "none of the tests of changed rooms"
        left = f"; left out of the changed rooms, for they take longer: {_listed(self.left_out)}"
        return ran + left * bool(self.left_out)


def _listed(modules: Sequence[str]) -> str:
    short = [name.removeprefix("tests/") for name in modules[:NAMED]]
    more = len(modules) - NAMED
    return ", ".join(short) + (f" and {more} more" if more > 0 else "")


def choose(
    changed: Iterable[str], tests: Sequence[str], seconds: Mapping[str, float], budget: float
) -> Choice:
    """Decides by paths alone; `tests` are all test modules, `budget` is in seconds of one core."""
    changed = sorted(set(changed))
    found = {module for path in changed for module in _tests_of(path, tests)}
    order = sorted(found, key=lambda module: (module not in changed, seconds.get(module, USUAL), module))
    run: list[str] = []
    spent = 0.0
    for module in order:
        took = seconds.get(module, USUAL)
        if spent + took <= budget:
            run.append(module)
            spent += took
    return Choice(tuple(sorted(run)), tuple(sorted(found.difference(run))))


def _tests_of(path: str, tests: Sequence[str]) -> list[str]:
    """The test modules of the room that a file is in: those of the nearest folder of tests/ with its name."""
    pure = PurePosixPath(path)
    if path in tests:
        return [path]
    if pure.parts[:2] == ("tests", "scenarios"):
        return [module for module in tests if module.endswith("/test_scenarios.py")]
    if pure.parts[0] == "tests":
        return _in_folder(pure.parent, tests)
    if pure.suffix not in (".py", ".toml", ".json") or len(pure.parts) == 1:
        return _in_folder(PurePosixPath("tests"), tests)
    found: list[str] = []
    for folder in pure.parents:
        found = found or _in_folder(PurePosixPath("tests") / folder, tests)
    beside = [PurePosixPath("tests") / each for each in BESIDE.get(pure.parts[0], ())]
    return [*found, *[module for folder in beside for module in _in_folder(folder, tests)]]


def _in_folder(folder: PurePosixPath, tests: Sequence[str]) -> list[str]:
    return [module for module in tests if PurePosixPath(module).parent == folder]


# Of this machine


def changed_files(root: Path) -> list[str]:
    """Since the branch left main, committed or not; none where there is no git to ask."""
    try:
        ask = functools.partial(_git, root)
        base = next((line for main in MAIN for line in ask("merge-base", "HEAD", main)), "HEAD")
        return [*ask("diff", "--name-only", base), *ask("ls-files", "--others", "--exclude-standard")]
    except OSError:
        return []


def _git(root: Path, *words: str) -> list[str]:
    asked = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)
    return asked.stdout.splitlines() if asked.returncode == 0 else []


def modules_of_tests(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in (root / "tests").rglob("test_*.py"))


def measured() -> dict[str, float]:
    try:
        found: dict[str, float] = json.loads(SECONDS.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def main(words: Sequence[str]) -> int:
    """Runs pytest with these words and the modules that were chosen."""
    cores = os.cpu_count() or 1
    chosen = choose(changed_files(ROOT), modules_of_tests(ROOT), measured(), BUDGET * cores)
    TOLD.parent.mkdir(parents=True, exist_ok=True)
    TOLD.write_text(chosen.summary, encoding="utf-8")
    print(f"changed rooms: {chosen.summary}", flush=True)
    if not chosen.run:
        return 0
    return subprocess.run([sys.executable, "-m", "pytest", *words, *chosen.run], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
