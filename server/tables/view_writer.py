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

    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts
        """Bytes, and what is hidden in the place where it goes."""
        self.gaps: list[tuple[int, Hidden | Segments]] = [
            (place, one) for place, one in enumerate(parts) if type(one) is not bytes
        ]

    @classmethod
    def of(cls, thing: Any) -> "Segments":
        """Anything that may hide something."""
        return cls(_parts(thing))

    def packed_for(self, viewer: Viewer) -> bytes:
        parts = self.parts.copy()
        for place, hidden in self.gaps:
            parts[place] = hidden.packed_for(viewer)
        return b"".join(parts)


Part = bytes | Hidden | Segments


# What may hide something: written by what it is


def _parts(thing: Any) -> list[Part]:
    kind: type = type(thing)
    if kind is Pile or kind is Secret:
        return [_hidden(thing)]
    if _is_plain(thing):
        return [part(thing)]
    if kind is tuple:
        return [list_header(len(thing)), *flat(map(_parts, thing))]
    if kind is dict:
        entries = ([part(key), *_parts(one)] for key, one in thing.items())
        return [map_header(len(thing)), *flat(entries)]
    return _own_writer(kind, with_type=False).parts(thing)


def _hidden(thing: Secret[Any] | Pile[Any]) -> Hidden:
    return Hidden(thing, part(len(thing.cards)) if type(thing) is Pile else NOTHING)


def _part(thing: Any) -> Part:
    """The same in one piece."""
    if type(thing) is Pile or type(thing) is Secret:
        return _hidden(thing)
    parts = _parts(thing)
    return parts[0] if len(parts) == 1 else Segments(parts)


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


def _item_of(hint: Any) -> Any:
    """The type of the items of a tuple, or of a tuple that may be missing."""
    if is_union(hint):
        (hint,) = [kind for kind in get_args(hint) if kind is not NoneType]
    return get_args(hint)[0]


# Fields, made of a part of a state

KEPT = 4096
"""How many values of a part that has few are kept with what was made of them."""
Made = Any
"""Bytes, or a list of parts."""
Maker = Callable[[Any], Made]
Remaker = Callable[[Any, Any, Made], Made]
"""Makes a field anew; also gets the part that was there before, and what was made of it."""


def _kept(origin: From, pack: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    return functools.lru_cache(maxsize=KEPT)(pack) if origin.few else pack


def _item_packer(origin: From, hint: Any) -> Callable[[Any], bytes]:
    """For the items of a field, if they hide nothing."""
    each: Any = origin.each
    if isinstance(each, ViewFields):
        return ViewWriter(each).packed
    pack = _packer(_item_of(hint))
    return _kept(origin, lambda item: pack(each(item)))


def _packed_field(name: bytes, origin: From, hint: Any) -> Callable[[Any], bytes]:
    """For a field that hides nothing, in one piece."""
    if origin.each is not None:
        pack_item = _item_packer(origin, hint)
        return lambda items: name + list_of([pack_item(item) for item in items])
    pack, value = _packer(hint), origin.value
    if origin.make is as_it_is:
        return _kept(origin, lambda part: name + pack(part))
    return _kept(origin, lambda part: name + pack(value(part)))


def _maker(name: bytes, origin: From, hint: Any, secret: bool) -> tuple[Maker, Remaker | None]:
    """How a field is made, and how it is made anew where that is less work."""
    each, value = origin.each, origin.value
    if each is not None:
        make_item = (lambda item: _part(each(item))) if secret else _item_packer(origin, hint)
        return _of_items(name, make_item)
    make = (lambda part: [name, *_parts(value(part))]) if secret else _packed_field(name, origin, hint)
    if len(origin.parts) == 1:
        return make, None
    # The tuple of them is always a new one.
    return make, lambda parts, before, known: known if parts == before else make(parts)


def _of_items(name: bytes, make: Callable[[Any], Part]) -> tuple[Maker, Remaker]:
    """For a field that is made item by item: those that are made of the same thing as before are not."""

    def made(items: tuple[Any, ...]) -> Made:
        return [name + list_header(len(items)), *map(make, items)]

    def remade(items: tuple[Any, ...], before: tuple[Any, ...], known: Made) -> Made:
        if len(items) != len(before):
            return made(items)
        again = known.copy()
        for place, item, old in zip(itertools.count(1), items, before, strict=False):
            if item is not old:
                again[place] = make(item)
        return again

    return made, remade


# Views, made field by field of a state


class Written(Segments):
    """A view that was written, and what it was made of, for the next one."""

    __slots__ = ("fields", "public", "sources")

    def __init__(self, sources: tuple[Any, ...], fields: list[Any], public: list[bytes]) -> None:
        parts: list[Any] = [b"".join(public)]
        for field in fields[len(public) - 1 :]:
            parts += field
        super().__init__(parts)
        self.sources = sources
        """The parts of the state from which the fields were made, in their order."""
        self.fields = fields
        """What was made of them."""
        self.public = public
        """The head of the map, and the fields that hide nothing, each in one piece."""


class ViewWriter:
    """How values of one class are written, which are made field by field of something else."""

    __slots__ = ("_head", "_makers", "_pack", "_places", "_read", "_remakers", "_shown")

    def __init__(self, views: ViewFields[Any, Any], with_type: bool = False) -> None:
        """With type: with the word for its class as `type`, as news is."""
        kind: type = views.kind
        hints, secret = get_type_hints(kind), secret_fields(kind)
        public = [field.name for field in attrs.fields(kind) if field.name not in secret]
        fields = [
            (part(name.rstrip("_")), views.fields[name], hints[name], name in secret)
            for name in (*public, *secret)
        ]
        self._shown = len(public)
        """How many fields hide nothing; they come first."""
        self._pack = [_packed_field(*field[:3]) for field in fields[: self._shown]]
        both = [_maker(*field) for field in fields]
        self._makers = [make for make, _ in both]
        self._remakers = [remake for _, remake in both]
        self._read = _reader([origin for _, origin, _, _ in fields])
        self._places = range(len(fields))
        self._head = map_header(len(fields) + with_type)
        if with_type:
            self._head += part("type") + part(word(kind))

    def write(self, state: Any, before: Written | None = None) -> Written:
        """Writes what is made of a state; what is made of the same parts as `before` is not made again."""
        sources, makers, shown = self._read(state), self._makers, self._shown
        if before is None:
            fields: list[Any] = list(map(operator.call, makers, sources))
            public = [self._head, *map(_in_one, fields[:shown])]
            return Written(sources, fields, public)
        fields, public = before.fields.copy(), before.public.copy()
        for place, source, old in zip(self._places, sources, before.sources, strict=True):
            if source is not old:
                remake = self._remakers[place]
                made = makers[place](source) if remake is None else remake(source, old, fields[place])
                fields[place] = made
                if place < shown:
                    public[place + 1] = _in_one(made)
        return Written(sources, fields, public)

    def packed(self, thing: Any) -> bytes:
        """The same, of what hides nothing."""
        return b"".join((self._head, *map(operator.call, self._pack, self._read(thing))))

    def parts(self, thing: Any) -> list[Part]:
        """The same, as a part of something larger."""
        sources, shown = self._read(thing), self._shown
        public = b"".join((self._head, *map(operator.call, self._pack, sources)))
        hidden: Iterable[list[Part]] = map(operator.call, self._makers[shown:], sources[shown:])
        return [public, *flat(hidden)]


def _in_one(made: Made) -> bytes:
    return made if type(made) is bytes else b"".join(made)


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
    return Segments(_own_writer(kind, with_type=True).parts(item))
