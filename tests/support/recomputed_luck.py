"""Deals worked out from PROTOCOL.md alone, as a stranger would: nothing of ours is imported here."""

import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import Any

PAGE = (Path(__file__).parents[2] / "PROTOCOL.md").read_text(encoding="utf-8")
COLOURS = ["red", "yellow", "green", "blue", "grey"]
VALUES = {
    "red": range(1, 14),
    "yellow": [1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13],
    "green": [1, 2, 4, 6, 7, 8, 10, 12, 13],
    "blue": [1, 3, 5, 7, 9, 11, 13],
    "grey": [1, 4, 7, 10, 13],
}
CUBES = {"red": 13, "yellow": 11, "green": 9, "blue": 7, "grey": 5}
PRICES = {"red": 7, "yellow": 6, "green": 5, "blue": 4, "grey": 3}
PAWNS = ["red", "yellow", "green", "blue", "white", "black"]
BONUSES = ["detour", "boost", "assist", "oil", "swap", "empty_tank"]
EDITIONS = {
    "standard": {},
    "italian": {"tile_cap": "none"},
    "russian": {"tile_cap": "none"},
    "chinese": {"tile_cap": 2, "table_cap": "on"},
}


class Luck:
    """The numbers of one game."""

    def __init__(self, key: bytes, asked: dict[str, int] | None = None) -> None:
        self.key = key
        self.asked: Counter[str] = Counter(asked or {})

    def number(self, stream: str) -> int:
        index = self.asked[stream]
        self.asked[stream] += 1
        return int.from_bytes(hashlib.blake2b(f"{stream}#{index}".encode(), key=self.key).digest(), "big")

    def roll(self, stream: str, sides: int) -> int:
        return self.number(stream) % sides + 1

    def draw(self, stream: str, items: list[Any]) -> Any:
        return items[self.number(stream) % len(items)]

    def shuffle(self, stream: str, items: list[Any]) -> list[Any]:
        number, items = self.number(stream), list(items)
        for last in range(len(items) - 1, 0, -1):
            number, chosen = divmod(number, last + 1)
            items[last], items[chosen] = items[chosen], items[last]
        return items


def seed(secret: bytes, nonces: list[str | None]) -> bytes:
    return hashlib.sha256(secret + b"".join(b"\n" + (nonce or "").encode() for nonce in nonces)).digest()


# Balloon Cup


def refill(
    luck: Luck, bag: Counter[str], tile: int, others: list[list[str]], tile_cap: Any, table_cap: str
) -> tuple[list[str], list[str]]:
    """The cubes of a tile, and all draws; the bag loses those that stay."""
    caps = dict.fromkeys(COLOURS, 4 if tile_cap == "none" else 2)
    if table_cap == "on":
        lying = Counter(cube for cubes in others for cube in cubes)
        caps = {colour: min(caps[colour], PRICES[colour] - 1 - lying[colour]) for colour in COLOURS}
    cubes: Counter[str] = Counter()
    draws = []
    while cubes.total() < tile:
        drawn = luck.draw("bag", [colour for colour in COLOURS for _ in range(bag[colour])])
        draws.append(drawn)
        fits = [colour for colour in COLOURS if bag[colour] and cubes[colour] < caps[colour]]
        if cubes[drawn] >= caps[drawn] and fits:
            continue
        cubes[drawn] += 1
        bag[drawn] -= 1
    return [colour for colour in COLOURS for _ in range(cubes[colour])], draws


def balloon_cup(luck: Luck, _seats: int, options: dict[str, Any]) -> dict[str, Any]:
    settled = {"tile_cap": 2, "table_cap": "off", "first": "random"}
    settled |= EDITIONS[options.get("edition", "standard")] | options
    bag, tiles = Counter(CUBES), []
    for tile in (1, 2, 3, 4):
        cubes, _ = refill(luck, bag, tile, tiles, settled["tile_cap"], settled["table_cap"])
        tiles.append(cubes)
    cards = [f"{colour}-{value}" for colour in COLOURS for value in VALUES[colour]]
    deck = luck.shuffle("deck", cards)
    first = luck.draw("first", [0, 1]) if settled["first"] == "random" else settled["first"]
    hands = [sorted(hand, key=cards.index) for hand in (deck[:8], deck[8:16])]
    return {"tiles": tiles, "hands": hands, "deck": deck[16:], "bag": dict(bag), "to_act": [first]}


