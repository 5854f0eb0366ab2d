"""The facts of objections in Hurry' Cup, as its board shows them."""

from typing import Any

from parlour.client.language import Texts


def fact(name: str, value: Any, texts: Texts) -> Any:
    return texts.or_else(f"hurry.colour.{value}", str(value)) if name == "pawn" else value
