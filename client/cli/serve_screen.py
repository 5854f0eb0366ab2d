"""The words of `parlour serve`: its flags, its one screen, and the lines that it logs."""

import argparse
import logging
from typing import TYPE_CHECKING, Any

from parlour.client.cli.subcommand import BadArguments, add_language
from parlour.client.language import ENGLISH, Texts
from parlour.machine import output

if TYPE_CHECKING:
    from parlour.client.addresses import Reach
    from parlour.server.processes.parent import ListeningNodes

MOST_SHOWN = 8
"""Addresses on the screen: a machine with many networks would fill it."""
LABEL = 20
"""Columns in front of an address."""
SETTINGS: dict[str, dict[str, Any]] = {
    "host": {"metavar": "ADDRESS", "help": "listen on this address only (default: all, IPv4 and IPv6)"},
    "port": {"metavar": "N", "type": int, "help": "listen on this port (default: 21925; 0: any free one)"},
    "cert": {"metavar": "FILE", "help": "a TLS certificate, for wss:// instead of ws://"},
    "key": {"metavar": "FILE", "help": "the key of that certificate"},
    "name": {
        "metavar": "NAME",
        "action": "append",
        "help": "a host name under which browsers may reach this server",
    },
    "origin": {"metavar": "URL", "action": "append", "help": "a web site whose pages may connect"},
    "trusted_proxy": {
        "metavar": "ADDRESS",
        "action": "append",
        "help": "a proxy, or a network of them, whose X-Forwarded-For says who connects",
    },
    "bots": {"metavar": "N", "type": int, "help": "processes for bots, at most (default: all cores but one)"},
    "heartbeat": {"metavar": "SECONDS", "type": float, "help": "how often to ask who is still there"},
    "tables": {"metavar": "N", "type": int, "help": "tables at a time, at most"},
    "connections": {"metavar": "N", "type": int, "help": "connections at a time, at most"},
    "connections_each": {"metavar": "N", "type": int, "help": "connections from one network, at most"},
    "names_each": {"metavar": "N", "type": int, "help": "new names from one network in an hour, at most"},
    "tournament_tables": {"metavar": "N", "type": int, "help": "tables of tournaments at a time, at most"},
    "archive": {
        "metavar": "FILE",
        "help": "keep names, tables and games in this file, or in the database at this postgresql:// address "
        "(default: parlour.db)",
    },
    "unsafe_database": {
        "action": "store_true",
        "default": None,
        "help": "use a database that may lose games: with fsync or synchronous_commit off",
    },
    "archive_direct": {
        "metavar": "ADDRESS",
        "help": "the same database without the pooler between it and --archive, for nodes",
    },
    "node": {
        "metavar": "NAME",
        "help": "be one of several servers that share a PostgreSQL database; with --advertise",
    },
    "advertise": {"metavar": "URL", "help": "where clients of the other nodes reach this one"},
    "lease": {
        "metavar": "SECONDS",
        "type": float,
        "help": "after how long a silence other nodes take this one's tables over (default: 6)",
    },
    "processes": {
        "metavar": "N",
        "type": int,
        "help": "start so many nodes on this machine, ports in a row; needs PostgreSQL",
    },
    "web": {
        "action": argparse.BooleanOptionalAction,
        "default": None,
        "help": "serve the page for browsers on the same port, or not (default: serve it)",
    },
    "hidden": {
        "action": "store_true",
        "default": None,
        "help": "do not announce the server: only those who know its address find it",
    },
    "plain_websockets": {
        "action": "store_true",
        "default": None,
        "help": "use the websockets library alone: slower, in case our own reader fails",
    },
    "test": {
        "action": "store_true",
        "default": None,
        "help": "for authors of clients: this machine only, high limits, the same deals at every start",
    },
    "chaos": {
        "metavar": "SEED[:LEVEL]",
        "help": "like --test, and break connections by this seed: tear, delay, cut, restart; level 1 to 5",
    },
    "verbose": {"action": "store_true", "default": None, "help": "log more"},
}
"""Named as in a settings file."""


