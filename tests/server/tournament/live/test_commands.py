"""The life of a tournament over the protocol: who may do what when, and who may see what."""

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from support.results import check_result
from support.server.memory_server import MemoryServer
from support.server.memory_store import MemoryStore
from support.server.running_tournaments import (
    RULES,
    Entrant,
    Organiser,
    assemble,
    eventually,
    living,
    tournament_of,
)
from support.server.sockets import Caller, Plain, generous_limits, move_on, open_server

from parlour.server.app import ListeningServer
from parlour.server.limits import PLENTY, Limits
from parlour.server.people.rate_limit import Budget
from parlour.server.storage.change import Change, Done
from parlour.server.storage.errors import NotStored
from parlour.server.tables.table import Table
from parlour.server.tournament.live.games import Spot
from parlour.server.tournament.live.listing import LISTED


async def refused(caller: Caller, word: str, **fields: Any) -> Plain:
    answer = await caller.answer(await caller.send(word, **fields))
    assert answer["type"] == "error", answer
    return answer


async def why(caller: Caller, word: str, **fields: Any) -> str:
    answer = await refused(caller, word, **fields)
    assert answer["code"] == "against_rules"
    return str(answer["facts"]["why"])


async def one_table(server: ListeningServer, organiser: Organiser) -> tuple[Spot, Table]:
    """The table that is being played at."""
    found = tournament_of(server, organiser)
    await eventually(lambda: any(table.stage == "playing" for table in found.open_tables().values()))
    return next(iter(found.open_tables().items()))


# Making and entering


async def test_an_invitation_is_told_to_the_organiser_alone_and_entering_takes_it() -> None:
    async with open_server() as server:
        organiser = await Organiser(server.url).connect()
        made = await organiser.do("create_tournament", rules={**RULES, "entry": {"invitation": True}})
        organiser.tournament, code = made["tournament"], made["code"]
        await organiser.steer("open")
        ann = await Caller(server.url, "Ann").connect()
        for given in ({}, {"code": None}, {"code": ""}, {"code": code[:-1]}, {"code": "\u0130" * 8}):
            assert await why(ann, "enter", tournament=organiser.tournament, **given) == "not_invited"
        await ann.do("enter", tournament=organiser.tournament, code=f" {code.lower()} ")
        assert await why(ann, "enter", tournament=organiser.tournament) == "already_in"
        public = await ann.do("tournament_log", tournament=organiser.tournament)
        picture = await ann.do("watch_tournament", tournament=organiser.tournament)
        assert code not in str(public) and code not in str(picture)
        assert picture["rules"]["entry"]["invitation"] is True
        assert picture["rules"]["tie_breaks"] == ["buchholz", "sonneborn_berger", "head_to_head"]


async def test_an_invitation_holds_after_a_restart(tmp_path: Path) -> None:
    kept = str(tmp_path / "games.db")
    async with open_server(archive=kept) as server:
        organiser = await Organiser(server.url).connect()
        made = await organiser.do("create_tournament", rules={**RULES, "entry": {"invitation": True}})
        await organiser.do("steer", tournament=made["tournament"], to="open")
    async with open_server(archive=kept) as server:
        ann = await Caller(server.url, "Ann").connect()
        assert await why(ann, "enter", tournament=made["tournament"], code="AAAAAAAA") == "not_invited"
        await ann.do("enter", tournament=made["tournament"], code=made["code"])


async def test_a_tournament_without_an_invitation_takes_any_code() -> None:
    async with open_server() as server:
        organiser = await Organiser(server.url).connect()
        made = await organiser.do("create_tournament", rules=RULES)
        organiser.tournament = made["tournament"]
        assert made["code"] is None
        await organiser.steer("open")
        ann = await Caller(server.url, "Ann").connect()
        await ann.do("enter", tournament=organiser.tournament, code="whatever")


