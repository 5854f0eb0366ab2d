"""A player who sits at a table without a server: any moment of a game, and what was asked of the server."""

import asyncio
from pathlib import Path
from typing import Any

from parlour.client.cli.demo import random_game
from parlour.client.connection import Refused
from parlour.client.language import ENGLISH, Texts
from parlour.client.session import Session
from parlour.client.settings import Settings
from parlour.client.table import Table
from parlour.client.terminal.player import Player
from parlour.engine.catalogue import GAMES
from parlour.engine.maps import tagged, to_map
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import Seat, project
from parlour.protocol import messages as m

NAMES = ("Anna", "Ben", "Chloe", "David", "Emma", "Felix")
Asked = tuple[type[m.Command], dict[str, Any]]


class FakeConnection:
    """Stands in for a connection: records what is asked, and gives the answers or the refusal set before."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.asked: list[Asked] = []
        self.refusal: m.Error | None = None
        self.answers: dict[type[m.Command], Any] = {}

    async def ask(self, kind: type[m.Command], /, **fields: Any) -> Any:
        self.asked.append((kind, fields))
        if self.refusal is not None:
            raise Refused(self.refusal)
        return self.answers.get(kind)

    def tell(self, kind: type[m.Command], /, **fields: Any) -> None:
        self.asked.append((kind, fields))

    async def rest(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def table_info(game: str, seats: int, stage: m.Stage = "playing", **more: Any) -> m.TableInfo:
    chairs = [m.Chair(NAMES[seat], seat > 0, True, True, False, False, None) for seat in range(seats)]
    usual: dict[str, Any] = {
        "table": "OAK",
        "game": game,
        "options": {},
        "chairs": tuple(chairs),
        "host": "Anna",
        "stage": stage,
        "public": True,
        "bots": True,
        "watching": "public",
        "clocks": m.Clocks(),
        "reaction": 0.4,
        "watchers": 0,
        "number": 1,
        "commitment": "",
    }
    return m.TableInfo(**{**usual, **more})


def table_at(
    game: str, beat: int, seats: int | None = None, seed: bytes = bytes(32), **options: Any
) -> Table:
    """Seat 0's table at the first moment from a beat on at which it is asked something."""
    rules = GAMES[game]
    count = seats or rules.seats[0]
    news: list[Any] = []
    for number, moment in enumerate(random_game(rules, count, seed, options)):
        news += [tagged(project(piece, Seat(0))) for piece in moment.news]
        awaited = rules.awaited(moment.state)
        if number >= beat and 0 in awaited:
            break
    legal = tuple(choices_to_map(rules.legal(moment.state, Seat(0))))
    view = to_map(project(rules.view(moment.state), Seat(0)))
    scramble = len(awaited) > 1
    return Table(
        id="OAK",
        seq=1,
        seat=0,
        code=None,
        info=table_info(game, count),
        view=view,
        awaited=tuple(sorted(awaited)),
        question=m.Question(1, view["phase"], scramble, legal),
        clock=None,
        result=None,
        chat=(),
        news=news,
    )


def player_at(table: Table | None, texts: Texts = ENGLISH) -> tuple[Player, FakeConnection]:
    player = Player(texts, Settings(name="Anna"), Path("unused.db"))
    connection = FakeConnection(Session(name="Anna"))
    player.connection = connection  # type: ignore[assignment]
    player.round_trip = 0.003
    if table is not None:
        connection.session.tables[table.id] = table
        player.table_id = table.id
    return player, connection
