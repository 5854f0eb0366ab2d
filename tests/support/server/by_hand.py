"""Long work that is done by hand: a Background whose pieces wait until a test says so."""

from collections.abc import Callable
from typing import Any, TypeVar

from parlour.server.background import AtOnce

T = TypeVar("T")


class ByHand:
    """Collects work and steps."""

    def __init__(self) -> None:
        self.work: list[tuple[Callable[[], Any], Callable[[Callable[[], Any]], object]]] = []
        self.steps: list[Callable[[], None]] = []

    @property
    def waiting(self) -> int:
        return len(self.work)

    def run(self, work: Callable[[], T], done: Callable[[Callable[[], T]], object]) -> None:
        self.work.append((work, done))

    def soon(self, step: Callable[[], None], rest: float = 0.0) -> None:  # noqa: ARG002
        self.steps.append(step)

    def finish_one(self) -> None:
        """Does the first piece of work."""
        AtOnce().run(*self.work.pop(0))

    def step(self) -> bool:
        """Does the first step; says whether there are more."""
        if self.steps:
            self.steps.pop(0)()
        return bool(self.steps)

    def finish_steps(self) -> None:
        while self.step():
            pass
