"""What the rules of all games share when they are told in paragraphs: where their texts are, who begins."""

from collections.abc import Mapping
from typing import Any

import attrs

from parlour.client.language import Texts

Chosen = Mapping[str, Any]
TOPIC = "rules"
"""A file of its own in every language: most players never open it."""


def settled(kind: type[Any], given: Chosen) -> Chosen:
    """Every option: as it was given, else as the edition has it, else as usual."""
    usual = {field.name: field.default for field in attrs.fields(kind)}
    return {**usual, **kind.EDITIONS.get(str(given.get("edition")), {}), **given}


def first_player(options: Chosen, texts: Texts) -> str:
    if options["first"] == "random":
        return texts("common.first_random")
    return texts("common.first_seat", seat=options["first"] + 1)
