"""Views and news as bytes, for one viewer after the other: what everybody may see is packed once.

A thing is written as segments: bytes that everybody gets, and gaps for what is `Hidden`, of which those who
have seen it get the inside and all others a size or nothing. `Hidden.packed_for` is the one place where an
audience is decided. What has not changed since the view before is taken from there. A law holds what comes
out to `to_map(project(thing, viewer))`, but for the order of the fields.

How a class is written is worked out from the types of its fields, once. A secret where the types announce
none cannot be packed: forgetting to hide something ends in an error and not in a leak.
"""

import functools
import itertools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import NoneType
from typing import Any, Literal, NewType, get_args, get_origin, get_type_hints

import attrs

from parlour.engine.identity_cache import cached_by_identity
from parlour.engine.lean import getter
from parlour.engine.maps import Counts, word, writer
from parlour.engine.plain import PLAIN, is_union
from parlour.engine.secret import ALL, LEAVES, Pile, Secret, Viewer, secret_fields
from parlour.engine.view_fields import From, ViewFields, as_it_is
from parlour.protocol.parts import NOTHING, list_header, list_of, map_header, part


def _is_plain(thing: Any) -> bool:
    kind = type(thing)
    return kind in LEAVES or (kind is tuple and LEAVES.issuperset(map(type, thing)))


flat = itertools.chain.from_iterable


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

    __slots__ = ("gaps", "parts")

    def __init__(self, public: Iterable[bytes], mixed: Iterable["Part"]) -> None:
        """`public`: what comes before everything that may hide something."""
        parts: list[Any] = [b"".join(public)]
        gaps = []
        for one in mixed:
            if not isinstance(one, bytes):
                gaps.append((len(parts), one))
            parts.append(one)
        self.parts = parts
        """Bytes, and what is hidden in the place where it goes."""
        self.gaps = gaps

    @classmethod
    def of(cls, thing: Any) -> "Segments":
        """Anything that may hide something."""
        return cls((), _parts(thing))

    def packed_for(self, viewer: Viewer) -> bytes:
        parts = self.parts.copy()
        for place, hidden in self.gaps:
            parts[place] = hidden.packed_for(viewer)
        return b"".join(parts)


Part = bytes | Hidden | Segments


# What may hide something: written by what it is


def _parts(thing: Any) -> list[Part]:
    found: list[Part] = []
    _add(thing, found)
    return found


def _add(thing: Any, found: list[Part]) -> None:
    kind: type = type(thing)
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
        found += _own_writer(kind, with_type=False).parts(thing)


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


def _packer(hint: Any) -> Callable[[Any], bytes]:
    """How values that hide nothing are packed."""
    if _is_as_it_is(hint):
        return part
    kinds = get_args(hint)
    if get_origin(hint) is tuple and len(kinds) == 2 and kinds[1] is Ellipsis:
        pack = cached_by_identity(_packer(kinds[0]))
        return lambda value: list_of([pack(one) for one in value])
    if isinstance(hint, type) and attrs.has(hint) and all(map(_is_as_it_is, get_type_hints(hint).values())):
        return _class_packer(hint)
    write = writer(hint)
    return lambda value: part(write(value))


def _class_packer(kind: Any) -> Callable[[Any], bytes]:
    """For a class whose fields are packed as they are."""
    names = [field.name for field in attrs.fields(kind)]
    keys, read = [name.rstrip("_") for name in names], getter(names)
    return lambda value: part(dict(zip(keys, read(value), strict=True)))


# Views, made field by field of a state

Maker = Callable[[Any, Any, Any], list[Part]]
"""Makes a field of a part of the state; also gets the part that was there before, and what it made of it."""


def _maker(name: bytes, origin: From, hint: Any, secret: bool) -> Maker:
    make, each = origin.make, origin.each
    if each is not None:
        write_item = _part if secret else _packer(_item_of(hint))
        return _items_maker(name, lambda part: write_item(each(part)))
    if len(origin.parts) > 1:  # the tuple of them is always a new one
        write = _maker(name, From("", make=lambda parts: make(*parts)), hint, secret)
        return lambda parts, before, known: known if parts == before else write(parts, before, known)
    if secret:
        return lambda part, _before, _known: [name, *_parts(make(part))]
    pack = _packer(hint)
    if make is as_it_is:
        return lambda part, _before, _known: [name + pack(part)]
    return lambda part, _before, _known: [name + pack(make(part))]


