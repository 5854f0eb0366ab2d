"""Faults in commands and their answers."""

from tools.simulation.faults.planting import Fault

LOBBY, SESSION = "server.lobby.lobby:Lobby", "server.people.session"
COMMANDS, TABLES = "server.lobby.commands", "server.tables.registry:Tables"

ANSWERS = (
    Fault.of(
        "an answer is sent twice",
        0,
        f"{SESSION}:Session._answer",
        "self.peer.send(frame, urgent)",
        "self.peer.send(frame, urgent)\nself.peer.send(frame, urgent)",
    ),
    Fault.of(
        "an answer is forgotten",
        0,
        f"{SESSION}:Session._answer",
        "and self.peer is not None:",
        "and self.peer is not None and id % 5:",
    ),
    Fault.of("an answer has another id", 1, f"{SESSION}:ok_frame", "part(id)", "part(id + (id % 4 == 0))"),
    Fault.of(
        "a command that comes again is done again",
        5,
        f"{LOBBY}.receive",
        "if id in session.answers:",
        "session.last_id = min(session.last_id, id - 1)\nif False:",
    ),
    Fault.of(
        "a command that comes again gets no answer",
        0,
        f"{LOBBY}.receive",
        "session.send(answered)",
        "pass",
    ),
    Fault.of(
        "a command does not wait for the one before",
        0,
        f"{LOBBY}._busy",
        "if session.waits_for.busy:",
        "if False:",
    ),
    Fault.of(
        "a command does not wait for its table",
        10,
        f"{LOBBY}._busy",
        "if gate is not None and gate.busy:\n    return gate\nif table.renumbered:",
        "if table.renumbered:",
    ),
    Fault.of(
        "a command behind bye is done",
        26,
        f"{LOBBY}.receive",
        "if peer is not None and session.leaving is peer:",
        "if False:",
    ),
    Fault.of(
        "the last id is not noted",
        0,
        f"{SESSION}:Session.expect",
        "self.last_id = id",
        "pass",
    ),
    Fault.of(
        "a refusal is answered with ok",
        0,
        f"{LOBBY}._do_now",
        "answer(session, command, peer, refusal(id, wrong))\n",
        "answer(session, command, peer, m.Ok(id))\n",
    ),
    Fault.of(
        "the answer to a move goes to somebody else",
        1,
        f"{TABLES}._answer_moves",
        "session = self.sessions.get(name)",
        "session = next(iter(self.sessions.values()))",
    ),
    Fault.of(
        "a move that was refused is answered with ok",
        10,
        f"{TABLES}._answer_moves",
        "session.answer(id, refusal(id, wrong))",
        "session.answer_ok(id)",
    ),
    Fault.of(
        "an answer does not wait for the store",
        28,
        f"{LOBBY}._do_now",
        "gate = tables.storing()",
        "gate = None",
    ),
    Fault.of(
        "a player acts for another seat",
        28,
        f"{COMMANDS}:act",
        "table.act(seat,",
        "table.act(Seat(0),",
    ),
    Fault.of(
        "an act for an old question counts",
        16,
        "server.tables.live_game:LiveGame.act",
        "if turn != player.turn:",
        "if turn > player.turn:",
    ),
    Fault.of(
        "what is said in the lobby is said twice",
        1,
        f"{COMMANDS}:say",
        "context.tables.watchers.tell_lobby(m.LobbyChat(line))",
        "context.tables.watchers.tell_lobby(m.LobbyChat(line))\ncontext.tables.watchers.tell_lobby(m.LobbyChat(line))",
    ),
    Fault.of(
        "chat is heard at another table",
        5,
        f"{COMMANDS}:say",
        "context.tables.at(table, lambda",
        "context.tables.at(list(context.tables.by_id.values())[-1], lambda",
    ),
    Fault.of(
        "a connection that was replaced stays",
        18,
        f"{LOBBY}.hello",
        'session.peer.hang_up(4001, "replaced")',
        "pass",
    ),
    Fault.of(
        "a connection is closed with another code",
        8,
        f"{LOBBY}.close",
        "session.peer.hang_up(1012,",
        "session.peer.hang_up(1011,",
    ),
    Fault.of(
        "a welcome does not wait for its token",
        6,
        f"{LOBBY}.hello",
        "peer.hold()  # until the token is stored: after a restart it would be worth nothing",
        "pass",
    ),
)