async def test_one_entrant_per_address_if_the_rules_say_so() -> None:
    async with open_server() as server:
        organiser = await Organiser(server.url).connect()
        id = await organiser.announce(entry={"one_per_address": True})
        ann, ben = await Caller(server.url, "Ann").connect(), await Caller(server.url, "Ben").connect()
        await ann.do("enter", tournament=id)
        assert await why(ben, "enter", tournament=id) == "same_address"
        assert await why(ann, "enter", tournament=id) == "already_in"
        await ann.do("withdraw", tournament=id)
        await ben.do("enter", tournament=id)


async def test_the_log_tells_who_share_an_address_and_never_the_address_or_the_key() -> None:
    async with open_server() as server:
        organiser = await Organiser(server.url).connect()
        id = await organiser.announce()
        for name in ("Ann", "Ben"):
            await (await Caller(server.url, name).connect()).do("enter", tournament=id)
        lines = (await organiser.do("tournament_log", tournament=id))["lines"]
        entered = [json.loads(line["line"]) for line in lines if '"entered"' in line["line"]]
        hashes = {event["address"] for event in entered}
        assert len(entered) == 2 and len(hashes) == 1 and "" not in hashes
        key = tournament_of(server, organiser).state.key
        assert key is not None and key.hex() not in str(lines) and "127.0.0.1" not in str(lines)
        other = await organiser.announce()
        await (await Caller(server.url, "Cat").connect()).do("enter", tournament=other)
        assert (
            not {
                json.loads(line["line"]).get("address")
                for line in (await organiser.do("tournament_log", tournament=other))["lines"]
            }
            & hashes
        )


async def test_rules_that_cannot_be_are_refused_by_the_name_of_the_field() -> None:
    async with open_server() as server:
        organiser = await Organiser(server.url).connect()
        wrong = await refused(organiser, "create_tournament", rules={**RULES, "format": "ladder"})
        assert (wrong["code"], wrong["facts"]["where"]) == ("bad_rules", "format")
        assert not (await organiser.do("tournaments"))["tournaments"]


async def test_a_server_has_so_many_tournaments_at_a_time() -> None:
    async with open_server(generous_limits(tournaments=1)) as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        await organiser.announce()
        wrong = await refused(organiser, "create_tournament", rules=RULES)
        assert (wrong["code"], wrong["facts"]) == ("too_many_tournaments", {"most": 1})
        await organiser.steer("cancel", "rain")
        await organiser.announce()


def test_tournaments_that_are_being_created_count_against_the_limit() -> None:
    store = MemoryStore()
    server = MemoryServer(Limits(tournaments_each=2, lists=Budget(1.0, 100, 1.0, 100)), store=store)
    ann = server.player("Ann")
    store.waits = True
    ids = [ann.send("create_tournament", rules=RULES) for _ in range(3)]
    store.waits = False
    server.settle()
    assert [ann.answers(id)[0].get("code") for id in ids] == [None, None, "too_many_tournaments"]


def test_commands_about_tournaments_keep_to_their_order() -> None:
    store = MemoryStore()
    server = MemoryServer(store=store)
    ann, bob = server.players(2)
    cup = ann.do("create_tournament", rules=RULES)["tournament"]
    ann.do("steer", tournament=cup, to="open")
    store.waits = True
    bob.send("enter", tournament=cup)
    bob.send("create_table", game="balloon-cup", seats=2)
    assert not server.tables.by_id
    store.waits = False
    server.settle()
    assert len(server.tables.by_id) == 1


async def test_no_organiser_takes_all_places_for_tournaments() -> None:
    async with open_server(generous_limits(tournaments=3, tournaments_each=2)) as server:
        busy = await Organiser(server.url).connect()
        for _ in range(2):
            await busy.do("create_tournament", rules=RULES)
        wrong = await refused(busy, "create_tournament", rules=RULES)
        assert (wrong["code"], wrong["facts"]) == ("too_many_tournaments", {"most": 2})
        other = await Organiser(server.url, "Otto").connect()
        await other.do("create_tournament", rules=RULES)


async def test_only_the_organiser_steers() -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        id = await organiser.announce()
        ben = await Entrant(server.url, "Ben").connect()
        wrong = await refused(ben, "steer", tournament=id, to="cancel")
        assert (wrong["code"], wrong["facts"]) == ("not_organiser", {"organiser": "Olga"})
        assert (await refused(ben, "enter", tournament="NOSUCH"))["code"] == "no_such_tournament"


