"""Answering questions: which count, which are refused and why, and how games end early."""

import pytest
from laws.playing import ALL_KINDS, Dice, TableKind
from support.server.memory_server import MemoryServer, Player, asked, dealt

from parlour.engine.chance import Seeded
from parlour.engine.match import Match
from parlour.protocol.codec import pack, unpack
from parlour.server.records.fairness import commitment, seed


def others(people: list[Player], player: Player) -> Player:
    return next(person for person in people if person is not player)


def test_an_action_changes_the_game_for_everybody() -> None:
    server = MemoryServer()
    table, people = dealt(server)
    first = asked(people, table)[0]
    turns = {person.name: len(person.events("update")) for person in people}
    (answer,) = first.answers(first.act(table))
    assert answer == {"type": "ok", "id": first.last_id, "result": None}
    assert all(len(person.events("update")) == turns[person.name] + 1 for person in people)
    assert first.last("update")["news"]


def test_an_answer_to_an_older_question_is_stale_and_changes_nothing() -> None:
    server = MemoryServer()
    table, people = dealt(server)
    first = asked(people, table)[0]
    old, action = first.turn(table), first.action(table)
    first.act(table)
    while first.question(table) is None or first.turn(table) == old:
        asked(people, table)[0].act(table)
    before = server.match(table).state
    refused = first.refused("act", table=table, turn=old, action=action)
    assert (refused.code, refused.facts) == ("stale", {"turn": first.turn(table)})
    assert server.match(table).state is before


def test_one_who_is_not_asked_is_told_so() -> None:
    server = MemoryServer()
    table, people = dealt(server)
    first = asked(people, table)[0]
    other = others(people, first)
    assert other.refused("act", table=table, turn=0, action=first.action(table)).code == "not_asked"
    assert other.refused("act", table=table, turn=9, action=first.action(table)).code == "not_asked"
    turn, action = first.turn(table), first.action(table)
    first.act(table)
    if first.question(table) is None:
        assert first.refused("act", table=table, turn=turn, action=action).code == "not_asked"


@pytest.mark.parametrize(
    ("action", "where"),
    [
        ({}, "type"),
        ({"type": "jump"}, "type"),
        ({"type": 7}, "type"),
        ({"type": "play"}, None),
        ({"type": "play", "card": "red-1", "tile": 0, "side": 0, "extra": 1}, "extra"),
        ({"type": "play", "card": 5, "tile": 0, "side": 0}, "card"),
        ({"type": "play", "card": "red-1", "tile": True, "side": 0}, "tile"),
    ],
)
def test_what_is_no_action_of_the_game_is_refused_with_the_field(
    action: dict[str, object], where: str | None
) -> None:
    server = MemoryServer()
    table, people = dealt(server)
    first = asked(people, table)[0]
    refused = first.refused("act", table=table, turn=first.turn(table), action=action)
    assert refused.code == "bad_action"
    assert where in (None, refused.facts["where"])


def test_what_the_rules_do_not_allow_is_refused_with_the_reason() -> None:
    server = MemoryServer()
    table, people = dealt(server)
    first = asked(people, table)[0]
    hand = first.memory(table).known["view"]["hands"][first.memory(table).known["seat"]]
    missing = next(
        card for card in ("red-1", "blue-1", "green-1", "yellow-1", "grey-1", "red-2") if card not in hand
    )
    action = {**first.action(table), "card": missing}
    refused = first.refused("act", table=table, turn=first.turn(table), action=action)
    assert refused.code == "illegal"
    assert refused.facts["why"] != "illegal"


def test_before_the_game_and_after_it_there_is_nothing_to_answer() -> None:
    server = MemoryServer()
    ann = server.player("Ann")
    table = ann.do("create_table", game="balloon-cup", seats=2)["table"]
    assert ann.refused("act", table=table, turn=0, action={}).facts == {"stage": "gathering"}
    assert ann.refused("resign", table=table).code == "not_now"
    table, (cleo, dan) = dealt(MemoryServer())
    dan.do("resign", table=table)
    assert cleo.refused("act", table=table, turn=1, action={}).code == "over"
    assert cleo.refused("resign", table=table).code == "over"


