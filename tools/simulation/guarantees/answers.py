"""What is answered to commands: G1 to G3, G9, G12, G17, G18."""

from typing import TYPE_CHECKING

from tools.simulation.guarantees.broken import Plain, hold

if TYPE_CHECKING:
    from tools.simulation.known import Sent, Visit
    from tools.simulation.peer import Peer


KEPT_ANSWERS = 256
CLOSED = 1000


ANY_TIME = frozenset(
    {"list_tables", "watch_lobby", "played", "replay", "tournaments", "watch_tournament", "tournament_log"}
)
"""Commands whose answers are made while later ones are done (G3)."""


SENT_AWAY = ("moved", "busy", "no_such_table", "not_seated", "not_kept")
"""Refusals of what is not at this node."""


LINE_BOUND = frozenset({"resume", "watch", "watch_lobby", "watch_tournament"})
"""Commands that ask for something on one line, and mean nothing on the next."""


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
        # A built-in bot that was started anew may get what the one before has asked for.
        before = peer.built_in and visit.welcome is not None and id <= visit.welcome["last_id"]
        hold(visit.welcome is None or before, "G1", peer, f"an answer to {id}, which was never sent")
        return
    count = visit.counts.setdefault(id, [0, 0])
    count[1] += 1
    if count[0]:
        sends = count[0] + (len(sent.lines) > count[0] and sent.word not in LINE_BOUND)
        if count[1] > sends:
            hold(False, "G1", peer, f"{id} was sent {count[0]} times and answered {count[1]} times")
    else:
        # On an old line an answer may come later than the same one on a newer line.
        answered = sent.answer is not None and sent.epoch == visit.epoch and visit is peer.visit
        hold(
            count[1] == 1 and not answered and sent.word not in LINE_BOUND,
            "G1",
            peer,
            f"an answer to {id} {sent.word} on a line where it was not sent",
        )


def g1_all_answered(peer: "Peer", visit: "Visit") -> None:
    """At the end: whatever was sent in time on the line that is still there has its answer."""
    for sent in visit.order:
        if sent.readable and not sent.behind_bye:
            in_time = sent.at <= peer.world.looked_again
            if in_time and not visit.counts[sent.id][1]:
                hold(False, "G1", peer, f"{sent.id} {sent.word} has no answer")


def g4_still_watching(peer: "Peer", visit: "Visit") -> None:
    """At the end: whoever watches, and has not left, still watches, whatever was refused meanwhile."""
    for id in visit.watching & peer.world.tables(visit):
        looks = [sent for sent in visit.order if sent.word == "resume" and sent.fields["table"] == id]
        refused = looks and looks[-1].answer is not None and looks[-1].answer["type"] == "error"
        hold(not refused, "G4", peer, f"watched {id}, and no longer does")


def _closed_by_both(visit: "Visit") -> bool:
    """Whether nothing but the peer's close frame has ended a line, and the server has answered it."""
    return visit.closed and visit.line.closed_with == CLOSED and not (visit.broke_rules or visit.over)


def g18_taken(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """Commands in front of a close frame were taken if the server has answered it."""
    for before in peer.visits.values():
        if _closed_by_both(before) and before.epoch == visit.epoch:
            least, last = max(before.before_close, default=0), message["last_id"]
            hold(last >= least, "G18", peer, f"last_id is {last}, and {least} stood before a close frame")


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
        same = message == before or message.get("code") in ("forgotten", "moved") or before["type"] == "error"
        same = same or (sent.watched and message.get("code") == "not_seated")  # nobody watches any more
    same = same or before.get("code") == message.get("code") == "forgotten"
    hold(same, "G2", peer, f"{sent.id} {sent.word} was answered {before}, and now {message}")


def g3_in_order(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """Answers come in the order of the commands, but for those of a scramble."""
    id = message["id"]
    sent = peer.sent.get(id or 0)
    if sent is None or not sent.readable or sent.word in ANY_TIME:
        return
    if sent.id in visit.late and visit.counts[id][0] == 1:
        hold(message["type"] == "error", "G3", peer, f"{id} {sent.word} was done after later ones")
    if message.get("code") in SENT_AWAY and _may_be_elsewhere(visit, sent):
        return
    if message.get("code") == "forgotten" or visit.counts[id][0] != 1 or len(sent.lines) > 1:
        return
    for other in visit.order:
        if other is sent:
            return
        sends, answers = visit.counts[other.id]
        if answers == 0 and sends == 1 and other.readable and not other.scramble:
            fine = other.word in ANY_TIME or len(other.lines) > 1 or _may_be_elsewhere(visit, other)
            hold(fine, "G3", peer, f"{id} {sent.word} is answered before {other.id} {other.word}")


def _may_be_elsewhere(visit: "Visit", sent: "Sent") -> bool:
    """Whether another node may have what a command names: then its refusal may come late."""
    named = any(sent.fields.get(field) is not None for field in ("table", "code", "tournament"))
    if not (named and "nodes" in visit.who.get("features", ())):
        return False
    visit.late.add(sent.id)
    return True


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


def g12_accepted_once(peer: "Peer", visit: "Visit", message: Plain) -> None:  # noqa: ARG001
    """An `act` counts for one question, and for no other; one that its question lists is legal."""
    sent = peer.sent.get(message["id"] or 0)
    if sent is None or sent.word != "act":
        return
    if message["type"] == "error":
        refused = sent.legal and message["code"] in ("illegal", "bad_action")
        hold(not refused, "G12", peer, f"{sent.fields['action']} was offered, and is {message['code']}")
        return
    key = sent.fields["table"], sent.game, sent.fields["turn"]
    known = peer.acted.setdefault(key, sent.id)
    hold(known == sent.id, "G12", peer, f"{known} and {sent.id} were both accepted for turn {key[2]}")


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
