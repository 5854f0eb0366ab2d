"""How a server is set up: the same names in a TOML file and on the command line."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import attrs

from parlour.machine.addresses import read_network
from parlour.protocol.version import DEFAULT_PORT
from parlour.server.storage.backends import is_address
from parlour.server.toml import read_toml

DEFAULT_ARCHIVE = "parlour.db"
"""In the folder where the command is given."""
MOST_PROCESSES = 64
_NODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
_HOST = re.compile(r"[a-z0-9][a-z0-9._-]*|[0-9a-f:.]+")
"""A name or an address, in the small letters that urlsplit makes: it goes into headers of the page."""


class BadConfig(Exception):
    """A setting is wrong: the text says which, and what would be right."""


@attrs.frozen
class Config:
    """Where to listen, and for whom. Empty `host`: everywhere, IPv4 and IPv6."""

    host: str = ""
    port: int = DEFAULT_PORT
    cert: str | None = None
    key: str | None = None
    name: tuple[str, ...] = ()
    """Names of this server that browsers may use, besides addresses and local ones."""
    origin: tuple[str, ...] = ()
    """Web pages that may connect."""
    trusted_proxy: tuple[str, ...] = ()
    """Proxies that say truly for whom they connect: addresses or networks."""
    bots: int = max(1, (os.cpu_count() or 2) - 1)
    """Worker processes for built-in bots, at most; one core is left to tables and people."""
    heartbeat: float = 15.0
    tables: int = 1000
    connections: int = 2000
    connections_each: int = 100
    names_each: int = 500
    tournament_tables: int = 32
    archive: str | None = None
    """A file, or the address of a database, that keeps everything; none: nothing outlives the server."""
    unsafe_database: bool = False
    """Use a database that may lose what it has acknowledged."""
    archive_direct: str | None = None
    """The same database without the pooler that `archive` leads to: a bell needs a connection of its own."""
    node: str | None = None
    """The name of this server among those that share its database; none: it is alone there."""
    advertise: str | None = None
    """The URL under which clients of other nodes reach this one."""
    lease: float = 6.0
    """Seconds of silence after which the other nodes take over what this one has."""
    processes: int | None = None
    """Start so many nodes on this machine, ports in a row; none: this process is the server."""
    web: bool = True
    """Serve the page for browsers."""
    hidden: bool = False
    """Not announced on the network."""
    plain_websockets: bool = False
    """Leave reading and writing to the websockets library: slower, to fall back to."""
    test: bool = False
    """For whoever writes a client: this machine alone, high limits, the same deals with every start."""
    chaos: str | None = None
    """A seed, and maybe a level: connections break by it. That is for tests, too."""
    verbose: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All names of this server that were told; the one under which clients are sent here is one."""
        advertised = urlsplit(self.advertise).hostname if self.advertise is not None else None
        return self.name if advertised is None else (*self.name, advertised)


_KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "host": (str, "text"),
    "port": (int, "a whole number"),
    "cert": (str, "a path"),
    "key": (str, "a path"),
    "name": (list, "a list of names"),
    "origin": (list, "a list of origins"),
    "trusted_proxy": (list, "a list of addresses and networks"),
    "bots": (int, "a whole number"),
    "heartbeat": ((int, float), "seconds"),
    "tables": (int, "a whole number"),
    "connections": (int, "a whole number"),
    "connections_each": (int, "a whole number"),
    "names_each": (int, "a whole number"),
    "tournament_tables": (int, "a whole number"),
    "archive": (str, "a path or an address"),
    "unsafe_database": (bool, "true or false"),
    "archive_direct": (str, "an address"),
    "node": (str, "a name"),
    "advertise": (str, "a URL"),
    "lease": ((int, float), "seconds"),
    "processes": (int, "a whole number"),
    "web": (bool, "true or false"),
    "hidden": (bool, "true or false"),
    "plain_websockets": (bool, "true or false"),
    "test": (bool, "true or false"),
    "chaos": (str, "SEED or SEED:LEVEL"),
    "verbose": (bool, "true or false"),
}


