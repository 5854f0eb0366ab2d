"""Tells how far a soak has come: a line every few seconds, instead of a dot for each test."""

import hashlib
import time

import pytest

EVERY = 15.0
"""Seconds between two lines."""


class Progress:
    """Counts the tests that are finished, in all workers, and guesses how long the others will take."""

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self._reporter = reporter
        self._total = self._done = self._failed = 0
        self._began = self._told = time.monotonic()

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        if report.failed:
            return ("failed", "", "FAILED") if report.when == "call" else ("error", "", "ERROR")
        return ("passed", "", "") if report.when == "call" and report.passed else None

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._total = self._total or len(session.items)

    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        self._total = len(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed += 1
            self._reporter.write_line(f"FAILED {report.nodeid}")
        if report.when == "teardown":
            self._done += 1
            now = time.monotonic()
            if now - self._told >= EVERY or self._done == self._total:
                self._told = now
                self._reporter.write_line(self._line(now - self._began, report.nodeid))

    def _line(self, spent: float, last: str) -> str:
        left = spent / self._done * (self._total - self._done)
        told = f"{self._done} of {self._total} tests in {in_minutes(spent)}, about {in_minutes(left)} left"
        return f"{told}, {self._failed} failed; last: {last.removeprefix('tests/')}"


def in_minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02} min"


def mix(items: list[pytest.Item]) -> None:
    """Mixes long and short tests, always in the same order: the first ones then tell how long all take."""
    items.sort(key=lambda item: hashlib.blake2b(item.nodeid.encode(), digest_size=8).digest())
