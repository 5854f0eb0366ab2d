"""A message on its way out, packed once for each encoding whoever gets it."""

from typing import Any

from parlour.protocol.codec import pack, pack_json, unpack, write
from parlour.protocol.messages import Message


class Frame:
    """One message: a map until its bytes are first asked for, and then these alone; spectators share one.

    Frames are kept by the hundred for each player. The many small parts of their maps would take ten times
    the memory, and the garbage collector would look at every one of them again and again.
    """

    __slots__ = ("_bytes", "_plain", "_text", "seq")

    def __init__(self, plain: dict[str, Any], seq: int | None = None) -> None:
        self.seq = seq
        self._plain: dict[str, Any] | None = plain
        self._bytes: bytes | None = None
        self._text: str | None = None

    @classmethod
    def of(cls, message: Message) -> "Frame":
        return cls(write(message))

    @property
    def plain(self) -> dict[str, Any]:
        """The message as a map."""
        return self._plain if self._plain is not None else unpack(self.packed())

    def packed(self) -> bytes:
        if self._bytes is None:
            self._bytes = pack(self.plain)
            self._plain = None
        return self._bytes

    def text(self) -> str:
        if self._text is None:
            self._text = pack_json(self.plain)
        return self._text
