"""Long work beside the event loop: in its order, with its errors, and with pauses."""

import asyncio
from collections.abc import Callable

import pytest

from parlour.server import background
from parlour.server.background import AtOnce, WorkThread, gently


def collect(found: list[object]) -> Callable[[Callable[[], object]], None]:
    def take(result: Callable[[], object]) -> None:
        try:
            found.append(result())
        except ZeroDivisionError as wrong:
            found.append(type(wrong))

    return take


@pytest.mark.parametrize("kind", ["thread", "at once"])
async def test_work_is_done_in_its_order_and_an_error_is_handed_over(kind: str) -> None:
    found: list[object] = []
    thread = WorkThread(asyncio.get_running_loop(), "test")
    some = thread if kind == "thread" else AtOnce()
    for number in (2, 1, 0, 4):
        some.run(lambda number=number: 4 // number, collect(found))  # type: ignore[misc]
    done = asyncio.Event()
    some.run(lambda: None, lambda _: done.set())
    await done.wait()
    assert found == [2, 4, ZeroDivisionError, 1]
    assert some.waiting == 0
    await thread.close(5.0)


async def test_what_has_not_begun_is_forgotten_at_the_end() -> None:
    found: list[object] = []
    thread, begun, go_on = WorkThread(asyncio.get_running_loop(), "test"), asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def hold() -> str:
        loop.call_soon_threadsafe(begun.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()
        return "held"

    thread.run(hold, collect(found))
    thread.run(lambda: "never", collect(found))
    await begun.wait()
    closing = asyncio.create_task(thread.close(60.0))
    await asyncio.sleep(0)
    go_on.set()
    await closing
    await asyncio.sleep(0)
    assert "never" not in found


def test_long_work_pauses_and_leaves_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now, pauses = [0.0], list[float]()
    monkeypatch.setattr(background.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(background.time, "sleep", pauses.append)
    seen = []
    for number in gently(range(100)):
        seen.append(number)
        now[0] += 0.6 * background.WORK
    assert seen == list(range(100))
    assert len(pauses) == 50 and set(pauses) == {background.PAUSE}
