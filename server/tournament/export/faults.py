"""What is wrong in a tournament's folder, as a value, and where two plain values differ."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs


@attrs.frozen
class Fault:
    """What is wrong in a folder: in which file, at which entry, and the facts that words for it need."""

    file: str
    where: str
    code: str
    facts: Mapping[str, Any] = attrs.field(factory=dict)


def both(actual: Any, right: Any) -> dict[str, Any]:
    return {"told": actual, "right": right}


def difference(file: str, actual: Any, right: Any, where: str = "") -> Iterator[Fault]:
    """The places at which two values of JSON differ, from the first on."""
    if isinstance(actual, dict) and isinstance(right, dict):
        for name in (*right, *(name for name in actual if name not in right)):
            inner = f"{where}.{name}" if where else str(name)
            if name not in actual or name not in right:
                yield Fault(file, inner, "differs", both(actual.get(name), right.get(name)))
            else:
                yield from difference(file, actual[name], right[name], inner)
    elif isinstance(actual, list) and isinstance(right, list) and len(actual) == len(right):
        for at, (one, other) in enumerate(zip(actual, right, strict=True)):
            yield from difference(file, one, other, f"{where}.{at}")
    # To JSON 3 and 3.0 are one number; to Python, so are 1 and true.
    elif actual != right or isinstance(actual, bool) is not isinstance(right, bool):
        yield Fault(file, where, "differs", both(actual, right))
