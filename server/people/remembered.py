"""The answers to a player's last commands, for commands that are sent again."""

from array import array
from collections.abc import Iterator
from typing import Final

import attrs

OK: Final = b"ok"
"""Stands for `ok` without a result: most answers are the same but for the id."""
REMEMBERED = 256
"""How many answers are remembered."""


@attrs.define(eq=False, repr=False)
class RememberedAnswers:
    """By the ids of the commands. Of those that were done and have no result only the id is kept.

    That takes 8 bytes; in a map it took 80, and a table of two players after long games 35 kB.
    """

    done: "array[int]" = attrs.field(factory=lambda: array("Q"))
    """Answered with OK, in the order of the answers."""
    others: dict[int, bytes | None] = attrs.field(factory=dict)
    """In the order of the commands: any other answer, packed; None while it is still to come.

    Bytes are nothing to Python's garbage collector: the frames of eighty who fill this took it 9 ms at once.
    """
    newest: int = 0
    """The largest id so far: no larger one has an answer."""

    def __contains__(self, id: int) -> bool:
        return id <= self.newest and (id in self.others or id in self.done)

    def __iter__(self) -> Iterator[int]:
        yield from self.done
        yield from self.others

    def __len__(self) -> int:
        return len(self.done) + len(self.others)

    def get(self, id: int) -> bytes | None:
        """The answer to a command, if it has one."""
        return OK if id not in self.others and id in self.done else self.others.get(id)

    def expect(self, id: int) -> None:
        """Notes that an answer is to come; the oldest that was given makes room for it."""
        done, others = self.done, self.others
        others[id] = None
        if id > self.newest:
            self.newest = id
        if len(done) + len(others) > REMEMBERED:
            given = next(filter(others.get, others), None)
            if given is not None and (not done or given < done[0]):
                del others[given]
            elif done:
                del done[0]

    def give(self, id: int, answer: bytes) -> bool:
        """Notes an answer; False if the command has one already."""
        if self.get(id) is not None:
            return False
        if id > self.newest:
            self.newest = id
        if answer == OK:
            self.others.pop(id, None)
            self.done.append(id)
        else:
            self.others[id] = answer
        return True

    def restore(self, id: int, answer: bytes) -> None:
        """Notes an answer from before a restart: recovery goes game by game, not in the order of the ids."""
        self.give(id, answer)
        if len(self) > REMEMBERED:
            self._drop(min(self))

    def _drop(self, id: int | None) -> None:
        if id in self.others:
            del self.others[id]
        elif id is not None:
            self.done.remove(id)
