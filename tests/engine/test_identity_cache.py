"""What is written of a value is kept for as long as that very value may come again."""

from parlour.engine.identity_cache import cached_by_identity, kept_if_lasting, lasting


def test_only_a_lasting_value_is_written_once() -> None:
    written: list[list[str]] = []

    def copy(value: list[str]) -> list[str]:
        written.append(value)
        return value.copy()

    (always,), passing = lasting((["a"],)), ["b"]
    write = kept_if_lasting(copy)
    assert write(always) is write(always)
    assert write(passing) == write(passing) == ["b"]
    assert written == [["a"], ["b"], ["b"]]


def test_an_equal_value_is_another_one() -> None:
    write = cached_by_identity(lambda value: [value])
    one, other = ["same"], ["same"]
    assert write(one) is write(one)
    assert write(other) is not write(one)
