"""The events of tables: G5 to G8, G10, G12, G13."""

from typing import TYPE_CHECKING, Any

from tools.simulation.guarantees.broken import Plain, hold

if TYPE_CHECKING:
    from tools.simulation.known import Visit
    from tools.simulation.peer import Peer


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


def known_as_watcher(peer: "Peer", visit: "Visit", message: Plain) -> bool:
    """Whether a peer knows a table as one who watched, and has a seat there by now, as far as it was told."""
    table = peer.tables.get(message["table"])
    if table is None or table.seat is not None:
        return False
    welcome = visit.welcome
    return message["table"] in peer.sits_at or (welcome is not None and message["table"] in welcome["tables"])


def g6_own_numbers(peer: "Peer", visit: "Visit", message: Plain, payload: bytes) -> None:
    """A number stands for one event: of a seat, or of all watchers."""
    table = peer.tables.get(message["table"])
    if message["type"] == "snapshot" or table is None or table.epoch != visit.epoch:
        return
    seq = message["seq"]
    if known_as_watcher(peer, visit, message):
        return  # it has sat down, and resumed by a number that it had as a watcher
    if table.seat is None:
        first = peer.world.watched.setdefault((visit.epoch, message["table"], seq, peer.json), payload)
        if first != payload:
            hold(False, "G6", peer, f"event {seq} of {message['table']} is another one for other watchers")
    elif seq in table.events:
        hold(
            table.events[seq] == payload, "G6", peer, f"event {seq} of {message['table']} is another one now"
        )


def g7_whole_views(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """Updates are whole; and a snapshot shows what is known from the events before it."""
    word = message["type"]
    table = peer.tables.get(message["table"])
    if word == "update":
        if message.keys() != UPDATE:
            hold(False, "G7", peer, f"an update with {sorted(message)}")
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
        before, now = comparable(table.known), comparable(message)
        for part in before if before != now else ():
            same = before[part] == now[part]
            hold(same, "G7", peer, f"{part} of {message['table']} was {before[part]}, and now is {now[part]}")


def comparable(known: Plain) -> Plain:
    """What two looks at the same moment agree on: all but the time of looking."""
    clock = known["clock"]
    parts = ("seat", "code", "info", "view", "awaited", "question", "result", "chat")
    return {
        **{part: known[part] for part in parts},
        "ends": clock and _ends(known),
        "banks": clock and clock["banks"],
    }


def _ends(known: Plain) -> list[Any]:
    """Without those of seats whose players are away: they begin to run when the grace is over."""
    chairs, ends = known["info"]["chairs"], known["clock"]["ends"]
    return [end for chair, end in zip(chairs, ends, strict=True) if chair and chair["here"]]


def chat_of_this_table(peer: "Peer", _visit: "Visit", message: Plain) -> None:
    """What is said at a table is heard there, and nowhere else."""
    for line in [*message.get("chat", ()), *filter(None, [message.get("line")])]:
        where = peer.world.said.get(line["text"])
        if where != message["table"]:
            hold(False, "G14", peer, f"{line['text']} was said at {where}")


def g8_whole_snapshots(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """A snapshot has everything; a player gets one after a rematch, where watchers get `table_changed`."""
    table = peer.tables.get(message["table"])
    if message["type"] == "snapshot":
        if message.keys() != SNAPSHOT:
            hold(False, "G8", peer, f"a snapshot with {sorted(message)}")
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
            if not chair or peer.name not in (chair["name"], chair["substitute"]):
                hold(False, "G8", peer, f"a snapshot of seat {seat}, which is {chair}")
            hold(
                message["info"]["public"] or message["code"] or message["info"]["tournament"],
                "G8",
                peer,
                "no code",
            )
    elif message["type"] == "table_changed" and table is not None and table.seat is not None:
        if message["seq"] != table.seq + 1:
            return  # it has resumed by a number that it never had
        number = message["info"]["number"]
        hold(
            number == table.info["number"] or visit.epoch != table.epoch,
            "G8",
            peer,
            f"{message['table']} gathers for game {number}, and no snapshot came",
        )
        chair = message["info"]["chairs"][table.seat]
        if not chair or peer.name not in (chair["name"], chair["substitute"]):
            hold(False, "G8", peer, f"seat {table.seat} is {chair} without a snapshot")


def g8_all_snapshots(peer: "Peer", visit: "Visit") -> None:
    """At the end: whoever sat down, or began to watch, has got a snapshot."""
    for id, sent in visit.due.items():
        hold(
            id not in peer.world.tables(visit),
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


def g10_welcome(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """The welcome is the first frame; it names the tables of the player, and no id is lost."""
    hold(visit.welcome is None, "G10", peer, "a second welcome")
    answered = [sent for sent in peer.sent.values() if sent.answer and sent.answer["type"] == "ok"]
    stored = [
        sent.id
        for sent in answered
        if sent.word not in peer.world.repeatable
        and (sent.epoch == visit.epoch or sent.word in peer.world.stored)
    ]
    least = max(stored, default=0)
    hold(
        message["last_id"] >= least, "G2", peer, f"last_id is {message['last_id']}, and {least} was answered"
    )


def g10_nothing_before_resume(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """On a line nothing comes of a table before it is asked for or a seat there comes."""
    id, word = message["table"], message["type"]
    hold(visit.welcome is not None, "G10", peer, f"{word} of {id} before the welcome")
    if id in visit.streams or id in visit.grants:
        if id not in visit.streams and word != "snapshot":
            asked = any(after is not None for after in resumed_after(visit, id))
            hold(asked, "G8", peer, f"{word} of {id} is the first that comes, and no snapshot")
        return
    if word == "snapshot" and (message["info"]["tournament"] is not None or peer.world.has_come(visit, id)):
        return
    # A command that was still on its way when this line was opened may seat the peer now.
    pending = any(
        visit.counts[sent.id][1] < visit.counts[sent.id][0]
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
        if asked != (question is not None):
            hold(False, "G12", peer, f"seat {seat} of {message['awaited']} is asked: {question is not None}")
    if question is None or table is None or message["type"] == "snapshot" or message["seq"] != table.seq + 1:
        return
    is_first = table.known["view"] is None and table.info["number"] == 1
    before, turn = 0 if is_first else table.turn, question["turn"]
    if before is not None:
        hold(before <= turn <= before + 1, "G12", peer, f"turn {turn} comes after {before}")
    known = table.known["question"]
    if known is not None and _asked(known, table.known["view"]) == _asked(question, message["view"]):
        hold(known["turn"] == turn, "G12", peer, f"turn {turn} asks the same as {known['turn']}")


def _asked(question: Plain, view: Plain) -> tuple[str, int]:
    """What a question of Whispers asks: one word each turn, and one prize at the end."""
    return question["phase"], view["turn"]


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
    name, before = peer.world.passes.setdefault(step, (peer.name, written))
    if before != written and name != peer.name:
        hold(False, "G13", peer, f"{name} was told of a step of {id} earlier")
