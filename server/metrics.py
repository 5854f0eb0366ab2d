"""Figures for operators: /metrics in the form that Prometheus reads."""

from http import HTTPStatus

from prometheus_client import CollectorRegistry, Counter, Gauge, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Response

from parlour.server.lobby.lobby import Lobby


class Metrics:
    """A registry of its own, so that several servers can live in one process (tests do that)."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)  # how busy and how large a node is: who sizes a house asks
        self.connections = Gauge("parlour_connections", "Open connections", registry=self.registry)
        self.frames = 0
        """Counted here, and added to the counter when asked: the library takes a lock each time."""
        self._frames = Counter("parlour_frames", "Frames taken from clients", registry=self.registry)
        self._frames_counted = 0
        self.floods = Counter("parlour_floods", "Times a reader was paused", registry=self.registry)
        self.errors = Counter("parlour_errors", "Frames refused", ["code"], registry=self.registry)
        self.bugs = Counter(
            "parlour_bugs",
            "Faults of ours that a border caught",
            registry=self.registry,
        )
        self._tables = Gauge("parlour_tables", "Tables by stage", ["stage"], registry=self.registry)
        self._tournaments = Gauge(
            "parlour_tournaments",
            "Tournaments not over, by phase",
            ["phase"],
            registry=self.registry,
        )
        self._tournament_games = Counter(
            "parlour_tournament_games", "Games of tournaments that were recorded", registry=self.registry
        )
        self._games_counted = 0
        self._people = Gauge("parlour_names", "Names owned", registry=self.registry)

    def respond(self, socket: ServerConnection, lobby: Lobby) -> Response:
        self._frames.inc(self.frames - self._frames_counted)
        self._frames_counted = self.frames
        for stage in ("gathering", "playing", "finished"):
            count = sum(table.stage == stage for table in lobby.tables.by_id.values())
            self._tables.labels(stage).set(count)
        running = [tournament.state.phase for tournament in lobby.tournaments.listing.running()]
        for phase in ("announced", "registration", "check_in", "running", "paused"):
            self._tournaments.labels(phase).set(running.count(phase))
        self._tournament_games.inc(lobby.tournaments.games_played - self._games_counted)
        self._games_counted = lobby.tournaments.games_played
        self._people.set(len(lobby.tables.sessions))
        response = socket.respond(HTTPStatus.OK, generate_latest(self.registry).decode())
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = CONTENT_TYPE_LATEST
        return response