def _item_of(hint: Any) -> Any:
    """The type of the items of a tuple, or of a tuple that may be missing."""
    if is_union(hint):
        (hint,) = [kind for kind in get_args(hint) if kind is not NoneType]
    return get_args(hint)[0]


def _part(thing: Any) -> Part:
    parts = _parts(thing)
    return parts[0] if len(parts) == 1 else Segments((), parts)


def _items_maker(name: bytes, make: Callable[[Any], Part]) -> Maker:
    """For a field that is made item by item: those that are made of the same thing as before are not."""

    def items(parts: tuple[Any, ...], before: tuple[Any, ...] | None, known: list[Part]) -> list[Part]:
        if before is None or len(parts) != len(before):
            return [name + list_header(len(parts)), *map(make, parts)]
        made = known.copy()
        for place, (one, old) in enumerate(zip(parts, before, strict=True), 1):
            if one is not old:
                made[place] = make(one)
        return made

    return items


class Written(Segments):
    """A view that was written, and what it was made of, for the next one."""

    __slots__ = ("fields", "sources")

    def __init__(self, head: bytes, sources: tuple[Any, ...], fields: list[list[Any]], shown: int) -> None:
        """`shown`: how many fields hide nothing; they come first."""
        super().__init__((head, *flat(fields[:shown])), flat(fields[shown:]))
        self.sources = sources
        """The parts of the state from which the fields were made, in their order."""
        self.fields = fields
        """What their makers have made of them."""


class ViewWriter:
    """How values of one class are written, which are made field by field of something else."""

    __slots__ = ("_head", "_makers", "_places", "_read", "_shown")

    def __init__(self, views: ViewFields[Any, Any], with_type: bool = False) -> None:
        """With type: with the word for its class as `type`, as news is."""
        kind: type = views.kind
        hints, secret = get_type_hints(kind), secret_fields(kind)
        public = [field.name for field in attrs.fields(kind) if field.name not in secret]
        names = [*public, *secret]
        self._shown = len(public)
        self._makers = [
            _maker(part(name.rstrip("_")), views.fields[name], hints[name], name in secret) for name in names
        ]
        self._places = range(len(names))
        self._read = _reader([views.fields[name] for name in names])
        self._head = map_header(len(names) + with_type)
        if with_type:
            self._head += part("type") + part(word(kind))

    def write(self, state: Any, before: Written | None = None) -> Written:
        """Writes what is made of a state; what is made of the same parts as `before` is not made again."""
        sources, makers = self._read(state), self._makers
        if before is None:
            fields = self._made_of(sources)
        else:
            fields, olds = before.fields.copy(), before.sources
            for place in itertools.compress(self._places, map(operator.is_not, sources, olds)):
                fields[place] = makers[place](sources[place], olds[place], fields[place])
        return Written(self._head, sources, fields, self._shown)

    def _made_of(self, sources: tuple[Any, ...]) -> list[list[Any]]:
        return [make(source, None, []) for make, source in zip(self._makers, sources, strict=True)]

    def parts(self, thing: Any) -> list[Part]:
        """The same, for something larger that this is a part of."""
        return [self._head, *flat(self._made_of(self._read(thing)))]

    def segments(self, thing: Any) -> Segments:
        """The same, if nothing is to be written after it."""
        fields = self._made_of(self._read(thing))
        return Segments((self._head, *flat(fields[: self._shown])), flat(fields[self._shown :]))


def _reader(fields: Sequence[From]) -> Callable[[Any], tuple[Any, ...]]:
    """Reads what all the fields are made from, at once where each is made from one part."""
    if all(len(field.parts) == 1 for field in fields):
        return getter([field.parts[0] for field in fields])
    return lambda state: tuple([field.read(state) for field in fields])


@functools.cache
def view_writer(views: ViewFields[Any, Any]) -> ViewWriter:
    """How the views of a game are written."""
    return ViewWriter(views)


@functools.cache
def _own_writer(kind: type, with_type: bool) -> ViewWriter:
    """How values of a class are written that are made of nothing else."""
    return ViewWriter(ViewFields.of(kind), with_type)


@cached_by_identity
def write_news(item: Any) -> Segments:
    """A piece of news. Cached: games use the same value for the same piece of news every time."""
    kind: type = type(item)
    return _own_writer(kind, with_type=True).segments(item)
