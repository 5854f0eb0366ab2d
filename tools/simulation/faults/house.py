"""Faults in a house of several nodes."""

from tools.simulation.faults.planting import Edit, Fault

NODE, ROWS = "server.house.node:NodeHouse", "server.storage.postgresql.house:HouseRows"
TAKEOVER = "server.house.takeover:Takeover"

HOUSE = (
    Fault.of(
        "a node whose lease is over goes on",
        393,
        f"{NODE}.over",
        "if not self._lost and self.database.over:",
        "if False:",
    ),
    Fault.of(
        "a ticket is good again and again",
        141,
        f"{ROWS}.find",
        "DELETE FROM parlour.tickets WHERE",
        "UPDATE parlour.tickets SET number = number WHERE",
    ),
    Fault.of(
        "nobody takes over what a dead node had",
        105,
        f"{ROWS}.take_over",
        "if over is None:",
        "if True:",
    ),
    Fault(
        "a table that was taken over has forgotten its players",
        57,
        (
            Edit(f"{TAKEOVER}._restore", "refresh(self.tables, read.people)", "pass"),
            Edit(
                "server.house.people:refresh",
                "session.tables.update(tables.ids_of(person.name))",
                "pass",
            ),
        ),
    ),
)