async def test_entries_have_their_time_and_their_rules() -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        id = (await organiser.do("create_tournament", rules={**RULES, "entry": {"who": "bots"}}))[
            "tournament"
        ]
        organiser.tournament = id
        ann = await Entrant(server.url, "Ann").connect()
        assert await why(ann, "enter", tournament=id) == "not_now"
        await organiser.steer("open")
        await ann.do("enter", tournament=id.lower())
        assert await why(ann, "enter", tournament=id) == "already_in"
        assert await why(organiser, "enter", tournament=id) == "not_for_you"
        assert await why(ann, "check_in", tournament=id) == "not_now"
        await organiser.steer("check_in")
        wrong = await refused(ann, "check_in", tournament=id, nonce="two words")
        assert (wrong["code"], wrong["facts"]["where"]) == ("bad_message", "nonce")
        await ann.do("check_in", tournament=id)
        assert await why(organiser, "steer", tournament=id, to="start") == "too_few"
        await ann.do("withdraw", tournament=id)
        assert await why(ann, "withdraw", tournament=id) == "not_in"


async def test_a_late_entry_plays_from_the_next_round_on() -> None:
    async with open_server() as server:
        rules = {"rounds": 2, "entry": {"late": 2}}
        organiser, entrants = await assemble(server, 2, **rules)
        cid = Entrant(server.url, "Cid")
        await cid.connect()
        await organiser.steer("start")
        await organiser.until("tournament_round")
        # Nobody plays yet, so that the first round is not over.
        await cid.take_part(organiser.tournament)
        await cid.check_in(organiser.tournament)
        async with living([*entrants, cid]):
            await organiser.until_over()
        state = tournament_of(server, organiser).state
        assert state.entrants["Cid"].since == 2  # type: ignore[index]
        assert {name for table in state.history.rounds[1].tables for name in table.players} | set(
            state.history.rounds[1].byes
        ) == {"Bot 0", "Bot 1", "Cid"}


async def test_it_starts_by_itself_when_its_time_has_come_and_all_are_there() -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        rules = {**RULES, "rounds": 1, "starts": 1}
        id = organiser.tournament = (await organiser.do("create_tournament", rules=rules))["tournament"]
        await organiser.watch()
        found = tournament_of(server, organiser)
        await eventually(lambda: found.state.phase == "check_in")
        entrants = [Entrant(server.url, name) for name in ("Ann", "Ben")]
        for entrant in entrants:
            await entrant.connect()
            await entrant.take_part(id)
        assert found.state.phase == "check_in"
        async with living(entrants):
            for entrant in entrants:
                await entrant.send("check_in", tournament=id)
            await organiser.until_over()
        assert found.state.phase == "finished"


async def test_whoever_starts_it_before_check_in_gives_everybody_time_to_be_there() -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        id = await organiser.announce()
        ann, ben = Entrant(server.url, "Ann"), Entrant(server.url, "Ben")
        for entrant in (ann, ben):
            await entrant.connect()
            await entrant.take_part(id)
        await organiser.steer("start")
        found = tournament_of(server, organiser)
        await ann.check_in(id)
        assert found.state.phase == "check_in"
        await ben.check_in(id)
        await eventually(lambda: found.state.phase == "running")


# Steering


async def test_paused_games_go_on_and_none_is_begun() -> None:
    async with open_server() as server:
        organiser, entrants = await assemble(server, 2, rounds=1)
        await organiser.steer("start")
        await one_table(server, organiser)
        await organiser.steer("pause", "lunch")
        found = tournament_of(server, organiser)
        async with living(entrants):
            await organiser.until("tournament_result")
            await eventually(lambda: not found.busy and found.looks_at != 0.0)
            assert found.state.phase == "paused"
            assert not found.open_tables()
            assert len(found.state.history.results) == 1
            await organiser.steer("resume")
            await organiser.until_over()
        assert len(found.state.history.results) == 2


