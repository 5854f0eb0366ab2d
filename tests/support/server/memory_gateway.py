"""A gateway without sockets: it takes frames as bytes or text, and a peer collects the answers."""

from support.server.memory_server import MemoryPeer, MemoryServer

from parlour.server.metrics import Metrics
from parlour.server.wire.gateway import Gateway
from parlour.server.wire.outbox import Outbox


class EncodedPeer(MemoryPeer):
    """A peer that says which encoding it speaks."""

    def __init__(self, json: bool) -> None:
        super().__init__()
        self.json = json


class MemoryGateway(Gateway):
    """A gateway without an event loop."""

    def __init__(self, server: MemoryServer) -> None:
        super().__init__(server.lobby, Metrics())
        self.server = server

    def now(self) -> float:
        return self.server.at

    def set_alarm(self) -> None:
        pass

    def ping(self, outbox: Outbox) -> None:
        pass
