"""Once more: who sits where in the next game, and what is forgotten."""

from random import Random

from support.server.memory_server import MemoryServer, Player, asked, dealt, seated
from support.server.sockets import BALLOON, Caller, Plain, open_server, pick

from parlour.server.limits import PLENTY, Limits


def chairs(player: Player, table: str) -> list[str | None]:
    return [chair and chair["name"] for chair in player.memory(table).known["info"]["chairs"]]


def finished(
    server: MemoryServer, game: str = "balloon-cup", seats: int = 2, **settings: object
) -> tuple[str, list[Player]]:
    table, people = dealt(server, game, seats, **settings)
    for person in people[1:]:
        person.do("resign", table=table)
    assert server.table(table).stage == "finished"
    return table, people


def test_a_rematch_moves_the_seats_on_by_one() -> None:
    server = MemoryServer()
    table, (ann, bob, cleo) = finished(server, "butterflies", 3)
    first = ann.memory(table).known["info"]["commitment"]
    cleo.do("rematch", table=table)
    assert chairs(ann, table) == ["Cleo", "Ann", "Bob"]
    assert [person.memory(table).known["seat"] for person in (ann, bob, cleo)] == [1, 2, 0]
    info = ann.memory(table).known["info"]
    assert (info["number"], info["stage"], info["host"]) == (2, "gathering", "Ann")
    assert info["commitment"] != first
    assert ann.memory(table).known["view"] is None
    assert ann.refused("rematch", table=table).code == "not_now"


def test_a_rematch_begins_with_everybody_whole_and_without_old_nonces() -> None:
    server = MemoryServer()
    table, people = seated(server, "butterflies", 3)
    for person in people:
        person.do("ready", table=table, nonce=person.name)
    people[0].do("start", table=table)
    people[1].do("resign", table=table)
    people[2].do("resign", table=table)
    assert people[0].memory(table).known["result"]["nonces"] == ["Ann", "Bob", "Cleo"]
    people[0].do("rematch", table=table)
    for chair in people[0].memory(table).known["info"]["chairs"]:
        assert (chair["ready"], chair["left"], chair["stand_in"], chair["nonce"]) == (
            False,
            False,
            False,
            None,
        )
    for person in people:
        person.do("ready", table=table)
    people[0].do("start", table=table)
    assert asked(people, table)


class Bot(Caller):
    """Ready for each game, wherever it is."""

    def dress(self, message: Plain) -> Plain:
        return {**message, "bot": True} if message["type"] == "hello" else message


async def first_question(bot: Caller, host: Caller, table: str) -> Plain:
    """What a bot is asked first; if the host begins, after the host's move."""
    while not host.known(table)["awaited"]:
        await host.event()
    await host.act(table, Random(1))
    while bot.known(table)["question"] is None:
        await bot.event()
    found: Plain = bot.known(table)["question"]
    return found


async def test_an_answer_of_the_game_before_is_stale_in_a_rematch_that_began_without_its_bot() -> None:
    async with open_server() as server:
        ann = await Caller(server.url, "Ann").connect()
        table = (await ann.do("create_table", **BALLOON))["table"]
        bot = await Bot(server.url, "Bot").connect()
        await bot.do("join", table=table)
        await ann.do("ready", table=table)
        await ann.do("start", table=table)
        old = await first_question(bot, ann, table)
        await bot.drop(rudely=True)  # its answer goes with the connection
        for word in ("resign", "rematch", "ready", "start"):
            await ann.do(word, table=table)
        await bot.connect()
        await bot.do("resume", table=table)
        new = await first_question(bot, ann, table)
        late = await bot.send("act", table=table, turn=old["turn"], action=pick(new["legal"], Random(1)))
        refused = await bot.answer(late)
        assert (refused.get("code"), refused.get("facts")) == ("stale", {"turn": new["turn"]})


def test_whoever_got_up_has_no_seat_in_the_rematch() -> None:
    server = MemoryServer()
    table, (ann, bob, cleo) = finished(server, "butterflies", 3)
    bob.do("leave", table=table)
    assert chairs(ann, table) == ["Ann", "Bob", "Cleo"]
    assert bob.refused("rematch", table=table).code == "not_seated"
    ann.do("rematch", table=table)
    assert chairs(cleo, table) == ["Cleo", "Ann", None]
    bob.do("join", table=table)
    assert chairs(cleo, table) == ["Cleo", "Ann", "Bob"]


def test_whoever_missed_the_rematch_gets_a_snapshot_and_no_wrong_events() -> None:
    server = MemoryServer(Limits(seats=PLENTY))
    table, (ann, bob) = finished(server)
    last = bob.memory(table).seq
    bob.drop()
    ann.do("rematch", table=table)
    for on in (True, False) * 20:
        ann.do("ready", table=table, on=on)
    bob.come_back()
    assert bob.resume(table, last) == {"snapshot": True}
    assert bob.memory(table).known["seat"] == 0
    assert bob.memory(table).comparable() | {"seat": 1} == ann.memory(table).comparable()


def test_there_is_no_rematch_before_the_end() -> None:
    server = MemoryServer()
    table, (ann, _) = dealt(server)
    assert ann.refused("rematch", table=table).facts == {"stage": "playing"}


def test_a_finished_table_goes_when_all_have_left() -> None:
    server = MemoryServer()
    table, people = finished(server)
    for person in people:
        person.do("leave", table=table)
    assert not server.tables.by_id
    assert server.tables.wake_at() is None
