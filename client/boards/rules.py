"""What the rules of all games share when they are told in paragraphs: where their texts are, who begins."""

from parlour.client.boards.options import Chosen
from parlour.client.language import Texts

TOPIC = "rules"
"""A file of its own in every language: most players never open it."""


def first_player(options: Chosen, texts: Texts) -> str:
    if options["first"] == "random":
        return texts("common.first_random")
    return texts("common.first_seat", seat=options["first"] + 1)
