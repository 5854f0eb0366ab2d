"""The collector's long round waits for a quiet moment, but not for ever."""

from parlour.server.interpreter import EVERY, LONGEST, IdleCollector


def test_everything_is_swept_in_the_first_quiet_moment_after_a_while() -> None:
    collected: list[float] = []
    now = 100.0
    collector = IdleCollector(now, lambda: collected.append(now))
    for now, frames in ((101.0, 5), (101 + EVERY, 9), (102 + EVERY, 9), (103 + EVERY, 9)):
        collector.look(frames, now)
    assert collected == [102 + EVERY]


def test_a_server_that_is_never_quiet_is_swept_all_the_same() -> None:
    collected: list[float] = []
    now = 0.0
    collector = IdleCollector(now, lambda: collected.append(now))
    for frames in range(int(LONGEST) + 10):
        now = float(frames)
        collector.look(frames, now)
    assert collected == [LONGEST]
