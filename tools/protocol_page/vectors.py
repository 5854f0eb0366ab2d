"""The test vectors that ship with the package, made from examples and from the code that they describe."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgpack

from parlour.engine.balloon_cup.bag import fill, listed
from parlour.engine.balloon_cup.flight import Five, new_flight
from parlour.engine.balloon_cup.public import COLOURS
from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Recording, Seeded, order
from parlour.engine.match import Match
from parlour.protocol.codec import DEPTH, pack, write
from parlour.protocol.errors import ProtocolError
from parlour.protocol.lookalikes import looks
from parlour.protocol.messages import FROM_CLIENT, FROM_SERVER
from parlour.protocol.names import clean_name
from parlour.server.records.fairness import commitment, seed
from tools.protocol_page.examples import EXAMPLES
from tools.protocol_page.page import ROOT

FOLDER = ROOT / "protocol" / "vectors"
SECRETS = (bytes(32), bytes(range(32)), bytes([255] * 32))
PING = {"type": "ping", "id": 1}


def _valid(name: str, plain: dict[str, Any]) -> dict[str, Any]:
    sender = "client" if plain["type"] in FROM_CLIENT else "server"
    return {"name": name, "sender": sender, "json": plain, "msgpack": pack(plain).hex(), "valid": True}


def messages() -> list[dict[str, Any]]:
    """Every example, and what a reader must put up with besides."""
    found = []
    for word in (*FROM_CLIENT, *FROM_SERVER):
        for number, message in enumerate(EXAMPLES[word], 1):
            found.append(_valid(f"{word} {number}", write(message)))
    create = {"type": "create_table", "id": 1, "game": "hurry-cup", "seats": 3}
    put_up_with: dict[str, dict[str, Any]] = {
        "optional fields left out": create,
        "fields that nobody knows": {**PING, "mood": "fine", "later": {"a": [1, None]}},
        "fields that nobody knows in a part": {**create, "clocks": {"bank": 30.5, "sand": True}},
        "a whole number for seconds": {**create, "clocks": {"decision": 30}},
        "the type last": {"id": 1, "type": "ping"},
        "the largest id": {"type": "ping", "id": 2**53 - 1},
        "a name of two code points for one letter": {
            "type": "hello",
            "versions": [1],
            "client": "x",
            "name": "Zoe\u0308",
        },
    }
    return found + [_valid(name, plain) for name, plain in put_up_with.items()]


def _nested(levels: int) -> Any:
    inner: Any = []
    for _ in range(levels - 1):
        inner = [inner]
    return inner


def _key(text: str) -> bytes:
    return bytes([0xA0 + len(text)]) + text.encode()


def _ping_with(value: bytes) -> bytes:
    """A ping with one more field, packed by hand."""
    return b"\x83" + _key("type") + _key("ping") + _key("id") + b"\x01" + _key("x") + value


def broken() -> list[dict[str, Any]]:
    """What a server refuses, with the code that it answers."""
    whole = pack(PING)
    frames: dict[str, bytes] = {
        "an empty frame": b"",
        "a frame cut short": whole[:-1],
        "bytes after the map": whole + b"\xc0",
        "two maps in a frame": whole + whole,
        "a byte that msgpack never uses": b"\xc1",
        "a list in the place of the map": msgpack.packb([PING]),
        "a number in the place of the map": b"\x05",
        "text in the place of the map": _key("ping"),
        "null in the place of the map": b"\xc0",
        "a key twice": b"\x83" + _key("type") + _key("ping") + _key("id") + b"\x01" + _key("id") + b"\x02",
        "a key twice inside": _ping_with(b"\x82" + _key("a") + b"\x01" + _key("a") + b"\x01"),
        "a number as a key": b"\x83" + _key("type") + _key("ping") + _key("id") + b"\x01\x07\x07",
        "null as a key inside": _ping_with(b"\x81\xc0\x01"),
        "binary": _ping_with(b"\xc4\x02hi"),
        "an extension type": _ping_with(b"\xd4\x01\x00"),
        "a timestamp": _ping_with(b"\xd6\xff\x00\x00\x00\x00"),
        "NaN": _ping_with(b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"),
        "infinity": _ping_with(b"\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00"),
        "minus infinity as a short float": _ping_with(b"\xca\xff\x80\x00\x00"),
        "2^53": _ping_with(b"\xcf" + (2**53).to_bytes(8, "big")),
        "minus 2^53": _ping_with(b"\xd3" + (-(2**53)).to_bytes(8, "big", signed=True)),
        "the largest number of 64 bits": _ping_with(b"\xcf" + b"\xff" * 8),
        "text that is not UTF-8": _ping_with(b"\xa2\xc3\x28"),
        "half a surrogate pair": _ping_with(b"\xa3\xed\xa0\x80"),
        "nested too deep": pack({**PING, "x": _nested(DEPTH)}),
        "a list that promises more than there is": _ping_with(b"\xdd\xff\xff\xff\xff"),
    }
    texts = {
        "no JSON": "hello",
        "an empty text": "",
        "text after the map": '{"type":"ping","id":1} {}',
        "a JSON list": '[{"type":"ping","id":1}]',
        "a JSON key twice": '{"type":"ping","id":1,"id":2}',
        "a JSON key twice inside": '{"type":"ping","id":1,"x":{"a":1,"a":1}}',
        "NaN in JSON": '{"type":"ping","id":1,"x":NaN}',
        "Infinity in JSON": '{"type":"ping","id":1,"x":-Infinity}',
        "a JSON number that is too large for a float": '{"type":"ping","id":1,"x":1e999}',
        "2^53 in JSON": '{"type":"ping","id":1,"x":9007199254740992}',
        "half a surrogate pair in JSON": '{"type":"ping","id":1,"x":"\\ud800"}',
        "nested too deep in JSON": '{"type":"ping","id":1,"x":' + "[" * DEPTH + "]" * DEPTH + "}",
        "a JSON comment": '{"type":"ping","id":1 /* hi */}',
    }
    create = {"type": "create_table", "id": 1, "game": "butterflies", "seats": 2}
    act = {"type": "act", "id": 1, "table": "K7M2PQ4XTZ", "turn": 1, "action": {"type": "turn"}}
    shapes: dict[str, tuple[str, dict[str, Any]]] = {
        "no type": ("bad_message", {"id": 1}),
        "a type that is no text": ("bad_message", {"type": 5, "id": 1}),
        "a type that nobody knows": ("unknown_type", {"type": "dance", "id": 1}),
        "an event sent by a client": ("unknown_type", {"type": "lobby_gone", "table": "K7M2PQ4XTZ"}),
        "no id": ("bad_message", {"type": "ping"}),
        "an id that is text": ("bad_message", {"type": "ping", "id": "1"}),
        "an id that is true": ("bad_message", {"type": "ping", "id": True}),
        "an id that is not whole": ("bad_message", {"type": "ping", "id": 1.5}),
        "a hello without versions": ("bad_message", {"type": "hello", "client": "x", "name": "Anna"}),
        "versions that are no list": ("bad_message", {"type": "hello", "versions": 1, "client": "x"}),
        "a version that is text": ("bad_message", {"type": "hello", "versions": ["1"], "client": "x"}),
        "a name that is a number": (
            "bad_message",
            {"type": "hello", "versions": [1], "client": "x", "name": 7},
        ),
        "a bot that is 1": ("bad_message", {"type": "hello", "versions": [1], "client": "x", "bot": 1}),
        "options that are a list": ("bad_message", {**create, "options": []}),
        "options that are null": ("bad_message", {**create, "options": None}),
        "a word that is not one of the few": ("bad_message", {**create, "watching": "everybody"}),
        "clocks that are a number": ("bad_message", {**create, "clocks": 30}),
        "a bank that is null": ("bad_message", {**create, "clocks": {"bank": None}}),
        "a wrong word in the clocks": ("bad_message", {**create, "clocks": {"late": "hang"}}),
        "seats that are text": ("bad_message", {**create, "seats": "2"}),
        "an action that is text": ("bad_message", {**act, "action": "turn"}),
        "an act without a turn": ("bad_message", {key: act[key] for key in act if key != "turn"}),
        "a table that is null": ("bad_message", {**act, "table": None}),
    }
    return [
        *({"name": name, "msgpack": frame.hex(), "error": "bad_frame"} for name, frame in frames.items()),
        *({"name": name, "text": text, "error": "bad_frame"} for name, text in texts.items()),
        *(
            {"name": name, "json": plain, "msgpack": pack(plain).hex(), "error": code}
            for name, (code, plain) in shapes.items()
        ),
    ]


def fair() -> list[dict[str, Any]]:
    """Secrets and nonces to commitments and seeds."""
    some: tuple[tuple[str | None, ...], ...] = (
        (None, None),
        ("tea-at-five", None),
        (None, "tea-at-five"),
        ("a", "b", "c"),
        ("!~", "0" * 64, None, "x"),
    )
    return [
        {
            "name": f"secret {number}, nonces {', '.join(nonce or 'none' for nonce in nonces)}"[:60],
            "secret": secret.hex(),
            "nonces": list(nonces),
            "commitment": commitment(secret),
            "seed": seed(secret, nonces).hex(),
        }
        for number, secret in enumerate(SECRETS, 1)
        for nonces in some
    ]


def chance() -> list[dict[str, Any]]:
    """Seeds, streams and indices to numbers, and numbers to rolls and shuffles."""
    found = []
    for secret in SECRETS:
        key = seed(secret, (None, None))
        for stream, index in (("deck", 0), ("deck", 1), ("first", 0), ("dice/1/3", 4), ("bag", 9)):
            number = Seeded(key, {stream: index})._number(stream)
            found.append(
                {
                    "name": f"{stream} {index}",
                    "seed": key.hex(),
                    "stream": stream,
                    "index": index,
                    "number": f"{number:0128x}",
                    "roll": {str(sides): number % sides + 1 for sides in (2, 6, 45)},
                    "draw": {str(size): number % size for size in (2, 13, 45)},
                    "shuffle": {str(size): order(number, size) for size in (1, 2, 4, 32, 45)},
                }
            )
    return found


DEALS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("balloon-cup", 2, {}),
    ("balloon-cup", 2, {"edition": "chinese", "first": 1}),
    ("hurry-cup", 3, {}),
    ("hurry-cup", 6, {"track": "corniche"}),
    ("butterflies", 2, {}),
    ("butterflies", 4, {"teams": "on"}),
    ("balloon-cup", 2, {"edition": "italian"}),
    ("balloon-cup", 2, {"edition": "russian", "table_cap": "on"}),
    ("balloon-cup", 2, {"tile_cap": "none", "first": 0}),
    ("balloon-cup", 2, {"table_cap": "on"}),
    ("hurry-cup", 4, {"track": "croisette", "first": 2}),
    ("hurry-cup", 5, {"track": "esterel", "grab": "sealed"}),
    ("hurry-cup", 6, {"races": 3}),
    ("hurry-cup", 4, {}),
    ("butterflies", 3, {}),
    ("butterflies", 4, {"first": 3}),
)
"""Every option that changes a deal, with each of its values, and every number of seats."""
REFILLS: tuple[tuple[str, dict[str, Any], int, dict[str, int], list[list[str]]], ...] = (
    ("a full bag", {}, 4, {"red": 13, "yellow": 11, "green": 9, "blue": 7, "grey": 5}, []),
    ("a third red cube goes back", {}, 4, {"red": 9, "yellow": 1, "green": 1, "blue": 1}, [["red"]]),
    ("no cap", {"tile_cap": "none"}, 4, {"red": 9, "yellow": 1, "green": 1, "blue": 1}, [["red"]]),
    ("no cube keeps the cap: it is waived", {}, 4, {"red": 5}, []),
    ("waived once the yellow one is out", {}, 4, {"red": 6, "yellow": 1}, [["green"]]),
    (
        "grey is two on the table, and one less than its price",
        {"table_cap": "on"},
        3,
        {"red": 2, "blue": 2, "grey": 3},
        [["grey", "blue"], ["grey"]],
    ),
    (
        "both caps, and both waived",
        {"edition": "chinese"},
        4,
        {"blue": 4, "grey": 2},
        [["blue", "blue", "grey"], ["blue", "grey"]],
    ),
    (
        "the table's cap alone",
        {"edition": "russian", "table_cap": "on"},
        4,
        {"red": 8, "green": 4},
        [["red"] * 3],
    ),
)
"""Name, options, number of the tile, what is in the bag, and what lies on the other tiles."""
FREE = (
    ("red", "yellow", "green"),
    ("yellow", "white"),
    ("blue",),
    ("red", "green", "blue", "white", "black"),
)


def deals() -> list[dict[str, Any]]:
    """Whole deals, secrets included: what a checker of the luck must come to."""
    found = []
    for number, (name, seats, options) in enumerate(DEALS):
        secret, nonces = SECRETS[number % 3], ("tea-at-five", *[None] * (seats - 1))
        game = GAMES[name]
        match = Match.start(game, seats, game.read_options(options, seats), Seeded(seed(secret, nonces)))
        found.append(
            {
                "name": f"{name}, {seats} seats, {json.dumps(options)}",
                "game": name,
                "seats": seats,
                "options": options,
                "secret": secret.hex(),
                "nonces": list(nonces),
                "luck": [
                    {"stream": luck.stream, "how": luck.how, "outcome": luck.outcome}
                    for luck in match.journal[0].luck
                ],
                "position": game.position(match.state),
            }
        )
    return found


def refills() -> list[dict[str, Any]]:
    """Cubes for one tile of Balloon Cup, with every draw: caps that are kept, or that no cube can keep."""
    found = []
    for number, (name, given, tile, bag, others) in enumerate(REFILLS):
        options: Any = GAMES["balloon-cup"].read_options(given, 2)
        key, index = SECRETS[number % 3], 5 * number
        chance = Recording(Seeded(key, {"bag": index}))
        flights = [new_flight(at, False, _counts(Counter(cubes))) for at, cubes in enumerate(others, 1)]
        left, cubes = fill(_counts(bag), tile, flights, options, chance)
        found.append(
            {
                "name": name,
                "tile_cap": options.tile_cap,
                "table_cap": options.table_cap,
                "seed": key.hex(),
                "index": index,
                "tile": tile,
                "bag": bag,
                "others": others,
                "draws": [luck.outcome for luck in chance.heard],
                "cubes": list(listed(cubes)),
                "left": dict(zip(COLOURS, left, strict=True)),
            }
        )
    return found


def _counts(cubes: Mapping[str, int]) -> Five:
    red, yellow, green, blue, grey = [cubes.get(colour, 0) for colour in COLOURS]
    return red, yellow, green, blue, grey


def late() -> list[dict[str, Any]]:
    """Pawns of Hurry' Cup for drivers whose time is up."""
    found = []
    for number, free in enumerate(FREE):
        stream, index, key = f"late/{1 + number // 2}/{3 + number}", number % 2, SECRETS[number % 3]
        pawn = Seeded(key, {stream: index}).draw(stream, free)
        found.append({"seed": key.hex(), "stream": stream, "index": index, "free": list(free), "pawn": pawn})
    return found


