"""Long lists as answers: each item is packed once, and again only when it has changed."""

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from parlour.protocol.codec import pack_json, write_part
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Ok
from parlour.protocol.parts import entries, list_header, map_header, part
from parlour.server.background import Background

Answer = Callable[[int], Frame]
"""Makes the answer to a command with this id; raises what has gone wrong."""
Then = Callable[[Answer], object]
AT_A_TIME = 32
"""Items that are packed before others are served: some two milliseconds."""


@attrs.define
class Item:
    """An item of a list, and the version of it that is packed: compared by identity."""

    version: object
    packed: bytes
    text: str | None


@attrs.define(repr=False)
class PackedList:
    """A list that many ask for: all wait until it is packed, step by step, and then get the same bytes."""

    field: str
    """What the answer calls it."""
    background: Background
    read: Callable[[], Iterable[tuple[str, object, Callable[[], Any]]]]
    """Names the items as they are now: a key, a version, and the item itself if that version is new."""
    _items: dict[str, Item] = attrs.field(factory=dict)
    _waiting: list[tuple[bool, Then]] = attrs.field(factory=list)

    def ask(self, json: bool, then: Then) -> None:
        """Hands `then` a function that makes the answer to a command, of the list as it is at that moment."""
        self._waiting.append((json, then))
        if len(self._waiting) == 1:
            # Soon, for going through hundreds of tables takes half a millisecond: whoever asks in the same
            # moment is served by the same step.
            self.background.soon(self._step)

    def _step(self) -> None:
        try:
            answer = self._pack_some()
        except Exception as bug:
            answer = functools.partial(_fail, bug)
        if answer is None:
            self.background.soon(self._step)
            return
        waiting, self._waiting = self._waiting, []
        for _, then in waiting:
            then(answer)

    def _pack_some(self) -> Answer | None:
        """Packs some items; makes the answer if these were the last."""
        json = any(json for json, _ in self._waiting)
        listed: dict[str, Item] = {}
        left = AT_A_TIME
        for key, version, make in self.read():
            item = self._items.get(key)
            if item is None or item.version is not version or (json and item.text is None):
                if not left:
                    self._items.update(listed)
                    return None
                left -= 1
                plain = write_part(make())
                item = Item(version, part(plain), pack_json(plain) if json else None)
            listed[key] = item
        self._items = listed
        return self._answer(list(listed.values()), json)

    def _answer(self, items: Sequence[Item], json: bool) -> Answer:
        head = map_header(3) + entries({"type": Ok.WORD}) + part("id")
        rest = part("result") + map_header(1) + part(self.field) + list_header(len(items))
        packed = rest + b"".join([item.packed for item in items])
        text = ",".join([item.text or "" for item in items]) if json else ""

        def answer(id: int) -> Frame:
            whole = f'{{"type":"{Ok.WORD}","id":{id},"result":{{"{self.field}":[{text}]}}}}' if json else None
            return Frame((head, part(id), packed), whole)

        return answer


def _fail(bug: Exception, _id: int) -> Frame:
    raise bug
