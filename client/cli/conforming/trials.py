"""All trials, in the order in which they are run."""

from parlour.client.cli.conforming.answers import ClockAhead, Late, ScrambleLost, ScrambleWon
from parlour.client.cli.conforming.events import Gap, Slow, Torn, Twice, Unknown
from parlour.client.cli.conforming.lines import (
    CutAfterAct,
    CutAsked,
    CutBeforeAct,
    CutIdle,
    CutNew,
    CutSeated,
    Replaced,
    Restart,
    WelcomeLost,
)
from parlour.client.cli.conforming.trial import Trial

TRIALS: tuple[type[Trial], ...] = (
    Trial,
    Unknown,
    Torn,
    Slow,
    Twice,
    Gap,
    CutNew,
    CutSeated,
    CutAsked,
    CutBeforeAct,
    CutAfterAct,
    CutIdle,
    WelcomeLost,
    Restart,
    Replaced,
    ClockAhead,
    Late,
    ScrambleLost,
    ScrambleWon,
)
