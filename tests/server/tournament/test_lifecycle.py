"""The life of a tournament: what may happen when, who may come late or leave, and how it comes back."""

import random
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.server.tournaments import by_chance

from parlour.engine.errors import Malformed
from parlour.server.tournament import events as e
from parlour.server.tournament.deals import round_secret
from parlour.server.tournament.export.facts import public_lines, state
from parlour.server.tournament.history import Failure, Name, Result
from parlour.server.tournament.lifecycle import TRANSITIONS, after, announced, recovered
from parlour.server.tournament.state import NotAllowed, Tournament

SECRET = bytes(range(32))
PUBLISHED = round_secret(SECRET, 0).hex()
RULES: dict[str, Any] = {"name": "Cup", "game": "balloon-cup", "format": "swiss", "seed": "s", "rounds": 3}


@attrs.define
class Run:
    """A tournament in memory: writes each event as a line before it counts, as a server does."""

    lines: list[str] = attrs.field(factory=list)
    tournament: Tournament | None = None

    def happen(self, *happened: e.Event) -> "Run":
        for event in happened:
            line = e.line(event)
            read = e.read_line(line)
            assert read == event
            self.tournament = announced(read) if self.tournament is None else after(self.tournament, read)
            self.lines.append(line)
        return self

    @property
    def now(self) -> Tournament:
        assert self.tournament is not None
        return self.tournament

    def refuse(self, event: e.Event, code: str) -> None:
        before = self.now
        with pytest.raises(NotAllowed) as refused:
            self.happen(event)
        assert refused.value.code == code
        assert self.now is before

    def pair(self) -> bool:
        pairing = self.now.next_round()
        if pairing is not None:
            self.happen(e.RoundPaired(pairing))
        return pairing is not None

    def play(self, luck: random.Random, games: int | None = None) -> None:
        """Finishes this round's games, or some of them."""
        assert self.now.round is not None
        tables = {table.number: table for table in self.now.round.tables}
        for table, game in self.now.open_games()[:games]:
            players = tables[table].seating(game)
            places = tuple(by_chance(luck)(players))
            self.happen(e.GameFinished(Result(self.now.round.round, table, game, players, places)))

    def close(self) -> None:
        assert self.now.round is not None
        number = self.now.round.round
        self.happen(e.RoundFinished(number, round_secret(SECRET, number).hex()))


def registered(names: str = "abcd", **change: Any) -> Run:
    run = Run().happen(e.Announced({**RULES, **change}), e.RegistrationOpened())
    return run.happen(*(e.Entered(Name(name), bot=True) for name in names))


def checking(names: str = "abcd", **change: Any) -> Run:
    return registered(names, **change).happen(e.SecretDrawn(SECRET.hex()), e.CheckInOpened(PUBLISHED))


def running(names: str = "abcd", **change: Any) -> Run:
    there = (e.CheckedIn(Name(name), f"nonce-{name}") for name in names)
    return checking(names, **change).happen(*there, e.Started())


AT: dict[str, Any] = {
    "announced": lambda: Run().happen(e.Announced(RULES)),
    "registration": registered,
    "check_in": checking,
    "running": running,
    "paused": lambda: running().happen(e.Paused("lunch")),
    "finished": lambda: running().happen(e.Finished()),
    "cancelled": lambda: running().happen(e.Cancelled("storm")),
}


@pytest.mark.parametrize("phase", list(TRANSITIONS))
def test_whatever_the_table_does_not_list_is_refused(phase: str) -> None:
    run = AT[phase]()
    assert run.now.phase == phase
    samples: list[e.Event] = [
        *(e.Announced(RULES), e.RegistrationOpened(), e.Entered(Name("z"), bot=True), e.Left(Name("a"))),
        *(e.SecretDrawn(SECRET.hex()), e.CheckInOpened(PUBLISHED), e.CheckedIn(Name("z")), e.Started()),
        e.CheckInClosed(),
        *(e.Paused(), e.Resumed(), e.Finished(), e.Cancelled()),
    ]
    for event in samples:
        if type(event) not in TRANSITIONS[run.now.phase]:
            run.refuse(event, "not_now")


def test_a_tournament_runs_from_its_announcement_to_its_end() -> None:
    run, luck = running("abcde"), random.Random(1)
    while run.pair():
        run.play(luck)
        run.close()
    run.happen(e.Finished())
    assert run.now.phase == "finished"
    assert len(run.now.history.rounds) == 3
    assert recovered(run.lines) == run.now


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(["swiss", "round_robin", "knockout"]), st.data())
def test_a_tournament_comes_back_from_any_number_of_its_lines_and_goes_on_alike(
    start: int, kind: str, data: st.DataObject
) -> None:
    luck = random.Random(start)
    rounds = {} if kind == "knockout" else {"rounds": 3}
    run = running("abcdefg", **{"format": kind, "rounds": None, **rounds})
    states = []
    while run.pair():
        run.play(luck, luck.randint(1, 4))
        states.append((len(run.lines), run.now))
        if luck.random() < 0.3:
            here = [one.name for one in run.now.entrants.values() if not one.gone]
            run.happen(e.Left(luck.choice(here)))
        run.play(luck)
        run.close()
    count, then = data.draw(st.sampled_from(states))
    back = recovered(run.lines[:count])
    assert back == then
    assert back.open_games() == then.open_games()
    for line in run.lines[count:]:
        back = after(back, e.read_line(line))
    assert back == run.now
    assert back.next_round() is None


