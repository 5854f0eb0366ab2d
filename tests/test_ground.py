"""What everything else stands on: the list of packages, the wheel, and a README that keeps up."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT

from parlour.client.cli.main import SUBCOMMANDS
from parlour.engine.scenario import Scenario
from parlour.server.config import make

PACKAGES = ("engine", "machine", "protocol", "server", "client")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def folders_with_code() -> set[str]:
    """The dotted names of all packages in the tree."""
    found = [init.parent for package in PACKAGES for init in (ROOT / package).rglob("__init__.py")]
    return {".".join(("parlour", *folder.relative_to(ROOT).parts)) for folder in found}


def modules() -> set[str]:
    """Every Python file of the four packages, as it is named inside a wheel."""
    return {
        f"parlour/{path.relative_to(ROOT).as_posix()}"
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }


def test_every_package_in_the_tree_is_listed_for_the_wheel() -> None:
    assert set(project()["tool"]["setuptools"]["packages"]) == folders_with_code()


def test_no_folder_with_code_lacks_its_init_file() -> None:
    folders = {str(Path(module).parent).replace("/", ".") for module in modules()}
    assert folders == folders_with_code()


@pytest.mark.parametrize("package", PACKAGES)
def test_each_of_the_four_says_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
    assert (ROOT / "tests" / "typings" / "parlour" / package).resolve() == ROOT / package


def test_the_wheel_has_every_module(tmp_path: Path) -> None:
    # A copy: building leaves files behind, and old ones of another build would hide what is missing.
    source = tmp_path / "source"
    for package in PACKAGES:
        shutil.copytree(ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    # What pip would call, without pip, which takes three times as long as the build.
    build = "import setuptools.build_meta as backend; backend.build_wheel('..')"
    subprocess.run([sys.executable, "-c", build], cwd=source, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    typed = {f"parlour/{package}/py.typed" for package in PACKAGES}
    vectors = {f"parlour/protocol/vectors/{path.name}" for path in (ROOT / "protocol/vectors").glob("*.json")}
    texts = {f"parlour/client/language/{path.name}" for path in (ROOT / "client/language").glob("*.toml")}
    assert packed == modules() | typed | vectors | texts


def dependencies() -> list[str]:
    listed = project()["project"]
    return [
        *listed["dependencies"],
        *[name for extra in listed["optional-dependencies"].values() for name in extra],
    ]


@pytest.mark.parametrize("dependency", dependencies())
def test_each_dependency_has_a_lower_bound_and_a_line_in_the_readme(dependency: str) -> None:
    written = re.fullmatch(r"([A-Za-z0-9_.-]+)>=\d[\d.]*", dependency)
    assert written is not None
    assert re.search(rf"^\| `{re.escape(written[1])}` \| [^|]+ \| [^|]+ \|$", README, re.MULTILINE)


@pytest.mark.parametrize("name", [subcommand.name for subcommand in SUBCOMMANDS])
def test_each_subcommand_is_in_the_readme(name: str) -> None:
    assert f"`parlour {name}" in README


def test_the_readme_promises_no_subcommand_that_is_not_there() -> None:
    named = set(re.findall(r"\bparlour ([a-z]+)", README.replace("parlour is ", "")))
    assert named == {subcommand.name for subcommand in SUBCOMMANDS}


def test_each_make_target_in_the_readme_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"make (?:[A-Z]+=\S+ )?([a-z]+)", README))
    assert {"play", "test", "bench", "soak"} <= named <= targets


def test_each_path_in_the_readme_exists() -> None:
    paths = re.findall(r"`((?:engine|protocol|server|client|tests|bench)/[^`*]*)`", README)
    assert len(paths) >= 10
    assert [path for path in paths if not (ROOT / path).exists()] == []


def example(language: str, about: str = "") -> str:
    """The one block in a language of those that hold a word."""
    blocks = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    (found,) = [block for block in blocks if about in block]
    return str(found)


def test_the_library_example_of_the_readme_plays_a_whole_game() -> None:
    code = example("python", "parlour.engine")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("Outcome(")


def test_the_settings_of_the_readme_are_settings() -> None:
    assert make(tomllib.loads(example("toml"))).bots == 4


def test_the_scenario_of_the_readme_holds() -> None:
    Scenario.read(json.loads(example("json"))).run()
