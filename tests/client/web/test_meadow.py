"""Whoever watches Butterflies from its deal may tap the meadow before there is a card."""

import json

from laws.playing import ALL_KINDS
from support.client import node

from parlour.client.web.files import page_texts
from parlour.engine.maps import to_map
from parlour.engine.secret import NOBODY, project


def test_a_tap_on_a_meadow_without_a_card_does_nothing() -> None:
    kind = next(each for each in ALL_KINDS if each.game.name == "butterflies")
    match = kind.start("meadow")
    view = to_map(project(match.game.view(match.state), NOBODY))
    given = json.loads(json.dumps({"catalogue": json.loads(page_texts("en")), "view": view}))
    assert node.run("meadow.mjs", given) == 0
