"""The subcommand: runs trials one after the other, and tells people and programs what came of them."""

import argparse
import shlex
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import attrs

from parlour.client.cli.bot_check import Checklist
from parlour.client.cli.conforming.trial import Trial
from parlour.client.cli.conforming.trials import TRIALS
from parlour.client.cli.subcommand import FAILED, FINE, BadArguments
from parlour.engine.catalogue import GAMES
from parlour.machine.output import printable_json, say

WIDEST_GAME = max(map(len, GAMES))
WIDEST_TRIAL = max(len(trial.name) for trial in TRIALS)


@attrs.frozen
class Finding:
    """What came of one trial."""

    game: str
    trial: str
    what: str
    fault: str | None
    transcript: Sequence[tuple[str, Any]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("command", metavar="CMD", help="what starts your client; {url} and {game} in it are replaced")
    add("--game", action="append", metavar="NAME", help="what it plays, one or more (default: all)")
    add("--only", action="append", metavar="TRIAL", help="one trial or more (default: all)")
    add("--json", action="store_true", help="print the findings as JSON, transcripts included")
    add("--junit", metavar="FILE", help="write them to this file, as JUnit XML")


def conform(given: argparse.Namespace) -> int:
    """A line for each trial, and the last frames of those that failed; exit status 1 if one did."""
    from parlour.client.cli.bot import run_until_told

    known = {trial.name: trial for trial in TRIALS}
    unknown = [name for name in given.only or () if name not in known]
    if unknown:
        raise BadArguments(f"there is no trial {unknown[0]!r}; there are: {', '.join(known)}")
    trials = [trial for name, trial in known.items() if name in (given.only or known)]
    command = shlex.split(given.command)
    if not command:
        raise BadArguments("conform needs the command that starts your client, in quotes")
    findings: list[Finding] = run_until_told(_run(command, given.game, trials, quiet=given.json))
    if given.json:
        say(*printable_json([attrs.asdict(each) for each in findings], indent=1).split("\n"))
    if given.junit is not None:
        Path(given.junit).write_bytes(junit(findings))
    return FAILED if not findings or any(each.fault is not None for each in findings) else FINE


async def _run(
    command: Sequence[str], games: Sequence[str] | None, trials: Sequence[type[Trial]], quiet: bool
) -> list[Finding]:
    with tempfile.TemporaryDirectory(prefix="parlour-conform-") as folder:
        tell = (lambda line: say(line, file=sys.stderr)) if quiet else say
        checklist = Checklist(command, Path(folder), tell)
        return [finding async for finding in try_out(checklist, games, trials, nothing if quiet else _say)]


async def try_out(
    checklist: Checklist,
    games: Sequence[str] | None,
    trials: Sequence[type[Trial]],
    tell: Callable[[Finding], None],
) -> AsyncIterator[Finding]:
    """All trials with the first game; with the others an undisturbed one."""
    async with checklist.server():
        claimed = await checklist.claimed(games)
    for game in claimed:
        for kind in trials if game == claimed[0] else [each for each in trials if each is Trial]:
            async with checklist.server():
                trial = kind(checklist.url)
                fault = trial.judge(await checklist.play_through(trial, game))
            finding = Finding(game, kind.name, kind.what, fault, trial.transcript if fault else ())
            tell(finding)
            yield finding


def nothing(_: Finding) -> None:
    """Default when findings are printed at the end."""


def _say(finding: Finding) -> None:
    mark = "ok    " if finding.fault is None else "FAILED"
    game, trial = finding.game.ljust(WIDEST_GAME), finding.trial.ljust(WIDEST_TRIAL)
    say(f"{mark}  {game}  {trial}  {finding.fault or finding.what}")
    for arrow, message in finding.transcript:
        say(f"       {arrow} {printable_json(message)[:200]}")


def junit(findings: Sequence[Finding]) -> bytes:
    """The findings as JUnit XML, which most systems for CI read."""
    failed = sum(each.fault is not None for each in findings)
    suite = ElementTree.Element(
        "testsuite", name="parlour conform", tests=str(len(findings)), failures=str(failed)
    )
    for each in findings:
        case = ElementTree.SubElement(suite, "testcase", classname=each.game, name=each.trial)
        if each.fault is not None:
            told = "\n".join(f"{arrow} {printable_json(message)}" for arrow, message in each.transcript)
            ElementTree.SubElement(case, "failure", message=each.fault).text = told
    written: bytes = ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)
    return written
