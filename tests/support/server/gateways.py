"""A gateway without sockets: frames go in as bytes or text, and answers come out on a line that collects."""

from support.server.people import Doors, Wire

from parlour.server.metrics import Metrics
from parlour.server.wire.gateway import Gateway


class Pipe(Wire):
    """A line that says which encoding it speaks."""

    def __init__(self, json: bool) -> None:
        super().__init__()
        self.json = json


class Porch(Gateway):
    """A gateway without an event loop."""

    def __init__(self, doors: Doors) -> None:
        super().__init__(doors.lobby, Metrics())
        self.doors = doors

    def now(self) -> float:
        return self.doors.at

    def set_alarm(self) -> None:
        pass