def test_with_two_players_resigning_gives_the_other_the_game() -> None:
    server = MemoryServer()
    table, (ann, bob) = dealt(server)
    ann.do("resign", table=table)
    result = bob.memory(table).known["result"]
    assert (result["winners"], result["places"], result["reason"]) == ([1], [2, 1], "forfeit")
    assert bob.memory(table).known["awaited"] == []
    assert bob.memory(table).known["question"] is None


def test_with_more_players_a_seat_that_resigned_is_played_for_and_comes_last() -> None:
    server = MemoryServer()
    table, people = dealt(server, "hurry-cup", 3)
    people[0].do("resign", table=table)
    assert people[0].question(table) is None
    for _ in range(3000):
        if people[1].memory(table).known["result"]:
            break
        waiting = asked(people, table)
        assert people[0] not in waiting
        waiting[0].act(table, 1)
        server.wait(0.3)
    result = people[1].memory(table).known["result"]
    assert result["places"][0] == 3
    assert people[1].memory(table).known["info"]["chairs"][0]["left"] is True


def test_when_all_but_one_have_left_the_game_is_over() -> None:
    server = MemoryServer()
    table, people = dealt(server, "hurry-cup", 4)
    for person in (people[2], people[0], people[3]):
        assert person.memory(table).known["result"] is None
        person.do("leave", table=table)
    result = people[1].memory(table).known["result"]
    assert (result["reason"], result["places"]) == ("forfeit", [3, 1, 4, 2])


def play_out(server: MemoryServer, table: str, people: list[Player], dice: Dice) -> None:
    """Random play to the end. Whoever has answered on a turn is never asked with that number again."""
    answered: set[tuple[str, int]] = set()
    for _ in range(20_000):
        waiting = asked(people, table)
        if not waiting:
            return
        person = dice.pick(waiting)
        key = (person.name, person.turn(table))
        assert key not in answered, "one number for two questions"
        person.act(table, dice.below(10**6))
        server.wait(0.2)
        answered.add(key)
    raise AssertionError("the game did not end")


@pytest.mark.parametrize("kind", [kind for kind in ALL_KINDS if not kind.given], ids=str)
def test_anybody_can_recompute_the_deal_from_the_secret_and_the_nonces(kind: TableKind) -> None:
    server = MemoryServer()
    people = server.players(kind.seats)
    table = people[0].do("create_table", game=kind.game.name, seats=kind.seats)["table"]
    for person in people[1:]:
        person.do("join", table=table)
    committed = people[0].memory(table).known["info"]["commitment"]
    nonces = [f"nonce-{number}" if number % 2 else None for number in range(kind.seats)]
    for person, nonce in zip(people, nonces, strict=True):
        person.do("ready", table=table, nonce=nonce)
    people[0].do("start", table=table)
    play_out(server, table, people, Dice(str(kind)))
    last = people[-1].memory(table).known
    secret = bytes.fromhex(last["result"]["secret"])
    assert commitment(secret) == committed == last["info"]["commitment"]
    assert last["result"]["nonces"] == nonces
    again = Match.start(kind.game, kind.seats, kind.options, Seeded(seed(secret, nonces)))
    for entry in server.match(table).journal[1:]:
        assert entry.seat is not None
        again.act(entry.seat, entry.action) if entry.cause == "act" else again.time_up(entry.seat)
    last["view"].pop("options")
    assert unpack(pack(again.game.position(again.state))) == last["view"]
    assert not server.bugs


def test_a_nonce_changes_the_deal() -> None:
    plain = seed(bytes(32), (None, None))
    assert len({plain, seed(bytes(32), ("a", None)), seed(bytes(32), (None, "a"))}) == 3


def test_the_secret_is_in_no_frame_before_the_end() -> None:
    server = MemoryServer()
    table, people = dealt(server)
    secret = server.table(table).secret
    for person in people:
        assert secret.hex().encode() not in b"".join(person.peer.frames)
    people[0].do("resign", table=table)
    assert secret.hex().encode() in b"".join(people[1].peer.frames)
