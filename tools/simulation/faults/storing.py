"""Faults in the store, in records, and in restarts."""

from tools.simulation.faults.planting import Fault

GATE, TABLES = "server.storage.gate:WriteGate", "server.tables.registry:Tables"
RECORDER, RECOVERY = "server.tables.recorder:Recorder", "server.tables.recovery"

STORING = (
    Fault.of("a failure of the store is swallowed", 9, f"{GATE}._stored", "if wrong is None:", "if True:"),
    Fault.of(
        "what is to be stored is told at once",
        9,
        f"{GATE}.put",
        "self.store.put(change, self._stored)",
        "self.store.put(change, lambda _: None)\nself._stored(None)",
    ),
    Fault.of(
        "events go out before they are stored",
        9,
        f"{TABLES}._store",
        "table.unsaved, table.saves_at = False, None",
        "table.unsaved, table.saves_at = False, None\nself._deliver(table)",
    ),
    Fault.of("a change that was refused stays", 167, f"{TABLES}._undo", "before.restore()\n", "pass\n"),
    Fault.of(
        "a move that was refused stays",
        84,
        f"{TABLES}._call_off",
        "table.call_off(pending, wrong)",
        "table.commit(pending, None, None)",
    ),
    Fault.of(
        "a deal that was refused stays",
        84,
        "server.tables.table:Table.call_off",
        "self.live_game = None",
        "pass",
    ),
    Fault.of(
        "sessions keep a seat that was refused",
        9,
        f"{TABLES}._undo",
        "self._reseat(table)",
        "pass",
    ),
    Fault.of(
        "what has waited for the store is forgotten",
        0,
        f"{GATE}.go_on",
        "self._waiting.popleft()()",
        "self._waiting.popleft()",
    ),
    Fault.of(
        "whoever waits for the store gets no answer",
        9,
        f"{GATE}._refuse",
        "self._give(self._replies, refuse(",
        "self._give(deque(), refuse(",
    ),
    Fault.of(
        "a line of the journal is lost",
        7,
        f"{RECORDER}.addition",
        '[Added(self.game, plain["number"], plain) for plain in maps]',
        '[Added(self.game, plain["number"], plain) for plain in maps if plain["number"] != 2]',
    ),
    Fault.of(
        "a line of the journal does not say whose command it was",
        7,
        f"{RECORDER}.addition",
        "if pending.by is not None:",
        "if False:",
    ),
    Fault.of(
        "a record has another secret",
        7,
        f"{RECORDER}.addition",
        "end_after(written, outcome, game.secret, wall)",
        "end_after(written, outcome, bytes(32), wall)",
    ),
    Fault.of(
        "a move is not hashed with those before it",
        7,
        "server.tables.table:Table.commit",
        "self.recorder.last, game.head = addition.last, addition.head",
        "game.head = addition.head",
    ),
    Fault.of(
        "numbers do not go on after a restart",
        8,
        f"{RECOVERY}:_restore_game",
        "table.event_log.restart(table.viewers())",
        "pass",
    ),
    Fault.of(
        "time passes while the server is down",
        16,
        f"{RECOVERY}:_replay_game",
        "game.resume(now - last, now)",
        "game.resume(now - last - 60.0, now)",
    ),
    Fault.of(
        "answers to moves are forgotten by a restart",
        244,
        f"{RECOVERY}:_remember_answer",
        "session.remember(id, OK)",
        "session.owed.add(id)",
    ),
    Fault.of(
        "what was done is done again after a restart",
        57,
        "server.tables.stored_maps:person_map",
        '"answers": [',
        '"answers": [], "owed": list(session.answers)} if True else {"answers": [',
    ),
    Fault.of(
        "chat is not stored",
        15,
        "server.tables.stored_maps:table_map",
        "for line in table.chat_lines()],\n",
        "for line in ()],\n",
    ),
    Fault.of(
        "a seat is not stored",
        15,
        "server.tables.stored_maps:table_map",
        "player and attrs.asdict(player) for player",
        "None for player",
    ),
    Fault.of(
        "tokens are not stored",
        8,
        "server.tables.stored_maps:person_map",
        '"offered": identity.offered,',
        '"offered": None,',
    ),
)