# Hurry' Cup


def hurry_cup(luck: Luck, seats: int, options: dict[str, Any]) -> dict[str, Any]:
    first = options.get("first", "random")
    starter = luck.draw("first", list(range(seats))) if first == "random" else first
    named = options.get("track", "random")
    track = random_track(luck) if named == "random" else read_track(named)
    stars = [number for number, section in enumerate(track, 1) if section["star"]]
    bonuses = luck.shuffle("bonuses/1", BONUSES)
    accelerator = luck.roll("dice/1/1", 6)
    dice = {pawn: luck.roll("dice/1/1", 6) for pawn in PAWNS[:seats]}
    hidden = {str(star): bonus for star, bonus in zip(stars, bonuses, strict=False)}
    told = {"track": track, "starter": starter, "hidden": hidden}
    return {**told, "accelerator": accelerator, "dice": dice}


def section(turn: str = "straight", limit: int | None = None, star: bool = False) -> dict[str, Any]:
    return {"turn": turn, "limit": limit, "star": star}


def read_track(name: str) -> list[dict[str, Any]]:
    """One of the tracks that are printed on the page."""
    (line,) = re.findall(rf"^{name}  +(.+)$", PAGE, re.MULTILINE)
    turns = {"=": "straight", "*": "straight", "L": "left", "R": "right"}
    return [section(turns[word[0]], int(word[1:] or 0) or None, word[0] == "*") for word in line.split()]


def random_track(luck: Luck) -> list[dict[str, Any]]:
    straights = [section(star=True)] * 6 + [section()] * 10 + [section(limit=90)] * 2
    turns = [60, *[70] * 5, *[80] * 6, *[90] * 4]
    items = luck.shuffle("track/1", [*straights, *turns, *["left", "right"] * 8])
    leans = [item for item in items if isinstance(item, str)]
    tiles = [section(), section(), *[item for item in items if not isinstance(item, str)]]
    ways = list(leans)
    while (clash := first_clash(tiles, ways)) is not None:
        # The latest turn before the clash that still leans as it did at first goes the other way.
        late = max(at for at in range(clash) if ways[at] == leans[at])
        ways[late] = "left" if leans[late] == "right" else "right"
        ways[late + 1 :] = leans[late + 1 :]
    each = iter(ways)
    return [tile if isinstance(tile, dict) else section(next(each), tile) for tile in tiles]


def first_clash(tiles: list[Any], ways: list[str]) -> int | None:
    """How many turns lie before the first section that lies on or beside another; None if there is none."""
    x = y = turned = 0
    ahead = (1, 0)
    road: list[tuple[int, int]] = []
    for tile in (section(), *tiles, section()):
        near = [(x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        if any(cell in near for cell in road[:-1]):
            return turned
        road.append((x, y))
        if not isinstance(tile, dict):
            left = ways[turned] == "left"
            ahead = (ahead[1], -ahead[0]) if left else (-ahead[1], ahead[0])
            turned += 1
        x, y = x + ahead[0], y + ahead[1]
    return None


# Butterflies


def butterflies(luck: Luck, seats: int, options: dict[str, Any]) -> dict[str, Any]:
    colours, species = ["red", "yellow", "green", "blue"], ["monarch", "swallowtail", "morpho", "peacock"]
    goals = list(zip(luck.shuffle("goals", colours), luck.shuffle("goals", species), strict=True))
    deck = luck.shuffle("deck", [f"{kind}-{colour}" for kind in species for colour in colours for _ in "12"])
    first = options.get("first", "random")
    starter = luck.draw("first", list(range(seats))) if first == "random" else first
    hands = [sorted(deck[2 * seat : 2 * seat + 2]) for seat in range(seats)]
    found = [{"colour": colour, "species": kind} for colour, kind in goals[:seats]]
    return {"goals": found, "hands": hands, "deck": deck[2 * seats :], "to_act": [starter]}


GAMES = {"balloon-cup": balloon_cup, "hurry-cup": hurry_cup, "butterflies": butterflies}
