"""Selecting an action field by field: what can be chosen next out of the legal patterns, and the way back.

Nothing here knows a game. A step offers whole actions if these are few, otherwise kinds of action, otherwise
the values of the next open field; a subset is picked one by one and ended, an order is picked one by one.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from parlour.client.legal import Action, Pattern, count, every

MOST = 9
"""Choices that a step may have if it could have fewer: each of them has a digit."""
_PICKED = "picked"
_ABSENT = object()


def _narrowed(pattern: Pattern) -> Pattern:
    """The pattern with fields of one possible value settled."""
    single = {name: field["one_of"][0] for name, field in pattern.items() if _is_single(field)}
    return {**pattern, **single} if single else pattern


def _is_single(field: Any) -> bool:
    return isinstance(field, Mapping) and len(field.get("one_of", ())) == 1


def _all_narrowed(legal: Iterable[Pattern]) -> tuple[Pattern, ...]:
    return tuple(map(_narrowed, legal))


@attrs.frozen
class Choice:
    """One thing that can be chosen next: the fields that it settles, and what is legal after it."""

    fields: Mapping[str, Any]
    legal: tuple[Pattern, ...]
    picked: bool = False
    """Of a subset: whether it is among the picked values; choosing it again takes it out."""
    ends: bool = False
    """Of a subset: whether it ends the picking."""


@attrs.frozen
class Selection:
    """The part of an action that is chosen so far, as the patterns that are still legal."""

    legal: tuple[Pattern, ...] = attrs.field(converter=_all_narrowed)
    before: "Selection | None" = None

    def choices(self, most: int = MOST) -> list[Choice]:
        return choices(self.legal, most)

    def take(self, choice: Choice) -> "Selection":
        return Selection(choice.legal, self)

    def back(self) -> "Selection":
        return self.before or self

    @property
    def action(self) -> Action | None:
        """The whole action, once nothing is left to choose."""
        if _picking(self.legal) is None and count(self.legal) == 1:
            return next(every(self.legal))
        return None

    @property
    def settled(self) -> Action:
        """The part of the action that is certain by now, for the board to mark."""
        first = self.legal[0] if self.legal else {}
        return {name: value for name, value in first.items() if _is_settled(self.legal, name)}


def choices(legal: Sequence[Pattern], most: int = MOST) -> list[Choice]:
    """What can be chosen next; no more than `most`, if kinds of action are fewer."""
    picking = _picking(legal)
    if picking is not None:
        return _picks(legal, picking)
    kinds = list(dict.fromkeys(pattern["type"] for pattern in legal))
    if count(legal) <= most and not any(_is_apart(field) for each in legal for field in each.values()):
        return _whole(legal, kinds)
    if len(kinds) > 1:
        return _kinds(legal, kinds, most)
    return _split(Choice({}, tuple(legal)))


def _whole(legal: Sequence[Pattern], kinds: Sequence[str]) -> list[Choice]:
    """A choice for each action, told by the fields in which it differs from others of its kind.

    Beside other kinds nothing else tells what is settled of this one: "play Og 0,1", with two Og in hand.
    """
    if count(legal) == 1:
        (only,) = every(legal)
        return [Choice({name: value for name, value in only.items() if value is not None}, (only,))]
    found: list[Choice] = []
    for kind in kinds:
        mine = [pattern for pattern in legal if pattern["type"] == kind]
        settled = _told_beside_others(mine) if len(kinds) > 1 else {}
        telling = [name for name in mine[0] if name in settled or not _is_settled(mine, name)]
        found += [Choice({name: action[name] for name in telling}, (action,)) for action in every(mine)]
    return found


def _told_beside_others(legal: Sequence[Pattern]) -> Action:
    """What is settled of a kind of action, and neither left out nor empty."""
    settled = {name: value for name, value in legal[0].items() if _is_settled(legal, name)}
    return {name: value for name, value in settled.items() if value not in (None, {}, [])}


def _kinds(legal: Sequence[Pattern], kinds: Sequence[str], most: int) -> list[Choice]:
    """A choice for each kind, or one for each value of its first open field where there is room."""
    mine = {kind: tuple(each for each in legal if each["type"] == kind) for kind in kinds}
    groups = {kind: [Choice(_told_beside_others(mine[kind]), mine[kind])] for kind in kinds}
    parts = {kind: _split(group[0]) for kind, group in groups.items()}
    for kind in sorted(kinds, key=lambda each: len(parts[each])):
        if parts[kind] and sum(map(len, groups.values())) - 1 + len(parts[kind]) <= most:
            groups[kind] = parts[kind]
    return [choice for kind in kinds for choice in groups[kind]]


def _split(choice: Choice) -> list[Choice]:
    """The choice by the values of its first open field; none if there is no such field."""
    name = _open_field(choice.legal)
    if name is None or any(_is_several(pattern[name]) for pattern in choice.legal):
        return []
    if "type" in choice.fields and any(_is_apart(pattern[name]) for pattern in choice.legal):
        return []
    return [
        Choice({**choice.fields, name: value}, _settle(choice.legal, name, value))
        for value in _union([_values(pattern[name]) for pattern in choice.legal])
    ]


def _settle(legal: Iterable[Pattern], name: str, value: Any) -> tuple[Pattern, ...]:
    return tuple({**pattern, name: value} for pattern in legal if value in _values(pattern[name]))


# Fields


def _is_several(field: Any) -> bool:
    return isinstance(field, Mapping) and ("subset" in field or "order" in field)


def _is_apart(field: Any) -> bool:
    """Whether it needs a step of its own: several values are picked, or it can be left out."""
    return _is_several(field) or (isinstance(field, Mapping) and None in field.get("one_of", ()))


def _is_open(field: Any) -> bool:
    return isinstance(field, Mapping) and ("one_of" in field or _is_several(field))


def _values(field: Any) -> Sequence[Any]:
    values: Sequence[Any] = field["one_of"] if _is_open(field) else [field]
    return values


def _union(lists: Iterable[Sequence[Any]]) -> list[Any]:
    """All values, compared by equality: cells and maps have no hash."""
    found: list[Any] = []
    for values in lists:
        found.extend([value for value in values if value not in found])
    return found


def _is_settled(legal: Sequence[Pattern], name: str) -> bool:
    value = legal[0].get(name, _ABSENT)
    return not _is_open(value) and all(pattern.get(name, _ABSENT) == value for pattern in legal)


def _open_field(legal: Sequence[Pattern]) -> str | None:
    return next((name for name in legal[0] if not _is_settled(legal, name)), None)


# Subsets and orders


def _picking(legal: Sequence[Pattern]) -> str | None:
    """The subset or order that is chosen next, if it is the turn of one."""
    if not legal or any(pattern["type"] != legal[0]["type"] for pattern in legal):
        return None
    name = _open_field(legal)
    return name if name is not None and _is_several(legal[0][name]) else None


def _picks(legal: Sequence[Pattern], name: str) -> list[Choice]:
    field = legal[0][name]
    picked = list(field.get(_PICKED, []))
    if "order" in field:
        left = [value for value in field["order"] if value not in picked]
        return [_ordered(legal, name, [*picked, value], value) for value in left]
    full = len(picked) >= field["max"]
    left = [value for value in field["subset"] if value in picked or not full]
    found = [_toggled(legal, name, picked, value) for value in left]
    if field["min"] <= len(picked) <= field["max"]:
        whole = [value for value in field["subset"] if value in picked]
        ended = tuple({**pattern, name: whole} for pattern in legal)
        found.append(Choice({name: whole}, ended, ends=True))
    return found


def _ordered(legal: Sequence[Pattern], name: str, picked: list[Any], value: Any) -> Choice:
    values = legal[0][name]["order"]
    left = [each for each in values if each not in picked]
    done = [*picked, *left] if len(left) <= 1 else None
    after = done if done is not None else {"order": values, _PICKED: picked}
    return Choice({name: [value]}, tuple({**pattern, name: after} for pattern in legal))


def _toggled(legal: Sequence[Pattern], name: str, picked: list[Any], value: Any) -> Choice:
    field = legal[0][name]
    out = value in picked
    kept = [each for each in picked if each != value] if out else [*picked, value]
    after = {**field, _PICKED: kept}
    return Choice({name: [value]}, tuple({**pattern, name: after} for pattern in legal), picked=out)


def picked(legal: Sequence[Pattern]) -> list[Any]:
    """What was picked so far of the subset or order that is being chosen."""
    name = _picking(legal)
    return list(legal[0][name].get(_PICKED, [])) if name is not None else []


# Touches


def with_fields(legal: Sequence[Pattern], wanted: Mapping[str, Any]) -> tuple[Pattern, ...]:
    """What is legal and has these values in these fields; of a subset or an order, the value is picked."""
    return tuple(
        {**pattern, **{name: _taken(pattern[name], value) for name, value in wanted.items()}}
        for pattern in legal
        if all(name in pattern and _allows(pattern[name], value) for name, value in wanted.items())
    )


def _allows(field: Any, value: Any) -> bool:
    if _is_several(field):
        return value in field.get("subset", field.get("order"))
    return any(_same(each, value) for each in _values(field))


def _taken(field: Any, value: Any) -> Any:
    if _is_several(field):
        return {**field, _PICKED: [value]}
    return next(each for each in _values(field) if _same(each, value))


def _same(one: Any, other: Any) -> bool:
    """Cells may be tuples or lists."""
    return (
        list(one) == list(other)
        if isinstance(one, list | tuple) and isinstance(other, list)
        else one == other
    )