def test_who_did_not_check_in_is_not_there_at_the_start() -> None:
    run = checking().happen(*(e.CheckedIn(Name(name)) for name in "abc"), e.Started())
    assert list(run.now.entrants) == ["a", "b", "c"]


def test_too_few_cannot_start() -> None:
    run = checking(entry={"least": 3}).happen(e.CheckedIn(Name("a")), e.CheckedIn(Name("b")))
    run.refuse(e.Started(), "too_few")


@pytest.mark.parametrize(
    ("entry", "name", "bot", "code"),
    [
        ({"who": "people"}, "z", True, "not_for_you"),
        ({"who": "bots"}, "z", False, "not_for_you"),
        ({"who": "named", "names": ["ada"]}, "z", True, "not_for_you"),
        ({}, "a", True, "already_in"),
        ({"most": 4}, "z", True, "full"),
    ],
)
def test_who_may_not_enter_is_told_why(entry: dict[str, Any], name: str, bot: bool, code: str) -> None:
    names = "" if "who" in entry else "abcd"
    registered(names, entry=entry).refuse(e.Entered(Name(name), bot=bot), code)


def test_late_entries_are_taken_as_long_as_the_rules_say_and_play_from_the_next_round() -> None:
    run, luck = running(entry={"late": 2}), random.Random(1)
    run.pair()
    run.happen(e.Entered(Name("z"), bot=True), e.CheckedIn(Name("z"), "late"))
    run.play(luck)
    run.close()
    run.pair()
    assert run.now.round is not None
    assert "z" in run.now.deal_nonces(run.now.round)
    assert "z" not in run.now.deal_nonces(run.now.history.rounds[0])
    run.refuse(e.Entered(Name("y"), bot=True), "too_late")


def test_without_such_a_rule_nobody_comes_late() -> None:
    running().refuse(e.Entered(Name("z"), bot=True), "too_late")


def test_who_leaves_before_the_start_was_never_there() -> None:
    assert "a" not in registered().happen(e.Left(Name("a"))).now.entrants


def test_who_leaves_later_is_paired_no_more_and_the_results_stand() -> None:
    run = running()
    run.pair()
    run.play(random.Random(1))
    run.close()
    run.happen(e.Left(Name("a")))
    run.pair()
    assert run.now.round is not None
    assert "a" not in run.now.deal_nonces(run.now.round)
    assert "a" in run.now.history.games
    for again in (e.Left(Name("a")), e.Entered(Name("a"), bot=True), e.CheckedIn(Name("a"))):
        run.refuse(again, "gone")
    run.refuse(e.Left(Name("z")), "not_in")


@pytest.mark.parametrize("phase", list(TRANSITIONS))
def test_who_is_in_it_is_told_so_as_long_as_there_is_something_to_play(phase: str) -> None:
    run = AT[phase]()
    over = phase in ("announced", "finished", "cancelled")
    run.refuse(e.Entered(Name("a"), bot=True), "not_now" if over else "already_in")


def test_a_pause_lets_games_end_and_begins_no_round() -> None:
    run = running()
    run.pair()
    run.happen(e.Paused())
    run.play(random.Random(1))
    run.happen(e.Resumed())
    run.close()
    run.happen(e.Paused())
    pairing = run.now.next_round()
    assert pairing is not None
    run.refuse(e.RoundPaired(pairing), "not_now")


def test_why_it_is_paused_or_cancelled_is_known_as_long_as_it_is() -> None:
    run = running().happen(e.Paused("lunch"))
    assert run.now.why == "lunch"
    assert run.happen(e.Left(Name("a"))).now.why == "lunch"
    assert run.happen(e.Resumed()).now.why == ""
    assert run.happen(e.Cancelled("storm")).now.why == "storm"
    assert recovered(run.lines) == run.now


def test_a_round_ends_when_its_games_have_and_with_the_secret_of_the_chain() -> None:
    run = running()
    run.pair()
    run.refuse(e.RoundFinished(1, round_secret(SECRET, 1).hex()), "games_running")
    run.play(random.Random(1))
    run.refuse(e.RoundFinished(1, round_secret(SECRET, 2).hex()), "not_the_secret")
    run.refuse(e.RoundFinished(2, round_secret(SECRET, 1).hex()), "no_such_round")
    run.close()
    assert run.now.round is None


