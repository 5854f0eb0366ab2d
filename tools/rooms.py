"""`python -m tools.rooms`: modules per room, who imports whom, and what breaks the order of the rooms.

A room is a folder, or a module that stands beside rooms. `ORDER` lists them from the bottom to the top, and
a module imports from its own room and from those below. Imports count wherever they stand: in a function and
under TYPE_CHECKING too.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

ROOT = Path(__file__).parent.parent
PACKAGES = ("engine", "machine", "protocol", "server", "client")
LARGEST = 18
"""Modules in a room, `__init__.py` aside."""
ORDER = (
    "engine",
    "engine.balloon_cup",
    "engine.hurry_cup",
    "engine.butterflies",
    "engine.catalogue",
    "engine.scenario",
    "protocol",
    "machine",
    "server",
    "server.border",
    "server.background",
    "server.toml",
    "server.interpreter",
    "server.discovery",
    "server.records",
    "server.tournament",
    "server.storage",
    "server.config",
    "server.people",
    "server.limits",
    "server.tables",
    "server.house",
    "server.tournament.export",
    "server.tournament.watching",
    "server.tournament.live",
    "server.lobby",
    "server.metrics",
    "server.wire",
    "server.bot_workers",
    "server.author_mode",
    "server.chaos",
    "server.app",
    "server.processes",
    "client.language",
    "client.web",
    "client.lines",
    "client",
    "client.bots",
    "client.boards",
    "client.tournaments",
    "client.terminal",
    "client.cli",
)
"""From the bottom to the top. A name stands for what is inside it, but for what has a line of its own."""


@attrs.frozen
class Tree:
    """Every module by its dotted name, without `parlour.`, and the modules that it imports."""

    imports: Mapping[str, frozenset[str]]

    def room(self, module: str) -> str:
        """The line of `ORDER` that a module belongs to: the longest name that it begins with."""
        return max((room for room in ORDER if f"{module}.".startswith(f"{room}.")), key=len)

    def rooms(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {room: [] for room in ORDER}
        for module in sorted(self.imports):
            found[self.room(module)].append(module)
        return found


def read(root: Path) -> Tree:
    paths = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for package in PACKAGES
        for path in (root / package).rglob("*.py")
    }
    return Tree({name: frozenset(_imported(path, paths)) - {name} for name, path in paths.items()})


def _imported(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                found = [name.name for name in names]
            case ast.ImportFrom(module=str(origin), names=names):
                full = [f"{origin}.{name.name}" for name in names]
                found = [name if name.removeprefix("parlour.") in known else origin for name in full]
            case _:
                continue
        yield from (name.removeprefix("parlour.") for name in found if name.startswith("parlour."))


def upward(tree: Tree) -> list[str]:
    """Imports that point upwards, a line each."""
    rank = {room: number for number, room in enumerate(ORDER)}
    return [
        f"{module} imports {target}, which stands above it"
        for module, targets in sorted(tree.imports.items())
        for target in sorted(targets)
        if rank[tree.room(target)] > rank[tree.room(module)]
    ]


def cycles(tree: Tree) -> list[str]:
    """Modules that import each other, directly or around a ring: one line a ring."""
    found, done = [], set[str]()
    for start in sorted(tree.imports):
        path, seen = [start], {start}
        ring = _ring(tree, path, seen, done)
        if ring:
            found.append(" -> ".join(ring))
    return found


def _ring(tree: Tree, path: list[str], seen: set[str], done: set[str]) -> list[str]:
    module = path[-1]
    for target in sorted(tree.imports.get(module, ())):
        if target in seen:
            return [*path[path.index(target) :], target]
        if target not in done:
            ring = _ring(tree, [*path, target], seen | {target}, done)
            if ring:
                done.add(module)
                return ring
    done.add(module)
    return []


def too_large(tree: Tree) -> list[str]:
    """Folders with more modules than anybody keeps in mind."""
    sizes: dict[str, int] = {}
    for module in tree.imports:
        folder, _, _ = module.rpartition(".")
        is_package = any(other.startswith(f"{module}.") for other in tree.imports)
        if folder and not is_package:
            sizes[folder] = sizes.get(folder, 0) + 1
    large = {folder: size for folder, size in sizes.items() if size > LARGEST}
    return [f"{folder} has {size} modules, more than {LARGEST}" for folder, size in large.items()]


def unlisted(root: Path) -> list[str]:
    """Modules and folders that the docstring of their folder, its table of contents, does not name.

    Folders of games need no line: a new game touches nothing but its folders and the catalogues.
    """
    found = []
    games = {path.parent.name for path in (root / "engine").glob("*/__init__.py")}
    for package in PACKAGES:
        for init in sorted((root / package).rglob("__init__.py")):
            contents = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) or ""
            words = set(re.findall(r"\w+", contents))
            folders = [path.parent.name for path in init.parent.glob("*/__init__.py")]
            names = {path.stem for path in init.parent.glob("*.py")} - {"__init__"} | {*folders}
            room = ".".join(init.parent.relative_to(root).parts)
            found += [f"{room}/__init__.py does not name {name}" for name in sorted(names - words - games)]
    return found


def table(tree: Tree) -> list[str]:
    lines = [f"{'room':<28}{'modules':>8}{'imported by':>13}{'imports':>9}"]
    for room, modules in tree.rooms().items():
        inside = set(modules)
        out = {target for module in modules for target in tree.imports[module]} - inside
        into = {module for module, targets in tree.imports.items() if targets & inside} - inside
        lines.append(f"{room:<28}{len(modules):>8}{len(into):>13}{len(out):>9}")
    return lines


def main() -> int:
    tree = read(ROOT)
    print("\n".join(table(tree)))
    wrong = [*upward(tree), *cycles(tree), *too_large(tree), *unlisted(ROOT)]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
