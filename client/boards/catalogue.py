"""Which game has which picture."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from parlour.client.boards.balloon_cup import board as balloon_cup
from parlour.client.boards.butterflies import board as butterflies
from parlour.client.boards.hurry_cup import board as hurry_cup
from parlour.client.boards.room import LEAST, Room
from parlour.client.boards.text import Line
from parlour.client.language import ENGLISH, Texts


class Picture(Protocol):
    """What each file of this folder offers. Views, news and actions are maps, as they travel.

    `me` is the viewer's seat, None for a spectator. Whatever the patterns of `legal` lead to is marked, and
    so is what `chosen`, an action or a part of one, names. Sentences name every player, the viewer too:
    in other languages verbs would not go with "You" in the place of a name.
    """

    def draw(
        self,
        view: Mapping[str, Any],
        me: int | None,
        names: Sequence[str],
        room: Room = LEAST,
        legal: Sequence[Mapping[str, Any]] = (),
        chosen: Mapping[str, Any] | None = None,
        texts: Texts = ENGLISH,
    ) -> list[Line]: ...

    def words(self, news: Mapping[str, Any], names: Sequence[str], texts: Texts = ENGLISH) -> str: ...


PICTURES: Mapping[str, Picture] = {
    "balloon-cup": balloon_cup,
    "hurry-cup": hurry_cup,
    "butterflies": butterflies,
}
