"""Pictures for those who begin to watch: drawn beside the loop, and always before the events that follow."""

import pytest
from support.server.by_hand import ByHand
from support.server.memory_server import MemoryServer, Player

from parlour.protocol.codec import unpack
from parlour.server.limits import PLENTY, Limits
from parlour.server.tournament.watching import pictures, watchers
from parlour.server.tournament.watching.scores import work_out

RULES = {"name": "Cup", "game": "balloon-cup", "format": "swiss", "rounds": 2, "seed": "lots"}


class Cup:
    """A tournament that players may enter, on a server whose pictures are drawn by hand."""

    def __init__(self) -> None:
        self.server = MemoryServer(Limits(lists=PLENTY, entries=PLENTY))
        self.olga, self.ann, self.bob, self.cleo = map(self.server.player, ("Olga", "Ann", "Bob", "Cleo"))
        self.id = self.olga.do("create_tournament", rules=RULES)["tournament"]
        self.steer("open")
        self.working = self.server.lobby.tournaments.working = ByHand()
        self.drawing = self.server.lobby.tournaments.drawing = ByHand()

    def steer(self, to: str) -> None:
        self.olga.do("steer", tournament=self.id, to=to)

    def enter(self, player: Player) -> None:
        player.do("enter", tournament=self.id)

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self.server.lobby.tournaments.watchers.seq(self.id)

    def tell_standings(self) -> None:
        tournaments = self.server.lobby.tournaments
        state = tournaments.listing.open[self.id].state
        tournaments.standings._send(self.id, work_out(state, {}))

    def watch(self, player: Player, on: bool = True) -> int:
        return player.send("watch_tournament", tournament=self.id, on=on)


def told(player: Player) -> list[tuple[str, object]]:
    """What came, as an answer's id or an event's number."""
    return [(each["type"], each["id"] if each["type"] == "ok" else each.get("seq")) for each in player.read()]


def test_what_happens_while_a_picture_is_drawn_comes_after_it() -> None:
    cup = Cup()
    id = cup.watch(cup.ann)
    seq = cup.seq
    cup.enter(cup.bob)
    cup.steer("check_in")
    assert cup.ann.read() == []
    cup.working.finish_one()
    answer, *events = cup.ann.read()
    assert (answer["id"], answer["result"]["seq"], answer["result"]["entrants"]) == (id, seq, [])
    assert [event["seq"] for event in events] == list(range(seq + 1, seq + 1 + len(events)))
    assert [event["type"] for event in events] == ["tournament_entrant", "tournament_changed"]
    cup.enter(cup.cleo)
    assert [word for word, _ in told(cup.ann)] == ["tournament_entrant"]


def test_whoever_asks_after_something_has_happened_gets_a_picture_with_it() -> None:
    cup = Cup()
    cup.watch(cup.ann)
    cup.enter(cup.cleo)
    cup.watch(cup.bob)
    cup.working.finish_one()
    assert cup.ann.read()[0]["result"]["entrants"] == []
    assert cup.bob.read() == []
    cup.working.finish_one()
    (answer,) = cup.bob.read()
    assert [one["name"] for one in answer["result"]["entrants"]] == ["Cleo"]


def test_whoever_watches_already_and_asks_again_gets_no_number_twice() -> None:
    cup = Cup()
    cup.watch(cup.ann)
    cup.working.finish_one()
    cup.enter(cup.cleo)
    cup.watch(cup.bob)
    # Standings change no state: the picture that is being drawn for Bob stays right.
    cup.tell_standings()
    assert told(cup.ann)[-1] == ("tournament_standings", cup.seq)
    cup.watch(cup.ann)
    cup.working.finish_one()
    assert [each["result"]["seq"] for each in cup.ann.read()] == [cup.seq]
    assert [each.get("seq") for each in cup.bob.read()] == [None, cup.seq]


def test_a_picture_is_drawn_once_for_all_who_ask_for_the_same() -> None:
    cup = Cup()
    for player in (cup.ann, cup.bob, cup.cleo):
        cup.watch(player)
    assert cup.working.waiting == 1
    cup.working.finish_one()
    assert [len(player.read()) for player in (cup.ann, cup.bob, cup.cleo)] == [1, 1, 1]
    cup.watch(cup.ann)
    assert cup.working.waiting == 0 and len(cup.ann.read()) == 1


def test_whoever_stops_before_the_picture_is_there_gets_the_answers_and_no_events() -> None:
    cup = Cup()
    on, off = cup.watch(cup.ann), cup.watch(cup.ann, on=False)
    cup.enter(cup.bob)
    cup.working.finish_one()
    cup.enter(cup.cleo)
    assert told(cup.ann) == [("ok", off), ("ok", on)]


