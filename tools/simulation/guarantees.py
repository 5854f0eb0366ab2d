"""The guarantees of PROTOCOL.md, one function each: what a peer may hold against every frame that it gets.

A function is told the peer, the line on which something came, and what came, before the peer takes it in.
`FINAL` has those that hold at the end of a world, when everybody is connected and nothing is on its way.
"""

import hashlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.simulation.peer import Peer, Table, Visit
    from tools.simulation.world import World

Plain = dict[str, Any]
KEPT_EVENTS = 64
KEPT_ANSWERS = 256
RESTART_GAP = 10_000
HOW_CLOSED = {"replaced": 4001, "restart": 1012, "errors": 4005}
UPDATE = {"type", "table", "seq", "view", "news", "awaited", "question", "clock", "result"}
SNAPSHOT = {
    *(
        "type",
        "table",
        "seq",
        "seat",
        "code",
        "info",
        "view",
        "awaited",
        "question",
        "clock",
        "result",
        "chat",
    )
}
WHISPERED = re.compile(rb"whispered-..")
STORED = frozenset({"create_table", "join", "sit", "start", "act", "resign", "rematch", "enter", "check_in"})
"""Commands that were stored when they are answered, with their answers."""
ANY_TIME = frozenset(
    {"list_tables", "watch_lobby", "played", "replay", "tournaments", "watch_tournament", "tournament_log"}
)
"""Commands whose answers are made while later ones are done (G3)."""


class Broken(AssertionError):
    """A guarantee that was not kept."""

    def __init__(self, guarantee: str, who: str, what: str) -> None:
        super().__init__(f"{guarantee} is broken for {who}: {what}")
        self.guarantee = guarantee


def hold(true: object, guarantee: str, peer: "Peer", what: str) -> None:
    if not true:
        raise Broken(guarantee, peer.name, what)


# Answers


