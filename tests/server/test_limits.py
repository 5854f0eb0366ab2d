"""Limits that an operator may set."""

import pytest

from parlour.server.app import limits_of
from parlour.server.config import make
from parlour.server.limits import Limits

SETTINGS = ("heartbeat", "tables", "connections", "connections_each", "names_each", "tournament_tables")


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_is_the_limit_of_that_name(name: str) -> None:
    assert getattr(limits_of(make({name: 7})), name) == 7


def test_limits_are_as_documented_unless_they_are_set() -> None:
    assert limits_of(make()) == Limits()
