"""What every test may rely on: nothing of the one before is left behind."""

import logging
import os
import signal
from collections.abc import Iterator

import progress
import pytest
import soak
from hypothesis import HealthCheck, settings

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if soak.GAMES:
        progress.mix(items)
