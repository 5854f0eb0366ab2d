"""The collector's long round waits for a quiet moment, but not for ever."""

from parlour.server.interpreter import EVERY, LONGEST, MANY, IdleCollector


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


def test_many_new_values_are_swept_even_if_somebody_always_plays() -> None:
    collected: list[int] = []
    values = MANY
    collector = IdleCollector(0.0, lambda: collected.append(values), lambda: values)
    collector.look(1, 1.0)
    assert not collected
    values += 1
    collector.look(2, 2.0)
    assert collected == [MANY + 1]
