"""A tournament on a server that is killed again and again: everybody comes back by themselves and goes on."""

import asyncio

from support.server.killed_servers import KilledServer
from support.server.running_tournaments import RULES, Entrant
from support.server.sockets import Plain
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake


class Returning(Entrant):
    """Comes back whenever the server is up, and asks again for what was not answered."""

    phase = ""
    tournament = ""

    def __init__(self, server: KilledServer, name: str, steward: "Steward | None" = None) -> None:
        super().__init__("", name)
        self.server, self.steward = server, steward
        self._looking = 0
        self.unanswered: dict[int, Plain] = {}
        self.done: list[str] = []
        """Words of commands that were acknowledged."""

    async def come_in(self) -> None:
        before = self.last_id
        self.socket = await connect(self.server.url, subprotocols=["parlour.v1"], max_size=None, proxy=None)  # type: ignore[list-item]
        who = {"name": self.name} if self.token is None else {"token": self.token}
        await self.write({"type": "hello", "versions": [1], "client": "test", "bot": True, **who})
        self.welcome = await self.receive()
        assert self.welcome["type"] == "welcome", (self.name, self.welcome)
        self.token, self.last_id = self.welcome["token"], max(before, self.welcome["last_id"])
        self.memories.clear()
        for id, message in self.unanswered.items():
            await self.write({"id": id, **message})
        for table in self.welcome["tables"]:
            await self.send("resume", table=table)
        self._looking = await self.send("tournaments")

    async def live(self) -> None:
        while True:
            await self.server.open.wait()
            try:
                await self.come_in()
                while True:
                    await self.go_on()
                    message = await self.receive()
                    self.server.hear()
                    await self.take(message)
            except (ConnectionClosed, InvalidHandshake, OSError):
                self.memories.clear()

    async def ask(self, word: str, **fields: object) -> None:
        """One that must be done once, and not again."""
        self.unanswered[self.last_id + 1] = {"type": word, **fields}
        await self.send(word, **fields)

    async def take(self, message: Plain) -> None:
        if message["type"] in ("ok", "error"):
            asked = self.unanswered.pop(message["id"], None)
            if asked is not None:
                assert message["type"] == "ok", (self.name, asked, message)
                self.done.append(asked["type"])
                self.answered(asked, message["result"])
            elif message["id"] == self._looking:
                self.phase = next((one["phase"] for one in message["result"]["tournaments"]), "")
            elif message["type"] == "error":
                # An action that was kept, but whose answer was lost, may be sent again.
                assert message["code"] in ("stale", "not_asked", "over", "not_seated"), (self.name, message)
        else:
            await self.hear(message)

    def answered(self, asked: Plain, result: Plain) -> None: ...

    async def go_on(self) -> None:
        assert self.steward is not None
        await self.steward.opened.wait()
        if self.unanswered:
            return
        if "enter" not in self.done:
            await self.ask("enter", tournament=self.steward.tournament)
        elif "check_in" not in self.done and self.phase in ("check_in", "running"):
            await self.ask("check_in", tournament=self.steward.tournament, nonce=self.name)

    async def hear(self, message: Plain) -> None:
        if message["type"] == "tournament_changed":
            self.phase = message["info"]["phase"]
        await super().hear(message)


class Steward(Returning):
    """Makes the tournament, steers it, and remembers all results that it got."""

    def __init__(self, server: KilledServer, name: str, size: int, rules: Plain) -> None:
        super().__init__(server, name)
        self.size, self.rules = size, {**RULES, **rules}
        self.opened = asyncio.Event()
        self.steering = False
        self.there: dict[str, bool] = {}
        """Who has entered, and whether they have checked in."""
        self.snapshot: Plain | None = None
        self.told: dict[tuple[int, int, int], Plain] = {}

    async def come_in(self) -> None:
        self.snapshot, self.steering = None, False
        await super().come_in()

    def answered(self, asked: Plain, result: Plain) -> None:
        if asked["type"] == "create_tournament":
            self.tournament = result["tournament"]
        elif asked["type"] == "steer":
            self.opened.set()
        elif asked["type"] == "watch_tournament":
            self.done.remove("watch_tournament")
            self.snapshot = result
            self.there = {one["name"]: one["checked_in"] for one in result["entrants"]}
            for one in result["results"]:
                self.note(one)

    def note(self, result: Plain) -> None:
        spot = result["round"], result["table"], result["game"]
        assert self.told.setdefault(spot, result) == result

    async def hear(self, message: Plain) -> None:
        await super().hear(message)
        if message["type"] == "tournament_result":
            self.note(message["result"])
        elif message["type"] == "tournament_entrant":
            self.there[message["entrant"]["name"]] = message["entrant"]["checked_in"]
        elif message["type"] == "tournament_changed" and self.snapshot is not None:
            self.snapshot["info"], self.steering = message["info"], False

    @property
    def over(self) -> bool:
        return self.snapshot is not None and self.snapshot["info"]["phase"] == "finished"

    async def go_on(self) -> None:
        if self.unanswered:
            return
        if not self.tournament:
            await self.ask("create_tournament", rules=self.rules)
        elif self.snapshot is None:
            await self.ask("watch_tournament", tournament=self.tournament)
        elif not self.steering:
            phase, there = self.snapshot["info"]["phase"], self.there.values()
            if phase == "announced":
                await self.steer("open")
            elif phase == "registration" and len(there) == self.size:
                await self.steer("check_in")
            elif phase == "check_in" and sum(there) == self.size:
                await self.steer("start")

    async def steer(self, to: str) -> None:
        self.steering = True
        await self.ask("steer", tournament=self.tournament, to=to)
