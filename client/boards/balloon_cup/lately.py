"""What has just happened in Balloon Cup, put into the view for its board: the last card, and scored tiles."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.reader import News

View = Mapping[str, Any]
PLAYED = ("card_played", "wind_blew")


def lately(view: View, news: Sequence[News], recent: Sequence[tuple[View, Sequence[News]]]) -> View:
    """The view with the card that was played last, and with tiles that were scored as they stood."""
    last = next((each["card"] for each in reversed(news) if each["type"] in PLAYED), None)
    standing: dict[int, View] = {}
    for before, then in recent:
        for each in then:
            if each["type"] == "tile_scored":
                standing[each["tile"]] = _as_it_stood(before, then, each)
            elif each["type"] in PLAYED:
                standing.pop(each["tile"], None)  # it would hide this card
    tiles = {tile["number"]: tile for tile in view["tiles"]} | standing
    return {**view, "last_played": last, "tiles": [tiles[number] for number in sorted(tiles)]}


def _as_it_stood(before: View, news: Sequence[News], scored: News) -> View:
    """A tile with the card that completed it, and who won it."""
    (tile,) = [each for each in before["tiles"] if each["number"] == scored["tile"]]
    sides = [[*side] for side in tile["sides"]]
    for each in news:
        if each["type"] in PLAYED and each["tile"] == scored["tile"]:
            side = sides[each["side"]]
            if each["type"] == "wind_blew":
                side.remove(each["replaced"])
            side.append(each["card"])
    return {**tile, "sides": sides, "winner": scored["winner"]}