def test_a_player_who_stops_before_the_picture_is_there_misses_no_change_of_phase() -> None:
    cup = Cup()
    cup.enter(cup.ann)
    cup.ann.read()
    cup.watch(cup.ann)
    cup.steer("check_in")
    cup.watch(cup.ann, on=False)
    cup.steer("cancel")
    cup.working.finish_one()
    phases = [each["info"]["phase"] for each in cup.ann.read() if each["type"] == "tournament_changed"]
    assert phases == ["check_in", "cancelled"]


def test_a_picture_goes_to_the_connection_that_asked_or_to_nobody() -> None:
    cup = Cup()
    cup.watch(cup.ann)
    cup.ann.come_back()
    cup.enter(cup.bob)
    cup.working.finish_one()
    cup.enter(cup.cleo)
    assert cup.ann.read() == []


def test_a_picture_reads_the_same_in_both_encodings() -> None:
    cup = Cup()
    cup.enter(cup.bob)
    frames = []
    tournaments = cup.server.lobby.tournaments
    wish = tournaments.watchers.watch
    info = tournaments.listing.info(cup.id)
    wish(cup.ann.session, info, True, lambda answer: bool(frames.append(answer(5))))
    cup.working.finish_one()
    (frame,) = frames
    assert unpack(frame.text()) == frame.plain
    assert frame.plain["result"]["entrants"][0]["name"] == "Bob"


def test_a_bug_in_a_picture_is_answered_and_the_next_one_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = Cup()
    with monkeypatch.context() as broken:
        broken.setattr(pictures, "work_out", lambda *_: 1 // 0)
        cup.watch(cup.ann)
        cup.enter(cup.bob)
        cup.watch(cup.cleo)
        cup.working.finish_one()
    assert [each["code"] for each in cup.ann.read()] == ["failed"]
    cup.working.finish_one()
    assert [each["type"] for each in cup.cleo.read()] == ["ok"]
    assert [type(bug) for _, _, bug in cup.server.bugs] == [ZeroDivisionError]


def test_old_pictures_are_drawn_elsewhere_and_only_a_few_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = Cup()
    cup.steer("cancel")
    tournaments = cup.server.lobby.tournaments
    kept = tournaments.listing.open.pop(cup.id)
    lines = [{"at": 0, "line": each.line} for each in kept.log]
    monkeypatch.setattr(
        tournaments.stored.source, "happenings", lambda _, after, most: lines[after : after + most]
    )
    first, second = cup.watch(cup.ann), cup.watch(cup.bob)
    assert (cup.drawing.waiting, cup.working.waiting) == (1, 0)
    monkeypatch.setattr(watchers, "MOST_DRAWINGS", 1)
    tournaments.listing.infos["OTHER2"] = tournaments.listing.infos[cup.id].__class__(
        **{**cup.olga.do("tournaments")["tournaments"][0], "tournament": "OTHER2"}
    )
    assert cup.cleo.refused("watch_tournament", tournament="OTHER2").code == "busy"
    cup.drawing.finish_one()
    assert told(cup.ann) == [("ok", first)] and told(cup.bob) == [("ok", second)]
    assert not tournaments.watchers._watching.get(cup.id), "nobody is remembered for what will not come"
    cup.watch(cup.cleo)
    assert cup.drawing.waiting == 0 and cup.cleo.read()[-1]["result"]["info"]["phase"] == "cancelled"


def test_a_tournament_that_is_over_is_not_read_to_refuse_a_command() -> None:
    cup = Cup()
    cup.steer("cancel")
    del cup.server.lobby.tournaments.listing.open[cup.id]
    refused = cup.ann.refused("enter", tournament=cup.id.lower())
    assert (refused.code, refused.facts) == ("against_rules", {"why": "not_now", "phase": "cancelled"})
    assert cup.drawing.waiting == cup.working.waiting == 0


def test_pictures_of_old_tournaments_take_a_bounded_amount_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_BYTES", 100)
    state = Cup().server.lobby.tournaments
    some = next(iter(state.listing.open.values())).state
    old = pictures.OldPictures()
    for number in range(10):
        old.keep(f"{number}", pictures.Picture(some, b"x" * 40, 1, None))
    old.keep("9", pictures.Picture(some, b"x" * 40, 1, "y"))
    assert [number for number in range(10) if old.get(f"{number}", json=False)] == [8, 9]
    assert old.get("8", json=True) is None and old.get("9", json=True) is not None
