"""Programs for Node that use the protocol library of the page, and what a machine without Node leaves out."""

import asyncio
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from support.leaving_out import leave_out
from support.paths import ROOT, TESTS

WEB = ROOT / "client" / "web"
PROGRAMS = TESTS / "client" / "web"
MODULES = PROGRAMS / "node_modules"
OLDEST = 20
SOCKETS = ("--experimental-websocket", "--no-warnings")
"""Node 20 has WebSocket only if it is asked for."""


def node() -> str:
    """The program, or the test is left out."""
    found = shutil.which("node")
    if found is None:
        leave_out("there is no node: the page's library was not run")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.lstrip("v").partition(".")[0]) < OLDEST:
        leave_out(f"node is {version.strip()}, older than {OLDEST}: the page's library was not run")
    return found


def package(name: str) -> Path:
    """A package that `make` installed for the tests by npm, or the test is left out."""
    if not (MODULES / name).is_dir():
        leave_out(f"npm has not installed {name}: `npm ci` in {PROGRAMS.relative_to(ROOT)} does")
    return MODULES / name


def run(program: str, given: Any) -> Any:
    """Runs a program of tests/client/web: JSON in, JSON out."""
    command = [node(), *SOCKETS, str(PROGRAMS / program)]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return json.loads(done.stdout)


async def start(program: Path, *arguments: str) -> asyncio.subprocess.Process:
    """Starts a program that connects to a server."""
    return await asyncio.create_subprocess_exec(
        node(),
        *SOCKETS,
        str(program),
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
