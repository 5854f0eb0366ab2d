"""The cases of the Autobahn test suite, by its numbers: what a client sends, and what an echo has to answer.

The suite itself needs Python 2.7 and can be run against `support.server.echo`; these cases say the same and
need nothing but pytest. 12 and 13 are left out: they are about compression, which the server never agrees to.
"""

from collections.abc import Iterator, Sequence

import attrs
from support.server.packets import frame

TEXT, BINARY, PING, PONG, CLOSE = 0x81, 0x82, 0x89, 0x8A, 0x88
FIRST_TEXT, FIRST_BINARY, MORE, LAST = 0x01, 0x02, 0x00, 0x80
"""First bytes of frames: the parts of a message in several."""
GREEK = "κόσμε"
NOT_UTF8 = GREEK.encode() + b"\xed\xa0\x80" + b"edited"
K = 1024


@attrs.frozen
class Case:
    """What is sent, frame by frame, and what comes back before the close frame, with its code."""

    number: str
    sent: tuple[bytes, ...]
    back: tuple[tuple[int, bytes], ...]
    code: int | None
    """None: the close frame is empty."""
    closes: bool = False
    """The client closes, once all of that has come back."""
    octets: bool = False
    """Byte by byte."""
    chop: int | None = None
    """In packets of so many bytes."""
    plain_code: int | None = None
    """What websockets says where it differs."""
    plain_drops: bool = False
    """websockets closes before it hands over the messages in front of the fault, so they do not come back."""

    def __str__(self) -> str:
        return self.number

    def packets(self) -> Iterator[bytes]:
        if not self.octets and self.chop is None:
            yield from self.sent
            return
        data, size = b"".join(self.sent), self.chop or 1
        for start in range(0, len(data), size):
            yield data[start : start + size]


def closing(code: int | None = 1000, reason: bytes = b"") -> bytes:
    return frame((b"" if code is None else code.to_bytes(2, "big")) + reason, CLOSE)


Answers = Sequence[tuple[int, bytes]]


def accepted(number: str, sent: Sequence[bytes], back: Answers, **more: object) -> Case:
    """The client closes at the end, and its code comes back."""
    return Case(number, tuple(sent), tuple(back), 1000, True, **more)  # type: ignore[arg-type]


def refused(number: str, sent: Sequence[bytes], code: int = 1002, back: Answers = (), **more: object) -> Case:
    """The server closes for a fault, and does nothing of what comes behind it."""
    return Case(number, tuple(sent), tuple(back), code, **more)  # type: ignore[arg-type]


def fragments(data: bytes, size: int, first: int = FIRST_TEXT) -> list[bytes]:
    """One message in frames of so many bytes each."""
    parts = [data[start : start + size] for start in range(0, len(data), size)]
    return [
        frame(part, (first if number == 0 else MORE) | (LAST if number == len(parts) - 1 else 0))
        for number, part in enumerate(parts)
    ]


def framing() -> Iterator[Case]:
    """1: messages of all sizes, as text and as bytes."""
    for kind, opcode in (1, TEXT), (2, BINARY):
        for number, size in enumerate((0, 125, 126, 127, 128, 65535, 65536, 65536), 1):
            data = b"*" * size
            chop = 997 if number == 8 else None
            yield accepted(f"1.{kind}.{number}", [frame(data, opcode)], [(opcode, data)], chop=chop)


def pings() -> Iterator[Case]:
    for number, data in ("2.1", b""), ("2.2", b"Hello"), ("2.3", b"\x00\xff\xfe\xfd"), ("2.4", b"\xfe" * 125):
        yield accepted(number, [frame(data, PING)], [(PONG, data)])
    yield refused("2.5", [frame(b"\xfe" * 126, PING)])
    yield accepted("2.6", [frame(b"\xfe" * 125, PING)], [(PONG, b"\xfe" * 125)], octets=True)
    yield accepted("2.7", [frame(b"", PONG)], [])
    yield accepted("2.8", [frame(b"unasked", PONG)], [])
    yield accepted("2.9", [frame(b"unasked", PONG), frame(b"ping", PING)], [(PONG, b"ping")])
    ten = [b"payload-%d" % number for number in range(10)]
    for number, octets in ("2.10", False), ("2.11", True):
        answers = [(PONG, data) for data in ten]
        yield accepted(number, [frame(data, PING) for data in ten], answers, octets=octets)


HELLO = frame(b"Hello, world!", TEXT)
ECHO = ((TEXT, b"Hello, world!"),)


