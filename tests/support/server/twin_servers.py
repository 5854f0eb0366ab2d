"""Two servers in step, in one of which what is hidden from a viewer is exchanged: it must not notice."""

from typing import Any

from laws.leaks import Leak, fleeting
from laws.playing import Dice, TableKind, secret
from support.server.memory_server import MemoryServer, Player, asked, dealt

from parlour.engine.chance import Seeded
from parlour.engine.maps import tagged, to_map
from parlour.engine.secret import Seat, project
from parlour.protocol.codec import unpack

TableViewer = Seat | None
STEPS = 6
"""So many actions at most are played on after the exchange."""


class World:
    """One of the two servers: a game with somebody watching it."""

    def __init__(self, kind: TableKind, seed: object, watching: str) -> None:
        self.server = MemoryServer(seed=seed)
        self.table, self.people = dealt(
            self.server,
            kind.game.name,
            kind.seats,
            options=kind.given,
            watching=watching,
            clocks={"decision": 60},
        )
        self.watcher = self.server.player("Wes")
        self.watcher.do("watch", table=self.table)

    @property
    def match(self) -> Any:
        return self.server.match(self.table)

    def who(self, viewer: TableViewer) -> Player:
        return self.watcher if viewer is None else self.people[viewer]

    def view(self, viewer: TableViewer) -> Any:
        return to_map(project(self.match.game.view(self.match.state), viewer))

    def act(self, seat: int, action: Any) -> None:
        player = self.people[seat]
        player.send(
            "act", table=self.table, turn=self.server.live_game(self.table).players[seat].turn, action=action
        )
        self.server.wait(0.5)


def compare(real: World, other: World, viewer: TableViewer, moment: str) -> int:
    """All that the viewer ever got, byte for byte."""
    ours, theirs = real.who(viewer).peer.frames, other.who(viewer).peer.frames
    for frame, twin in zip(ours, theirs, strict=False):
        if frame != twin:
            raise Leak(f"{moment}: what {viewer} gets differs:\n{unpack(frame)}\n{unpack(twin)}")
    if len(ours) != len(theirs):
        raise Leak(f"{moment}: {viewer} gets {len(ours)} frames in one world and {len(theirs)} in the other")
    return len(ours)


def look_around(world: World, viewer: TableViewer, probes: list[Any]) -> None:
    """Everything by which a viewer could learn something, without a move in the game."""
    player, table = world.who(viewer), world.table
    player.send("resume", table=table)
    player.send("resume", table=table, after=1)
    player.send("list_tables")
    if viewer is not None:
        for probe in probes:
            turn = world.server.live_game(table).players[viewer].turn
            player.send("act", table=table, turn=turn, action=probe)
            player.send("act", table=table, turn=turn + 1, action=probe)
    for person in world.people:
        if person is not player:
            person.send("say", table=table, text="hm")
            person.drop()
            person.come_back()
            person.resume(table)
            break


def exchange(world: World, kind: TableKind, viewer: TableViewer, luck: Seeded) -> bool:
    """Puts another hidden world in; whether it differs at all."""
    match = world.match
    seen = project(match.game.view(match.state), viewer)
    before = match.game.position(match.state)
    match.state = kind.game.imagine(seen, viewer, luck)
    return bool(match.game.position(match.state) != before)


def check_frames(
    kind: TableKind, seed: object, viewer: TableViewer, watching: str = "public"
) -> dict[str, int]:
    """Plays, exchanges what is hidden, plays on as long as the views agree; counts what was compared."""
    dice = Dice(("frames", seed, viewer))
    real, other = World(kind, seed, watching), World(kind, seed, watching)
    tried: list[Any] = []
    for _ in range(dice.below(40)):
        waiting = asked(real.people, real.table)
        if not waiting:
            break
        person = dice.pick(waiting)
        seat, action = real.people.index(person), person.action(real.table, dice.below(10**6))
        tried.append(action)
        for world in (real, other):
            world.act(seat, action)
    count = {"frames": compare(real, other, viewer, "before"), "differing": 0, "steps": 0}
    if real.match.outcome is not None:
        return count
    count["differing"] += exchange(other, kind, viewer, Seeded(secret((seed, viewer))))
    for step in range(STEPS):
        legal = real.match.game.legal(real.match.state, viewer) if viewer is not None else ()
        probes = [probe for probe in tried[-4:] if kind.game.read_action(probe) not in legal]
        for world in (real, other):
            look_around(world, viewer, probes)
        count["frames"] = compare(real, other, viewer, f"looking around, step {step}")
        seat = dice.pick(sorted(real.match.awaited))
        theirs = real.match.game.legal(real.match.state, seat)
        action = theirs[dice.below(theirs.count)]
        if action not in other.match.game.legal(other.match.state, seat):
            break
        journals = len(real.match.journal)
        news: list[Any] = []
        for world in (real, other):
            proposal = world.match.propose(seat, action)
            news.append([item for beat in proposal.beats for item in beat.news])
            world.act(seat, tagged(action))
        same = real.view(viewer) == other.view(viewer) and fleeting(kind.game, news[0]) == fleeting(
            kind.game, news[1]
        )
        if not same or real.match.outcome is not None or other.match.outcome is not None:
            break
        assert len(real.match.journal) == len(other.match.journal) > journals
        count["frames"] = compare(real, other, viewer, f"step {step}")
        count["steps"] += 1
    return count