def g1_one_answer(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """Every command that could be read gets exactly one answer with its id."""
    id = message["id"]
    if id is None:
        if visit.welcome is not None:
            visit.unreadable -= 1
            hold(
                visit.unreadable >= 0,
                "G1",
                peer,
                f"an error without an id, and nothing unreadable was sent: {message}",
            )
        return
    sent = peer.sent.get(id)
    if sent is None:
        hold(visit.welcome is None, "G1", peer, f"an answer to {id}, which was never sent")
        return
    count = visit.counts.setdefault(id, [0, 0])
    count[1] += 1
    if count[0]:
        sends = count[0] + (len(sent.lines) > count[0] and sent.word not in LINE_BOUND)
        hold(count[1] <= sends, "G1", peer, f"{id} was sent {count[0]} times and answered {count[1]} times")
    else:
        hold(
            count[1] == 1 and sent.answer is None and sent.word not in LINE_BOUND,
            "G1",
            peer,
            f"an answer to {id} {sent.word} on a line where it was not sent",
        )


LINE_BOUND = frozenset({"resume", "watch", "watch_lobby", "watch_tournament"})
"""Commands that ask for something on one line, and mean nothing on the next."""


def g1_all_answered(peer: "Peer", visit: "Visit") -> None:
    """At the end: whatever was sent on the line that is still there has its answer."""
    for sent in visit.order:
        if sent.readable and not sent.behind_bye:
            hold(visit.counts[sent.id][1], "G1", peer, f"{sent.id} {sent.word} has no answer")


def g2_once(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """A command that is sent again gets the same answer again."""
    sent = peer.sent.get(message["id"] or 0)
    if sent is None or sent.answer is None or sent.word in peer.world.repeatable or not sent.readable:
        return
    before = sent.answer
    if visit.epoch == sent.epoch:
        newer = peer.last_id - sent.id
        same = message == before or (newer >= KEPT_ANSWERS and message.get("code") == "forgotten")
    else:  # after a restart: what was done is not done again, what was refused may be
        same = message == before or message.get("code") == "forgotten" or before["type"] == "error"
    hold(same, "G2", peer, f"{sent.id} {sent.word} was answered {before}, and now {message}")


def g3_in_order(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """Answers come in the order of the commands, but for those of a scramble."""
    id = message["id"]
    sent = peer.sent.get(id or 0)
    if sent is None or not sent.readable or sent.word in ANY_TIME:
        return
    if message.get("code") == "forgotten" or visit.counts[id][0] != 1 or len(sent.lines) > 1:
        return
    for other in visit.order:
        if other is sent:
            return
        late = visit.counts[other.id][1] == 0 and other.readable and not other.scramble
        hold(
            not late or other.word in ANY_TIME or len(other.lines) > 1 or visit.counts[other.id][0] > 1,
            "G3",
            peer,
            f"{id} {sent.word} is answered before {other.id} {other.word}",
        )


def g9_resume(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """`resume` brings the events after a number, or one snapshot, and then the answer."""
    sent = peer.sent.get(message["id"] or 0)
    if sent is None or sent.word != "resume" or message["type"] == "error":
        return
    id, after = sent.fields["table"], sent.fields.get("after")
    if message["result"]["snapshot"]:
        hold(visit.snapshots.get(id), "G9", peer, f"resume {sent.id} says that a snapshot came, and none did")
    else:
        hold(after is not None, "G9", peer, f"resume {sent.id} without a number brought no snapshot")
        last = visit.streams.get(id, after or 0)
        hold(
            last >= (after or 0), "G9", peer, f"resume {sent.id} after {after}, and the events end at {last}"
        )


# Events of tables


def g5_no_gaps(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """Events are numbered without gaps; after a snapshot with number n comes n+1."""
    id, seq = message["table"], message["seq"]
    if message["type"] == "snapshot":
        return
    last = visit.streams.get(id)
    if last is not None and seq == last + 1:
        return
    resumed = any(seq == after + 1 for after in resumed_after(visit, id) if after is not None)
    hold(resumed, "G5", peer, f"{message['type']} {seq} of {id} comes after {last}")


def resumed_after(visit: "Visit", table: str) -> list[int | None]:
    """After which numbers the table is being resumed on this line."""
    return [sent.fields.get("after") for sent in visit.resumes if sent.fields["table"] == table]


def g6_own_numbers(peer: "Peer", visit: "Visit", message: Plain, payload: bytes) -> None:
    """A number stands for one event: of a seat, or of all watchers."""
    table = peer.tables.get(message["table"])
    if message["type"] == "snapshot" or table is None or table.epoch != visit.epoch:
        return
    seq = message["seq"]
    if table.seat is None:
        first = peer.world.watched.setdefault((visit.epoch, message["table"], seq, peer.json), payload)
        hold(
            first == payload,
            "G6",
            peer,
            f"event {seq} of {message['table']} is another one for other watchers",
        )
    elif seq in table.events:
        hold(
            table.events[seq] == payload, "G6", peer, f"event {seq} of {message['table']} is another one now"
        )


def g7_whole_views(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """Updates are whole; and a snapshot shows what is known from the events before it."""
    word = message["type"]
    table = peer.tables.get(message["table"])
    if word == "update":
        hold(message.keys() == UPDATE, "G7", peer, f"an update with {sorted(message)}")
        if table is not None and table.known["view"] is not None:
            hold(
                message["view"].keys() == table.known["view"].keys(),
                "G7",
                peer,
                "a view without all its fields",
            )
    if word != "snapshot" or table is None or table.seat != message["seat"]:
        return
    if table.seq == message["seq"] and table.epoch == visit.epoch:
        for part, now in comparable(message).items():
            before = comparable(table.known)[part]
            hold(before == now, "G7", peer, f"{part} of {message['table']} was {before}, and now is {now}")


def comparable(known: Plain) -> Plain:
    """What two looks at the same moment agree on: all but the time of looking."""
    clock = known["clock"]
    parts = ("seat", "code", "info", "view", "awaited", "question", "result", "chat")
    return {
        **{part: known[part] for part in parts},
        "ends": clock and clock["ends"],
        "banks": clock and clock["banks"],
    }


def g8_whole_snapshots(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """A snapshot has everything; a player gets one after a rematch, where watchers get `table_changed`."""
    table = peer.tables.get(message["table"])
    if message["type"] == "snapshot":
        hold(message.keys() == SNAPSHOT, "G8", peer, f"a snapshot with {sorted(message)}")
        hold(
            (message["code"] is None) or not message["info"]["public"],
            "G8",
            peer,
            "a public table has a code",
        )
        chairs = message["info"]["chairs"]
        seat = message["seat"]
        if seat is not None:
            chair = chairs[seat]
            hold(
                chair and chair["name"] == peer.name,
                "G8",
                peer,
                f"a snapshot of seat {seat}, which is {chair}",
            )
            hold(
                message["info"]["public"] or message["code"] or message["info"]["tournament"],
                "G8",
                peer,
                "no code",
            )
    elif message["type"] == "table_changed" and table is not None and table.seat is not None:
        number = message["info"]["number"]
        hold(
            number == table.info["number"] or visit.epoch != table.epoch,
            "G8",
            peer,
            f"{message['table']} gathers for game {number}, and no snapshot came",
        )
        chair = message["info"]["chairs"][table.seat]
        hold(
            chair and chair["name"] == peer.name,
            "G8",
            peer,
            f"seat {table.seat} is {chair} without a snapshot",
        )


def g8_all_snapshots(peer: "Peer", visit: "Visit") -> None:
    """At the end: whoever sat down, or began to watch, has got a snapshot."""
    for id, sent in visit.due.items():
        hold(
            id not in peer.world.tables(),
            "G8",
            peer,
            f"{sent.id} {sent.word} at {id} was done, and no snapshot came",
        )


def note_due(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """Notes that a snapshot is due for a command that was done, if none came since it was sent."""
    sent = peer.sent.get(message["id"] or 0)
    if (
        sent is None
        or message["type"] == "error"
        or len(sent.lines) != 1
        or sent.lines[0] != visit.line.number
    ):
        return
    if sent.word in ("create_table", "join", "sit", "watch"):
        id = message["result"].get("table", sent.fields.get("table"))
        if id not in visit.streams:
            visit.due[id] = sent


def g10_nothing_before_resume(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """On a line nothing comes of a table before it is asked for there, or a tournament seats the peer."""
    id, word = message["table"], message["type"]
    hold(visit.welcome is not None, "G10", peer, f"{word} of {id} before the welcome")
    if id in visit.streams or id in visit.grants:
        if id not in visit.streams and word != "snapshot":
            asked = any(after is not None for after in resumed_after(visit, id))
            hold(asked, "G8", peer, f"{word} of {id} is the first that comes, and no snapshot")
        return
    if word == "snapshot" and message["info"]["tournament"] is not None:
        return
    # A command that was still on its way when this line was opened may seat the peer now.
    pending = any(
        visit.counts[sent.id][1] == 0
        if visit.line.number in sent.lines
        else sent.answer is None and sent.word != "watch"
        for sent in peer.sent.values()
        if sent.word in ("create_table", "join", "sit", "watch")
    )
    hold(
        word == "snapshot" and pending,
        "G10",
        peer,
        f"{word} {message['seq']} of {id}, which was not asked for here",
    )


def g12_one_question(peer: "Peer", _visit: "Visit", message: Plain) -> None:
    """`turn` rises only when the seat is asked something new; whoever is awaited has a question."""
    if message["type"] not in ("update", "snapshot"):
        return
    table = peer.tables.get(message["table"])
    seat = message["seat"] if message["type"] == "snapshot" else table.seat if table else None
    question = message["question"]
    if table is not None or message["type"] == "snapshot":
        asked = seat is not None and seat in message["awaited"]
        hold(
            asked == (question is not None),
            "G12",
            peer,
            f"seat {seat} of {message['awaited']}: question {question}",
        )
    if question is None or table is None or message["type"] == "snapshot" or message["seq"] <= table.seq:
        return
    before, turn = 0 if table.known["view"] is None else table.turn, question["turn"]
    if before is not None:
        hold(before <= turn <= before + 1, "G12", peer, f"turn {turn} comes after {before}")


def g12_accepted_once(peer: "Peer", visit: "Visit", message: Plain) -> None:  # noqa: ARG001
    """An `act` counts for one question, and for no other."""
    sent = peer.sent.get(message["id"] or 0)
    if sent is None or sent.word != "act" or message["type"] == "error":
        return
    key = sent.fields["table"], sent.game, sent.fields["turn"]
    known = peer.acted.setdefault(key, sent.id)
    hold(known == sent.id, "G12", peer, f"{known} and {sent.id} were both accepted for turn {key[2]}")


def g12_not_asked_again(peer: "Peer", visit: "Visit") -> None:
    """At the end: nobody is asked what an accepted `act` has answered."""
    for id in visit.streams:
        table = peer.tables.get(id)
        if table is None:
            continue
        question = table.known["question"]
        again = question and peer.acted.get((id, table.info["number"], question["turn"]))
        hold(again is None, "G12", peer, f"{question} is asked again after {again} was accepted")


def g13_all_at_once(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """What a step changes goes out to all its players in one pass."""
    if message["type"] != "update" or visit.was_stuck or message["result"] is not None or not message["news"]:
        return
    id, view = message["table"], message["view"]
    table = peer.tables.get(id)
    if resumed_after(visit, id) or table is None or table.seat is None:
        return
    number = table.info["number"]
    step = visit.epoch, id, number, tuple(view["told"]), tuple(view["taken"]), tuple(view["to_act"])
    written = visit.line.written_in
    first = peer.world.passes.setdefault(step, (peer.name, written))
    hold(
        first[1] == written or first[0] == peer.name,
        "G13",
        peer,
        f"{first[0]} was told of a step of {id} earlier",
    )


def g14_nothing_more(peer: "Peer", message: Plain, payload: bytes) -> None:
    """What is hidden from a peer is in no frame that it gets."""
    word = message["type"]
    world = peer.world
    for secret in world.secrets():
        hold(secret not in payload, "G14", peer, f"the secret of a game that is not over, in {word}")
    for name, token in world.tokens(peer):
        hold(token not in payload, "G14", peer, f"the token of {name}, in {word}")
    if word not in ("ok", "snapshot"):
        for code in world.codes():
            hold(code not in payload, "G14", peer, f"the code of a private table, in {word}")
    found = WHISPERED.findall(payload)
    if not found or word == "ok":
        return
    if word not in ("update", "snapshot"):
        hold(False, "G14", peer, f"{found} in {word}")
    table = peer.tables.get(message["table"])
    seat = message["seat"] if word == "snapshot" else table.seat if table else None
    view, info = message["view"], message["info"] if word == "snapshot" else table.info if table else None
    if info is None:
        return
    if message["result"] is not None:
        shown = seat is not None or info["watching"] == "everything"
        if shown and info["tournament"] is None:
            return
        hold(message["result"]["secret"] is None, "G14", peer, "a secret that is not for this viewer")
    known = set(view["told"])
    for each, hand in enumerate(view["hands"]):
        if each == seat:
            known.update(hand)
            for one in hand:
                owner = world.owners.setdefault((message["table"], info["number"], one), (seat, peer.name))
                hold(owner == (seat, peer.name), "G14", peer, f"the hand of {owner}")
        else:
            hold(isinstance(hand, int), "G14", peer, f"the hand of seat {each}")
    hold(isinstance(view["deck"], int), "G14", peer, "the deck")
    leaked = {each.decode() for each in found} - known
    hold(not leaked, "G14", peer, f"{sorted(leaked)} in {word}")


def g15_the_end(peer: "Peer", _visit: "Visit", message: Plain) -> None:
    """The last update of a game has its result, and then `table_changed` says that it is finished."""
    table = peer.tables.get(message["table"])
    if message["type"] == "snapshot":
        done = message["info"]["stage"] == "finished"
        hold(
            done == (message["result"] is not None),
            "G15",
            peer,
            f"a result, and the stage is {message['info']['stage']}",
        )
        return
    if table is None or message["seq"] <= table.seq:
        return
    if message["type"] == "update":
        hold(
            not table.ended or table.info["stage"] == "gathering", "G15", peer, "an update after the last one"
        )
    elif message["type"] == "table_changed":
        stage = message["info"]["stage"]
        if stage in ("playing", "finished") and table.info["stage"] != "gathering":
            hold(
                table.ended == (stage == "finished"),
                "G15",
                peer,
                f"the stage is {stage}, and the result is {table.ended}",
            )
        result = table.known["result"]
        if stage == "finished" and result is not None and result["secret"] is not None:
            secret = hashlib.sha256(bytes.fromhex(result["secret"])).hexdigest()
            hold(
                secret == table.info["commitment"],
                "G15",
                peer,
                "the secret is not the one that was published",
            )


def g16_numbers_after_a_restart(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """After a restart numbers go on by 10,000 or more, and there is a snapshot first."""
    table = peer.tables.get(message["table"])
    if table is None or table.epoch == visit.epoch:
        return
    if message["type"] != "snapshot":
        hold(
            message["table"] in visit.streams,
            "G16",
            peer,
            f"{message['type']} before the snapshot after a restart",
        )
        return
    sat_down = any(sent.word in ("join", "sit") for sent in visit.order)
    refused = peer.world.disk is not None and peer.world.disk.refused
    if table.seat is not None and message["seat"] is not None and not sat_down and not refused:
        least = table.highest + RESTART_GAP
        hold(
            message["seq"] >= least,
            "G16",
            peer,
            f"number {message['seq']} after {table.highest} and a restart",
        )
    if table.info["number"] == message["info"]["number"]:
        g16_everything_acknowledged(peer, table, message)


def g16_everything_acknowledged(peer: "Peer", table: "Table", message: Plain) -> None:
    """A server comes back with everything that it told anybody."""
    before, now = table.known, message
    if before["view"] is not None and table.seat == message["seat"]:
        hold(now["view"] is not None, "G16", peer, "the game is gone")
        told, again = before["view"]["told"], now["view"]["told"]
        hold(again[: len(told)] == told, "G16", peer, f"{told} were told, and now {again}")
        for had, has in zip(before["view"]["taken"], now["view"]["taken"], strict=True):
            hold(had is None or had == has, "G16", peer, f"prize {had} was snatched, and now {has}")
        hold(
            before["result"] is None or now["result"] == before["result"],
            "G16",
            peer,
            "the result is another one",
        )
    texts, again = [line["text"] for line in before["chat"]], [line["text"] for line in now["chat"]]
    hold(again[: len(texts)] == texts or len(again) >= 50, "G16", peer, f"{texts} were said, and now {again}")


# The end of a line


def on_end(peer: "Peer", visit: "Visit", code: int | None) -> None:
    """A connection that the server closes has the code that its last message says."""
    if code is not None and visit.over in HOW_CLOSED:
        said_bye = visit.bye is not None and code == 1000
        hold(
            code == HOW_CLOSED[visit.over] or said_bye,
            "close codes",
            peer,
            f"{visit.over}, and closed with {code}",
        )
    elif code is not None and visit.over is not None:
        hold(code == 4000, "close codes", peer, f"{visit.over}, and closed with {code}")


def after_the_end(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """A goodbye is the last message, but for the answers that are due before a restart."""
    if visit.over == "restart":
        return
    hold(visit.over is None, "goodbye", peer, f"{message['type']} after {visit.over}")


def g17_nothing_after_bye(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """Commands sent behind `bye` are not done, and get no answer."""
    sent = peer.sent.get(message["id"] or 0)
    if (
        sent is not None
        and sent.readable
        and sent.behind_bye
        and visit.bye is not None
        and sent.id > visit.bye
    ):
        hold(visit.counts[sent.id][0] == 0, "G17", peer, f"{sent.id} {sent.word} was answered behind bye")


# Lobby and tournaments


def lobby(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """The lobby's events come after `watch_lobby` only, and of public tables only."""
    asked = any(sent.word == "watch_lobby" and sent.fields["on"] for sent in visit.order)
    hold(asked, "watch_lobby", peer, f"{message['type']} without watch_lobby on this line")
    if message["type"] == "lobby_table":
        hold(message["info"]["public"], "G14", peer, "a private table in the lobby")


def tournament(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """The events of a tournament are numbered, and none comes twice."""
    id, seq = message["tournament"], message["seq"]
    last = visit.tournaments.get(id, 0)
    watched = any(sent.word == "watch_tournament" and sent.fields["tournament"] == id for sent in visit.order)
    hold(seq > last, "tournaments", peer, f"{message['type']} {seq} of {id} comes after {last}")
    if not watched:
        hold(
            message["type"] == "tournament_changed",
            "tournaments",
            peer,
            f"{message['type']} without watching",
        )
    elif id in visit.tournaments:
        hold(seq == last + 1, "tournaments", peer, f"{message['type']} {seq} of {id} comes after {last}")
    if id in visit.tournaments:
        visit.tournaments[id] = seq


# All of them

ANSWERS: tuple[Callable[["Peer", "Visit", Plain], None], ...] = (
    g17_nothing_after_bye,
    g1_one_answer,
    g2_once,
    g3_in_order,
    g9_resume,
    g12_accepted_once,
    note_due,
)
EVENTS: tuple[Callable[["Peer", "Visit", Plain], None], ...] = (
    g10_nothing_before_resume,
    g16_numbers_after_a_restart,
    g5_no_gaps,
    g7_whole_views,
    g8_whole_snapshots,
    g12_one_question,
    g13_all_at_once,
    g15_the_end,
)
FINAL: tuple[Callable[["Peer", "Visit"], None], ...] = (
    g1_all_answered,
    g8_all_snapshots,
    g12_not_asked_again,
)


def on_message(peer: "Peer", visit: "Visit", message: Plain, payload: bytes) -> None:
    """Holds a frame against every guarantee that has to do with it."""
    word = message["type"]
    after_the_end(peer, visit, message)
    if word == "welcome":
        g10_welcome(peer, visit, message)
    elif word in ("ok", "error"):
        for answer in ANSWERS:
            answer(peer, visit, message)
    elif word in ("snapshot", "update", "table_changed", "chat"):
        if visit is not peer.visit:  # on a line that it has left: what it knows is that of the newer one
            g10_nothing_before_resume(peer, visit, message)
            g5_no_gaps(peer, visit, message)
            return
        for event in EVENTS:
            event(peer, visit, message)
        g6_own_numbers(peer, visit, message, payload)
    elif word in ("lobby_table", "lobby_chat"):
        lobby(peer, visit, message)
    elif word.startswith("tournament_"):
        tournament(peer, visit, message)
    g14_nothing_more(peer, message, payload)


def g10_welcome(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """The welcome is the first frame; it names the tables of the player, and no id is lost."""
    hold(visit.welcome is None, "G10", peer, "a second welcome")
    answered = [sent for sent in peer.sent.values() if sent.answer and sent.answer["type"] == "ok"]
    stored = [
        sent.id
        for sent in answered
        if sent.word not in peer.world.repeatable and (sent.epoch == visit.epoch or sent.word in STORED)
    ]
    least = max(stored, default=0)
    hold(
        message["last_id"] >= least, "G2", peer, f"last_id is {message['last_id']}, and {least} was answered"
    )


# What was acknowledged, and what is kept


def kept_moves(world: "World") -> None:
    """At the end: each act that was accepted is in the journal once, and no other one is (G2, G4, G16)."""
    found: dict[tuple[str, int], int] = {}
    for by in world.journal():
        found[by] = found.get(by, 0) + 1
    for peer in world.peers:
        for sent in peer.sent.values():
            if sent.word not in ("act", "resign", "start"):
                continue
            times = found.get((peer.name, sent.id), 0)
            hold(times <= 1, "G2", peer, f"{sent.id} {sent.word} stands in the journal {times} times")
            if sent.answer is None or peer.banned:
                continue
            if sent.answer["type"] == "error":
                hold(times == 0, "G4", peer, f"{sent.id} {sent.word} was refused, and stands in the journal")
            elif sent.word == "act":
                hold(times == 1, "G16", peer, f"{sent.id} {sent.word} was accepted, and is in no journal")


def said_once(world: "World") -> None:
    """At the end: nobody heard what was refused or sent behind `bye`, nor anything twice."""
    for peer in world.peers:
        for sent in peer.sent.values():
            if sent.word != "say":
                continue
            heard = world.heard.get(sent.fields["text"], {})
            for who, times in heard.items():
                hold(len(times) <= 1, "G2", peer, f"{who} heard {sent.fields['text']} {len(times)} times")
            if heard and sent.answer is not None and sent.answer["type"] == "error" and not peer.banned:
                hold(False, "G4", peer, f"{sent.id} say was refused, and heard")
            if heard and sent.behind_bye:
                hold(False, "G17", peer, f"{sent.id} say came behind bye, and was heard")
