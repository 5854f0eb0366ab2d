"""GAMES: the only list of games in the program."""

from typing import Any

from parlour.engine.balloon_cup.rules import BalloonCup
from parlour.engine.butterflies.rules import Butterflies
from parlour.engine.game import Game

GAMES: dict[str, Game[Any, Any, Any]] = {game.name: game for game in (BalloonCup(), Butterflies())}
