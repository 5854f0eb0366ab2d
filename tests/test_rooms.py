"""The tool that watches over the rooms finds what it is there to find."""

from pathlib import Path

import pytest
from support.paths import ROOT

from tools import rooms
from tools.rooms import Tree


def tree(**imports: str) -> Tree:
    """Modules, with `__` for a dot, and what each imports."""
    named = {name.replace("__", "."): frozenset(targets.split()) for name, targets in imports.items()}
    return Tree(named)


def test_the_rooms_of_this_tree_are_in_order() -> None:
    ours = rooms.read(ROOT)
    assert [*rooms.upward(ours), *rooms.cycles(ours), *rooms.too_large(ours), *rooms.unlisted(ROOT)] == []
    assert {"server.wire.gateway", "client.terminal.menus.start", "engine.game"} <= set(ours.imports)


def test_an_import_that_points_upwards_is_found() -> None:
    found = rooms.upward(tree(server__storage__store="server.tables.table", server__tables__table=""))
    assert found == ["server.storage.store imports server.tables.table, which stands above it"]


def test_an_import_that_points_downwards_or_to_a_neighbour_is_right() -> None:
    below = tree(
        server__tables__table="server.storage.store server.tables.clock",
        server__storage__store="",
        server__tables__clock="",
    )
    assert rooms.upward(below) == []


def test_modules_that_import_each_other_are_found() -> None:
    ring = tree(engine__game="engine.maps", engine__maps="engine.errors", engine__errors="engine.game")
    assert rooms.cycles(ring) == ["engine.errors -> engine.game -> engine.maps -> engine.errors"]


@pytest.mark.parametrize(("count", "found"), [(rooms.LARGEST, 0), (rooms.LARGEST + 1, 1)])
def test_a_folder_that_is_too_large_is_found(count: int, found: int) -> None:
    many = Tree({"engine": frozenset(), **{f"engine.module{n}": frozenset() for n in range(count)}})
    assert len(rooms.too_large(many)) == found


def test_a_module_that_no_table_of_contents_names_is_found(tmp_path: Path) -> None:
    for name, text in {"__init__": '"""Rules.\n\ngame  what a game is\n"""', "game": "", "match": ""}.items():
        (tmp_path / "engine").mkdir(exist_ok=True)
        (tmp_path / "engine" / f"{name}.py").write_text(text)
    assert rooms.unlisted(tmp_path) == ["engine/__init__.py does not name match"]
