"""What every test may rely on: nothing of the one before is left behind."""

import logging
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# Whatever the locale of whoever runs the tests: programs that they start inherit it.
os.environ["LANG"] = "C.UTF-8"
for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
    os.environ.pop(name, None)


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
