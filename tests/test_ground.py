"""What everything else stands on: the list of packages, the wheel, the dependencies."""

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

PACKAGES = ("engine", "machine", "protocol", "server", "client")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


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
    for name in ("pyproject.toml", "README.md", "LICENSE", "LICENSE-UNICODE"):
        shutil.copy(ROOT / name, source)
    (source / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "parlour.1", source / "docs")
    # What pip would call, without pip, which takes three times as long as the build.
    build = "import setuptools.build_meta as backend; backend.build_wheel('..')"
    subprocess.run([sys.executable, "-c", build], cwd=source, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    typed = {f"parlour/{package}/py.typed" for package in PACKAGES}
    vectors = {f"parlour/protocol/vectors/{path.name}" for path in (ROOT / "protocol/vectors").glob("*.json")}
    vectors |= {
        f"parlour/protocol/vectors/games/{path.name}" for path in (ROOT / "protocol/vectors/games").iterdir()
    }
    texts = {f"parlour/client/language/{path.name}" for path in (ROOT / "client/language").glob("*.toml")}
    page = {f"parlour/client/web/{path.name}" for path in (ROOT / "client/web").glob("*.[hcj]*")}
    lookalikes = {"parlour/protocol/confusables.txt"}
    version = project()["project"]["version"]
    manual = {f"parlour-{version}.data/data/share/man/man1/parlour.1"}
    assert packed == modules() | typed | vectors | texts | page | lookalikes | manual


def dependencies() -> list[str]:
    listed = project()["project"]
    return [
        *listed["dependencies"],
        *[name for extra in listed["optional-dependencies"].values() for name in extra],
    ]


@pytest.mark.parametrize("dependency", dependencies())
def test_each_dependency_has_a_lower_bound_and_a_line_in_the_documents(dependency: str) -> None:
    written = re.fullmatch(r"([A-Za-z0-9_.-]+)(?:\[[a-z]+\])?>=\d[\d.]*(,<\d+)?", dependency)
    assert written is not None
    assert re.search(rf"^\| `{re.escape(written[1])}` \| [^|]+ \| [^|]+ \|$", ARCHITECTURE, re.MULTILINE)
