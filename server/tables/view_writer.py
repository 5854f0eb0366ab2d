"""Views and news as bytes, for one viewer after the other: what everybody may see is packed once.

A thing is written as parts: bytes that everybody gets, and gaps for what is `Hidden`, of which those who
have seen it get the inside and all others a size or nothing. `fill` is the one place where an audience is
decided. What has not changed since the view before is left as it was. A law holds what comes
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

from parlour.engine.identity_cache import cached_by_identity, kept_if_lasting
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

    __slots__ = ("inside", "seen_by", "shut", "thing")

    def __init__(self, thing: Secret[Any] | Pile[Any]) -> None:
        self.thing = thing
        self.seen_by = thing.seen_by
        self.shut = NOTHING if isinstance(thing, Secret) else _size(len(thing.cards))
        """What all others get."""
        self.inside: bytes | Segments | None = None
        """What those get who have seen it, once it has been packed."""

    def open(self) -> "bytes | Segments":
        thing = self.thing
        inside = _part(thing.value if isinstance(thing, Secret) else thing.words)
        self.inside = opened = Segments([inside]) if isinstance(inside, Hidden) else inside
        return opened


_size = functools.lru_cache(maxsize=128)(part)


class Segments:
    """Bytes with gaps, and what is hidden in each gap."""

    __slots__ = ("gaps", "parts")

    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts
        """Bytes, and what is hidden in the place where it goes."""
        self.gaps = [place for place, one in enumerate(parts) if type(one) is not bytes]

    @classmethod
    def of(cls, thing: Any) -> "Segments":
        """Anything that may hide something."""
        return cls(_parts(thing))

    def packed_for(self, viewer: Viewer) -> bytes:
        parts = self.parts.copy()
        fill(parts, self.gaps, viewer)
        return b"".join(parts)


Part = bytes | Hidden | Segments


def fill(parts: list[Any], gaps: Iterable[int], viewer: Viewer) -> None:
    """Puts into each gap what the viewer gets of it."""
    for gap in gaps:
        one = parts[gap]
        if type(one) is Hidden:
            one = one.inside or one.open() if viewer in one.seen_by or viewer is ALL else one.shut
        parts[gap] = one if type(one) is bytes else one.packed_for(viewer)


# What may hide something: written by what it is


def _parts(thing: Any) -> list[Part]:
    kind: type = type(thing)
    if kind is Pile or kind is Secret:
        return [Hidden(thing)]
    if _is_plain(thing):
        return [part(thing)]
    if kind is tuple:
        return [list_header(len(thing)), *flat(map(_parts, thing))]
    if kind is dict:
        entries = ([part(key), *_parts(one)] for key, one in thing.items())
        return [map_header(len(thing)), *flat(entries)]
    return _own_writer(kind, with_type=False).parts(thing)


def _part(thing: Any) -> Part:
    """The same in one piece."""
    kind = type(thing)
    if kind is Pile or kind is Secret:
        return Hidden(thing)
    if _is_plain(thing):
        return part(thing)
    return Segments.of(thing)


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
Make = Callable[[Any], list[Any]]
"""Makes the parts of a field."""
Remake = Callable[[list[Any], int, Any, Any], bool]
"""Makes a field anew, in the parts, from a place on, of what is there now and was there before.