def reserved_bits() -> Iterator[Case]:
    def with_bits(bits: int, opcode: int = TEXT) -> bytes:
        return frame(b"Hello, world!", opcode | bits << 4)

    yield refused("3.1", [with_bits(1)])
    for number in "3.2", "3.3":
        yield refused(number, [HELLO, with_bits(2), frame(b"", PING)], 1002, ECHO, plain_drops=True)
    yield refused("3.4", [HELLO, with_bits(3), frame(b"", PING)], 1002, ECHO, octets=True, plain_drops=True)
    yield refused("3.5", [with_bits(4, BINARY)])
    yield refused("3.6", [with_bits(5, PING)])
    yield refused("3.7", [frame(b"\x03\xe8", CLOSE | 6 << 4)])
    yield refused("3.7, all bits", [with_bits(7)])


def opcodes() -> Iterator[Case]:
    for group, first in (1, 0x83), (2, 0x8B):
        yield refused(f"4.{group}.1", [frame(b"", first)])
        yield refused(f"4.{group}.2", [frame(b"reserved", first + 1)])
        for number, data in (3, b""), (4, b"reserved"):
            sent = [HELLO, frame(data, first - 1 + number), frame(b"", PING)]
            yield refused(f"4.{group}.{number}", sent, 1002, ECHO, plain_drops=True)
        sent = [HELLO, frame(b"reserved", first + 4), frame(b"", PING)]
        yield refused(f"4.{group}.5", sent, 1002, ECHO, octets=True, plain_drops=True)


def fragmentation() -> Iterator[Case]:
    one, two = b"fragment1", b"fragment2"
    both = [frame(one, FIRST_TEXT), frame(two, LAST)]
    echo, pong = (TEXT, one + two), (PONG, b"ping")
    yield refused("5.1", [frame(one, 0x09), frame(two, LAST)])
    yield refused("5.2", [frame(one, 0x0A), frame(two, LAST)])
    for number, octets in ("5.3", False), ("5.4", False), ("5.5", True):
        yield accepted(number, both, [echo], octets=octets)
    between = [both[0], frame(b"ping", PING), both[1]]
    for number, octets in ("5.6", False), ("5.7", False), ("5.8", True):
        yield accepted(number, between, [pong, echo], octets=octets)
    for first, last in ("5.9", LAST), ("5.12", MORE):
        start = int(first[2:])
        for number, octets in (start, False), (start + 1, False), (start + 2, True):
            yield refused(f"5.{number}", [frame(b"not a beginning", last), HELLO], octets=octets)
    yield refused("5.15", [*both, frame(b"x", MORE), HELLO], 1002, [echo], plain_drops=True)
    yield refused("5.16", [frame(b"x", MORE), HELLO] * 2)
    yield refused("5.17", [frame(b"x", LAST), HELLO] * 2)
    yield refused("5.18", [frame(one, FIRST_TEXT), frame(two, TEXT)])
    parts = [b"fragment%d" % number for number in range(1, 6)]
    ping = frame(b"ping", PING)
    five = [frame(parts[0], FIRST_TEXT), *[frame(part, MORE) for part in parts[1:4]], frame(parts[4], LAST)]
    for number in "5.19", "5.20":
        sent = [*five[:2], ping, *five[2:4], ping, five[4]]
        yield accepted(number, sent, [pong, pong, (TEXT, b"".join(parts))])


VALID = {
    "6.5": [f"hello{letter}world".encode() for letter in "$¢€\U00024b62"] + [GREEK.encode()],
    "6.7": [b"\x00", b"\xc2\x80", b"\xe0\xa0\x80", b"\xf0\x90\x80\x80"],
    "6.9": [b"\x7f", b"\xdf\xbf", b"\xef\xbf\xbf", b"\xf4\x8f\xbf\xbf"],
    "6.11": [b"\xed\x9f\xbf", b"\xee\x80\x80", b"\xef\xbf\xbd", b"\xf4\x8f\xbf\xbf"],
    "6.22": [chr(plane << 16 | low).encode() for plane in range(17) for low in (0xFFFE, 0xFFFF)],
    "6.23": [chr(0xFFF9 + number).encode() for number in range(7)],
}
"""UTF-8 that a reader might take for wrong: the ends of each length, what is no character, and specials."""
STARTS = [range(0xC0, 0xE0), range(0xE0, 0xF0), range(0xF0, 0xF8), range(0xF8, 0xFC), range(0xFC, 0xFE)]
INCOMPLETE = [
    *(b"\xc0", b"\xe0\x80", b"\xf0\x80\x80", b"\xf8\x80\x80\x80", b"\xfc\x80\x80\x80\x80"),
    *(b"\xdf", b"\xef\xbf", b"\xf7\xbf\xbf", b"\xfb\xbf\xbf\xbf", b"\xfd\xbf\xbf\xbf\xbf"),
]


