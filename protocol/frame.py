"""A message on its way out, packed once whoever gets it."""

from typing import Any

from parlour.protocol.codec import pack, pack_json, unpack, write
from parlour.protocol.messages import Message


class Frame:
    """One message, as bytes; spectators share one.

    Frames are kept by the hundred for each player. The many small parts of their maps would take ten times
    the memory, and the garbage collector would look at every one of them again and again.
    """

    __slots__ = ("_packed", "_text", "seq")

    def __init__(self, packed: bytes, seq: int | None = None) -> None:
        self._packed = packed
        self.seq = seq
        self._text: str | None = None

    @classmethod
    def of(cls, message: Message, seq: int | None = None) -> "Frame":
        return cls(pack(write(message)), seq)

    @property
    def plain(self) -> dict[str, Any]:
        """The message as a map."""
        return unpack(self._packed)

    def packed(self) -> bytes:
        return self._packed

    def text(self) -> str:
        """The message as JSON, for those who read it so."""
        if self._text is None:
            self._text = pack_json(self.plain)
        return self._text
