"""Every guarantee: which of them each frame is held against, and which hold at the end of a world."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tools.simulation.guarantees import answers, clocks, ends, fairness, leaks, lobby, tables
from tools.simulation.guarantees.broken import Plain

if TYPE_CHECKING:
    from tools.simulation.known import Visit
    from tools.simulation.peer import Peer


ANSWERS: tuple[Callable[["Peer", "Visit", Plain], None], ...] = (
    answers.g17_nothing_after_bye,
    answers.g1_one_answer,
    answers.g2_once,
    answers.g3_in_order,
    answers.g9_resume,
    answers.g12_accepted_once,
    tables.note_due,
    lobby.picture,
)


EVENTS: tuple[Callable[["Peer", "Visit", Plain], None], ...] = (
    tables.g10_nothing_before_resume,
    ends.g16_numbers_after_a_restart,
    tables.g5_no_gaps,
    tables.g7_whole_views,
    tables.g8_whole_snapshots,
    tables.g12_one_question,
    tables.g13_all_at_once,
    ends.g15_the_end,
    clocks.not_too_early,
    tables.chat_of_this_table,
    fairness.note_table,
)


FINAL: tuple[Callable[["Peer", "Visit"], None], ...] = (
    answers.g1_all_answered,
    answers.g4_still_watching,
    tables.g8_all_snapshots,
    tables.g12_not_asked_again,
    lobby.lobby_is_known,
)


def on_message(peer: "Peer", visit: "Visit", message: Plain, payload: bytes) -> None:
    """Holds a frame against every guarantee that has to do with it."""
    word = message["type"]
    ends.after_the_end(peer, visit, message)
    if word == "welcome":
        tables.g10_welcome(peer, visit, message)
        answers.g18_taken(peer, visit, message)
    elif word in ("ok", "error"):
        for answer in ANSWERS:
            answer(peer, visit, message)
    elif word in ("snapshot", "update", "table_changed", "chat"):
        # On a line that it has left, and where it has sat down and resumed by a number that it had as a
        # watcher, what it knows does not fit.
        if not peer.follows(visit, message) or (
            word != "snapshot" and tables.known_as_watcher(peer, visit, message)
        ):
            tables.g10_nothing_before_resume(peer, visit, message)
            tables.g5_no_gaps(peer, visit, message)
            return
        for event in EVENTS:
            event(peer, visit, message)
        tables.g6_own_numbers(peer, visit, message, payload)
    elif word in ("lobby_table", "lobby_chat"):
        lobby.lobby(peer, visit, message)
    elif word.startswith("tournament_"):
        lobby.tournament(peer, visit, message)
    leaks.g14_nothing_more(peer, message, payload)
