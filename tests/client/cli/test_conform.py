"""`parlour conform`: clients with one planted fault each are told apart, and one without is let through."""

import contextlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.client.conforming import FAULTS
from support.paths import ROOT, TESTS

from parlour.client.cli.bot_check import Checklist
from parlour.client.cli.conforming.command import Finding, junit, nothing, try_out
from parlour.client.cli.conforming.trial import Trial
from parlour.client.cli.conforming.trials import TRIALS
from parlour.client.cli.main import main
from parlour.server.app import running
from parlour.server.config import make
from tools.protocol_page import page

CLIENT = str(TESTS / "support" / "client" / "conforming.py")
SHOWN_BY = {
    "illegal": "plays",
    "same_ids": "plays",
    "unknown": "unknown",
    "no_fragments": "torn",
    "one_read": "slow",
    "twice": "duplicates",
    "gaps": "gap",
    "gives_up": "cut when new",
    "walks_off": "cut when seated",
    "stays_away": "cut when asked",
    "stranger": "cut when asked",
    "no_resume": "cut when asked",
    "forgets": "cut before act",
    "new_id": "cut after act",
    "looks_away": "cut when idle",
    "token_once": "welcome lost",
    "impatient": "restart",
    "old_numbers": "restart",
    "returns": "replaced",
    "own_clock": "clock",
    "stale": "late",
    "takes_again": "scramble lost",
    "repeats": "scramble won",
}
"""By fault: the trial that shows it."""
BY_NAME = {trial.name: trial for trial in TRIALS}


class Near(Checklist):
    """With a server in this process."""

    @contextlib.asynccontextmanager
    async def server(self) -> AsyncIterator[None]:
        async with running(make({"port": 0, "host": "127.0.0.1", "bots": 0})) as ready:
            self.url = ready.url
            yield


async def findings(folder: Path, fault: str, *trials: type[Trial]) -> list[Finding]:
    return await findings_of([CLIENT, "{url}", "{game}", *([fault] if fault else [])], folder, *trials)


async def findings_of(script: list[str], folder: Path, *trials: type[Trial]) -> list[Finding]:
    command = [sys.executable, *script]
    checklist = Near(command, folder, lambda _: None)
    return [finding async for finding in try_out(checklist, ["balloon-cup"], trials, nothing)]


def test_the_guide_for_authors_lists_every_trial() -> None:
    rows = page.table(
        page.section((ROOT / "docs" / "bots.md").read_text(encoding="utf-8"), "Does it conform?", 3)
    )
    assert [tuple(row.values()) for row in rows] == [(trial.name, trial.what) for trial in TRIALS]


def test_every_fault_has_its_trial() -> None:
    assert set(SHOWN_BY) == set(FAULTS)
    assert set(SHOWN_BY.values()) == set(BY_NAME)


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
async def test_a_client_without_a_fault_passes(trial: type[Trial], tmp_path: Path) -> None:
    (finding,) = await findings(tmp_path, "", trial)
    assert finding.fault is None


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
async def test_the_bot_of_this_project_passes(trial: type[Trial], tmp_path: Path) -> None:
    bot = ["-m", "parlour.client.cli.main", "bot", "{url}", "--game", "{game}"]
    (finding,) = await findings_of(bot, tmp_path, trial)
    assert finding.fault is None


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_is_found_by_its_trial_with_a_transcript(fault: str, tmp_path: Path) -> None:
    (finding,) = await findings(tmp_path, fault, BY_NAME[SHOWN_BY[fault]])
    assert finding.fault is not None
    assert finding.transcript


def test_findings_can_be_read_by_programs() -> None:
    found = [
        Finding("butterflies", "gap", "resumes", "it did not resume", [("<", {"type": "update"})]),
        Finding("butterflies", "plays", "plays", None, ()),
    ]
    suite = ElementTree.fromstring(junit(found))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    (failure,) = suite.iter("failure")
    assert failure.get("message") == "it did not resume" and "update" in (failure.text or "")


def test_a_trial_that_does_not_exist_is_refused_with_a_list(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["conform", "true", "--only", "magic"]) == 2
    assert "there are: plays, unknown" in capsys.readouterr().err


def test_a_command_that_is_no_client_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.xml"
    words = ["conform", "true", "--only", "plays", "--game", "butterflies", "--json", "--junit", str(report)]
    assert main(words) == 1
    (finding,) = json.loads(capsys.readouterr().out)
    assert finding["trial"] == "plays" and finding["fault"].startswith("it ended with status 0")
    assert report.exists()
