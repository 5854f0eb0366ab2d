"""Whoever news is told to: what others did is told by their names, what the reader did as "you"."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from parlour.client.language import Texts

News = Mapping[str, Any]


@attrs.frozen
class Reader:
    """A reader's language, who sits where, and the reader's own seat; None for whoever only watches."""

    names: Sequence[str]
    texts: Texts
    me: int | None = None

    def told(self, key: str, seat: int, /, **facts: Any) -> str:
        """A sentence about what somebody did, by its key in a section `news`.

        For the reader it stands under the same name in the section `you` beside it: in most languages the
        verb is another one.
        """
        if seat != self.me:
            return self.texts(key, who=self.names[seat], **facts)
        section, _, kind = key.partition(".news.")
        return self.texts(f"{section}.you.{kind}", **facts)

    def who(self, seat: int) -> str:
        """Somebody in a list, where no verb goes with the name."""
        return self.texts("list.you") if seat == self.me else self.names[seat]


def of_a_seat(key: str) -> Callable[[News, Reader], str]:
    """A sentence that needs no other fact than who it is about."""
    return lambda news, reader: reader.told(key, news["seat"])
