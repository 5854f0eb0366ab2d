"""Faults that the server once had, put back. The simulation found each before it was mended.

Those without a seed are rare: the worlds that found them changed when the server did.
"""

from tools.simulation.faults.planting import Edit, Fault

COMMANDS, TABLES = "server.lobby.commands", "server.tables.registry:Tables"
WRITER = "server.storage.writer:Writer"
WATCHERS = "server.tournament.watching.watchers:Watchers"
LEASES = "server.storage.postgresql.rows:_Leases"

MENDED = (
    Fault.of(
        "whoever begins to watch gets a snapshot that has counted them, and then the event (G5)",
        0,
        f"{COMMANDS}:watch",
        "context.tables.at(table, lambda table: session.send(table.snapshot(None, now)))\n"
        "if is_new:  # after the snapshot, for this is an event\n"
        "    context.tables.at(table, lambda table: table.count_watchers(1, now))",
        "if is_new:\n"
        "    context.tables.at(table, lambda table: table.count_watchers(1, now))\n"
        "context.tables.at(table, lambda table: session.send(table.snapshot(None, now)))",
    ),
    Fault(
        "what was asked on a dead connection is done and answered on the next one (G5, G10)",
        4,
        (
            Edit("server.lobby.lobby:Lobby._do", "kind in REPEATABLE and session.peer is not peer", "False"),
            Edit("server.lobby.answering:answer", "if type(command) in REPEATABLE:", "if False:"),
        ),
    ),
    Fault(
        "a tournament's table is followed before its snapshot goes out (G8, G10)",
        719,
        (
            Edit(
                "server.tournament.live.running:RunningTournament._seat",
                "session.tables.add(table.id)",
                "session.tables.add(table.id)\nsession.following.add(table.id)",
            ),
            Edit(
                "server.tables.substitutes:show",
                "session.following.add(table.id)",
                "pass",
            ),
        ),
    ),
    Fault.of(
        "a seat that could not be given up is followed, resumed or not (G10)",
        None,
        f"{TABLES}._reseat",
        "session.tables.add(table.id)",
        "session.tables.add(table.id)\nsession.following.add(table.id)",
    ),
    Fault.of(
        "a change of seats that could not be stored is followed, resumed or not (G10)",
        None,
        f"{COMMANDS}:sit",
        "if not follows:",
        "if False:",
    ),
    Fault.of(
        "a watcher whose seat could not be stored watches no more (G4)",
        None,
        f"{TABLES}.watch_on",
        "if wrong is None:",
        "if True:",
    ),
    Fault.of(
        "whoever is gone when a seat could not be stored is answered as if it had been (G4)",
        None,
        "server.storage.gate:WriteGate._refuse",
        'self._make_due(refuse(ProtocolError("not_kept", retry_after=AGAIN_AFTER)))\nself._give_due()',
        'wrong = refuse(ProtocolError("not_kept", retry_after=AGAIN_AFTER))\n'
        "while self._replies:\n"
        "    guard(functools.partial(self._replies.popleft(), wrong), self.report, self.where)",
    ),
    Fault.of(
        "a close frame behind a move has the mover told first (G13)",
        1176,
        "server.wire.connection:Connection.flush",
        "self._gateway.scheduler.flush_urgent()",
        "pass",
    ),
    Fault.of(
        "a name is lost whose commands were not stored before a restart (G16)",
        122,
        "server.lobby.absent:keep_absent",
        "not (session.last_id or session.returned)",
        "not session.last_id",
    ),
    Fault.of(
        "a change that was held back overwrites newer answers (G16)",
        None,
        f"{TABLES}._sessions_at",
        "return Stored(self.sessions, names, session_map)",
        "return dict(Stored(self.sessions, names, session_map))",
    ),
    Fault.of(
        "an answer of one game at a table counts in the next one (G12)",
        16,
        "server.tables.seats:SeatedPlayer.reset",
        "self.asked = None",
        "self.turn, self.asked = 0, None",
    ),
    Fault.of(
        "a knockout halts when its best seed withdraws before the first round",
        None,
        "server.tournament.pairing:_knockout",
        "if name in here]",
        "if name]",
    ),
    Fault.of(
        "the lobby is not told that a game was over before the restart",
        None,
        f"{TABLES}.restore_game",
        "if table.stage != listed:",
        "if False:",
    ),
    Fault.of(
        "who asks twice for a tournament gets its events twice",
        None,
        f"{WATCHERS}._show",
        "shown[wish.session.name] = wish.session",
        "[wish.session.send(frame, urgent=False) for frame, _ in drawing.held]",
    ),
    Fault.of(
        "numbers after a restart are told before they are stored (G16)",
        4790,
        "server.tables.recovery:_restore_game",
        "table.renumbered = True",
        "pass",
    ),
    Fault.of(
        "a table whose first events were not stored begins its numbers anew after a restart (G16)",
        None,
        "server.tables.event_log:EventLog.restart",
        "dict.fromkeys((*viewers, *self._logs))",
        "self._logs",
    ),
    Fault.of(
        "who leaves when the time is up has the grace all the same (clocks)",
        None,
        "server.tables.clock:GameClock.away",
        "if end is not None and end <= now:",
        "if False:",
    ),
    Fault.of(
        "a move that is being stored is refused when its tournament is cancelled (G4)",
        None,
        f"{TABLES}.close",
        "gate.when_free(functools.partial(self._close, table))",
        "self._close(table)",
    ),
    Fault.of(
        "a hello of a lost connection that comes late ends the token of the newer one (G16)",
        None,
        "server.people.identity:Register.authenticate",
        "if again else ()",
        "if False else ()",
    ),
    Fault.of(
        "what a substitute has chosen in a scramble counts when its player is back (clocks)",
        None,
        "server.lobby.bots:BuiltInBots.look_after",
        "table.live_game.forget_choice(name)",
        "pass",
    ),
    Fault.of(
        "changes of one player that overlap refuse each other for ever (G16)",
        None,
        f"{WRITER}._store_alone",
        "self._note_people(waiting.answered, wrong)",
        "self._note_people([key for kind, key, *_ in waiting.rows if kind == SESSION], wrong)",
    ),
    Fault.of(
        "an event after a resume at the node that took a table over has the number of its snapshot (G5)",
        163,
        f"{COMMANDS}:resume",
        "missed = table.event_log.missed(viewer, command.after) if command.after is not None else None",
        "if viewer is not None and not table.player_at(viewer).here:\n"
        "    context.tables.at(table, lambda table: note_presence(table, session.name, True, now))\n"
        "missed = table.event_log.missed(viewer, command.after) if command.after is not None else None",
    ),
    Fault.of(
        "a node that goes down gives names up that stand at tables which another has by now",
        None,
        "server.lobby.lobby:Lobby.disconnect",
        "if self.closing is None:  # else another node may have the table by now that the name stands at",
        "if True:",
    ),
    Fault.of(
        "a node that goes down answers what has waited for a table that another has by now",
        None,
        "server.house.node:NodeHouse.hand_over",
        "gate.when_free(gate.hold)",
        "pass",
    ),
    Fault.of(
        "a lobby that is watched is not told of tables that its node takes over",
        1641,
        "server.house.takeover:Takeover._restore",
        "self.tables.list_in_lobby(table)",
        "self.tables.on_listed(table)",
    ),
    Fault(
        "a tournament that is just being stored is taken for one of another node, and read anew",
        297,
        (
            Edit(f"{LEASES}.begin", "epochs.update(dict.fromkeys(self.new, 1))", "pass"),
            Edit(
                f"{LEASES}.end",
                "for id in self.gone",
                "if stored:\n    epochs.update(dict.fromkeys(self.new, 1))\nfor id in self.gone",
            ),
        ),
    ),
    Fault.of(
        "a resume is refused while the game cannot be read, and its events come all the same (G8)",
        None,
        f"{COMMANDS}:resume",
        "table, viewer = context.tables.playing(session, command.table)",
        "table, viewer = context.tables.playing(session, command.table)\nsession.following.add(table.id)",
    ),
    Fault(
        "a node that was frozen tells old news, and is believed",
        117,
        (
            Edit("server.storage.postgresql.house:HouseRows._without_old_news", "if not ids:", "if True:"),
            Edit("server.house.elsewhere:Elsewhere._is_old", "self.epochs.is_old(id, epoch) or", "False and"),
        ),
    ),
    Fault.of(
        "nobody finds out what a node has closed and did not live to tell",
        4485,
        "server.house.elsewhere:Elsewhere._compare",
        "self.forget(id)",
        "pass",
    ),
    Fault.of(
        "a node that takes a tournament over takes what is its own for that of another",
        5937,
        "server.house.takeover:Takeover._restore",
        "id in self.database.epochs",
        "id in self.tables.by_id",
    ),
    Fault.of(
        "a game whose deal another node could not store waits for ever",
        23841,
        "server.tournament.live.guests:Guests.deal",
        "self.waiting[table.id] = now + AGAIN_AFTER",
        "del self.waiting[table.id]",
    ),
)
