"""Changes by a script, all tables at once, and what must be there of them after any fault."""

import asyncio

from support.server.archive_child import put

from parlour.server.storage.archive import Archive
from parlour.server.storage.change import Added, Begun, Change, Ended
from parlour.server.storage.errors import ArchiveError
from parlour.server.storage.sqlite.bulk_insert import MOST

TABLES = ("a", "b", "c")
Answers = dict[str, dict[int, ArchiveError | None]]


def step(table: str, number: int) -> Change:
    """The n-th change of a scripted game: each touches its lines, its table and its player together."""
    game = f"{table}-1"
    # One change in the middle is longer than a statement takes.
    parts = MOST if (table, number) == ("b", 2) else 2
    return Change(
        begin=[Begun(game, table, {})] if number == 0 else [],
        lines=[Added(game, number * MOST + part, {"step": number, "part": part}) for part in range(parts)],
        end=[Ended(game, {"step": number})] if number == 5 else [],
        save_people={f"{table}{number}": {}},
        save_tables={table: {"step": number}},
    )


async def play(archive: Archive) -> Answers:
    """Plays six steps at each table, all tables at once; a step that is refused is tried again twice."""
    answers: Answers = {table: {} for table in TABLES}

    async def at(table: str) -> None:
        for number in range(6):
            for _ in range(3):
                (wrong,) = await put(archive, step(table, number))
                answers[table][number] = wrong
                if wrong is None:
                    break
            else:
                return  # what follows would build on it

    await asyncio.gather(*[at(table) for table in TABLES])
    return answers


def check(archive: Archive, answers: Answers) -> None:
    """Every change is there as a whole if it was acknowledged, and not at all if it was refused."""
    people: set[str] = set()
    for table, told in answers.items():
        stored = [number for number, wrong in told.items() if wrong is None]
        people |= {f"{table}{number}" for number in stored}
        expected = [line.line for number in stored for line in step(table, number).lines]
        assert archive.lines(f"{table}-1") == expected
        assert archive.tables().get(table) == ({"step": stored[-1]} if stored else None)
    assert set(archive.people()) == people
    ended = {f"{table}-1" for table, told in answers.items() if told.get(5, True) is None}
    assert {game.id for game in archive.finished()} == ended
