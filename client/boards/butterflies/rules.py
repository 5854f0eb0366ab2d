"""The rules of Butterflies as paragraphs to be read, with the options of a table applied."""

from parlour.client.boards.options import Chosen
from parlour.client.boards.rules import first_player
from parlour.client.language import Texts


def paragraphs(options: Chosen, texts: Texts) -> list[str]:
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
        texts("butterflies.teams" if teams else "butterflies.teams_none"),
        texts("butterflies.draw", count=options["quiet_limit"]),
        texts("common.clock"),
        texts("butterflies.default"),
        texts("common.leave_teams" if teams else "common.leave_some"),
    ]
