"""What every test may rely on: nothing of the one before is left behind."""

import json
import logging
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support import figures, progress, quick, soak

# Whatever the locale of whoever runs the tests: programs that they start inherit it.
os.environ["LANG"] = "C.UTF-8"
for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
    os.environ.pop(name, None)


# A shell's background job, as many CI runners start one, ignores Ctrl-C, and programs that tests start and
# interrupt would inherit that and go on for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def loggers_as_they_were() -> Iterator[None]:
    """Commands that are run in the test's own process set up logs to a stream that is closed after it."""
    loggers = [logging.getLogger(), logging.getLogger("parlour")]
    before = [(logger, list(logger.handlers), logger.level, logger.propagate) for logger in loggers]
    yield
    for logger, handlers, level, propagate in before:
        logger.handlers[:] = handlers
        logger.propagate = propagate
        logger.setLevel(level)


# How long an example takes says more about the machine than about the code.
settings.register_profile("parlour", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("parlour")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if soak.GAMES and reporter is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(progress.Progress(reporter))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: a sixth of the tests' time is waiting for other programs."""
    return (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1) + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="a few cases of each test that starts nothing")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What is left out is not even read."""
    is_test = collection_path.match("test_*.py")
    return True if is_test and config.getoption("quick") and not quick.is_quick(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if soak.GAMES:
        progress.mix(items)
    if config.getoption("quick"):
        items[:] = quick.few_cases(items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Tells figures, and leaves a line for the end: how many tests this machine cannot run, and why."""
    figures.tell(terminalreporter)
    skipped = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", ()))
    told = [f"{count} of the tests ({reason.removeprefix('Skipped: ')})" for reason, count in skipped.items()]
    if config.cache is None:
        return
    notes = config.cache.mkdir("parlour")
    (notes / "left-out").write_text("; ".join(told) or "nothing", encoding="utf-8")
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword
    if whole and not config.getoption("quick") and not soak.GAMES:
        _note_seconds(terminalreporter, notes / "seconds.json")


def _note_seconds(reporter: pytest.TerminalReporter, path: Path) -> None:
    """How long each test module took, for `make check` to choose by."""
    took: Counter[str] = Counter()
    for reports in reporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                took[report.nodeid.partition("::")[0]] += report.duration
    path.write_text(json.dumps({module: round(took[module], 2) for module in sorted(took)}), encoding="utf-8")
