"""Pictures: all that is to be known of a tournament, packed in a thread for whoever begins to watch it.

A picture shows one state. Whatever happens while it is drawn is held back from those who wait for it, and
comes after it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from parlour.protocol.codec import pack_json, write_part
from parlour.protocol.frame import Frame
from parlour.protocol.messages import Ok
from parlour.protocol.parts import entries, map_header, part
from parlour.server.people.session import Session
from parlour.server.tournament.history import Name, Pace, at_once
from parlour.server.tournament.ratings import Rating
from parlour.server.tournament.state import Tournament
from parlour.server.tournament.watching import snapshot
from parlour.server.tournament.watching.scores import Scores, work_out

Answer = Callable[[int], Frame]
"""Makes the answer to a command with this id; raises what has gone wrong."""
MOST_BYTES = 32 * 1024 * 1024
"""Of pictures of tournaments that are over, and lie in the archive: others are drawn again."""


@attrs.frozen(repr=False)
class Picture:
    """A state of a tournament, packed; its number still comes in front."""

    state: Tournament
    entries: bytes
    size: int
    """How many entries these are."""
    text: str | None
    """The entries as JSON, if somebody has asked for that."""

    def answer(self, seq: int) -> Answer:
        head = map_header(3) + entries({"type": Ok.WORD}) + part("id")
        result = part("result") + map_header(self.size + 1) + entries({"seq": seq})

        def answer(id: int) -> Frame:
            text = f'{{"type":"{Ok.WORD}","id":{id},"result":{{"seq":{seq},{self.text}}}}}'
            return Frame((head, part(id), result, self.entries), text if self.text is not None else None)

        return answer


def draw(
    id: str,
    state: Tournament,
    before: Mapping[Name, Rating],
    scores: Scores | None,
    json: bool,
    pace: Pace = at_once,
) -> tuple[Scores, Picture]:
    """A pure function, so that it may be called in another thread."""
    scores = scores or work_out(state, before, pace)
    plain: dict[str, Any] = write_part(snapshot.snapshot(id, 0, state, scores))
    del plain["seq"]
    text = pack_json(plain)[1:-1] if json else None
    return scores, Picture(state, entries(plain), len(plain), text)


@attrs.define(eq=False, repr=False)
class Wish:
    """Somebody who begins to watch, and waits for the picture."""

    session: Session
    json: bool
    then: Callable[[Answer], bool]
    """Sends the answer; says whether it has what was asked for, and went out."""
    since: int = 0
    """How many of the frames that are held back came before the wish."""


@attrs.define(eq=False, repr=False)
class Drawing:
    """A picture that is being drawn: of which state, for whom, and what has happened since."""

    state: Tournament | None
    """None: of a tournament that lies in the archive."""
    seq: int
    waiting: list[Wish]
    later: list[Wish] = attrs.field(factory=list)
    """Those who have asked since something has happened: they get the next one."""
    held: list[tuple[Frame, bool]] = attrs.field(factory=list)
    """Frames, and whether all players get them, also those who do not watch."""

    def wishes(self) -> list[Wish]:
        return [*self.waiting, *self.later]


@attrs.define(repr=False)
class OldPictures:
    """Pictures of tournaments that lie in the archive; the one that was looked at last comes last."""

    _by_id: dict[str, Picture] = attrs.field(factory=dict)
    _bytes: int = 0

    def get(self, id: str, json: bool) -> Picture | None:
        picture = self._by_id.pop(id, None)
        if picture is not None:
            self._by_id[id] = picture
        return picture if picture is not None and (picture.text is not None or not json) else None

    def keep(self, id: str, picture: Picture) -> None:
        self._bytes += _weight(picture) - _weight(self._by_id.pop(id, None))
        self._by_id[id] = picture
        while self._bytes > MOST_BYTES and len(self._by_id) > 1:
            self._bytes -= _weight(self._by_id.pop(next(iter(self._by_id))))


def _weight(picture: Picture | None) -> int:
    return 0 if picture is None else len(picture.entries) + len(picture.text or "")