def read_file(path: Path) -> dict[str, Any]:
    """The settings in a TOML file; raises BadConfig with the place."""
    try:
        return read_toml(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise BadConfig(f"{path}: {wrong.strerror}") from None
    except UnicodeDecodeError:
        raise BadConfig(f"{path}: is not UTF-8 text") from None
    except ValueError as wrong:
        raise BadConfig(f"{path}: {wrong}") from None


def make(*layers: Mapping[str, Any]) -> Config:
    """Later layers win; raises BadConfig with the name at fault."""
    settings: dict[str, Any] = {}
    for layer in layers:
        for name, value in layer.items():
            if name not in _KINDS:
                raise BadConfig(f"{name}: is not a setting; there are {', '.join(sorted(_KINDS))}")
            kind, words = _KINDS[name]
            if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
                raise BadConfig(f"{name}: must be {words}, not {value!r}")
            if isinstance(value, list) and not all(isinstance(each, str) for each in value):
                raise BadConfig(f"{name}: must be {words}, each in quotes, not {value!r}")
            settings[name] = tuple(value) if isinstance(value, list) else value
    config = Config(**settings)
    _check(config)
    return config


def flags_of(config: Config) -> list[str]:
    """The flags of `parlour serve` that give these settings, for a process that is started with them."""
    words: list[str] = []
    for field in attrs.fields(Config):
        value, flag = getattr(config, field.name), f"--{field.name.replace('_', '-')}"
        if value == field.default:
            continue
        if isinstance(value, bool):
            words.append(flag if value else flag.replace("--", "--no-", 1))
        else:
            each = value if isinstance(value, tuple) else (value,)
            words += [f"{flag}={word}" for word in each]
    return words


def _check(config: Config) -> None:
    if not 0 <= config.port <= 65535:
        raise BadConfig(f"port: must be from 0 (any free one) to 65535, not {config.port}")
    if (config.cert is None) != (config.key is None):
        raise BadConfig("cert: and key go together")
    if not 0 <= config.bots <= 64:
        raise BadConfig(f"bots: must be from 0 to 64, not {config.bots}")
    if not 1 <= config.heartbeat <= 300:
        raise BadConfig(f"heartbeat: must be from 1 to 300 seconds, not {config.heartbeat}")
    for proxy in config.trusted_proxy:
        try:
            read_network(proxy)
        except ValueError:
            wanted = "an address or a network, such as 127.0.0.1 or 10.0.0.0/8"
            raise BadConfig(f"trusted_proxy: must be {wanted}, not {proxy!r}") from None
    for name in ("tables", "connections", "connections_each", "names_each", "tournament_tables"):
        if not 1 <= getattr(config, name) <= 100_000:
            raise BadConfig(f"{name}: must be from 1 to 100000, not {getattr(config, name)}")
    _check_nodes(config)


def _check_nodes(config: Config) -> None:
    """Servers that share a database need one, a name each, and addresses under which they are reached."""
    if config.node is not None and _NODE.fullmatch(config.node) is None:
        wanted = "1 to 32 letters from a to z, digits, dots, dashes or underscores, the first no sign"
        raise BadConfig(f"node: must be {wanted}, not {config.node!r}")
    if config.advertise is not None and not _is_server(config.advertise):
        wanted = "where clients reach this server, such as ws://games.lan:21925"
        raise BadConfig(f"advertise: must be {wanted}, not {config.advertise!r}")
    if not 1 <= config.lease <= 60:
        raise BadConfig(f"lease: must be from 1 to 60 seconds, not {config.lease}")
    if config.processes is not None and not 1 <= config.processes <= MOST_PROCESSES:
        raise BadConfig(f"processes: must be from 1 to {MOST_PROCESSES}, not {config.processes}")
    if config.processes is None and (config.node is None) != (config.advertise is None):
        there, missing = ("node", "advertise") if config.advertise is None else ("advertise", "node")
        raise BadConfig(f"{there}: goes with {missing}: give both")
    several = "processes" if config.processes is not None else "node" if config.node is not None else None
    for name in ("lease", "archive_direct"):
        if several is None and getattr(config, name) != getattr(attrs.fields(Config), name).default:
            raise BadConfig(f"{name}: is for nodes: give node and advertise too, or processes")
    if several is not None and not is_address(config.archive or ""):
        install = "pip install 'psycopg[binary]'"
        address = "postgresql://USER@HOST/DATABASE"
        if config.archive not in (None, "", DEFAULT_ARCHIVE):
            # Not repeated: what was meant as an address may have a password in it.
            raise BadConfig(f"archive: {several} needs an address like {address}, and this is none")
        raise BadConfig(
            f"{several}: several servers share a PostgreSQL database: {install}, then add --archive {address}"
        )
    if several is not None and (config.test or config.chaos):
        raise BadConfig(f"{several}: and {'chaos' if config.chaos else 'test'} exclude each other")
    if config.archive_direct is not None and not is_address(config.archive_direct):
        raise BadConfig(f"archive_direct: must be postgresql://…, not {config.archive_direct!r}")


def _is_server(url: str) -> bool:
    try:
        told = urlsplit(url)
        port = told.port
    except ValueError:
        return False
    return (
        told.scheme in ("ws", "wss")
        and _HOST.fullmatch(told.hostname or "") is not None
        and port != 0
        and not (told.path.strip("/") or told.query or told.fragment or "@" in told.netloc)
    )
