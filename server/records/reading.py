"""Reads records from plain maps, strictly. It checks their form only; `verify` checks rules and hashes."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from parlour.engine.chance import How
from parlour.engine.errors import Malformed
from parlour.engine.maps import from_map
from parlour.engine.plain import is_number, short_repr
from parlour.server.records.record import FORMAT, End, Header, JournalLine, Record, canonical

T = TypeVar("T")
SEATS = 16
"""The most seats that a record may have; no game has so many."""
TEXT = 80
"""The most letters that a name, a reason or a stream may have."""
_TABLE = re.compile("[A-Za-z0-9][A-Za-z0-9-]{0,31}")
"""Files are named after games, and games after tables: other letters would not be safe."""
_HEX = re.compile("[0-9a-f]{64}")
_NONCE = re.compile("[!-~]{1,64}")


def read_header(plain: Any) -> Header:
    """Raises Malformed with the path to what is wrong."""
    if isinstance(plain, Mapping) and "format" in plain and plain["format"] != FORMAT:
        raise Malformed("format", f"must be {FORMAT}, the format that this build reads")
    header = from_map(Header, _require(plain, "format", "hash"))
    _between(header.seats, "seats", 1, SEATS)
    if not isinstance(header.options, Mapping):
        raise Malformed("options", f"must be a map, not {short_repr(header.options)}")
    for name in ("names", "bots", "nonces"):
        if len(getattr(header, name)) != header.seats:
            raise Malformed(name, f"must have {header.seats} entries, one for each seat")
    for seat, (called, nonce) in enumerate(zip(header.names, header.nonces, strict=True)):
        _text(called, f"names.{seat}")
        if nonce is not None and not _NONCE.fullmatch(nonce):
            raise Malformed(f"nonces.{seat}", "must be 1 to 64 of ! to ~")
    if not _TABLE.fullmatch(header.table):
        raise Malformed("table", "must be the name of a table: 1 to 32 letters, digits and hyphens")
    for name in ("game", "build"):
        _text(getattr(header, name), name)
    _hex(header.commitment, "commitment")
    _hex(header.hash, "hash")
    _between(header.protocol, "protocol", 1)
    _between(header.started, "started", 0)
    _between(header.number, "number", 1)
    _writable(header.options, "options")
    return header


def read_line(plain: Any) -> JournalLine:
    """Raises Malformed with the path to what is wrong."""
    line = from_map(JournalLine, plain)
    _between(line.number, "number", 0)
    if line.seat is not None:
        _between(line.seat, "seat", 0, SEATS - 1)
    if line.action is not None and not isinstance(line.action, Mapping):
        raise Malformed("action", f"must be a map or null, not {short_repr(line.action)}")
    _between(line.at, "at", 0)
    if line.reaction is not None:
        _between(line.reaction, "reaction", 0)
    _hex(line.hash, "hash")
    if "substitute" in plain:
        _text(line.substitute or "", "substitute")
    luck = tuple([_read_luck(each, f"luck.{index}") for index, each in enumerate(line.luck)])
    _writable(line.action, "action")
    return JournalLine(
        line.number,
        line.cause,
        line.seat,
        line.action,
        luck,
        line.at,
        line.reaction,
        line.hash,
        line.substitute,
    )


def _read_luck(luck: tuple[str, How, Any], where: str) -> tuple[str, How, Any]:
    stream, how, outcome = luck
    _text(stream, where)
    if how == "shuffle":
        if not isinstance(outcome, list | tuple) or not all(map(is_number, outcome)):
            raise Malformed(where, f"must have the order of a shuffle as a list, not {short_repr(outcome)}")
        return stream, how, tuple(outcome)
    if not is_number(outcome) and (how == "roll" or type(outcome) is not str):
        raise Malformed(
            where, f"must have a number{' or a word' * (how == 'draw')}, not {short_repr(outcome)}"
        )
    _writable(outcome, where)
    return stream, how, outcome


def read_end(plain: Any) -> End:
    """Raises Malformed with the path to what is wrong."""
    end = from_map(End, plain)
    _text(end.reason, "reason")
    _hex(end.secret, "secret")
    _hex(end.head, "head")
    _between(end.ended, "ended", 0)
    if not 1 <= len(end.places) <= SEATS:
        raise Malformed("places", "must have one entry for each seat")
    return end


def read_record(header: Any, lines: Any, end: Any) -> Record:
    """Reads all three parts; raises Malformed with a path that begins with `header`, `journal` or `end`."""
    if not isinstance(lines, Sequence) or isinstance(lines, str):
        raise Malformed("journal", f"must be a list, not {short_repr(lines)}")
    if not lines:
        raise Malformed("journal", "must have at least the deal")
    return Record(
        _within("header", read_header, header),
        tuple([_within(f"journal.{index}", read_line, line) for index, line in enumerate(lines)]),
        _within("end", read_end, end),
    )


def _within(where: str, read: Callable[[Any], T], plain: Any) -> T:
    try:
        return read(plain)
    except Malformed as wrong:
        raise Malformed(f"{where}.{wrong.where}" if wrong.where else where, wrong.problem) from None


def _require(plain: Any, *needed: str) -> Any:
    """Checks that a record has these fields, although their classes have defaults."""
    for name in needed:
        if isinstance(plain, Mapping) and name not in plain:
            raise Malformed(name, "is missing")
    return plain


def _between(number: int, where: str, least: int, most: int | None = None) -> None:
    if number < least or (most is not None and number > most):
        range_ = f"from {least} to {most}" if most is not None else f"{least} or more"
        raise Malformed(where, f"must be {range_}, not {short_repr(number)}")


def _text(text: str, where: str) -> None:
    if not 1 <= len(text) <= TEXT:
        raise Malformed(where, f"must have 1 to {TEXT} letters")
    if not text.isprintable():
        raise Malformed(where, "must have no letter that cannot be seen")


def _writable(plain: Any, where: str) -> None:
    """Refuses half a surrogate pair, which has no bytes in UTF-8, and so no hash."""
    try:
        canonical(plain)
    except UnicodeEncodeError:
        raise Malformed(where, "holds a letter that UTF-8 cannot write") from None


def _hex(text: str, where: str) -> None:
    if not _HEX.fullmatch(text):
        raise Malformed(where, f"must be 64 of 0 to 9 and a to f, not {short_repr(text)}")