async def test_one_who_is_started_anew_while_it_is_paused_is_told_that_all_is_done_and_finds_the_game() -> (
    None
):
    async with open_server() as server:
        organiser, (ann, _) = await assemble(server, ["Ann", "Ben"], rounds=1)
        id = organiser.tournament
        await organiser.steer("start")
        await one_table(server, organiser)
        await organiser.steer("pause", "lunch")
        again = Entrant(server.url, "Ann")
        again.token = ann.token
        await again.connect()
        assert await why(again, "enter", tournament=id) == "already_in"
        assert await why(again, "check_in", tournament=id) == "already_there"
        assert again.welcome["tables"]
        assert await why(organiser, "enter", tournament=id) == "not_now"
        await organiser.steer("cancel")
        assert await why(again, "enter", tournament=id) == "not_now"


async def test_who_has_withdrawn_is_gone_whatever_is_asked() -> None:
    async with open_server() as server:
        organiser, (ann, *others) = await assemble(server, ["Ann", "Ben", "Cid", "Dan"], rounds=1)
        id = organiser.tournament
        await organiser.steer("start")
        await one_table(server, organiser)
        await ann.do("withdraw", tournament=id)
        for word in ("enter", "check_in", "withdraw"):
            assert await why(ann, word, tournament=id) == "gone"
        await organiser.steer("pause")
        assert await why(ann, "enter", tournament=id) == "gone"
        assert {await why(other, "enter", tournament=id) for other in others} == {"already_in"}


async def test_a_game_to_which_nobody_came_is_worth_nothing_to_anybody() -> None:
    async with open_server() as server:
        rules: dict[str, Any] = {"rounds": 1, "clocks": {"decision": 20.0, "grace": 0.1}}
        organiser, entrants = await assemble(server, ["Ann", "Ben"], **rules)
        for entrant in entrants:
            await entrant.drop(rudely=True)
        await eventually(lambda: all(server.lobby.tables.sessions[one.name].peer is None for one in entrants))
        await organiser.steer("start")
        await organiser.until_over()
        snapshot = await organiser.watch()
        assert [sorted(result["forfeits"]) for result in snapshot["results"]] == [["Ann", "Ben"]] * 2
        assert [(line["points"], line["wins"], line["rank"]) for line in snapshot["standings"]] == [
            (0, 0, 1)
        ] * 2
        assert all(set(line["tie_breaks"].values()) == {0} for line in snapshot["standings"])
        assert [(cell["games"], cell["points"]) for cell in snapshot["crosstable"]] == [(2, 0), (2, 0)]
        assert [rating["games"] for rating in snapshot["ratings"]] == [0, 0]


async def test_nobody_fills_a_log_by_entering_and_withdrawing() -> None:
    async with open_server(generous_limits(entries=Budget(0.01, 6, 100.0, 1000))) as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        id = await organiser.announce()
        ann = await Entrant(server.url, "Ann").connect()
        for _ in range(3):
            await ann.do("enter", tournament=id)
            await ann.do("withdraw", tournament=id)
        wrong = await refused(ann, "enter", tournament=id)
        assert wrong["code"] == "busy" and wrong["retry_after"] > 0
        assert len(tournament_of(server, organiser).log) == 9
        # It is her own haste: others enter as before.
        await (await Entrant(server.url, "Ben").connect()).do("enter", tournament=id)


async def test_the_list_has_those_that_are_not_over_first() -> None:
    async with open_server() as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        made = [await organiser.announce() for _ in range(4)]
        for organiser.tournament in (made[1], made[3]):
            await organiser.steer("cancel")
        listed = [info["tournament"] for info in (await organiser.do("tournaments"))["tournaments"]]
        assert listed == [made[2], made[0], made[3], made[1]]


async def test_nobody_is_given_hints_in_a_tournament() -> None:
    async with open_server() as server:
        organiser, _ = await assemble(server, 2, rounds=1)
        await organiser.steer("start")
        _, table = await one_table(server, organiser)
        assert not table.info().hints


