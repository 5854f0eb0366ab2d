"""What a client makes of a table's events: the latest of everything, and whether an event is missing."""

from typing import Any

CHAT_LINES = 50


class Gap(AssertionError):
    """An event has a number that does not follow."""


class Memory:
    """`known` is what a snapshot holds, kept up to date by the events after it."""

    def __init__(self) -> None:
        self.seq: int | None = None
        self.known: dict[str, Any] = {}

    def take(self, event: dict[str, Any]) -> None:
        if event["type"] == "snapshot":
            self.seq = event["seq"]
            self.known = {key: part for key, part in event.items() if key not in ("type", "seq", "table")}
            return
        if self.seq is not None and event["seq"] <= self.seq:
            return
        if self.seq is None or event["seq"] != self.seq + 1:
            raise Gap(f"{event['type']} {event['seq']} after {self.seq}")
        self.seq = event["seq"]
        match event["type"]:
            case "table_changed":
                self.known = self.known | {"info": event["info"], "clock": event["clock"]}
            case "update":
                parts = ("view", "awaited", "question", "clock", "result")
                self.known = self.known | {part: event[part] for part in parts}
            case "chat":
                self.known = self.known | {"chat": [*self.known["chat"], event["line"]][-CHAT_LINES:]}
            case word:
                raise AssertionError(f"{word} has a number")

    def comparable(self) -> dict[str, Any]:
        """What two clients at one seat must agree on: all but the time at which they looked."""
        clock = self.known["clock"]
        timeless = clock and {"ends": clock["ends"], "banks": clock["banks"]}
        return {**self.known, "clock": timeless}
