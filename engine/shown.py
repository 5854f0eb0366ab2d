"""Views and news as maps, for one viewer after the other: what everybody may see is written down once."""

from collections.abc import Callable
from typing import Any

import attrs

from parlour.engine.maps import class_writer, word, writer
from parlour.engine.secret import Viewer, project, secret_fields

Write = Callable[[Any], Any]


@attrs.frozen
class Plan:
    """How a class is written: without its secrets, and then each field that may hold some."""

    write: Write
    secrets: tuple[tuple[str, str, Write], ...]
    """Such a field by its name inside, its name outside, and how it is written when projected."""

    @classmethod
    def of(cls, kind: type) -> "Plan":
        names = secret_fields(kind)
        fields = [field for field in attrs.fields(kind) if field.name in names]
        secrets = [(field.name, field.name.rstrip("_"), writer(field.type)) for field in fields]
        return cls(class_writer(kind, names), tuple(secrets))


_PLANS: dict[type, Plan] = {}


class Shown:
    """A view or a piece of news. `to(viewer)` is `to_map(project(thing, viewer))`: a law holds it to that.

    Secrets stay wrapped in here: only the fields that can hold some are projected for each viewer, and what
    is still hidden after that has no map form, as everywhere.
    """

    __slots__ = ("_public", "_secrets", "_thing")

    def __init__(self, thing: Any) -> None:
        kind = type(thing)
        plan = _PLANS.get(kind)
        if plan is None:
            plan = _PLANS[kind] = Plan.of(kind)
        self._thing = thing
        self._secrets = plan.secrets
        self._public: dict[str, Any] = plan.write(thing)

    @classmethod
    def tagged(cls, thing: Any) -> "Shown":
        """With the word for its class as `type`."""
        shown = cls(thing)
        shown._public = {"type": word(type(thing)), **shown._public}
        return shown

    def to(self, viewer: Viewer) -> dict[str, Any]:
        """The same map for all if nothing is hidden: it is to be packed and not to be changed."""
        if not self._secrets:
            return self._public
        plain = dict(self._public)
        for name, outside, write in self._secrets:
            plain[outside] = write(project(getattr(self._thing, name), viewer))
        return plain