async def test_a_cancelled_tournament_closes_its_tables_and_rates_nobody() -> None:
    async with open_server() as server:
        organiser, entrants = await assemble(server, 2, rounds=1)
        await organiser.steer("start")
        _, table = await one_table(server, organiser)
        await organiser.steer("cancel", "rain")
        assert (await organiser.until_over())["info"]["phase"] == "cancelled"
        for entrant in entrants:
            message = await entrant.event()
            while message["type"] != "lobby_gone":
                message = await entrant.event()
            assert message["table"] == table.id
        assert not server.lobby.tables.by_id
        assert not server.lobby.tournaments.stored.ratings("balloon-cup")
        assert await why(organiser, "steer", tournament=organiser.tournament, to="start") == "not_now"


async def test_why_it_is_paused_or_cancelled_is_told_to_all_who_watch_and_to_whoever_asks_later() -> None:
    async with open_server() as server:
        organiser, entrants = await assemble(server, 2, rounds=1)
        await organiser.steer("start")
        for to, phase, reason in (
            ("pause", "paused", "lunch"),
            ("resume", "running", ""),
            ("cancel", "cancelled", "rain"),
        ):
            await organiser.steer(to, reason)

            def there(event: Plain, phase: str = phase) -> bool:
                return bool(event["info"]["phase"] == phase)

            assert (await organiser.until("tournament_changed", there))["info"]["why"] == reason
        assert (await organiser.watch())["info"]["why"] == "rain"
        assert (await entrants[0].do("tournaments"))["tournaments"][0]["why"] == "rain"


async def test_so_many_tables_at_once_as_the_rules_say() -> None:
    async with open_server() as server:
        organiser, entrants = await assemble(server, 6, rounds=1, tables=2)
        found = tournament_of(server, organiser)
        most = 0

        async def count() -> None:
            nonlocal most
            while not found.over:
                playing = sum(table.stage == "playing" for table in server.lobby.tables.by_id.values())
                most = max(most, playing)
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        async with living(entrants):
            await organiser.steer("start")
            await organiser.until_over()
        await counting
        assert most == 2
        assert len(found.state.history.results) == 6


# Who may see what


@pytest.mark.usefixtures("restless")
async def test_nobody_sees_a_game_before_its_round_is_over(tmp_path: Path) -> None:
    async with open_server(archive=str(tmp_path / "parlour.db")) as server:
        organiser, entrants = await assemble(server, 4, rounds=1)
        await organiser.steer("start")
        found = tournament_of(server, organiser)
        await eventually(lambda: len(found.open_tables()) == 2)
        (spot, first), (_, second) = found.open_tables().items()
        for table in (first, second):
            assert (await refused(organiser, "watch", table=table.id))["code"] == "no_such_table"
            assert (await refused(organiser, "join", table=table.id))["code"] == "no_such_table"
        assert not (await organiser.do("list_tables"))["tables"]
        early = [one for one in entrants if first.seat_of(one.name) is not None]
        rest = [one for one in entrants if one not in early]
        async with living(early):
            await organiser.until("tournament_result")
            await eventually(lambda: all(len(one.results) == 2 for one in early))
        for one in early:
            assert all(result["secret"] is None for result in one.results.values())
        replay = next(one.replay for one in found.state.history.results if (one.table, one.game) == spot)
        for caller in (organiser, early[0]):
            assert (await refused(caller, "replay", game=replay))["code"] == "no_such_replay"
        assert (await refused(early[0], "rematch", table=first.id))["code"] in ("not_allowed", "not_seated")
        async with living(rest):
            await organiser.until_over()
        brought = check_result("replay", await organiser.do("replay", game=replay))
        assert brought["replay"]["header"]["table"] == first.id
        cup = {"tournament": organiser.tournament}
        for word in ("watch_tournament", "tournament_log"):
            check_result(word, await organiser.do(word, **cup))
        check_result("played", await early[0].do("played"))
        rules = {"name": "Cup", "game": "butterflies", "format": "swiss", "seed": "s"}
        check_result("create_tournament", await organiser.do("create_tournament", rules=rules))


