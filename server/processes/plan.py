"""What each node is called, where it listens, and how its process is started."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

import attrs

from parlour.machine.addresses import EVERYWHERE, label
from parlour.machine.programs import PARLOUR, command_line
from parlour.protocol.version import DEFAULT_PORT
from parlour.server.config import BadConfig, Config, flags_of

LONGEST = 29
"""Letters of a name that numbers up to 64 are added to."""


@attrs.frozen
class NodePlan:
    """One node: its settings are those of a server that is started by hand."""

    config: Config

    @property
    def name(self) -> str:
        assert self.config.node is not None
        return self.config.node

    @property
    def command(self) -> list[str]:
        return command_line(PARLOUR, "serve", "--while-stdin", *flags_of(self.config))


def plan_nodes(config: Config, own: Sequence[str]) -> list[NodePlan]:
    """The nodes, on a machine with these addresses; raises BadConfig."""
    count = config.processes
    assert count is not None
    if not 1 <= config.port <= 65535 - count:
        raise BadConfig(
            f"port: with {count} processes must be from 1 to {65535 - count}, not {config.port}: "
            f"{count + 1} ports in a row are used"
        )
    name = (config.node or re.sub("[^A-Za-z0-9-]", "-", label()).strip("-") or "node")[:LONGEST]
    return [NodePlan(_settings(config, name, number, own)) for number in range(count)]


def _settings(config: Config, name: str, number: int, own: Sequence[str]) -> Config:
    assert config.processes is not None
    return attrs.evolve(
        config,
        processes=None,
        node=f"{name}-{number + 1}",
        advertise=advertised(config, number, own),
        port=config.port + number,
        # All of them are for this machine together.
        bots=max(1, config.bots // config.processes) if config.bots else 0,
        # One house is found on the network once.
        hidden=config.hidden or number > 0,
    )


def advertised(config: Config, number: int, own: Sequence[str]) -> str:
    """Where clients reach the node with this number: what was given, or a name or an address of ours."""
    if config.advertise is not None:
        told = urlsplit(config.advertise)
        host, port, secure = told.hostname or "", told.port or DEFAULT_PORT, told.scheme == "wss"
    else:
        host = config.host if config.host not in ("", *EVERYWHERE) else (*config.name, *own, "127.0.0.1")[0]
        port, secure = config.port, config.cert is not None
    return f"{'wss' if secure else 'ws'}://{f'[{host}]' if ':' in host else host}:{port + number}"
