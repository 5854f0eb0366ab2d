"""Whether a record is what the rules, the commitment and the running hash say it must be."""

from collections.abc import Iterator

import attrs

from parlour.server.records.fairness import commitment
from parlour.server.records.record import Record, end_hash, header_hash, line_hash
from parlour.server.records.replay import Contradiction, Fault, replay

_PARTS = ("header", "journal", "end")


@attrs.frozen
class Verdict:
    """The faults of a record in its order, at most one of each check."""

    faults: tuple[Fault, ...]
    head: str
    """The computed hash of the record, whatever hash stands in it."""
    authenticated: bool
    """The head is the one that the verifier got from the server: nothing was changed."""

    @property
    def sound(self) -> bool:
        return not self.faults


def verify(record: Record, head: str | None = None) -> Verdict:
    """Makes all checks; `head` is what a player got with the result."""
    rightly = true_head(record)
    faults = [*_commitment(record), *_rules(record), *_hashes(record)]
    if head is not None and rightly != head:
        faults.append(Fault("end", None, "head", {"right": head, "told": rightly}))
    # Of two faults at one place the one that rules or luck find says more; it comes first already.
    faults.sort(key=lambda fault: (fault.code == "head", _PARTS.index(fault.part), fault.entry or 0))
    return Verdict(tuple(faults), rightly, head is not None and not faults)


def true_head(record: Record) -> str:
    """Computes the hash of the whole record, without using the hashes in it."""
    before = header_hash(record.header)
    for line in record.lines:
        before = line_hash(before, line)
    return end_hash(before, record.end)


def _commitment(record: Record) -> Iterator[Fault]:
    right = commitment(bytes.fromhex(record.end.secret))
    if right != record.header.commitment:
        yield Fault("header", None, "commitment", {"right": right, "told": record.header.commitment})


def _rules(record: Record) -> Iterator[Fault]:
    try:
        for _ in replay(record):
            pass
    except Contradiction as found:
        yield found.fault


def _hashes(record: Record) -> Iterator[Fault]:
    """Finds the first hash in the record that does not follow from the one before it."""
    if header_hash(record.header) != record.header.hash:
        yield Fault("header", None, "hash")
        return
    before = record.header.hash
    for place, line in enumerate(record.lines):
        if line_hash(before, line) != line.hash:
            yield Fault("journal", place, "hash")
            return
        before = line.hash
    if end_hash(before, record.end) != record.end.head:
        yield Fault("end", None, "hash")
