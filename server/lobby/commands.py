"""What each command does, one function each. The result goes into `ok`; a refusal is raised."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from parlour.engine.catalogue import GAMES
from parlour.engine.errors import BadOptions
from parlour.engine.secret import Seat
from parlour.machine.addresses import network_of
from parlour.protocol import messages as m
from parlour.protocol.clocks import check_clocks
from parlour.protocol.codec import write_part
from parlour.protocol.errors import ProtocolError
from parlour.protocol.frame import Frame
from parlour.server.lobby import tournament_commands
from parlour.server.lobby.chat import clean_text
from parlour.server.lobby.context import LATER, Context, Dear
from parlour.server.lobby.games import describe_once
from parlour.server.lobby.hints import MOST_WAITING as MOST_HINTS
from parlour.server.lobby.hints import decision_at
from parlour.server.lobby.later import AnswerLater
from parlour.server.people.session import Session
from parlour.server.records.fairness import clean_nonce
from parlour.server.records.reading import read_record
from parlour.server.records.replay import Contradiction
from parlour.server.records.views import MOST as MOST_VIEWS
from parlour.server.records.views import views
from parlour.server.tables import seating
from parlour.server.tables.registry import Tables
from parlour.server.tables.seats import Settings
from parlour.server.tables.substitutes import check_substitute, note_presence, put_substitute
from parlour.server.tables.table import Table

T = TypeVar("T")


def ping(_context: Context, _session: Session, _command: m.Ping, now: float) -> Any:
    return {"now": now}


def games(context: Context, session: Session, _command: m.Games, now: float) -> Any:
    context.spend(session, "lists", now)
    return {"games": [describe_once(game, context.bots.starter.strategies) for game in GAMES.values()]}


def list_tables(context: Context, session: Session, command: m.ListTables, now: float) -> Any:
    context.spend(session, "lists", now)
    AnswerLater(context, session, command.id).show(context.tables_for(session))
    return LATER


def watch_lobby(context: Context, session: Session, command: m.WatchLobby, now: float) -> Any:
    if command.on:
        context.spend(session, "lists", now)
    context.tables.watchers.watch_lobby(session, False)
    session.lobby_wish = command.id
    if not command.on:
        return None
    later = AnswerLater(context, session, command.id)

    def show(answer: Callable[[int], Frame]) -> None:
        # What happens after the moment of the list is told as an event.
        if later.take(lambda: answer(command.id)) and session.lobby_wish == command.id:
            context.tables.watchers.watch_lobby(session, True)

    context.tables_for(session).ask(later.json, show)
    return LATER


def create_table(context: Context, session: Session, command: m.CreateTable, now: float) -> Any:
    game = GAMES.get(command.game)
    if game is None:
        raise ProtocolError("no_such_game", game=command.game[:40])
    if command.seats not in game.seats:
        raise ProtocolError("bad_options", where="seats", problem=f"must be one of {list(game.seats)}")
    try:
        options = game.read_options(command.options, command.seats)
    except BadOptions as wrong:
        raise ProtocolError("bad_options", where=wrong.where, problem=wrong.problem) from None
    check_clocks(command.clocks, command.reaction, command.practice)
    context.spend(session, "seats", now)
    _check_table_limit(context, session)
    if len(context.tables.by_id) >= context.limits.tables:
        raise ProtocolError("too_many_tables", most=context.limits.tables)
    clocks, grace = command.clocks, context.limits.grace
    if grace is not None:
        clocks = attrs.evolve(clocks, grace=min(clocks.grace, grace))
    settings = Settings(
        game,
        command.seats,
        options,
        command.public,
        command.bots,
        command.watching,
        clocks,
        command.reaction,
        command.hints,
        command.practice,
    )
    if session.identity.bot and not command.bots:
        raise ProtocolError("not_allowed", setting="bots")
    table = context.tables.open(settings, session.name)
    seat = context.tables.at(table, lambda table: _sit_down(session, table, 0, now), undo=True)
    return {"table": table.id, "code": table.code, "seat": seat}


def _sit_down(session: Session, table: Table, seat: int | None, now: float) -> Seat:
    taken = seating.sit(table, session.name, session.identity.bot, seat, now)
    table.note_round_trip(taken, session.round_trip)
    session.tables.add(table.id)
    session.following.add(table.id)
    return taken


def _check_table_limit(context: Context, session: Session) -> None:
    # A tournament's tables are not counted: its players do not choose when it deals.
    chosen = [table for table, _ in context.tables.tables_of(session) if table.settings.terms is None]
    if len(chosen) >= context.limits.tables_each:
        raise ProtocolError("too_many_tables", most=context.limits.tables_each)


def join(context: Context, session: Session, command: m.Join, now: float) -> Any:
    tables = context.tables
    table = tables.find(command.table, command.code)
    if table.id in session.tables:
        raise ProtocolError("not_now", problem="seated")
    context.spend(session, "seats", now)
    _check_table_limit(context, session)
    seat = tables.at(table, lambda table: _sit_down(session, table, command.seat, now), undo=True)
    if table.id in session.watching:
        watch_on = functools.partial(tables.watch_on, session, session.peer, table)
        tables.stop_watching(session, table.id, now)
        tables.reply(table, watch_on)
    return {"table": table.id, "seat": seat}


def watch(context: Context, session: Session, command: m.Watch, now: float) -> Any:
    table = context.tables.find(command.table, command.code)
    seating.check_kicked(table, session.name)
    if table.settings.watching == "nobody":
        raise ProtocolError("not_allowed", setting="watching")
    if not context.tables.restore_game(table):  # tells what has changed, and a new watcher gets that later
        raise ProtocolError("failed", table=table.id)
    if table.id in session.tables:
        raise ProtocolError("not_now", problem="seated")
    context.spend(session, "seats", now)
    is_new = table.id not in session.watching
    if is_new:
        if len(session.watching) >= context.limits.tables_each:
            raise ProtocolError("too_many_tables", most=context.limits.tables_each)
        context.tables.watchers.watch(session, table.id)
    context.tables.at(table, lambda table: session.send(table.snapshot(None, now)))
    if is_new:  # after the snapshot, for this is an event
        context.tables.at(table, lambda table: table.count_watchers(1, now))
    return {"table": table.id}


def sit(context: Context, session: Session, command: m.Sit, now: float) -> Any:
    table, _ = context.tables.seated(session, command.table)
    context.spend(session, "seats", now)
    follows = table.id in session.following
    seat = context.tables.at(table, lambda table: _sit_down(session, table, command.seat, now), undo=True)
    if not follows:
        context.tables.reply(table, lambda wrong: session.following.discard(table.id) if wrong else None)
    return {"seat": seat}


def ready(context: Context, session: Session, command: m.Ready, now: float) -> Any:
    table, seat = context.tables.seated(session, command.table)
    nonce = clean_nonce(command.nonce) if command.nonce is not None else None
    if table.player_at(seat).ready:  # each change of mind is stored and told, and no game waits for it
        context.spend(session, "seats", now)
    context.tables.at(table, lambda table: seating.ready(table, seat, command.on, nonce, now), undo=True)


def start(context: Context, session: Session, command: m.Start, now: float) -> Any:
    table = context.tables.hosted(session, command.table)
    by = session.name, command.id
    context.tables.at(table, lambda table: table.start(now, by))


def leave(context: Context, session: Session, command: m.Leave, now: float) -> Any:
    if command.table in session.watching:
        context.tables.stop_watching(session, command.table, now)
        return
    table, seat = context.tables.seated(session, command.table)
    by = session.name, command.id
    context.tables.at(table, lambda table: seating.get_up(table, seat, now, by), undo=True)
    session.tables.discard(table.id)
    context.tables.reply(table, lambda wrong: session.get_up(table.id) if wrong is None else None)


def kick(context: Context, session: Session, command: m.Kick, now: float) -> Any:
    table = context.tables.hosted(session, command.table)
    seat = Seat(command.seat)
    player = table.players[seat] if 0 <= seat < len(table.players) else None
    if player is None or player.gone or player.name == session.name:
        raise ProtocolError("no_seat", seat=command.seat)
    if table.stage == "playing" and not (table.live_game and table.live_game.gone_for_long(seat, now)):
        raise ProtocolError("not_now", stage=table.stage)
    context.spend(session, "seats", now)
    other = context.tables.sessions.get(player.name)
    by = session.name, command.id
    context.tables.at(table, lambda table: seating.kick(table, seat, now, by), undo=True)
    if other is not None:
        other.tables.discard(table.id)
        context.tables.reply(table, functools.partial(_after_kick, context.tables, other, table))


def _after_kick(tables: Tables, other: Session, table: Table, wrong: ProtocolError | None) -> None:
    if wrong is None:
        other.get_up(table.id)
        other.send(m.LobbyGone(table.id, "kicked"))
        tables.dismiss(other)


def let_back(context: Context, session: Session, command: m.LetBack, now: float) -> Any:
    table = context.tables.hosted(session, command.table)
    context.spend(session, "seats", now)
    context.tables.at(table, lambda table: seating.let_back(table, command.name, now), undo=True)


def add_bot(context: Context, session: Session, command: m.AddBot, now: float) -> Any:
    tables = context.tables
    table = tables.hosted(session, command.table)
    if command.strategy not in context.bots.starter.strategies:
        raise ProtocolError("no_such_bot", strategy=command.strategy[:40])
    context.spend(session, "seats", now)
    bot, seat = _with_bot(
        context,
        session,
        table,
        lambda table, bot: seating.sit(table, bot, True, command.seat, now, command.strategy),
    )
    return {"seat": seat, "name": bot}


def _with_bot(
    context: Context, session: Session, table: Table, work: Callable[[Table, str], T]
) -> tuple[str, T]:
    """Works at a table with the name of a new built-in bot, which is started once that is stored."""
    tables = context.tables
    bot = context.bots.engage(network_of(session.peer.address) if session.peer is not None else "")
    bot.tables.add(table.id)
    try:
        done = tables.at(table, lambda table: work(table, bot.name), undo=True)
    except ProtocolError:
        tables.forget(bot)
        raise
    tables.reply(table, lambda wrong: tables.dismiss(bot) if wrong else None)
    return bot.name, done


def substitute(context: Context, session: Session, command: m.Substitute, now: float) -> Any:
    table, strategy = context.tables.hosted(session, command.table), command.strategy
    if strategy is not None and strategy not in context.bots.starter.strategies:
        raise ProtocolError("no_such_bot", strategy=strategy[:40])
    check_substitute(table, command.seat)
    context.spend(session, "seats", now)
    seat = Seat(command.seat)
    if strategy is None:
        context.tables.at(table, lambda table: put_substitute(table, seat, None, None, now), undo=True)
        return {"name": None}
    bot, _ = _with_bot(
        context, session, table, lambda table, bot: put_substitute(table, seat, bot, strategy, now)
    )
    return {"name": bot}


def rematch(context: Context, session: Session, command: m.Rematch, now: float) -> Any:
    table, _ = context.tables.seated(session, command.table)
    secret = context.tables.random(32)
    context.tables.at(table, lambda table: seating.rematch(table, secret, now), undo=True)


def say(context: Context, session: Session, command: m.Say, now: float) -> Any:
    limits = context.limits
    text = clean_text(command.text, limits.chat_length)
    table = context.tables.seated(session, command.table)[0] if command.table is not None else None
    context.spend(session, "lines", now)
    line = m.Line(session.name, session.identity.bot, text, now)
    if table is not None:
        context.tables.at(table, lambda table: table.say(line), undo=True)
        return
    context.tables.watchers.tell_lobby(m.LobbyChat(line))
    context.house.tell({"event": "chat", "line": write_part(line)})


def act(context: Context, session: Session, command: m.Act, now: float) -> Any:
    table, seat = context.tables.playing(session, command.table)
    by = session.name, command.id
    context.tables.at(table, lambda table: table.act(seat, command.turn, command.action, now, by))
    return LATER


def resign(context: Context, session: Session, command: m.Resign, now: float) -> Any:
    table, seat = context.tables.seated(session, command.table)
    context.spend(session, "seats", now)  # else two could have games dealt and give them up all day
    by = session.name, command.id
    context.tables.at(table, lambda table: table.resign(seat, now, by))


def hint(context: Context, session: Session, command: m.Hint, now: float) -> Any:
    if command.strategy not in context.bots.starter.strategies:
        raise ProtocolError("no_such_bot", strategy=command.strategy[:40])
    context.spend(session, "lists", now)
    table, seat = context.tables.seated(session, command.table)
    decision = decision_at(table, seat)
    work = functools.partial(context.thinker.think, decision, command.strategy)
    AnswerLater(context, session, command.id).make(context.thinking, MOST_HINTS, work)
    return LATER


def resume(context: Context, session: Session, command: m.Resume, now: float) -> Any:
    viewer: Seat | None = None
    if command.table in session.watching:
        table = context.tables.by_id[command.table]
    else:
        table, viewer = context.tables.playing(session, command.table)
    missed = table.event_log.missed(viewer, command.after) if command.after is not None else None
    if missed is None:
        context.tables.at(table, lambda table: session.send(table.snapshot(viewer, now)))
    if viewer is not None:
        session.following.add(table.id)
    for frame in missed or ():
        session.send(frame)
    player = table.player_at(viewer) if viewer is not None else None
    if player is not None and player.name == session.name:
        # Who was played for is back, as is who connected before this node took the table over; that is told
        # by an event after all that was sent here.
        context.tables.at(table, lambda table: note_presence(table, session.name, True, now))
    return {"snapshot": missed is None}


def played(context: Context, session: Session, command: m.Played, now: float) -> Any:
    context.spend(session, "lists", now)
    name, games = session.name, context.played_games
    AnswerLater(context, session, command.id).read(lambda: {"games": games.played_by(name)})
    return LATER


def replay(context: Context, session: Session, command: m.Replay, now: float) -> Any:
    read = _reads_replay(context, session, command.game, now)
    AnswerLater(context, session, command.id).read(lambda: {"replay": read()})
    return LATER


def _reads_replay(
    context: Context, session: Session, game: str, now: float, budget: Dear = "lists"
) -> Callable[[], dict[str, Any]]:
    """What reads a game that this player may see; raises `busy`, and sooner or later `no_such_replay`."""
    anybody = context.tournaments.listing.shows(game)
    context.spend(session, budget if anybody is None else "pages", now)
    if anybody is False:
        raise ProtocolError("no_such_replay")
    name, games = None if anybody else session.name, context.played_games

    def read() -> dict[str, Any]:
        found = games.replay(game, name)
        if found is None:
            raise ProtocolError("no_such_replay")
        return found

    return read


def replay_view(context: Context, session: Session, command: m.ReplayView, now: float) -> Any:
    """Replays in the thread that reads: one game at a time, and the event loop goes on."""
    if not 1 <= command.count <= MOST_VIEWS:
        raise ProtocolError("bad_message", where="count", problem=f"must be 1 to {MOST_VIEWS}")
    if command.first < 0:
        raise ProtocolError("bad_message", where="first", problem="must be 0 or more")
    read = _reads_replay(context, session, command.game, now, "pages")

    def show() -> dict[str, Any]:
        found = read()
        record = read_record(found["header"], found["journal"], found["end"])
        if command.eyes is not None and not 0 <= command.eyes < record.header.seats:
            raise ProtocolError(
                "bad_message", where="eyes", problem=f"must be 0 to {record.header.seats - 1}"
            )
        try:
            return views(record, command.eyes, command.first, command.count)
        except Contradiction:
            raise ProtocolError("damaged") from None

    AnswerLater(context, session, command.id).read(show)
    return LATER


def bye(_context: Context, session: Session, command: m.Bye, _now: float) -> Any:
    session.send(m.Ok(command.id))
    if session.peer is not None:
        session.peer.hang_up(1000, "bye")
    return LATER


DO: dict[type[m.Message], Callable[[Context, Session, Any, float], Any]] = {
    m.Ping: ping,
    m.Games: games,
    m.ListTables: list_tables,
    m.WatchLobby: watch_lobby,
    m.CreateTable: create_table,
    m.Join: join,
    m.Watch: watch,
    m.Sit: sit,
    m.Ready: ready,
    m.Start: start,
    m.Leave: leave,
    m.Kick: kick,
    m.LetBack: let_back,
    m.AddBot: add_bot,
    m.Substitute: substitute,
    m.Rematch: rematch,
    m.Say: say,
    m.Act: act,
    m.Hint: hint,
    m.Resign: resign,
    m.Resume: resume,
    m.Played: played,
    m.Replay: replay,
    m.ReplayView: replay_view,
    m.Bye: bye,
    **tournament_commands.DO,
}
REPEATABLE: frozenset[type[m.Message]] = frozenset(
    {
        *(
            m.Ping,
            m.Games,
            m.ListTables,
            m.WatchLobby,
            m.Watch,
            m.Resume,
            m.Played,
            m.Replay,
            m.ReplayView,
            m.Hint,
            m.Bye,
        ),
        *tournament_commands.REPEATABLE,
    }
)
"""Commands that change nothing but what their own connection gets, and that a player is here: sent again they
are done again, on the connection on which they come, and on no other. Their answers, long ones among them,
are not remembered."""
