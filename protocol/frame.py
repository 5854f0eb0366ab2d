"""A message on its way out, packed once whoever gets it."""

from typing import Any

import msgpack

from parlour.protocol.codec import pack, pack_json, write
from parlour.protocol.messages import Message


class Frame:
    """One message, as bytes; spectators share one.

    The many small parts of a message's map would take ten times the memory, and the garbage collector would
    look at every one of them again and again. A frame is put together from a few packed parts, the largest of
    which the frames of other players may have as well: what is kept of it is its parts.
    """

    __slots__ = ("_packed", "_text", "parts")

    def __init__(self, parts: tuple[bytes, ...], text: str | None = None) -> None:
        """`text`: the same message as JSON, if it is known already."""
        self.parts = parts
        self._packed: bytes | None = None
        self._text = text

    @classmethod
    def of(cls, message: Message) -> "Frame":
        return cls((pack(write(message)),))

    @property
    def plain(self) -> dict[str, Any]:
        """The message as a map."""
        plain: dict[str, Any] = msgpack.unpackb(self.packed())
        return plain

    def packed(self) -> bytes:
        if self._packed is None:
            self._packed = b"".join(self.parts)
        return self._packed

    def text(self) -> str:
        """The message as JSON, for those who read it so."""
        if self._text is None:
            self._text = pack_json(self.plain)
        return self._text