Returns whether that was possible: not if the field has more parts than before, or fewer.
"""


def _kept(origin: From, pack: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    return functools.lru_cache(maxsize=KEPT)(pack) if origin.few else pack


def _is_few(origin: From) -> bool:
    """Whether a whole field has few values."""
    return origin.few and origin.each is None and len(origin.parts) == 1


def _value_of(origin: From) -> Callable[[Any], Any]:
    """How a field is made, by the shortest way."""
    return origin.make if origin.each is None and len(origin.parts) == 1 else origin.value


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
        return lambda items: b"".join((name, list_header(len(items)), *map(pack_item, items)))
    pack, value = _packer(hint), _value_of(origin)
    if value is as_it_is:
        return _kept(origin, lambda part: name + pack(part))
    return _kept(origin, lambda part: name + pack(value(part)))


def _maker(name: bytes, origin: From, hint: Any, secret: bool) -> tuple[Make, Remake]:
    """How a field is made, and how it is made anew."""
    each: Any = origin.each
    if each is not None:
        if not secret:
            return _of_items(name, _item_packer(origin, hint))
        hide = _hider(_item_of(hint))
        return _of_items(name, lambda item: hide(each(item)))
    packed = None if secret else _packed_field(name, origin, hint)
    value, hide = _value_of(origin), _hider(hint)
    several = len(origin.parts) > 1

    def make(source: Any) -> list[Any]:
        return [packed(source)] if packed else [name, hide(value(source))]

    def remake(parts: list[Any], place: int, source: Any, before: Any) -> bool:
        if several and source == before:  # the tuple of several parts is always a new one
            return True
        if packed:
            parts[place] = packed(source)
        else:
            parts[place + 1] = hide(value(source))
        return True

    return make, remake


def _hider(hint: Any) -> Callable[[Any], Part]:
    """How values are written that may hide something: those of most types do."""
    return Hidden if get_origin(hint) in (Pile, Secret) else _part


def _of_items(name: bytes, make_item: Callable[[Any], Part]) -> tuple[Make, Remake]:
    """For a field that is made item by item: those that are made of the same thing as before are not."""

    def make(items: tuple[Any, ...]) -> list[Any]:
        return [name + list_header(len(items)), *map(make_item, items)]

    def remake(parts: list[Any], place: int, items: tuple[Any, ...], before: tuple[Any, ...]) -> bool:
        if len(items) != len(before):
            return False
        for at, item in enumerate(items):
            if item is not before[at]:
                parts[place + 1 + at] = make_item(item)
        return True

    return make, remake


# Views, made field by field of a state


class Layout:
    """Where things are among the parts of a view; views of one game mostly have the same."""

    __slots__ = ("begin", "gaps", "places", "shown")

    def __init__(self, places: list[int], seldom: int, shown: int, end: int) -> None:
        """`seldom`, `shown`: how many fields change seldom, and how many hide nothing."""
        self.places = places
        """Where each field begins."""
        self.begin = places[seldom]
        """Where what changes often begins."""
        self.shown = places[shown]
        """Where all that hides nothing ends."""
        # The first part of a field is its name.
        self.gaps = [gap - self.shown for gap in range(self.shown, end) if gap not in places]
        """Where something may be hidden, counted from there."""


class Written:
    """A view as it was written last, which is written on when the state has changed."""

    __slots__ = ("layout", "parts", "sources", "steady")

    sources: tuple[Any, ...]
    """The parts of the state from which the fields were made, in their order."""
    parts: list[Any]
    """What was made of them."""
    layout: Layout
    steady: bytes
    """All that changes seldom, in one piece."""

    def packed_for(self, viewer: Viewer) -> bytes:
        shown = self.layout.shown
        hidden = self.parts[shown:]
        fill(hidden, self.layout.gaps, viewer)
        return b"".join((*self.parts[:shown], *hidden))


class ViewWriter:
    """How values of one class are written, which are made field by field of something else."""

    __slots__ = (
        "_few",
        "_head",
        "_makers",
        "_pack",
        "_pack_few",
        "_places",
        "_read",
        "_remakers",
        "_seldom",
        "_shown",
    )

    def __init__(self, views: ViewFields[Any, Any], with_type: bool = False) -> None:
        """With type: with the word for its class as `type`, as news is."""
        kind: type = views.kind
        hints, secret = get_type_hints(kind), secret_fields(kind)
        public = [field.name for field in attrs.fields(kind) if field.name not in secret]
        public.sort(key=lambda name: (not views.fields[name].seldom, not _is_few(views.fields[name])))
        fields = [
            (part(name.rstrip("_")), views.fields[name], hints[name], name in secret)
            for name in (*public, *secret)
        ]
        self._seldom = sum(views.fields[name].seldom for name in public)
        """How many fields change seldom; they come first of all."""
        self._shown = len(public)
        """How many fields hide nothing; they come before all others."""
        pack = [_packed_field(*field[:3]) for field in fields[: self._shown]]
        self._few = len(list(itertools.takewhile(lambda name: _is_few(views.fields[name]), public)))
        """How many of the first fields have few values each."""
        self._pack = pack[self._few :]
        both = [_maker(*field) for field in fields]
        self._makers = [make for make, _ in both]
        self._remakers = [remake for _, remake in both]
        self._read = _reader([origin for _, origin, _, _ in fields])
        self._places = range(len(fields))
        self._head = map_header(len(fields) + with_type)
        if with_type:
            self._head += part("type") + part(word(kind))
        self._pack_few = functools.lru_cache(maxsize=KEPT)(
            lambda few: b"".join((self._head, *map(operator.call, pack, few)))
        )

    def write(self, state: Any, opening: bytes = b"") -> Written:
        """Writes what is made of a state; `opening`: what stands before it."""
        written = Written()
        self._write_whole(written, self._read(state), opening + self._head)
        return written

    def write_on(self, written: Written, state: Any) -> None:
        """Writes anew, in what was written, what is not made of the same parts of a state as before."""
        sources, before = self._read(state), written.sources
        parts, layout, remakers = written.parts, written.layout, self._remakers
        changed = list(itertools.compress(self._places, map(operator.is_not, sources, before)))
        for field in changed:
            if not remakers[field](parts, layout.places[field], sources[field], before[field]):
                self._write_whole(written, sources, parts[0])
                return
        written.sources = sources
        if changed and changed[0] < self._seldom:
            written.steady = b"".join(parts[: layout.begin])

    def _write_whole(self, written: Written, sources: tuple[Any, ...], head: bytes) -> None:
        fields = list(map(operator.call, self._makers, sources))
        parts = [head, *flat(fields)]
        places = list(itertools.accumulate(map(len, fields), initial=1))
        layout = Layout(places, self._seldom, self._shown, len(parts))
        written.sources, written.parts, written.layout = sources, parts, layout
        written.steady = b"".join(parts[: layout.begin])

    def packed(self, thing: Any) -> bytes:
        """The same in one piece, without what may be hidden."""
        sources, few = self._read(thing), self._few
        head = self._pack_few(sources[:few]) if few else self._head
        return b"".join((head, *map(operator.call, self._pack, sources[few:])))

    def parts(self, thing: Any) -> list[Part]:
        """The same, as a part of something larger."""
        makers = self._makers[self._shown :]
        if not makers:
            return [self.packed(thing)]
        hidden: Iterable[list[Part]] = map(operator.call, makers, self._read(thing)[self._shown :])
        return [self.packed(thing), *flat(hidden)]


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


@kept_if_lasting
def write_news(item: Any) -> Part:
    """A piece of news."""
    kind: type = type(item)
    parts = _own_writer(kind, with_type=True).parts(item)
    return parts[0] if len(parts) == 1 else Segments(parts)
