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


def both(told: Any, right: Any) -> dict[str, Any]:
    return {"told": told, "right": right}


def difference(file: str, told: Any, right: Any, where: str = "") -> Iterator[Fault]:
    """The places at which two values of JSON differ, from the first on."""
    if isinstance(told, dict) and isinstance(right, dict):
        for name in (*right, *(name for name in told if name not in right)):
            inner = f"{where}.{name}" if where else str(name)
            if name not in told or name not in right:
                yield Fault(file, inner, "differs", both(told.get(name), right.get(name)))
            else:
                yield from difference(file, told[name], right[name], inner)
    elif isinstance(told, list) and isinstance(right, list) and len(told) == len(right):
        for at, (one, other) in enumerate(zip(told, right, strict=True)):
            yield from difference(file, one, other, f"{where}.{at}")
    # To JSON 3 and 3.0 are one number; to Python, so are 1 and true.
    elif told != right or isinstance(told, bool) is not isinstance(right, bool):
        yield Fault(file, where, "differs", both(told, right))
