"""The epochs of this node's leases: what is told of a table or a tournament from an older one is old news."""

import attrs


@attrs.define(repr=False)
class Epochs:
    """Of all that is, or was, this node's; what it has made itself is not noted before it comes back."""

    _newest: dict[str, int] = attrs.field(factory=dict)

    def note(self, id: str, epoch: int) -> None:
        self._newest[id] = epoch

    def of(self, id: str) -> int:
        """That in which this node has it, or had it last."""
        return self._newest.get(id, 1)

    def is_old(self, id: str, epoch: int) -> bool:
        return epoch < self._newest.get(id, 0)

    def is_new(self, id: str, epoch: int) -> bool:
        """Whether this node has not had it, or only since an older one."""
        return epoch > self._newest.get(id, 0)

    def forget(self, id: str) -> None:
        self._newest.pop(id, None)