def test_check_in_opens_only_with_the_end_of_the_chain() -> None:
    run = registered().happen(e.SecretDrawn(SECRET.hex()))
    run.refuse(e.CheckInOpened("00" * 32), "not_the_secret")
    run.refuse(e.SecretDrawn("00" * 32), "already_drawn")


@settings(deadline=None, max_examples=25)
@given(st.lists(st.sets(st.sampled_from("abcd"), max_size=2), max_size=4))
def test_after_a_check_in_of_too_few_all_are_still_in_it_and_a_new_secret_is_drawn(
    there: list[set[str]],
) -> None:
    run = registered(entry={"least": 3}, starts=1_900_000_000)
    for number, few in enumerate(there):
        secret = bytes([number]) * 32
        opening = (e.SecretDrawn(secret.hex()), e.CheckInOpened(round_secret(secret, 0).hex(), until=number))
        run.happen(*opening, *(e.CheckedIn(Name(name), "nonce") for name in sorted(few)))
        run.refuse(e.Started(), "too_few")
        run.happen(e.CheckInClosed())
        assert (run.now.phase, run.now.cause, run.now.starts) == (
            "registration",
            "too_few",
            None,
        )
        assert list(run.now.entrants) == list("abcd")
        assert not run.now.nonces and run.now.secret is run.now.published is run.now.until is None
    run.happen(e.SecretDrawn(SECRET.hex()), e.CheckInOpened(PUBLISHED))
    assert run.now.cause == ""
    run.happen(*(e.CheckedIn(Name(name)) for name in "abc"))
    run.refuse(e.CheckInClosed(), "enough")
    assert run.happen(e.Started()).now.phase == "running"
    assert state(public_lines(run.lines)).published == run.now.published
    assert recovered(run.lines) == run.now


def test_results_must_be_of_this_round_of_an_open_game_and_of_those_who_sit_there() -> None:
    run = running()
    run.pair()
    assert run.now.round is not None
    table = run.now.round.tables[0]
    right = Result(1, 1, 0, table.players, (1, 2))
    run.refuse(e.GameFinished(attrs.evolve(right, round=2)), "no_such_round")
    run.refuse(e.GameFinished(attrs.evolve(right, table=9)), "no_such_game")
    run.refuse(e.GameFinished(attrs.evolve(right, game=2)), "no_such_game")
    run.refuse(e.GameFinished(attrs.evolve(right, players=table.players[::-1])), "other_players")
    run.refuse(e.GameFinished(attrs.evolve(right, places=(1,))), "bad_result")
    run.refuse(e.GameFinished(attrs.evolve(right, forfeits=(Name("z"),))), "bad_result")
    run.happen(e.GameFinished(right))
    run.refuse(e.GameFinished(right), "no_such_game")


def test_with_three_strikes_one_is_to_be_put_out() -> None:
    run = running("ab", rounds=2)
    for number in (1, 2):
        assert run.now.struck_out() == []
        run.pair()
        assert run.now.round is not None
        for game in (0, 1):
            players = run.now.round.tables[0].seating(game)
            places = (2, 1) if players[0] == "a" else (1, 2)
            missed = Result(number, 1, game, players, places, (Failure(Name("a"), "absent"),), (Name("a"),))
            run.happen(e.GameFinished(missed))
        run.close()
    assert run.now.struck_out() == ["a"]
    run.happen(e.Left(Name("a"), "strikes"))
    assert run.now.struck_out() == []


def test_a_round_in_which_somebody_sits_twice_or_who_is_not_there_is_refused() -> None:
    run = running()
    pairing = run.now.next_round()
    assert pairing is not None
    run.refuse(e.RoundPaired(attrs.evolve(pairing, byes=(Name("a"),))), "other_players")
    run.refuse(e.RoundPaired(attrs.evolve(pairing, byes=(Name("z"),))), "other_players")
    run.refuse(e.RoundPaired(attrs.evolve(pairing, round=2)), "no_such_round")


def test_secrets_and_keys_are_the_only_events_that_are_never_told() -> None:
    assert (e.KeysDrawn, e.SecretDrawn) == e.PRIVATE
    told = [line for line in running().lines if not isinstance(e.read_line(line), e.PRIVATE)]
    assert not any(SECRET.hex() in line for line in told)


@pytest.mark.parametrize(
    "line", ["", "{", "[]", '{"type": "won"}', '{"type": "left"}', '{"type": "entered", "name": 3}']
)
def test_a_line_that_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(Malformed):
        e.read_line(line)


def test_a_tournament_begins_with_its_announcement() -> None:
    with pytest.raises(NotAllowed, match="not_announced"):
        recovered([e.line(e.Started())])
