"""A message on its way out, packed once for each encoding whoever gets it."""

from typing import Any

from parlour.protocol.codec import pack, pack_json, write
from parlour.protocol.messages import Message


class Frame:
    """One message as a map, and its bytes or text when first asked for: spectators share one."""

    __slots__ = ("_bytes", "_text", "plain", "seq")

    def __init__(self, plain: dict[str, Any], seq: int | None = None) -> None:
        self.plain = plain
        self.seq = seq
        self._bytes: bytes | None = None
        self._text: str | None = None

    @classmethod
    def of(cls, message: Message) -> "Frame":
        return cls(write(message))

    def packed(self) -> bytes:
        if self._bytes is None:
            self._bytes = pack(self.plain)
        return self._bytes

    def text(self) -> str:
        if self._text is None:
            self._text = pack_json(self.plain)
        return self._text