def overlong(value: int) -> list[bytes]:
    """A character in 2 to 6 bytes, whether it needs them or not."""
    found = []
    for more, head in (1, 0xC0), (2, 0xE0), (3, 0xF0), (4, 0xF8), (5, 0xFC):
        rest = [0x80 | value >> 6 * place & 0x3F for place in reversed(range(more))]
        found.append(bytes([head | value >> 6 * more, *rest]))
    return found


def surrogate(value: int) -> bytes:
    return chr(value).encode("utf-8", "surrogatepass")


HIGH, LOW = (0xD800, 0xDB7F, 0xDB80, 0xDBFF), (0xDC00, 0xDF80, 0xDFFF)
INVALID = {
    "6.8": [b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80"],
    "6.10": [b"\xf7\xbf\xbf\xbf", b"\xfb\xbf\xbf\xbf\xbf", b"\xfd\xbf\xbf\xbf\xbf\xbf"],
    "6.11, too high": [b"\xf4\x90\x80\x80"],
    "6.12": [b"\x80", b"\xbf", *[b"\x80\xbf" * 4][:1], *[(b"\x80\xbf" * 4)[:size] for size in range(2, 7)]],
    "6.13": [b"".join(bytes([start]) + b" " for start in starts) for starts in STARTS],
    "6.14": INCOMPLETE,
    "6.15": [b"".join(INCOMPLETE)],
    "6.16": [b"\xfe", b"\xff", b"\xfe\xfe\xff\xff"],
    "6.17": overlong(0x2F),
    "6.18": [
        b"\xc1\xbf",
        b"\xe0\x9f\xbf",
        b"\xf0\x8f\xbf\xbf",
        b"\xf8\x87" + b"\xbf" * 3,
        b"\xfc\x83" + b"\xbf" * 4,
    ],
    "6.19": overlong(0),
    "6.20": [surrogate(value) for value in (*HIGH, *LOW)],
    "6.21": [surrogate(high) + surrogate(low) for high in HIGH for low in (LOW[0], LOW[2])],
}


def utf8() -> Iterator[Case]:
    """6: text is UTF-8, or the connection is closed with 1007, however it is cut."""
    empty = (TEXT, b"")
    yield accepted("6.1.1", [frame(b"", TEXT)], [empty])
    yield accepted("6.1.2", [frame(b"", FIRST_TEXT), frame(b"", MORE), frame(b"", LAST)], [empty])
    middle = [frame(b"", FIRST_TEXT), frame(b"middle", MORE), frame(b"", LAST)]
    yield accepted("6.1.3", middle, [(TEXT, b"middle")])
    text = f"Hello-µ@ßöäüàá-UTF-8!! {GREEK}".encode()
    yield accepted("6.2.1", [frame(text, TEXT)], [(TEXT, text)])
    yield accepted("6.2.2", fragments(text, len("Hello-µ".encode())), [(TEXT, text)])
    yield accepted("6.2.3", fragments(text, 1), [(TEXT, text)])
    yield accepted("6.2.4", fragments(GREEK.encode(), 1), [(TEXT, GREEK.encode())])
    yield refused("6.3.1", [frame(NOT_UTF8, TEXT)], 1007)
    yield refused("6.3.2", fragments(NOT_UTF8, 1), 1007)
    # The suite would like the close at the first wrong byte, and takes it at the end of the message.
    high = GREEK.encode() + b"\xf4\x90\x80\x80" + b"edited"
    for number, size in ("6.4.1", 11), ("6.4.2", 12):
        yield refused(number, fragments(high, size), 1007)
    for number, chop in ("6.4.3", 11), ("6.4.4", 12):
        yield refused(number, [frame(high, TEXT)], 1007, chop=chop)
    greek = GREEK.encode()
    for size in range(1, len(greek) + 1):
        whole = greek[:size].decode(errors="ignore").encode() == greek[:size]
        number, sent = f"6.6.{size}", [frame(greek[:size], TEXT)]
        yield accepted(number, sent, [(TEXT, greek[:size])]) if whole else refused(number, sent, 1007)
    for group, texts in VALID.items():
        for place, good in enumerate(texts, 1):
            yield accepted(f"{group}.{place}", [frame(good, TEXT)], [(TEXT, good)])
    for group, texts in INVALID.items():
        for place, bad in enumerate(texts, 1):
            yield refused(f"{group}.{place}", [frame(bad, TEXT)], 1007)


GOOD_CODES = (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999)
BAD_CODES = (0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999)


def closes() -> Iterator[Case]:
    """7: the closing handshake, its codes and its reasons."""
    late = [closing(), HELLO]
    yield Case("7.1.1", (HELLO, closing()), ECHO, 1000, plain_drops=True)
    yield Case("7.1.2", (closing(), closing()), (), 1000)
    yield Case("7.1.3", (closing(), frame(b"", PING)), (), 1000)
    yield Case("7.1.4", tuple(late), (), 1000)
    cut = frame(b"fragment1", FIRST_TEXT), closing(), frame(b"fragment2", LAST)
    yield Case("7.1.5", cut, (), 1000, plain_code=1002)
    large = b"BAsd7&jh23" * 26_215
    sent = frame(large, TEXT), HELLO, closing(), frame(b"", PING)
    yield Case("7.1.6", sent, ((TEXT, large), *ECHO), 1000, plain_drops=True)
    yield Case("7.3.1", (closing(None),), (), None)
    yield refused("7.3.2", [frame(b"a", CLOSE)])
    yield accepted("7.3.3", [], [])
    yield Case("7.3.4", (closing(1000, b"Hello World!"),), (), 1000)
    yield Case("7.3.5", (closing(1000, b"*" * 123),), (), 1000)
    yield refused("7.3.6", [closing(1000, b"*" * 124)])
    yield refused("7.5.1", [closing(1000, NOT_UTF8)], 1007)
    for place, code in enumerate(GOOD_CODES, 1):
        yield Case(f"7.7.{place}", (closing(code),), (), code)
    for place, code in enumerate(BAD_CODES, 1):
        yield refused(f"7.9.{place}", [closing(code)])
    for place, code in enumerate((5000, 65535), 1):
        yield refused(f"7.13.{place}", [closing(code)])


def masking() -> Iterator[Case]:
    """The suite's client cannot leave its masks away; RFC 6455 (5.1) asks for the close all the same."""
    for opcode in TEXT, BINARY, PING, CLOSE:
        yield refused(f"masking, {opcode:#x}", [bytes([opcode, 2]) + b"\x03\xe8"])


def limits(scale: int) -> Iterator[Case]:
    """9: large messages, whole, in fragments and in small packets. At scale 1 as large as in the suite."""
    for kind, opcode in (1, TEXT), (2, BINARY):
        for place, size in enumerate((64 * K, 256 * K, K * K, 4 * K * K, 8 * K * K, 16 * K * K), 1):
            data = b"*" * (size // scale)
            yield accepted(f"9.{kind}.{place}", [frame(data, opcode)], [(opcode, data)])
    for kind, opcode in (3, FIRST_TEXT), (4, FIRST_BINARY):
        data = b"*" * (4 * K * K // scale)
        for place in range(1, 10):
            size = 16 * 4**place
            whole = (opcode | LAST, data)
            many = len(data) // size > 4096  # more fragments than websockets takes
            sent = fragments(data, size, opcode)
            yield accepted(
                f"9.{kind}.{place}", sent, [whole], plain_code=1009 if many else None, plain_drops=many
            )
    data = b"*" * (64 * K // scale)
    yield accepted("10.1.1", fragments(data, 1300), [(TEXT, data)])
    for kind, opcode in (5, TEXT), (6, BINARY):
        data = b"*" * (K * K // scale)
        for place in range(1, 7):
            chop = 32 * 2**place
            yield accepted(f"9.{kind}.{place}", [frame(data, opcode)], [(opcode, data)], chop=chop)
    for kind, opcode in (7, TEXT), (8, BINARY):
        for place, size in enumerate((0, 16, 64, 256, 1024, 4096), 1):
            times, data = 1000 // scale, b"*" * size
            yield accepted(f"9.{kind}.{place}", [frame(data, opcode)] * times, [(opcode, data)] * times)


CASES = [
    case
    for group in (framing, pings, reserved_bits, opcodes, fragmentation, utf8, closes, masking)
    for case in group()
]
