"""Answers of a server held against `parlour schema`."""

from typing import Any

import jsonschema

from parlour.protocol.schema import schema

DEFS = schema()["$defs"]


def check_result(word: str, result: Any) -> Any:
    """Raises ValidationError unless this can be `ok.result` after a command."""
    jsonschema.Draft202012Validator({"$defs": DEFS, **DEFS[word]["x-result"]}).validate(result)
    return result
