"""A peer: it sends, and takes in what comes back. Moves nothing by itself.

`habits` decides what it does next; `guarantees` holds every frame against the promises of PROTOCOL.md.
"""

import random
from typing import TYPE_CHECKING, Any

import msgpack

from tools.simulation.guarantees import ends, every
from tools.simulation.guarantees.lobby import names
from tools.simulation.known import (
    BEFORE_THE_START,
    GRANTS,
    SITS,
    Picture,
    Plain,
    Sent,
    Table,
    Visit,
    last_wish,
)
from tools.simulation.line import BINARY, CLOSE, TEXT, Line, frame

if TYPE_CHECKING:
    from tools.simulation.world import World

CLOSED = (1000).to_bytes(2, "big")
TABLE_EVENTS = frozenset({"snapshot", "update", "table_changed", "chat"})


class Peer:
    """One player, watcher, organiser or bot, over all its lines (line.Reader)."""

    def __init__(self, world: "World", name: str, bot: bool = False, token: str | None = None) -> None:
        self.world = world
        self.name, self.bot = name, bot
        self.luck = random.Random(f"{world.seed}/{name}")
        self.tokens: list[str] = [token] if token is not None else []
        self.token = token.encode() if token is not None else b""
        """The last one, as it would stand in a frame."""
        self.named = token is not None
        self.json = not bot and self.luck.random() < 0.15
        self.visit: Visit | None = None
        """On the newest line."""
        self.visits: dict[int, Visit] = {}
        self.last_id = 0
        self.sent: dict[int, Sent] = {}
        self._open: dict[int, Sent] = {}
        """Those without an answer."""
        self.tables: dict[str, Table] = {}
        self.pictures: dict[str, Picture] = {}
        self.sits_at: set[str] = set()
        """By the answers that came."""
        self.acted: dict[tuple[str, int, int], int] = {}
        """By table, game and turn: the command that was accepted."""
        self.replaced = False
        self.counter = 0
        self.steps = 0
        self.banned = False
        """Its name is gone: it cannot come back."""
        self.built_in = False
        self.watches = False
        self.hears_all = True
        """Of a tournament that it watches it is told everything, and not of its course alone."""
        self.flapping = False
        """Its line is lost and back every few milliseconds."""

    # Lines

    def connect(self) -> Visit | None:
        """Opens a line and says hello on it as soon as it is open."""
        line = self.world.new_line(self)
        if line is None:
            return None
        if self.tokens:
            # The newest one; or the one before, as if the last welcome had been lost.
            old = len(self.tokens) > 1 and self.visit is not None and self.visit.welcome is None
            old = old and self.luck.random() < 0.5
            who: Plain = {"token": self.tokens[-2 if old else -1]}
        else:
            who = {"name": self.name, "bot": self.bot}
        return self._open_visit(line, who)

    def _open_visit(self, line: Line, who: Plain) -> Visit:
        self.visit = self.visits[line.number] = Visit(line, self.world.epoch_for(self), who)
        self.tell(f"opens line {line.number}")
        return self.visit

    def follows(self, visit: Visit, message: Plain) -> bool:  # noqa: ARG002
        """Whether it learns from an event of a table: not from one that comes on a line that it has left."""
        return visit is self.visit

    def on_open(self, line: Line) -> None:
        visit = self.visits[line.number]
        hello = {"type": "hello", "versions": [1], "client": "simulation", **visit.who}
        self.write(line, hello)
        if self.luck.random() < 0.1:
            self.world.habits.hasty(self, visit)

    def on_end(self, line: Line, code: int | None) -> None:
        how = "is cut off" if code is None else f"is closed with {code}"
        self.tell(how, line=line)
        visit = self.visits[line.number]
        ends.on_end(self, visit, code)
        if visit is self.visit:
            self.world.habits.lost(self)

    @property
    def here(self) -> Visit | None:
        """The line on which it is welcome, if there is one."""
        visit = self.visit
        if visit is None or visit.welcome is None or visit.line.over or visit.over is not None:
            return None
        return visit

    # Commands

    def write(self, line: Line, message: Plain) -> None:
        self.tell("asks", message, line)
        line.send(*self.packed(message))

    def packed(self, message: Plain) -> tuple[bytes, int]:
        if self.json:
            return self.world.json(message), TEXT
        return msgpack.packb(message), BINARY

    def send(self, visit: Visit, word: str, **fields: Any) -> Sent:
        """Sends a new command."""
        self.last_id += 1 + (self.luck.random() < 0.05)
        sent = self.sent[self.last_id] = Sent(self.last_id, word, fields, behind=bool(self._open))
        self._open[self.last_id] = sent
        self.send_again(visit, sent)
        return sent

    def send_again(self, visit: Visit, sent: Sent) -> None:
        if visit.line.number not in sent.lines:
            visit.order.append(sent)
        sent.lines.append(visit.line.number)
        visit.sends += 1
        sent.stamp, sent.at = visit.sends, self.world.agenda.now
        visit.counts.setdefault(sent.id, [0, 0])[0] += 1
        if (visit.bye is not None or visit.closed) and len(sent.lines) == 1:
            sent.behind_bye = True
        if sent.word == "say":
            self.world.said[sent.fields["text"]] = sent.fields["table"]
        if sent.word in GRANTS and "table" in sent.fields:
            visit.grants[sent.fields["table"]] = sent.stamp
        if sent.word == "resume":
            visit.resumes.append(sent)
        if sent.word == "leave" and len(sent.lines) == 1:
            sent.watched = sent.fields["table"] not in self.sits_at
        if sent.word == "bye":
            visit.bye = sent.id
        self.write(visit.line, {"type": sent.word, "id": sent.id, **sent.fields})

    def half(self, visit: Visit, word: str, **fields: Any) -> None:
        """Sends a part of a command, and then the line breaks: it was never sent."""
        self.last_id += 1
        data = frame(*self.packed({"type": word, "id": self.last_id, **fields}))
        visit.line.send_bytes(data[: self.luck.randrange(1, len(data))])

    def close(self, visit: Visit) -> None:
        """Sends a close frame: what comes behind it does not count."""
        self.tell("sends a close frame", line=visit.line)
        visit.closed = True
        visit.before_close = [sent.id for sent in visit.order if sent.readable and not sent.behind_bye]
        visit.line.send(CLOSED, CLOSE)

    def word(self) -> str:
        """A text that nobody else ever says."""
        self.counter += 1
        return f"{self.world.peers.index(self)}-{self.counter}"

    def unanswered(self) -> list[Sent]:
        return [sent for sent in self._open.values() if not sent.behind_bye and sent.word != "bye"]

    # What comes

    def on_message(self, line: Line, payload: bytes, first: int) -> None:
        message: Plain = self.world.from_json(payload) if first == TEXT else msgpack.unpackb(payload)
        self.tell("gets", message, line)
        visit = self.visits[line.number]
        every.on_message(self, visit, message, payload)
        word = message["type"]
        if word in TABLE_EVENTS:
            self._take_event(visit, message, payload)
        elif word in ("ok", "error"):
            self._take_answer(visit, message)
        elif word == "welcome":
            self._take_welcome(visit, message)
        elif word == "lobby_gone":
            self._drop_table(visit, message["table"])
            if visit.lobby is not None and message["reason"] == "closed":
                visit.lobby.pop(message["table"], None)
        elif word == "lobby_table":
            if visit.lobby is not None:
                visit.lobby[message["info"]["table"]] = message["info"]
        elif word.startswith("tournament_"):
            self._take_tournament(visit, message)
        elif word == "goodbye":
            visit.over = message["reason"]
            self.replaced = self.replaced or (message["reason"] == "replaced" and visit is self.visit)
        self.world.habits.heard(self, visit, message)

    def _take_welcome(self, visit: Visit, message: Plain) -> None:
        visit.welcome = message
        self.named = True
        self.name = message["you"]["name"]
        self.tokens.append(message["token"])
        self.token = self.tokens[-1].encode()
        self.last_id = max(self.last_id, message["last_id"])

    def _take_answer(self, visit: Visit, message: Plain) -> None:
        sent = self.sent.get(message["id"] or 0)
        if sent is None:
            if message["type"] == "error":
                if visit.welcome is None or message["code"] == "bad_frame":
                    visit.over = message["code"]
                if message["code"] in ("bad_token", "name_taken"):
                    ends.g16_names(self, visit, message)
                    self.banned = True
            return
        if sent in visit.resumes:
            visit.resumes.remove(sent)
        first = sent.answer is None
        if first:
            sent.answer, sent.epoch = message, visit.epoch
            del self._open[sent.id]
        if message["type"] == "error":
            return
        sent.done = True
        result = message["result"]
        if sent.word == "resume" and not result["snapshot"]:
            visit.streams.setdefault(sent.fields["table"], sent.fields["after"])
        if sent.word in GRANTS and "table" not in sent.fields:
            table = result["table"]
            visit.grants[table] = max(sent.stamp, visit.grants.get(table, 0))
        if sent.word == "leave" and first:
            if len(sent.lines) > 1:
                self.sits_at.discard(sent.fields["table"])  # when it was done, nobody knows
                self.tables.pop(sent.fields["table"], None)
                visit.watching.discard(sent.fields["table"])
            else:
                if visit.grants.get(sent.fields["table"], 0) < sent.stamp:
                    visit.grants.pop(sent.fields["table"], None)
                self._drop_table(visit, sent.fields["table"])
        elif sent.word in SITS and first:
            self.sits_at.add(result.get("table", sent.fields.get("table")))
        elif sent.word == "watch_lobby":
            if sent is last_wish(visit):
                visit.lobby = {info["table"]: info for info in result["tables"]} if result else None
        elif sent.word == "watch":
            visit.watching.add(result["table"])
        elif sent.word == "watch_tournament":
            id = sent.fields["tournament"]
            if result is None:
                visit.tournaments.pop(id, None)
            else:
                visit.tournaments[id] = result["seq"]
                spots = {(one["round"], one["table"], one["game"]) for one in result["results"]}
                if visit is self.visit:
                    self.pictures[id] = Picture(result["info"]["phase"], names(result), spots)

    def _drop_table(self, visit: Visit, table: str) -> None:
        self.tables.pop(table, None)
        self.sits_at.discard(table)
        visit.streams.pop(table, None)
        visit.due.pop(table, None)
        visit.watching.discard(table)

    def _take_tournament(self, visit: Visit, message: Plain) -> None:
        id, known = message["tournament"], self.pictures.get(message["tournament"])
        if id not in visit.tournaments:
            return
        visit.tournaments[id] = message["seq"]
        if known is None or visit is not self.visit:
            return  # on a line that it has left it learns nothing new
        if message["type"] == "tournament_changed":
            known.phase = message["info"]["phase"]
            known.entrants = known.entrants if known.phase in BEFORE_THE_START else None
        elif message["type"] == "tournament_entrant" and known.entrants is not None:
            known.entrants.add(message["entrant"]["name"])
            if message["withdrawn"]:
                known.entrants.remove(message["entrant"]["name"])
        elif message["type"] == "tournament_result":
            one = message["result"]
            known.results.add((one["round"], one["table"], one["game"]))

    def _take_event(self, visit: Visit, message: Plain, payload: bytes) -> None:
        id, seq, word = message["table"], message["seq"], message["type"]
        visit.streams[id] = seq
        if word == "snapshot":
            visit.snapshots[id] = visit.snapshots.get(id, 0) + 1
            visit.due.pop(id, None)
        if not self.follows(visit, message):
            return
        table = self.tables.get(id)
        if word == "snapshot":
            known = {key: part for key, part in message.items() if key not in ("type", "seq", "table")}
            fresh = Table(seq, visit.epoch, known, highest=seq, resumable=seq)
            same = table is not None and table.known["info"]["number"] == known["info"]["number"]
            if table is not None and same and table.epoch == visit.epoch and table.seat == known["seat"]:
                if seq >= table.highest:
                    fresh.events, fresh.resumable = table.events, table.resumable
                fresh.turn = table.turn if seq == table.seq else None
            if table is not None and table.ended and known["info"]["number"] == table.info["number"] + 1:
                fresh.turn = table.turn  # turns go on in the next game
            for line in known["chat"]:
                self.world.heard.setdefault(line["text"], {}).setdefault(self.name, set())
            fresh.ended = known["result"] is not None
            if known["question"] is not None:
                fresh.turn = known["question"]["turn"]
            self.tables[id] = fresh
            if known["seat"] is not None:
                self.sits_at.add(id)
                visit.watching.discard(id)
            return
        if table is None or seq <= table.seq:
            return
        if seq > table.seq + 1:  # it resumed after a number that it never had
            del self.tables[id]
            return
        table.seq = table.highest = seq
        table.events[seq] = payload
        if word == "table_changed":
            if message["info"]["number"] != table.info["number"]:  # watchers are told of a rematch so
                table.known |= {"view": None, "awaited": [], "question": None, "result": None}
                table.ended = False
            table.known["info"], table.known["clock"] = message["info"], message["clock"]
        elif word == "chat":
            heard = self.world.heard.setdefault(message["line"]["text"], {})
            heard.setdefault(self.name, set()).add((visit.epoch, seq))
            table.known["chat"] = [*table.known["chat"], message["line"]][-50:]
        else:
            for part in ("view", "awaited", "question", "clock", "result"):
                table.known[part] = message[part]
            table.ended = message["result"] is not None
            if table.ended:
                self.world.outcomes[f"{id}-{table.info['number']}"] = message["result"]["places"]
            if message["question"] is not None:
                table.turn = message["question"]["turn"]

    def tell(self, what: str, message: Any = "", line: Line | None = None) -> None:
        if self.world.story is not None:
            self.world.story.tell(self.name, what, message, line)
