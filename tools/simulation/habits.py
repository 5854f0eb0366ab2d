"""What peers do: most of the time what brings a game on, now and then what nobody would have thought of.

Everything follows from the luck of each peer, so that one seed is one story.
"""

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from tools.simulation.line import BINARY, TEXT

if TYPE_CHECKING:
    from tools.simulation.known import Sent, Table, Visit
    from tools.simulation.peer import Peer
    from tools.simulation.world import World

Plain = dict[str, Any]
THINKS = (0.0, 0.0, 0.0, 0.002, 0.01, 0.05, 0.2, 1.0)
"""Seconds between two things that a peer does."""
COMPETES = (0.005, 0.02, 0.05, 0.05, 0.2)
"""The same in a tournament, which takes long until it has begun."""
RETURNS = (0.0, 0.0, 0.001, 0.02, 0.1, 0.5, 3.0)
"""Seconds until a peer comes back."""
NOTICES = (0.0, 0.0, 0.001, 0.05, 0.5, None)
"""Seconds until the server notices that a line is lost; None: it has to find out."""


class Habits:
    """The habits of everybody in one world."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.calm = False
        """From now on everybody behaves, and comes back at once."""
        self.odd = world.luck.choice((0.05, 0.2, 0.4))
        self.breaks = world.luck.choice((0.0, 0.04, 0.12, 0.25))
        self.shaky: int | None = None
        """The number of the peer whose line flaps when a tournament deals its games."""
        if world.plan == "tournament" and world.seed % 2:
            self.breaks, self.shaky = 0.0, world.luck.randrange(2)  # all is well until games are dealt

    # When

    def begin(self, peer: "Peer") -> None:
        self.world.agenda.later(peer.luck.choice(THINKS), functools.partial(self._come_in, peer))

    def lost(self, peer: "Peer") -> None:
        peer.banned = peer.banned or peer.built_in  # the server starts another one
        if not peer.replaced and not peer.banned:
            after = 0.01 if self.calm else peer.luck.choice(RETURNS)
            self.world.agenda.later(after, functools.partial(self._come_in, peer))

    def _come_in(self, peer: "Peer") -> None:
        visit = peer.visit
        if peer.banned or peer.replaced or (visit is not None and not visit.line.over):
            return
        if peer.connect() is None:
            self.world.agenda.later(0.3, functools.partial(self._come_in, peer))

    def _think(self, peer: "Peer") -> None:
        thinks = COMPETES if self.world.plan == "tournament" else THINKS
        self.world.agenda.later(peer.luck.choice(thinks), functools.partial(self.step, peer))

    def heard(self, peer: "Peer", visit: "Visit", message: Plain) -> None:
        if message["type"] == "welcome":
            self.welcome(peer, visit)
            if not self.calm:
                self._think(peer)
        elif message["type"] == "ok":
            self.world.note(peer, message)
        elif message["type"] == "tournament_changed" and peer.here is visit:
            self._begin_to_flap(peer, message["info"])

    def _begin_to_flap(self, peer: "Peer", info: Plain) -> None:
        """Loses the line just when games are about to be dealt."""
        shaky = self.shaky is not None and peer is self.world.peers[self.shaky]
        if shaky and info["phase"] == "running" and not (self.calm or peer.flapping):
            peer.flapping = True
            self.flap(peer, peer.luck.choice((4, 12, 24)))

    def hasty(self, peer: "Peer", visit: "Visit") -> None:
        """Sends commands right behind the hello, before anything has come back."""
        if not self.calm and peer.tokens and not peer.unanswered():
            self.go_on(peer, visit)

    def welcome(self, peer: "Peer", visit: "Visit") -> None:
        """Comes back as the protocol's page says, or with something left out."""
        luck = peer.luck
        careless = not self.calm and luck.random() < 0.3
        if not careless:
            for sent in peer.unanswered():
                if visit.line.number not in sent.lines and sent.readable:
                    peer.send_again(visit, sent)
        if not self.calm and luck.random() < 0.15:
            peer.send(visit, "watch_lobby", on=True)
        if not self.calm and self.world.tournament is not None and luck.random() < 0.3:
            peer.send(visit, "watch_tournament", tournament=self.world.tournament)
        if not self.calm and luck.random() < 0.15:
            self.again(peer, visit)  # as one that has not kept the answer
        assert visit.welcome is not None
        for table in visit.welcome["tables"]:
            if careless and luck.random() < 0.5:
                if luck.random() < 0.2:  # without a look at it
                    word = luck.choice(("leave", "sit", "sit"))
                    peer.send(
                        visit, word, table=table, **({"seat": luck.randrange(3)} if word == "sit" else {})
                    )
                continue
            known = peer.tables.get(table)
            seated = known is not None and known.seat is not None
            after = known.seq if known is not None and seated and luck.random() < 0.8 else None
            peer.send(visit, "resume", table=table, after=after)

    def step(self, peer: "Peer") -> None:
        """Does one thing, or several in one breath."""
        if self.calm or peer.steps <= 0:
            return
        preparing = self.world.preparing
        peer.steps -= not preparing
        visit = peer.here
        if visit is not None:
            luck = peer.luck
            together = luck.random() < 0.2
            if together:
                visit.line.gather()
            for _ in range(luck.choice((1, 1, 1, 2, 3))):
                if luck.random() < (self.odd / 4 if preparing else self.odd):
                    luck.choice(ODD)(self, peer, visit)
                else:
                    self.go_on(peer, visit)
            if luck.random() < self.breaks and not peer.built_in:
                luck.choice(BREAKS)(self, peer, visit)
            if together:
                visit.line.send_gathered()
        if visit is not None and visit is peer.visit:
            self._think(peer)

    # What brings a game on

    def go_on(self, peer: "Peer", visit: "Visit") -> None:
        """The next sensible thing."""
        luck = peer.luck
        if peer.built_in:
            self.play(peer, visit)
            return
        plan = self.world.plan
        if plan == "tournament" and (self.compete(peer, visit) or luck.random() < 0.8):
            return
        if peer.watches:
            self.look_on(peer, visit)
        elif not self.play(peer, visit) and not peer.sits_at and not self._sitting(peer):
            self.sit_down(peer, visit)

    def _sitting(self, peer: "Peer") -> bool:
        return any(sent.word in ("join", "create_table") for sent in peer.unanswered())

    def look_on(self, peer: "Peer", visit: "Visit") -> None:
        found = [id for id in self.world.notices if id not in visit.streams]
        if any(sent.word == "watch" for sent in peer.unanswered()) and peer.luck.random() < 0.8:
            return
        if visit.watching and peer.luck.random() < 0.1:
            peer.send(visit, "join", **self._where(peer.luck.choice(sorted(visit.watching))))
        elif found:
            id = peer.luck.choice(found)
            peer.send(visit, "watch", **self._where(id))

    def _where(self, id: str) -> Plain:
        code = self.world.notices.get(id)
        return {"table": id} if code is None else {"code": code}

    def sit_down(self, peer: "Peer", visit: "Visit") -> None:
        luck, world = peer.luck, self.world
        if world.notices and luck.random() < 0.9:
            id = luck.choice(list(world.notices))
            peer.send(visit, "join", **self._where(id))
        elif world.tables_made < 2:
            world.tables_made += 1
            peer.send(visit, "create_table", **self.settings(peer))

    def settings(self, peer: "Peer") -> Plain:
        luck = peer.luck
        return {
            "game": "whispers",
            "seats": luck.choice((2, 2, 3)),
            "options": {"rounds": luck.choice((1, 1, 2))},
            "public": luck.random() < 0.7,
            "watching": luck.choice(("public", "everything", "public", "nobody")),
            "clocks": luck.choice(
                (
                    {},
                    {"decision": 1.0, "scramble": 0.5, "grace": 2.0},
                    {"decision": 0.5, "bank": 1.0, "late": "forfeit"},
                )
            ),
        }

    def play(self, peer: "Peer", visit: "Visit") -> bool:
        """What is to be done at a table of one's own; False if there is nothing."""
        for id in sorted(peer.sits_at):
            table = peer.tables.get(id)
            if table is not None and id in visit.streams and self._play_at(peer, visit, id, table):
                return True
        return False

    def _play_at(self, peer: "Peer", visit: "Visit", id: str, table: "Table") -> bool:
        info, luck = table.info, peer.luck
        waiting = {sent.word for sent in peer.unanswered() if sent.fields.get("table") == id}
        if table.seat is None:
            return False
        chair = info["chairs"][table.seat]
        if info["stage"] == "gathering":
            if chair and not chair["ready"] and "ready" not in waiting:
                nonce = peer.word() if luck.random() < 0.3 else None
                peer.send(visit, "ready", table=id, nonce=nonce)
                return True
            everybody = all(each and each["ready"] for each in info["chairs"])
            if everybody and info["host"] == peer.name and "start" not in waiting:
                peer.send(visit, "start", table=id)
                return True
            if None in info["chairs"] and info["host"] == peer.name and luck.random() < 0.1:
                peer.send(visit, "add_bot", table=id)
                return True
        elif info["stage"] == "playing":
            away = [
                seat for seat, each in enumerate(info["chairs"]) if each and not (each["here"] or each["bot"])
            ]
            if away and info["host"] == peer.name and luck.random() < 0.8:
                strategy = luck.choice(("random", "random", None))
                peer.send(visit, "substitute", table=id, seat=luck.choice(away), strategy=strategy)
                return True
            question = table.known["question"]
            if question is not None and "act" not in waiting:
                self.act(peer, visit, id, table, question)
                return True
        elif not waiting and not peer.built_in:
            peer.send(visit, "rematch" if luck.random() < 0.5 else "leave", table=id)
            return True
        return False

    def act(self, peer: "Peer", visit: "Visit", id: str, table: "Table", question: Plain) -> None:
        action = dict(peer.luck.choice(question["legal"]))
        for field, value in action.items():
            if isinstance(value, dict):
                action[field] = peer.luck.choice(value["one_of"])
        sent = peer.send(visit, "act", table=id, turn=question["turn"], action=action)
        sent.game, sent.scramble, sent.legal = table.info["number"], action.get("type") == "snatch", True

    def compete(self, peer: "Peer", visit: "Visit") -> bool:
        """What is to be done in a tournament; False if there is nothing."""
        if self.play(peer, visit):
            return True
        world, id = self.world, self.world.tournament
        organises = self.organises(peer)
        if id is None:
            return organises and self._do_once(peer, visit, "create_tournament", rules=world.rules())
        match world.phase(id):
            case "announced":
                return organises and self._do_once(peer, visit, "steer", tournament=id, to="open")
            case "registration":
                if self._do_once(peer, visit, "enter", tournament=id):
                    return True
                to = "check_in" if world.seed % 2 else "start"
                enough = organises and world.entered >= 2
                return enough and self._do_once(peer, visit, "steer", tournament=id, to=to)
            case "check_in":
                if self._do_once(peer, visit, "check_in", tournament=id, nonce=f"{peer.name}'s"):
                    return True
                enough = organises and world.checked_in >= 2
                return enough and self._do_once(peer, visit, "steer", tournament=id, to="start")
        return False

    def organises(self, peer: "Peer") -> bool:
        """Whether the tournament is this peer's."""
        return peer is self.world.peers[0]

    def _do_once(self, peer: "Peer", visit: "Visit", word: str, **fields: Any) -> bool:
        """Sends a command, unless it was done already or may still be done."""
        for sent in self.asked(peer):
            refused = sent.answer is not None and sent.answer["type"] == "error"
            if sent.word == word and not refused and sent.fields.get("to") == fields.get("to"):
                return False
        peer.send(visit, word, **fields)
        return True

    def asked(self, peer: "Peer") -> "Iterable[Sent]":
        """What somebody has sent that is done, or may still be."""
        return peer.sent.values()

    # What nobody would have thought of

    def say(self, peer: "Peer", visit: "Visit") -> None:
        tables = [*sorted(peer.sits_at), None]
        peer.send(visit, "say", text=peer.word(), table=peer.luck.choice(tables))

    def again(self, peer: "Peer", visit: "Visit") -> None:
        """Sends an old command once more."""
        old = [sent for sent in peer.sent.values() if sent.readable and not sent.behind_bye]
        if old:
            peer.send_again(visit, peer.luck.choice(old[-6:]))

    def twice(self, peer: "Peer", visit: "Visit") -> None:
        """Answers a question twice, with two ids."""
        self.go_on(peer, visit)
        last = peer.sent.get(peer.last_id)
        if last is not None and last.word == "act":
            other = peer.send(visit, "act", **last.fields)
            other.game, other.scramble = last.game, last.scramble

    def wrong_act(self, peer: "Peer", visit: "Visit") -> None:
        for id in sorted(peer.sits_at):
            table = peer.tables.get(id)
            if table is not None:
                action = peer.luck.choice(
                    (
                        {"type": "tell", "word": "whispered-zz"},
                        {"type": "snatch", "prize": 9},
                        {"type": "x"},
                        {},
                    )
                )
                turn = max(0, (table.turn or 0) + peer.luck.choice((-1, 0, 0, 1)))
                sent = peer.send(visit, "act", table=id, turn=turn, action=action)
                sent.game, sent.scramble = table.info["number"], True
                return

    def resume(self, peer: "Peer", visit: "Visit") -> None:
        """Looks again: after the last number, an older one, one that never was, or at everything."""
        for id, table in sorted(peer.tables.items()):
            if table.seat is None and id in peer.sits_at:
                continue  # what is known was seen by a watcher
            after = peer.luck.choice((None, table.seq, max(0, table.seq - 2), table.seq + 5, 0))
            peer.send(visit, "resume", table=id, after=after)
            return

    def at_table(self, peer: "Peer", visit: "Visit") -> None:
        """Something that is done at a table, whether it is the time for it or not."""
        found = [*sorted(peer.tables), *self.world.notices]
        if not found:
            return
        luck, id = peer.luck, peer.luck.choice(found)
        word = luck.choice(
            ("leave", "resign", "rematch", "start", "ready", "kick", "sit", "watch", "join", "let_back")
        )
        fields: Plain = {"table": id}
        if word == "let_back":
            fields["name"] = luck.choice(self.world.peers).name
        if word in ("kick", "sit"):
            fields["seat"] = luck.randrange(3)
        if word == "ready":
            fields["on"] = luck.random() < 0.5
        peer.send(visit, word, **fields)

    def lobby(self, peer: "Peer", visit: "Visit") -> None:
        luck = peer.luck
        word = luck.choice(("ping", "games", "list_tables", "watch_lobby", "played", "tournaments"))
        peer.send(visit, word, **({"on": luck.random() < 0.8} if word == "watch_lobby" else {}))

    def unreadable(self, peer: "Peer", visit: "Visit") -> None:
        """A message that is none: with an id that can be read, or without."""
        luck = peer.luck
        if luck.random() < 0.5:
            sent = peer.send(visit, luck.choice(("fly", "join")), table=3)
            sent.readable = False
        else:
            visit.unreadable += 1
            peer.write(visit.line, luck.choice(({"type": "ping"}, {"type": "ping", "id": 0}, {"id": "x"})))

    def tournaments(self, peer: "Peer", visit: "Visit") -> None:
        id, luck = self.world.tournament, peer.luck
        if id is None:
            return
        word = luck.choice(
            (
                "watch_tournament",
                "watch_tournament",
                "enter",
                "withdraw",
                "tournament_log",
                "steer",
                "check_in",
            )
        )
        fields: Plain = {"tournament": id}
        if word == "steer":
            fields["to"] = luck.choice(("pause", "resume", "start", "check_in", "resume", "cancel"))
        peer.send(visit, word, **fields)

    def replay(self, peer: "Peer", visit: "Visit") -> None:
        for id, table in sorted(peer.tables.items()):
            peer.send(visit, "replay", game=f"{id}-{table.info['number']}")
            return

    # How lines end

    def cut(self, peer: "Peer", visit: "Visit") -> None:
        peer.tell("cuts the line", line=visit.line)
        visit.line.cut(peer.luck.choice(NOTICES))
        self.lost(peer)

    def half(self, peer: "Peer", visit: "Visit") -> None:
        peer.half(visit, "say", text=peer.word(), table=peer.luck.choice([*sorted(peer.sits_at), None]))
        self.cut(peer, visit)

    def close(self, peer: "Peer", visit: "Visit") -> None:
        """Sends a close frame right behind commands, and now and then one more behind it."""
        self.go_on(peer, visit)
        peer.close(visit)
        if peer.luck.random() < 0.3:
            self.say(peer, visit)

    def quick(self, peer: "Peer", visit: "Visit") -> None:
        """Cuts the line right behind commands, and is back at once."""
        self.go_on(peer, visit)
        self.resume(peer, visit)
        peer.tell("cuts the line behind that", line=visit.line)
        visit.line.cut(peer.luck.choice((0.2, 0.2, 0.5, None)))
        self._come_in(peer)

    def flap(self, peer: "Peer", times: int) -> None:
        """Loses the line, and is back at once, several times in a row."""
        visit = peer.visit
        if visit is not None and visit.line.open:  # welcome or not
            peer.tell("flaps", line=visit.line)
            visit.line.cut(peer.luck.choice((0.0, 0.0, 0.001, 0.2)))
            self._come_in(peer)
        peer.flapping = times > 1 and not self.calm
        if peer.flapping:
            again = functools.partial(self.flap, peer, times - 1)
            self.world.agenda.later(peer.luck.choice((0.002, 0.004, 0.008, 0.02)), again)

    def replace(self, peer: "Peer", visit: "Visit") -> None:  # noqa: ARG002
        """Opens a second line beside the first."""
        peer.connect()

    def bye(self, peer: "Peer", visit: "Visit") -> None:
        peer.send(visit, "bye")
        if peer.luck.random() < 0.5:
            self.say(peer, visit)

    def stop_reading(self, peer: "Peer", visit: "Visit") -> None:
        peer.tell("reads no more", line=visit.line)
        visit.was_stuck = visit.line.stuck = True
        visit.line.room = peer.luck.choice((0, 300, 3000))
        self.world.agenda.later(peer.luck.choice((0.01, 0.5, 3.0, 8.0)), visit.line.read_on)

    def break_rules(self, peer: "Peer", visit: "Visit") -> None:
        """A frame that closes the connection."""
        payload, first = peer.luck.choice(((b"\xc1", BINARY), (b"[", TEXT), (b"\x93\x01\x02\x03", BINARY)))
        peer.tell(f"sends a frame that is none: {payload!r}", line=visit.line)
        visit.line.send(payload, first)
        visit.unreadable += 1
        visit.broke_rules = True


Deed = Callable[[Habits, "Peer", "Visit"], None]
ODD: tuple[Deed, ...] = (
    *(Habits.say, Habits.say, Habits.again, Habits.again, Habits.twice, Habits.wrong_act, Habits.resume),
    *(Habits.resume, Habits.at_table, Habits.at_table, Habits.at_table, Habits.lobby, Habits.unreadable),
    *(Habits.tournaments, Habits.replay),
)
BREAKS: tuple[Deed, ...] = (
    *(
        Habits.cut,
        Habits.cut,
        Habits.half,
        Habits.quick,
        Habits.quick,
        Habits.replace,
        Habits.bye,
        Habits.close,
    ),
    *(Habits.stop_reading, Habits.break_rules),
)
