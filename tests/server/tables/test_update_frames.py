"""A question in an update says what the rules say, however it was packed."""

import json

import pytest
from laws.playing import ALL_KINDS, Dice, TableKind, moments

from parlour.engine.patterns import choices_to_map
from parlour.server.tables.update_frames import UpdateFrames


@pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
def test_a_question_offers_just_the_legal_actions(kind: TableKind) -> None:
    match = kind.start("asked")
    for state, seat, _ in moments(match, Dice("asked")):
        deadline, legal = kind.game.deadline(state), kind.game.legal(state, seat)
        assert deadline is not None
        frames = UpdateFrames("TABLE", match, (), {})
        question = frames.frame_for(seat, seat, 1, (7, deadline, legal), None).plain["question"]
        offered = question.pop("legal")
        assert question == {"turn": 7, "phase": deadline.phase, "scramble": deadline.scramble}
        assert offered == json.loads(json.dumps(choices_to_map(legal)))
