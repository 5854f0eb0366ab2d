"""The codes that travel: what each means, whether it closes the connection, and whether to try again."""

from typing import Any, Literal

import attrs

Again = Literal["no", "later", "changed"]
"""Try again: no; later, as it is (after `retry_after` seconds if given); only with something changed."""


@attrs.frozen
class Code:
    """One line of the table of errors."""

    name: str
    closes: bool
    again: Again
    meaning: str
    advice: str


_ALL = (
    # What is wrong with the bytes or the first message
    Code("bad_frame", True, "changed", "The frame is no message of the profile.", "Check the encoding."),
    Code("not_welcome", True, "changed", "The first message must be hello, once.", "Send hello first."),
    Code("version", True, "no", "No common protocol version.", "Update whichever side is older."),
    Code("bad_name", True, "changed", "The name breaks a rule of names.", "`facts.rule` says which."),
    Code(
        "name_taken",
        True,
        "changed",
        "Somebody owns that name here, or one that looks like it.",
        "Choose another; or send its token.",
    ),
    Code(
        "bad_token",
        True,
        "changed",
        "The token is unknown or used up.",
        "Say hello with a name instead. With a `ticket`: ask for another by asking for the table again; "
        "your token is still good.",
    ),
    Code("too_many", True, "later", "There is no room for another name.", "Come back later."),
    Code(
        "too_many_names",
        True,
        "later",
        "Your network has taken too many new names.",
        "Send a token; or come back after `retry_after` seconds.",
    ),
    Code("closing", True, "later", "The server is going down.", "Come back after `retry_after` seconds."),
    # What is wrong with a command
    Code("bad_message", False, "changed", "A field is missing or wrong.", "`facts.where` names it."),
    Code("unknown_type", False, "no", "This server has no such command.", "Do without it."),
    Code(
        "forgotten",
        False,
        "no",
        "That id was answered too long ago, or a higher one came first.",
        "If it was never answered it is not done: send it with a new id.",
    ),
    Code("busy", False, "later", "Too much of that at once.", "Wait `retry_after` seconds."),
    Code(
        "not_kept",
        False,
        "later",
        "The server could not store it; nothing has changed.",
        "Send it again with a new id after `retry_after` seconds.",
    ),
    Code("failed", False, "no", "A fault of the server; if it names a table, that has ended.", "Report it."),
    # Lobby and tables
    Code("no_such_game", False, "changed", "The server has no game of that name.", "Ask `games`."),
    Code("bad_options", False, "changed", "The options are not the game's.", "`facts.where` names the one."),
    Code("no_such_table", False, "changed", "No such table, or not for you.", "List the tables anew."),
    Code("moved", False, "changed", "It is at another node of the house.", "Ask there: see appendix G."),
    Code(
        "no_seat",
        False,
        "changed",
        "That seat is taken or does not exist, or all are taken.",
        "Choose another; if all are taken, `facts.watching` says whether you may watch.",
    ),
    Code("kicked", False, "later", "The table's host has sent you away.", "Ask the host to let you back."),
    Code("not_seated", False, "changed", "You do not sit at that table.", "Join it first."),
    Code("not_host", False, "no", "Only the table's host may do that.", "Ask the host."),
    Code("not_now", False, "later", "Not at this stage of the table.", "See its `stage`."),
    Code("not_ready", False, "later", "Not everybody is seated and ready.", "Wait for them."),
    Code("not_allowed", False, "no", "The table's settings do not allow it.", "See the table's settings."),
    Code("too_many_tables", False, "later", "You have too many tables open.", "Leave one."),
    Code("no_such_replay", False, "changed", "No such game, or you had no seat in it.", "Ask `played`."),
    Code("damaged", False, "no", "The server's archive is damaged there.", "Ask whoever runs the server."),
    Code("no_such_bot", False, "changed", "No bot of that strategy here.", "Ask `games`."),
    # Tournaments
    Code("no_such_tournament", False, "changed", "No tournament of that id.", "Ask `tournaments`."),
    Code("bad_rules", False, "changed", "These are not rules of a tournament.", "`facts.where` names it."),
    Code("not_organiser", False, "no", "Only its organiser may do that.", "Ask `facts.organiser`."),
    Code("against_rules", False, "changed", "The tournament does not allow it.", "`facts.why` says why."),
    Code("too_many_tournaments", False, "later", "There are too many open here.", "Wait until one is over."),
    # Play
    Code(
        "bad_action",
        False,
        "changed",
        "It is no action of the game.",
        "`facts.where` names it.",
    ),
    Code("illegal", False, "changed", "The rules do not allow it now.", "`facts.why`; pick from `legal`."),
    Code("stale", False, "no", "It answers an older question.", "Answer the newest decision."),
    Code("taken", False, "changed", "Somebody was quicker.", "Take another one."),
    Code("not_asked", False, "no", "It is not your turn.", "Wait for a decision."),
    Code("over", False, "no", "The game is over.", "Ask for a rematch."),
)
CODES: dict[str, Code] = {code.name: code for code in _ALL}


class ProtocolError(Exception):
    """What a peer did wrong, as it is told: a code and the facts that words can be made of."""

    def __init__(self, code: str, /, retry_after: float | None = None, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code = CODES[code]
        self.facts: dict[str, Any] = facts
        self.retry_after = retry_after

    def __str__(self) -> str:
        told = ", ".join(f"{key} {value}" for key, value in self.facts.items())
        return f"{self.code.name} ({told})" if told else self.code.name


CLOSE_CODES: dict[int, str] = {
    1000: "The peer said goodbye.",
    1001: "The client went away.",
    1009: "A frame was larger than the limit.",
    1012: "The server restarts: come back after `retry_after` of its `goodbye`.",
    4000: "An error that closes the connection; it was sent just before.",
    4001: "A newer connection of the same player took over.",
    4002: "No hello in time.",
    4003: "Nothing was heard for too long.",
    4004: "The peer stopped reading.",
    4005: "Too many errors in a row.",
}
