"""Puts a fault into the server for a while: a few words of a function are replaced by others.

A fault names the function and the words. Where either is no longer there, planting fails: a fault that
cannot be planted would look as if nothing could go wrong there.
"""

import __future__

import contextlib
import importlib
import inspect
import sys
import textwrap
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import attrs


class Moved(Exception):
    """The code is not where, or not what, a fault takes it for."""


@attrs.frozen
class Edit:
    """Words of a function that are replaced by others."""

    where: str
    """`server.module:function`, or `server.module:Class.method`."""
    right: str
    wrong: str


@attrs.frozen
class Fault:
    """Something that goes wrong in the server."""

    name: str
    """What goes wrong, as a sentence."""
    seed: int | None
    """The world in which it is known to be found; None: in none so far."""
    edits: tuple[Edit, ...]

    @classmethod
    def of(cls, name: str, seed: int | None, where: str, right: str, wrong: str) -> "Fault":
        return cls(name, seed, (Edit(where, right, wrong),))


@contextlib.contextmanager
def planted(fault: Fault) -> Iterator[None]:
    """The server has this fault meanwhile; raises Moved."""
    with contextlib.ExitStack() as stack:
        for edit in fault.edits:
            stack.enter_context(_edited(edit))
        yield


@contextlib.contextmanager
def _edited(edit: Edit) -> Iterator[None]:
    owner, name, right = _find(edit.where)
    wrong = _rewritten(edit, right)
    places = [(owner, name), *_other_names(right)] if inspect.ismodule(owner) else [(owner, name)]
    lists = _lists_of(right)
    for place, known_as in places:
        setattr(place, known_as, wrong)
    for names, key in lists:
        names[key] = wrong
    try:
        yield
    finally:
        for place, known_as in places:
            setattr(place, known_as, right)
        for names, key in lists:
            names[key] = right


def _find(where: str) -> tuple[Any, str, Any]:
    """The module or class that has a function, the function's name there, and the function."""
    module, _, path = where.partition(":")
    owner: Any = importlib.import_module(f"parlour.{module}")
    *outer, name = path.split(".")
    try:
        for each in outer:
            owner = getattr(owner, each)
        return owner, name, inspect.getattr_static(owner, name)
    except AttributeError:
        raise Moved(f"there is no {where}") from None


def _rewritten(edit: Edit, right: Any) -> Any:
    """The function with other words, compiled among the names of its module."""
    function = right.fget if isinstance(right, property) else right
    if not isinstance(function, FunctionType) or function.__closure__:
        raise Moved(f"{edit.where} cannot be written anew")
    source = textwrap.dedent(inspect.getsource(function))
    first = edit.right.partition("\n")[0]
    margins = {line[: len(line) - len(line.lstrip())] for line in source.splitlines() if first in line}
    found = [margin for margin in margins if _deeper(edit.right, margin) in source]
    if len(found) != 1 or source.count(_deeper(edit.right, found[0])) != 1:
        raise Moved(f"{edit.where} does not have just once: {edit.right}")
    code = compile(
        source.replace(_deeper(edit.right, found[0]), _deeper(edit.wrong, found[0])),
        f"<{edit.where} with a fault>",
        "exec",
        flags=__future__.annotations.compiler_flag,
        dont_inherit=True,
    )
    made: dict[str, Any] = {}
    exec(code, function.__globals__, made)  # noqa: S102
    return made[function.__name__]


def _deeper(words: str, margin: str) -> str:
    return words.replace("\n", f"\n{margin}")


def _other_names(function: Any) -> list[tuple[Any, str]]:
    """Where else in our modules a function of a module is known by a name."""
    ours = [module for name, module in list(sys.modules.items()) if name.startswith("parlour.")]
    return [(module, name) for module in ours for name, value in vars(module).items() if value is function]


def _lists_of(function: Any) -> list[tuple[dict[Any, Any], Any]]:
    """Where in our modules a function is listed by a key, as commands are."""
    ours = [module for name, module in list(sys.modules.items()) if name.startswith("parlour.")]
    dicts = [value for module in ours for value in vars(module).values() if type(value) is dict]
    return [(known, key) for known in dicts for key, value in known.items() if value is function]
