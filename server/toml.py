"""TOML files that people write, and what is wrong with them in one line."""

import tomllib
from typing import Any


def read_toml(text: str) -> dict[str, Any]:
    """Raises ValueError with what is wrong, and where if that is known."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise ValueError(f"is not TOML: {wrong}") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    except ValueError:  # Python's own, which says no place
        raise ValueError("has a number of too many digits") from None
