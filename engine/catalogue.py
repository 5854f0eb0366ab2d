"""GAMES: the only list of games in the program."""

from typing import Any

from parlour.engine.balloon_cup.rules import BalloonCup
from parlour.engine.butterflies.rules import Butterflies
from parlour.engine.game import Game
from parlour.engine.hurry_cup.rules import HurryCup

GAMES: dict[str, Game[Any, Any, Any]] = {
    game.name: game for game in (BalloonCup(), HurryCup(), Butterflies())
}
