"""`make check` runs the tests of what has changed, as far as there is time, and says what it left out."""

import subprocess
from pathlib import Path

import pytest
from support.paths import ROOT

from tools.changed_rooms import USUAL, Choice, changed_files, choose, modules_of_tests

TESTS = (
    *("tests/client/bots/test_search.py", "tests/client/terminal/test_games.py", "tests/client/test_bot.py"),
    *("tests/engine/test_maps.py", "tests/engine/test_scenarios.py", "tests/laws/test_every_game.py"),
    *("tests/server/tables/test_clock.py", "tests/server/tables/test_table.py", "tests/test_documents.py"),
)
PLENTY = 1000.0


def chosen(*changed: str, budget: float = PLENTY, **seconds: float) -> Choice:
    took = {module: seconds[name] for module in TESTS for name in seconds if name in module}
    return choose(changed, TESTS, took, budget)


def test_without_a_change_nothing_more_is_run() -> None:
    assert chosen() == Choice() and chosen().summary == "none"


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("server/tables/clock.py", TESTS[6:8]),
        ("client/bots/hurry_cup/search.py", TESTS[:1]),
        ("client/connection.py", TESTS[2:3]),
        ("client/language/en.toml", TESTS[2:3]),
        ("engine/maps.py", TESTS[3:6]),
        ("tests/scenarios/stones/last.json", TESTS[4:5]),
        ("tests/server/tables/test_clock.py", TESTS[6:7]),
        ("docs/bots.md", TESTS[8:]),
        ("pyproject.toml", TESTS[8:]),
        ("tests/support/soak.py", ()),
    ],
)
def test_a_file_stands_for_the_tests_of_its_room(changed: str, tests: tuple[str, ...]) -> None:
    assert chosen(changed) == Choice(tests)


def test_the_cheapest_are_run_and_what_takes_longer_is_named() -> None:
    both = ("server/tables/clock.py", "client/terminal/app.py")
    choice = chosen(*both, budget=10.0, test_clock=4.0, test_table=3.0, test_games=90.0)
    assert choice == Choice(TESTS[6:8], TESTS[1:2])
    assert choice.summary == (
        "all tests of server/tables/test_clock.py, server/tables/test_table.py; "
        "left out of the changed rooms, for they take longer: client/terminal/test_games.py"
    )


def test_a_test_that_changed_itself_comes_first() -> None:
    choice = chosen("server/tables/clock.py", TESTS[7], budget=5.0, test_clock=1.0, test_table=5.0)
    assert choice == Choice(TESTS[7:8], TESTS[6:7])


def test_a_module_that_was_never_measured_counts_as_usual() -> None:
    assert chosen("client/bot.py", budget=USUAL).run and not chosen("client/bot.py", budget=USUAL - 1).run


def test_many_modules_are_counted() -> None:
    assert Choice(("tests/a/test_b.py",) * 7).summary.endswith("a/test_b.py and 2 more")


def test_what_was_committed_since_main_or_not_at_all_has_changed(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, capture_output=True)

    def write(*names: str) -> None:
        for name in names:
            (tmp_path / name).write_text("x")

    git("init", "-b", "main")
    write("old.py", "edited.py")
    git("add", "-A")
    git("commit", "-m", "one")
    assert changed_files(tmp_path) == []
    git("checkout", "-b", "work")
    write("committed.py")
    git("add", "-A")
    git("commit", "-m", "two")
    (tmp_path / "edited.py").write_text("y")
    write("new.py")
    assert sorted(changed_files(tmp_path)) == ["committed.py", "edited.py", "new.py"]


def test_every_room_of_this_tree_has_tests() -> None:
    tests = modules_of_tests(ROOT)
    for package in ("engine", "machine", "protocol", "server", "client"):
        for path in (ROOT / package).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            assert choose([name], tests, {}, 10**6).run, f"{name} belongs to no tests"
