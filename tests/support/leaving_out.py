"""Tests that need a program which this machine may not have."""

import os
from typing import NoReturn

import pytest


def leave_out(reason: str) -> NoReturn:
    """Skips the test, and says why at the end of `make test`; where CI is set, nothing may be left out."""
    if os.environ.get("CI"):
        pytest.fail(f"in CI nothing may be left out: {reason}")
    pytest.skip(reason)
