"""A commit whose answer was lost: nobody is answered before it is known, and nothing is stored past it."""

import asyncio

import pytest
from support.server.archive_child import put
from support.server.lost_answers import LosingBackend

from parlour.server.storage import writer
from parlour.server.storage.archive import Archive
from parlour.server.storage.backends import backend_at
from parlour.server.storage.change import Added, Begun, Change
from parlour.server.storage.errors import ArchiveError, NotStored

IN_DOUBT = Change(
    save_tables={"t": {"seat": "Ann"}}, save_sessions={"Ann": {"answer": "ok"}}, answered=["Ann"]
)
BUILDS_ON_IT = Change(save_sessions={"Ann": {"answer": "ok", "token": 2}})
OTHER = Change(save_sessions={"Bob": {}})
Answers = asyncio.Future[list[ArchiveError | None]]


@pytest.fixture
def backend(place: str, monkeypatch: pytest.MonkeyPatch) -> LosingBackend:
    # What is in doubt is looked into when something else comes, and not after a time.
    monkeypatch.setattr(writer, "AGAIN_AFTER", 3600.0)
    return LosingBackend(backend_at(place))


async def is_asked(backend: LosingBackend) -> None:
    """Waits until somebody wants to know what became of a commit, and does not learn it."""
    while not backend.rows.asked:
        await asyncio.sleep(0)


async def lose_answer(archive: Archive, backend: LosingBackend, kept: bool) -> Answers:
    backend.rows.lose(kept)
    doubtful = asyncio.ensure_future(put(archive, IN_DOUBT))
    await is_asked(backend)
    return doubtful


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "not kept"])
async def test_what_builds_on_a_change_in_doubt_is_stored_only_if_that_is(
    backend: LosingBackend, kept: bool
) -> None:
    archive = Archive.of(backend)
    doubtful = await lose_answer(archive, backend, kept)
    backend.rows.away = False
    answers = await put(archive, BUILDS_ON_IT, OTHER)
    assert [answer is None for answer in answers] == [kept, True]
    assert [answer is None for answer in await doubtful] == [kept]
    assert archive.sessions() == {"Bob": {}} | ({"Ann": {"answer": "ok", "token": 2}} if kept else {})
    assert await put(archive, Change(save_sessions={"Ann": {"answer": "later"}})) == [None]
    assert await archive.close()


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "not kept"])
async def test_nothing_is_stored_while_something_is_in_doubt(backend: LosingBackend, kept: bool) -> None:
    archive = Archive.of(backend)
    doubtful = await lose_answer(archive, backend, kept)
    assert isinstance(archive.problem(), NotStored)
    for _ in range(2):
        (wrong,) = await put(archive, OTHER)
        assert isinstance(wrong, NotStored) and wrong.reason == "away"
    assert not doubtful.done()
    backend.rows.away = False
    assert await put(archive, OTHER) == [None]
    assert [answer is None for answer in await doubtful] == [kept]
    assert archive.problem() is None
    assert set(archive.sessions()) == ({"Ann", "Bob"} if kept else {"Bob"})
    assert await archive.close()


async def test_what_is_stored_one_by_one_stops_at_a_change_in_doubt(backend: LosingBackend) -> None:
    archive = Archive.of(backend)
    assert await put(archive, Change(begin=[Begun("g", "t", {})], lines=[Added("g", 0, {})])) == [None]
    bad = Change(lines=[Added("g", 0, {"again": True})])
    # All three together are refused because of the first, and then each is tried alone.
    backend.rows.lose(kept=False, after=2)
    answers = asyncio.ensure_future(put(archive, bad, IN_DOUBT, BUILDS_ON_IT))
    await is_asked(backend)
    backend.rows.away = False
    assert await put(archive, OTHER) == [None]
    assert [type(answer) for answer in await answers] == [NotStored] * 3
    assert set(archive.sessions()) == {"Bob"} and archive.tables() == {}
    assert await archive.close()
