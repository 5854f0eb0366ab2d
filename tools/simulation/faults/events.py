"""Faults in events of tables, and in who gets them."""

from tools.simulation.faults.planting import Fault

LOG, TABLE = "server.tables.event_log:EventLog", "server.tables.table:Table"
TABLES, FRAMES = "server.tables.registry:Tables", "server.tables.update_frames:UpdateFrames"
LOBBY, OUTBOX = "server.lobby.lobby:Lobby", "server.wire.outbox:Outbox"
GAME = "server.tables.live_game:LiveGame"

EVENTS = (
    Fault.of(
        "an event is skipped",
        0,
        f"{LOG}.post",
        "self.outgoing.append((viewer, frame))",
        "if log.seq % 5: self.outgoing.append((viewer, frame))",
    ),
    Fault.of(
        "an event is sent twice",
        0,
        f"{LOG}.post",
        "self.outgoing.append((viewer, frame))",
        "self.outgoing += [(viewer, frame)] * (1 + (log.seq % 5 == 0))",
    ),
    Fault.of("a number is used again", 0, f"{LOG}.post", "log.seq += 1", "log.seq += log.seq % 5 != 4"),
    Fault.of("a number is left out", 0, f"{LOG}.post", "log.seq += 1", "log.seq += 1 + (log.seq % 5 == 4)"),
    Fault.of(
        "an event goes to the next seat",
        0,
        f"{TABLES}._deliver",
        "player = table.players[viewer]",
        "player = table.players[viewer - 1]",
    ),
    Fault.of(
        "a snapshot has a wrong number",
        0,
        f"{TABLE}.snapshot",
        "seq = self.event_log.seq(viewer)",
        "seq = self.event_log.seq(viewer) + 1",
    ),
    Fault.of(
        "a snapshot shows everything",
        1,
        f"{TABLE}.snapshot",
        "project(game.match.view, self._engine_viewer(viewer))",
        "project(game.match.view, ALL)",
    ),
    Fault.of(
        "an update has the view of another seat",
        1,
        f"{FRAMES}.frame_for",
        "fill(parts, self._all_gaps, viewer)",
        "fill(parts, self._all_gaps, 0)",
    ),
    Fault.of(
        "an update has the news of another seat",
        1,
        f"{FRAMES}.frame_for",
        "fill(parts, self._all_gaps, viewer)",
        "fill(parts, self._view_gaps, viewer)\nfill(parts, self._news_gaps, 0)",
    ),
    Fault.of(
        "who watches sees everything",
        15,
        f"{TABLE}._engine_viewer",
        "if self._sees_all(viewer) else",
        "if viewer is None or self._sees_all(viewer) else",
    ),
    Fault.of(
        "players see everything before the end",
        1,
        f"{TABLE}._sees_all",
        'if self.stage != "finished" or',
        "if",
    ),
    Fault.of(
        "a tournament's game shows everything at its end",
        5,
        f"{TABLE}._sees_all",
        " or self.settings.terms is not None",
        "",
    ),
    Fault.of(
        "a question is told to who is not asked",
        1,
        f"{TABLE}._announce",
        "asked = game.asked(viewer) if viewer in awaited and viewer is not None else None",
        "asked = game.asked(min(awaited)) if awaited else None",
    ),
    Fault.of(
        "two questions have one number",
        46,
        f"{GAME}._ask",
        "player.turn += 1",
        "player.turn = min(player.turn + 1, 2)",
    ),
    Fault.of(
        "a question gets another number while others act",
        1,
        f"{GAME}._ask",
        "if player.asked != key:",
        "if True:",
    ),
    Fault.of(
        "resume leaves out the first event",
        0,
        f"{LOG}.missed",
        "after - before, None",
        "after - before + 1, None",
    ),
    Fault.of(
        "resume brings events that are no longer kept",
        0,
        f"{LOG}.missed",
        "if not before <= after <= log.seq:",
        "before = min(before, after)\nif after > log.seq:",
    ),
    Fault.of(
        "after a rematch only one player gets a snapshot",
        7,
        f"{TABLE}.rematch",
        "if viewer is not None:",
        "if viewer == 0:",
    ),
    Fault.of(
        "whoever sits down gets no snapshot",
        0,
        f"{TABLE}.sit",
        "self.event_log.send_snapshot(Seat(chosen), self.snapshot(Seat(chosen), now))",
        "pass",
    ),
    Fault.of(
        "nothing says that a game is finished",
        1,
        f"{TABLE}._announce",
        "self.changed(now)",
        "self.unsaved = True",
    ),
    Fault.of(
        "the last update has no result",
        1,
        f"{TABLE}._announce",
        "result = write_part(game.result(eyes is ALL))",
        "result = None",
    ),
    Fault.of(
        "a new connection gets events before it resumes",
        0,
        f"{LOBBY}.hello",
        "session.following.clear()",
        "pass",
    ),
    Fault.of(
        "who leaves a table still gets its events",
        18,
        f"{TABLES}.stop_watching",
        "self._watchers[id].pop(session.name)",
        "pass",
    ),
    Fault.of(
        "one player is told later than the others",
        1,
        f"{TABLES}._deliver",
        "owner.peer.send(frame)",
        'later = __import__("asyncio").get_running_loop().call_soon\n'
        "later(owner.peer.send, frame) if viewer else owner.peer.send(frame)",
    ),
    Fault.of(
        "the lobby is not told of a change",
        9,
        f"{TABLES}._publish",
        "self._list_in_lobby(table)",
        "pass",
    ),
    Fault.of(
        "the lobby is told of a private table",
        5,
        f"{TABLES}._list_in_lobby",
        "if table.settings.public and self._in_lobby:",
        "if self._in_lobby:",
    ),
    Fault.of(
        "the lobby is not told that a table is gone", 87, f"{TABLES}._close", "self.tell_lobby(gone)", "pass"
    ),
    Fault.of(
        "a new connection still watches the lobby",
        0,
        f"{TABLES}.watch_lobby",
        "self._in_lobby.pop(session.name, None)",
        "pass",
    ),
    Fault.of(
        "frames are written in another order",
        0,
        f"{OUTBOX}.flush",
        "socket.write(messages)",
        "socket.write(messages[::-1])",
    ),
    Fault.of(
        "a peer that is slow misses frames",
        914,
        f"{OUTBOX}.send",
        "self._frames.append(frame)",
        "if self.stuck_since is None: self._frames.append(frame)",
    ),
)
