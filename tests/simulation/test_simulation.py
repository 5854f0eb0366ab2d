"""Every guarantee of PROTOCOL.md holds in every world of the simulation (tools/simulation)."""

import subprocess
import sys

import pytest
from support import soak
from support.paths import ROOT

from tools.simulation.seeds import run_seed

TOGETHER = 100
"""Seeds to a test: few enough to share them out, many enough not to drown the others."""
SEEDS = soak.count(2_000, 200_000)


@pytest.mark.parametrize("first", range(0, SEEDS, TOGETHER))
def test_no_guarantee_is_broken(first: int) -> None:
    for seed in range(first, first + TOGETHER):
        try:
            run_seed(seed)
        except Exception as wrong:
            wrong.add_note(f"python -m tools.simulate --seed {seed} --trace")
            raise


def tell(seed: int, hashes: str) -> str:
    """A seed as a story, told by a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.simulate", "--seed", str(seed), "--trace"],
        cwd=ROOT,
        env={"PYTHONHASHSEED": hashes},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("seed", [7, 24, 42])
def test_a_seed_is_one_story(seed: int) -> None:
    story = tell(seed, "1")
    assert "every guarantee was kept" in story and story.count("\n") > 50
    assert tell(seed, "2") == story
