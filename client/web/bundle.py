"""The modules of the page as one script: a file has a connection of its own, and each costs server and phone.

A module becomes a function that is called once and returns what it exports; what stands in it stays as it is.
Only the ways to import and export that the page uses are known, so that a new one is noticed at start.
"""

import re
from collections.abc import Mapping

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:const|class|function\*?) (\w+))", re.MULTILINE)
_EXPORTED_LIST = re.compile(r"\bexport\{([^}]*)\};")
_UNKNOWN = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*\n?", re.MULTILINE)


def bundle(sources: Mapping[str, str], entry: str) -> str:
    """One module made of `entry` and all that it imports; sources are by their names without `.js`.

    `entry` comes last and is no function: it alone may wait for something while it is loaded.
    """
    modules: dict[str, str] = {}

    def add(name: str, importers: tuple[str, ...]) -> None:
        if name in importers:
            raise ValueError(f"modules import each other: {' -> '.join((*importers, name))}")
        if name in modules:
            return
        for found in _IMPORT.finditer(sources[name]):
            add(found[2], (*importers, name))
        body = _body(name, sources[name])
        modules[name] = body if name == entry else _as_function(name, body, sources[name])

    add(entry, ())
    return "\n".join(modules.values())


def _body(name: str, source: str) -> str:
    """The module without its exports; what it imports is taken out of what other modules returned."""
    body = _IMPORT.sub(lambda found: f"const {{ {_fields(found[1])} }} = ${found[2]};", source)
    body = _SOURCE_MAP.sub("", _EXPORTED_LIST.sub("", _EXPORT.sub(r"\1", body)))
    unknown = _UNKNOWN.search(body)
    if unknown is not None:
        raise ValueError(f"{name}.js cannot be put into one file with others: {unknown[0][:80]}")
    return body


def _as_function(name: str, body: str, source: str) -> str:
    exported = [found[2] for found in _EXPORT.finditer(source)]
    for found in _EXPORTED_LIST.finditer(source):
        exported += [f"{new}: {old}" for old, new in _pairs(found[1])]
    return f"const ${name} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _fields(names: str) -> str:
    return ", ".join(f"{old}: {new}" if old != new else old for old, new in _pairs(names))


def _pairs(names: str) -> list[tuple[str, str]]:
    """What `a as b, c` calls each of them before and after."""
    found = [each.strip().split(" as ") for each in names.split(",") if each.strip()]
    return [(each[0], each[-1]) for each in found]
