"""Every example of PROTOCOL.md can be read: messages by the codec, actions and patterns by a game."""

import json
import re
from typing import Any

import attrs
import pytest

from parlour.engine.catalogue import GAMES
from parlour.engine.game import Game
from parlour.engine.maps import Malformed, word
from parlour.engine.patterns import choices_from_map
from parlour.protocol import messages as m
from parlour.protocol.codec import read, read_command
from tools.protocol_page import page

PAGE = page.text()


def json_blocks() -> list[Any]:
    return [pytest.param(block, id=block[:60].replace("\n", " ")) for block in page.blocks(PAGE, "json")]


@pytest.mark.parametrize("block", json_blocks())
def test_every_example_is_a_message_or_an_action_of_a_game(block: str) -> None:
    plain = json.loads(block)
    if plain["type"] in m.BY_WORD:
        message = read(plain, m.BY_WORD)
        if isinstance(message, m.Update):
            check_view(message)
        return
    assert any(fits(game, plain) for game in GAMES.values())


def check_view(update: m.Update) -> None:
    """The view, the news and the question are of one game."""
    (game,) = [game for game in GAMES.values() if fields(game.view_class) == set(update.view)]
    news = {word(kind): fields(kind) | {"type"} for kind in game.news}
    for item in update.news:
        assert set(item) == news[item["type"]]
    if update.question is not None:
        assert choices_from_map(game.action_words, list(update.question.legal)).count > 1


def fields(kind: type) -> set[str]:
    return {field.name.rstrip("_") for field in attrs.fields(kind)}


def fits(game: Game[Any, Any, Any], plain: dict[str, Any]) -> bool:
    """Whether it is an action of the game, or a pattern of some."""
    try:
        return choices_from_map(game.action_words, [plain]).count > 0
    except Malformed:
        return False


def test_every_act_in_an_example_or_transcript_has_an_action_of_a_game() -> None:
    lines = re.findall(r"^\S.* > (\{.*\})$", page.texts(), re.MULTILINE)
    said = [json.loads(line) for line in (*lines, *page.blocks(PAGE, "json"))]
    acts = [plain["action"] for plain in said if plain["type"] == "act"]
    assert len(acts) > 20
    for action in acts:
        assert any(readable(game, action) for game in GAMES.values())


def readable(game: Game[Any, Any, Any], action: Any) -> bool:
    try:
        game.read_action(action)
    except Malformed:
        return False
    return True


def test_the_seven_steps_send_the_commands_of_a_whole_game() -> None:
    """What stands in capitals is filled in from what came before."""
    steps = page.section(PAGE, "Seven steps", 3)
    said = [each for each in page.words(" ".join(steps.split())) if each.startswith('{"type"')]
    filled = [each.replace("TABLE", '"T"').replace("TURN", "1").replace("ACTION", "{}") for each in said]
    read_as = [read_command(json.loads(each)) for each in filled]
    assert [type(each) for each in read_as] == [m.Hello, m.CreateTable, m.AddBot, m.Start, m.Act]
    assert [each.id for each in read_as if isinstance(each, m.Command)] == [1, 2, 3, 4]
