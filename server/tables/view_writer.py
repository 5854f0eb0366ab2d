"""Views and news as bytes, for one viewer after the other: what everybody may see is packed once.

A thing is written as segments: bytes that everybody gets, and gaps for what is `Hidden`, of which those who
have seen it get the inside and all others a size or nothing. `Hidden.packed_for` is the one place where an
audience is decided. What has not changed since the view before is taken from there. A law holds what comes
out to `to_map(project(thing, viewer))`, but for the order of the fields.

How a class is written is worked out from the types of its fields, once. A secret where the types announce
none cannot be packed: forgetting to hide something ends in an error and not in a leak.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from types import NoneType
from typing import Any, Literal, NewType, get_args, get_origin, get_type_hints

import attrs

from parlour.engine.identity_cache import cached_by_identity
from parlour.engine.maps import Counts, tagged, word, writer
from parlour.engine.plain import PLAIN, is_union
from parlour.engine.secret import ALL, LEAVES, Pile, Secret, Viewer, secret_fields
from parlour.protocol.parts import NOTHING, list_header, list_of, map_header, part

Pack = Callable[[Any], bytes]


def _is_plain(thing: Any) -> bool:
    kind = type(thing)
    return kind in LEAVES or (kind is tuple and LEAVES.issuperset(map(type, thing)))


class Hidden:
    """A secret or a pile; its inside is packed when somebody who has seen it is written to."""

    __slots__ = ("_inside", "_packed", "_seen_by", "_shut", "_thing")

    def __init__(self, thing: Secret[Any] | Pile[Any], shut: bytes) -> None:
        self._thing = thing
        self._seen_by = thing.seen_by
        self._shut = shut
        """What all others get."""
        self._packed: bytes | None = None
        """The inside, if it hides nothing more."""
        self._inside: Segments | None = None

    def packed_for(self, viewer: Viewer) -> bytes:
        if viewer is not ALL and viewer not in self._seen_by:
            return self._shut
        return self._packed or self._open(viewer)

    def _open(self, viewer: Viewer) -> bytes:
        if self._inside is None:
            inside = self._thing.value if isinstance(self._thing, Secret) else self._thing.words
            if _is_plain(inside):
                self._packed = part(inside)
                return self._packed
            self._inside = Segments.of(inside)
        return self._inside.packed_for(viewer)


class Segments:
    """Bytes with gaps, and what is hidden in each gap."""

    __slots__ = ("_bytes", "_hidden")

    def __init__(self, parts: Sequence[bytes | Hidden]) -> None:
        self._bytes: list[bytes] = []
        self._hidden: list[tuple[int, Hidden]] = []
        for one in parts:
            if isinstance(one, Hidden):
                self._hidden.append((len(self._bytes), one))
                self._bytes.append(b"")
            else:
                self._bytes.append(one)
        if not self._hidden:
            self._bytes = [b"".join(self._bytes)]

    @classmethod
    def of(cls, thing: Any) -> "Segments":
        """Anything that may hide something."""
        return cls(_parts(thing))

    def packed_for(self, viewer: Viewer) -> bytes:
        if not self._hidden:
            return self._bytes[0]
        found = self._bytes.copy()
        for place, hidden in self._hidden:
            found[place] = hidden.packed_for(viewer)
        return b"".join(found)


# What may hide something: written by what it is


def _parts(thing: Any) -> list[bytes | Hidden]:
    found: list[bytes | Hidden] = []
    _add(thing, found)
    return found


def _add(thing: Any, found: list[bytes | Hidden]) -> None:
    kind = type(thing)
    if kind is Pile:
        found.append(Hidden(thing, part(len(thing.cards))))
    elif kind is Secret:
        found.append(Hidden(thing, NOTHING))
    elif _is_plain(thing):
        found.append(part(thing))
    elif kind is tuple:
        found.append(list_header(len(thing)))
        for one in thing:
            _add(one, found)
    elif kind is dict:
        found.append(map_header(len(thing)))
        for key, one in thing.items():
            found.append(part(key))
            _add(one, found)
    else:
        found += ViewWriter.of(kind).write(thing).parts()


# What hides nothing: written by its type


def _is_as_it_is(hint: Any) -> bool:
    """Words, numbers, and tuples and maps of them."""
    if isinstance(hint, NewType):
        return hint is not Counts and _is_as_it_is(hint.__supertype__)
    if hint in PLAIN or get_origin(hint) is Literal:
        return True
    if is_union(hint) or get_origin(hint) in (tuple, Mapping):
        return all(one is Ellipsis or _is_as_it_is(one) for one in get_args(hint))
    return False


def _packer(hint: Any) -> Pack:
    """How values that hide nothing are packed."""
    if _is_as_it_is(hint):
        return part
    kinds = get_args(hint)
    if isinstance(hint, type) and attrs.has(hint):
        write_class = writer(hint)
        return cached_by_identity(lambda value: part(write_class(value)))
    if get_origin(hint) is tuple and len(kinds) == 2 and kinds[1] is Ellipsis:
        pack = _packer(kinds[0])
        return lambda value: list_of([pack(one) for one in value])
    if is_union(hint) and len(kinds) == 2 and NoneType in kinds:
        pack = _packer(kinds[kinds[0] is NoneType])
        return lambda value: NOTHING if value is None else pack(value)
    write = writer(hint)
    return lambda value: part(write(value))


class Written:
    """A view or a piece of news that was written, and what it was made of, for the next one."""

    __slots__ = ("public", "secret", "segments", "start", "values")

    def __init__(
        self, head: bytes, values: tuple[Any, ...], public: list[bytes], secret: list[list[bytes | Hidden]]
    ) -> None:
        self.values = values
        self.public = public
        """The fields that hide nothing, packed."""
        self.secret = secret
        """The fields that may."""
        self.start = b"".join((head, *public))
        self.segments = Segments(self.parts())

    def parts(self) -> list[bytes | Hidden]:
        found: list[bytes | Hidden] = [self.start]
        for field in self.secret:
            found += field
        return found

    def packed_for(self, viewer: Viewer) -> bytes:
        return self.segments.packed_for(viewer)


class ViewWriter:
    """How the values of one class are written."""

    __slots__ = ("_get", "_head", "_names", "_packers")

    def __init__(self, kind: type, with_type: bool = False) -> None:
        """With type: with the word for its class as `type`, as news is."""
        hints = get_type_hints(kind)
        secret = secret_fields(kind)
        public = [field.name for field in attrs.fields(kind) if field.name not in secret]
        names = [*public, *secret]
        self._packers = [_packer(hints[name]) for name in public]
        self._names = [part(name.rstrip("_")) for name in names]
        self._get = _getter(names)
        self._head = map_header(len(names) + with_type)
        if with_type:
            self._head += part("type") + part(word(kind))

    @classmethod
    def of(cls, kind: type, with_type: bool = False) -> "ViewWriter":
        found = _WRITERS.get((kind, with_type))
        if found is None:
            found = _WRITERS[kind, with_type] = cls(kind, with_type)
        return found

    def write(self, thing: Any, before: Written | None = None) -> Written:
        """Writes a value; fields that are as they were in the value `before` are not packed again."""
        values, names, packers = self._get(thing), self._names, self._packers
        shown = len(packers)
        if before is None:
            public = [name + pack(value) for name, pack, value in zip(names, packers, values, strict=False)]
            secret = [
                [name, *_parts(value)] for name, value in zip(names[shown:], values[shown:], strict=True)
            ]
        else:
            public, secret = before.public.copy(), before.secret.copy()
            for place, (value, old) in enumerate(zip(values, before.values, strict=True)):
                if value is old or value == old:
                    continue
                if place < shown:
                    public[place] = names[place] + packers[place](value)
                else:
                    secret[place - shown] = [names[place], *_parts(value)]
        return Written(self._head, values, public, secret)


_WRITERS: dict[tuple[type, bool], ViewWriter] = {}


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Reads all the fields of a class at once."""
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda thing: tuple([getattr(thing, name) for name in names])


@cached_by_identity
def write_news(item: Any) -> Segments:
    """A piece of news. Cached: games use the same value for the same piece of news every time."""
    kind: type = type(item)
    if not secret_fields(kind):
        return Segments([part(tagged(item))])
    return ViewWriter.of(kind, with_type=True).write(item).segments