@pytest.mark.usefixtures("restless")
async def test_a_table_of_a_tournament_is_cleared_away_and_takes_no_place(tmp_path: Path) -> None:
    async with open_server(generous_limits(tables_each=1), archive=str(tmp_path / "parlour.db")) as server:
        organiser, entrants = await assemble(server, 2, rounds=1)
        own = await entrants[0].do("create_table", game="balloon-cup", seats=2)
        async with living(entrants):
            await organiser.steer("start")
            await organiser.until_over()
            move_on(30.0)
            await eventually(lambda: set(server.lobby.tables.by_id) == {own["table"]})
        assert server.lobby.tables.sessions["Bot 0"].tables == {own["table"]}


async def test_standings_are_told_to_watchers_and_not_to_others() -> None:
    async with open_server() as server:
        organiser, entrants = await assemble(server, 2, rounds=1)
        heard: list[str] = []

        class Listening(Entrant):
            async def hear(self, message: Plain) -> None:
                heard.append(message["type"])
                await super().hear(message)

        entrants[0].__class__ = Listening
        async with living(entrants):
            await organiser.steer("start")
            last = await organiser.until(
                "tournament_standings", lambda event: sum(line["games"] for line in event["standings"]) == 4
            )
        assert {line["name"] for line in last["standings"]} == {"Bot 0", "Bot 1"}
        assert {(cell["one"], cell["other"], cell["games"]) for cell in last["crosstable"]} == {
            ("Bot 0", "Bot 1", 2),
            ("Bot 1", "Bot 0", 2),
        }
        assert "tournament_changed" in heard
        assert not {"tournament_standings", "tournament_result"} & set(heard)
        await organiser.do("watch_tournament", tournament=organiser.tournament, on=False)
        assert not server.lobby.tables.sessions["Olga"].watched_tournaments


# When nothing can be kept


async def test_a_tournament_that_cannot_be_read_keeps_no_server_from_its_start(tmp_path: Path) -> None:
    kept = str(tmp_path / "parlour.db")
    async with open_server(archive=kept) as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        spoilt, sound = await organiser.announce(), await organiser.announce()
    with contextlib.closing(sqlite3.connect(kept)) as archive, archive:
        archive.execute("DELETE FROM happenings WHERE tournament = ? AND number = 1", (spoilt,))
    async with open_server(archive=kept) as server:
        ann = await Entrant(server.url, "Ann").connect()
        assert [each["tournament"] for each in (await ann.do("tournaments"))["tournaments"]] == [sound]
        assert (await refused(ann, "enter", tournament=spoilt))["code"] == "no_such_tournament"
        await ann.do("enter", tournament=sound)


async def test_what_cannot_be_kept_has_not_happened_and_may_be_asked_for_again(tmp_path: Path) -> None:
    async with open_server(archive=str(tmp_path / "parlour.db")) as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        id = await organiser.announce()
        ann = await Entrant(server.url, "Ann").connect()
        store = server.lobby.tables.store
        put = store.put

        def refuse(change: Change, done: Done) -> None:
            if change.happened:
                done(NotStored("parlour.db", "SQLITE_FULL"))
            else:
                put(change, done)

        store.put = refuse  # type: ignore[method-assign]
        assert (await refused(ann, "enter", tournament=id))["code"] == "not_kept"
        made = await refused(organiser, "create_tournament", rules=RULES)
        assert made["code"] == "not_kept"
        assert not tournament_of(server, organiser).state.entrants
        assert len((await organiser.do("tournaments"))["tournaments"]) == 1
        store.put = put  # type: ignore[method-assign]
        await ann.do("enter", tournament=id)
        assert list(tournament_of(server, organiser).state.entrants) == ["Ann"]


async def test_without_an_archive_old_tournaments_are_forgotten_in_the_end() -> None:
    async with open_server(generous_limits(lists=PLENTY)) as server:
        organiser = Organiser(server.url)
        await organiser.connect()
        first = await organiser.announce()
        await organiser.steer("cancel")
        for _ in range(LISTED + 1):
            await organiser.announce()
            await organiser.steer("cancel")
        listed = [info["tournament"] for info in (await organiser.do("tournaments"))["tournaments"]]
        assert len(listed) == LISTED
        assert first not in server.lobby.tournaments.listing.open
        assert not server.lobby.tables.sessions["Olga"].takes_part
