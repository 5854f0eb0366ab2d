"""What a process knows of itself."""

import time

import pytest

from parlour.machine.this_process import running_time


def test_the_clock_of_a_lease_goes_on_while_the_machine_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = {1: 5.0, 7: 3605.0}  # an hour of sleep, which only the second one has counted
    monkeypatch.setattr(time, "CLOCK_BOOTTIME", 7, raising=False)
    monkeypatch.setattr(time, "clock_gettime", clocks.__getitem__, raising=False)
    assert running_time() == 3605.0