NAMES = (
    *(
        "Ann",
        "Ａｎｎ",
        "ann",
        "Ann Lee",
        "ANNLEE",
        "Zoe\u0308",
        "Mike",
        "Mlke",
        "M1KE",
        "Bernie",
        "Bemie",
        "B0b",
        "Straße",
    ),
    *(
        "Дмитрий",
        "сор",
        "cop",
        "Ван",
        "BAH",
        "Βν",
        "Bv",
        "佐々木",
        "ひらがなカタカナ",
        "ไทย",
        "ख़ाँ",
        "42",
        "O'Neil",
    ),
    *("", "x" * 25, " Ann", "A  n", "Ann!", "Ann\u202e", "\u0301nn", "--", "Аnn", "Ann٣"),
    *("x\u0302\u0303", "x\u0302\u0303\u0304", "x\u0302\u0302"),
    *("محمد", "محـمد", "מֹשֶׁה", "משה", "가\u1161"),
)


def names() -> list[dict[str, Any]]:
    """Names that are good or break a rule, and how the good ones look."""
    found = []
    for given in NAMES:
        shown, rule = None, None
        try:
            shown = clean_name(given)
        except ProtocolError as wrong:
            rule = wrong.facts["rule"]
        look = None if shown is None else sorted(looks(shown))
        found.append({"name": f"{given!a}"[:40], "given": given, "rule": rule, "shown": shown, "looks": look})
    return found


FILES = {
    "messages.json": messages,
    "broken.json": broken,
    "fair.json": fair,
    "chance.json": chance,
    "deals.json": deals,
    "refills.json": refills,
    "late.json": late,
    "names.json": names,
}


def text_of(vectors: list[dict[str, Any]]) -> str:
    """One vector a line: a change shows as what it is."""
    lines = ",\n".join(json.dumps(vector, ensure_ascii=True) for vector in vectors)
    return f"[\n{lines}\n]\n"


def write_all() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, make in FILES.items():
        (FOLDER / name).write_text(text_of(make()), encoding="utf-8")
