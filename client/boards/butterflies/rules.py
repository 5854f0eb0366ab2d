"""The rules of Butterflies as paragraphs to be read, with the options of a table applied."""

from parlour.client.boards.rules import Chosen, first_player, settled
from parlour.client.language import Texts
from parlour.engine.butterflies.public import ButterflyOptions


def paragraphs(given: Chosen, texts: Texts) -> list[str]:
    options = settled(ButterflyOptions, given)
    teams = options["teams"] == "on"
    return [
        texts("butterflies.goal"),
        texts("butterflies.cards"),
        texts("butterflies.setup"),
        first_player(options, texts),
        texts("butterflies.turn"),
        texts("butterflies.later"),
        texts("butterflies.lay"),
        texts("butterflies.move"),
        texts("butterflies.net"),
        texts("butterflies.web"),
        texts("butterflies.tokens"),
        texts("butterflies.deck"),
        texts("butterflies.row"),
        texts(f"butterflies.declare_{options['declare']}"),
        *([texts("butterflies.teams")] if teams else []),
        texts("butterflies.draw", count=options["quiet_limit"]),
        texts("common.clock"),
        texts("common.leave_teams" if teams else "common.leave_some"),
    ]
