"""Which of the things that a driver does are a race against the other hands at the table."""

from collections.abc import Mapping
from typing import Any


def race(view: Mapping[str, Any], action: Mapping[str, Any]) -> object:
    """The round in which somebody honks or grabs; None: keeping quiet hurries nobody."""
    return None if action.get("type") == "quiet" else view["round"]
