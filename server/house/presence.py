"""Who is connected to which other node of a house, as far as this one has heard."""

from collections.abc import Collection, Mapping

import attrs


@attrs.define(repr=False)
class Presence:
    """Lines by node and by name, and whether that client follows its tables to other nodes."""

    _lines: dict[str, dict[str, bool]] = attrs.field(factory=dict)

    def note(self, node: str, name: str, follows: bool | None) -> None:
        """Notes a line that was opened, or closed (None)."""
        if follows is None:
            self._lines.get(node, {}).pop(name, None)
        else:
            self._lines.setdefault(node, {})[name] = follows

    def note_all(self, node: str, lines: Mapping[str, bool]) -> None:
        """Notes all lines of a node, and that there are no others."""
        self._lines[node] = dict(lines)

    def keep(self, nodes: Collection[str]) -> None:
        """Forgets the lines of all but these nodes."""
        for node in [node for node in self._lines if node not in nodes]:
            del self._lines[node]

    def of(self, name: str) -> dict[str, bool]:
        """The nodes to which somebody is connected."""
        return {node: lines[name] for node, lines in self._lines.items() if name in lines}
