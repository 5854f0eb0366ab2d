"""Which game has which picture."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from parlour.client.pictures import balloon_cup
from parlour.client.pictures.text import Line


class Picture(Protocol):
    """What each file of this folder offers. `me` is the viewer's seat, None for a spectator."""

    def draw(self, view: Any, me: int | None, names: Sequence[str]) -> list[Line]: ...

    def words(self, news: Any, names: Sequence[str]) -> str: ...


PICTURES: Mapping[str, Picture] = {"balloon-cup": balloon_cup}
