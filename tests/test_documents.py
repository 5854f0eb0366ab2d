"""The documents keep up with the code: commands, paths, links, examples, and the size of the README."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support.paths import ROOT

from parlour.client.cli.commands import SUBCOMMANDS
from parlour.client.cli.main import parser
from parlour.client.cli.serve_screen import flags
from parlour.engine.scenario import Scenario
from parlour.server.config import make
from tools import commands_page, man_page

GUIDES = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
)
PAGES = (
    *GUIDES,
    ROOT / "PROTOCOL.md",
    *sorted((ROOT / "docs" / "protocol").glob("*.md")),
    *sorted((ROOT / "docs" / "rules").glob("*.md")),
)
MOST_OF_README = 6000
"""Bytes: what somebody reads who wants to play."""
FOLDERS = "engine|machine|protocol|server|client|tests|tools|bench|docs|examples|pictures"


def text(path: Path | str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def example(page: str, language: str, about: str = "") -> str:
    """The one block in a language of those on a page that hold a word."""
    blocks = re.findall(rf"```{language}\n(.*?)```", text(page), re.DOTALL)
    (found,) = [block for block in blocks if about in block]
    return str(found)


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= MOST_OF_README


def test_the_readme_leads_to_every_page() -> None:
    readme = text("README.md")
    others = [path for path in GUIDES if path.name != "README.md"]
    assert [name(path) for path in others if f"({name(path)})" not in readme] == []


def test_the_page_of_commands_is_what_the_parser_says() -> None:
    assert text("docs/commands.md") == commands_page.page(), "made anew by: python -m tools.commands_page"


def test_the_manual_page_is_what_the_parser_says() -> None:
    assert text("docs/parlour.1") == man_page.page(), "made anew by: python -m tools.man_page"


@pytest.mark.parametrize("subcommand", [subcommand.name for subcommand in SUBCOMMANDS])
def test_each_subcommand_has_its_section(subcommand: str) -> None:
    assert f"\n## parlour {subcommand}\n" in text("docs/commands.md")


@pytest.mark.parametrize("page", GUIDES, ids=name)
def test_no_page_promises_a_subcommand_that_is_not_there(page: Path) -> None:
    code = re.findall(r"`([^`\n]+)`|^ {4}(.*)$", text(page), re.MULTILINE)
    written = "\n".join("".join(pair) for pair in code)
    named = set(re.findall(r"^parlour ([a-z]+)", written, re.MULTILINE))
    assert named <= {subcommand.name for subcommand in SUBCOMMANDS}


def test_each_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", text("Makefile"), re.MULTILINE))
    for page in GUIDES:
        code = re.findall(r"(?:`|^ {4})make (?:[A-Z]+=\S+ )?([a-z]+)", text(page), re.MULTILINE)
        assert set(code) <= targets, name(page)
    in_readme = set(re.findall(r"make (?:[A-Z]+=\S+ )?([a-z]+)", text("README.md")))
    assert {"play", "test", "bench", "soak"} <= in_readme


@pytest.mark.parametrize("page", GUIDES, ids=name)
def test_each_path_that_a_page_names_exists(page: Path) -> None:
    """Words in capitals stand for a name that the reader chooses: `engine/NAME/`."""
    paths = re.findall(rf"`((?:{FOLDERS})/[\w./-]*)`", text(page))
    missing = [path for path in paths if not re.search(r"\b[A-Z]+\b", path) and not (ROOT / path).exists()]
    assert missing == []


def test_the_pages_for_developers_name_many_paths() -> None:
    for page in ("docs/architecture.md", "CONTRIBUTING.md"):
        assert len(re.findall(rf"`(?:{FOLDERS})/[\w./-]*`", text(page))) >= 10


def anchors(page: str) -> set[str]:
    """The places of a page that can be linked to, as GitHub names them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", page, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_each_relative_link_leads_somewhere(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", text(page), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def test_every_room_of_the_server_is_in_the_drawing() -> None:
    (drawing,) = [
        block
        for block in re.findall(r"```text\n(.*?)```", text("docs/architecture.md"), re.DOTALL)
        if "client/cli" in block
    ]
    rooms = [path.name for path in (ROOT / "server").iterdir() if (path / "__init__.py").exists()]
    rooms += [path.name for path in (ROOT / "client").iterdir() if (path / "__init__.py").exists()]
    assert [room for room in rooms if room not in drawing] == []


def test_the_library_example_plays_a_whole_game() -> None:
    code = example("docs/bots.md", "python", "parlour.engine")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("Outcome(")


def test_the_settings_are_settings() -> None:
    assert make(tomllib.loads(example("docs/operations.md", "toml"))).bots == 4


def test_each_server_of_the_operations_page_can_be_started_so() -> None:
    """Lines of a shell, of a systemd unit and of a compose file: their flags are the program's, and agree."""
    page = re.sub(r"\\?\n +(?=--)", " ", text("docs/operations.md"))  # lines that go on
    found = re.findall(r"^(?: +|ExecStart=\S+/)parlour (serve .*)$", page, re.MULTILINE)
    assert len(found) > 10
    for line in found:
        make(flags(parser("serve").parse_args(shlex.split(line, comments=True))))


def test_the_scenario_holds() -> None:
    Scenario.read(json.loads(example("docs/scenarios.md", "json"))).run()


def test_the_changelog_has_this_version() -> None:
    version = tomllib.loads(text("pyproject.toml"))["project"]["version"]
    assert f"\n## {version}\n" in text("CHANGELOG.md")