def add_flags(parser: argparse.ArgumentParser) -> None:
    for name, how in SETTINGS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", **how)
    parser.add_argument(
        "--no-archive", action="store_true", help="keep nothing: names, tables and games end with the server"
    )
    add_language(parser)
    parser.add_argument(
        "--config", metavar="FILE", help="a TOML file with settings of the same names; flags override it"
    )


def flags(given: argparse.Namespace) -> dict[str, Any]:
    """The settings that were given as flags; raises BadArguments."""
    if given.no_archive and given.archive is not None:
        raise BadArguments("--archive and --no-archive exclude each other: leave one of them out")
    given_flags = {name: value for name in SETTINGS if (value := getattr(given, name)) is not None}
    return {**given_flags, "archive": ""} if given.no_archive else given_flags


def screen(
    build: str,
    reach: "Reach",
    texts: Texts = ENGLISH,
    page: bool = False,
    drawn: bool = False,
    hidden: bool = False,
    mode: str | None = None,
    nodes: "ListeningNodes | None" = None,
    advertised: str | None = None,
) -> str:
    """Where the server is, how to join and how to stop it; `drawn` adds a QR code of the page.

    `mode` is `test` or `chaos`, if this server is not to be trusted with a game; `nodes` are those of
    `--processes`, of which the first is shown as the server; `advertised` is where clients are sent.
    """
    from parlour.engine.catalogue import GAMES

    shown = reach.network[:MOST_SHOWN]
    address = advertised or (*shown, *reach.here)[0]
    how = texts("serve.join_hidden" if hidden else "serve.join")
    joining = [how, f"  parlour play {address.removeprefix('ws://')}", ""]
    warning = [texts(f"serve.{mode}"), ""] if mode is not None else []
    lines = [*warning, texts("serve.open", build=f"{build[:1].upper()}{build[1:]}"), "", *joining]
    lines += _listed(texts("serve.here"), reach.here)
    lines += _listed(texts("serve.network"), shown)
    if len(reach.network) > len(shown):
        lines.append(" " * LABEL + texts("serve.more", count=len(reach.network) - len(shown)))
    if advertised is not None and advertised not in shown:
        lines += _listed(texts("serve.players"), (advertised,))
    elif not shown:
        lines.append(texts("serve.alone"))
    if nodes is not None:
        lines.append(texts("serve.nodes", first=nodes.first, last=nodes.last, health=nodes.health))
    if page:
        lines += ["", *_page(address, texts, drawn and (bool(shown) or advertised is not None))]
    lines += [
        "",
        texts("serve.bot"),
        f"  parlour bot {address} --game {next(iter(GAMES))}",
        texts("serve.programs"),
        "",
        texts("serve.stop"),
    ]
    return "\n".join(lines)


def _page(url: str, texts: Texts, drawn: bool) -> list[str]:
    from parlour.client.web.invitation import page_address, qr_lines

    address = page_address(url)
    return [*_listed(texts("serve.browser"), (address,)), *(qr_lines(address) if drawn else [])]


def _listed(title: str, urls: tuple[str, ...]) -> list[str]:
    from parlour.client.boards.text import spread

    return [spread(title if number == 0 else "", LABEL) + url for number, url in enumerate(urls)]


def log_to_stderr(verbose: bool) -> None:
    """One line per event, with ids; never hands, chat or tokens."""
    parlour = logging.getLogger("parlour")
    output.log_to_stderr(
        parlour, logging.DEBUG if verbose else logging.INFO, f"%(asctime)s {output.COMMANDS}"
    )
    parlour.propagate = False
    # At its lowest level it writes every frame, and with it hands, chat and tokens.
    logging.getLogger("parlour.websockets").setLevel(logging.INFO if verbose else logging.WARNING)
