"""Whole tournaments over real sockets, one of each format: every game counts once, luck can be checked."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.server.running_tournaments import Organiser, played
from support.server.sockets import open_server

from parlour.server.records.verify import verify
from parlour.server.storage import library
from parlour.server.tournament import deals, events, lifecycle
from parlour.server.tournament.live.running import RunningTournament
from parlour.server.tournament.scores import standings

FORMATS: list[tuple[str, int, int, dict[str, Any]]] = [
    ("round_robin", 4, 12, {}),
    ("swiss", 5, 16, {}),
    ("knockout", 4, 8, {"replays": 0}),
    ("swiss", 4, 6, {"game": "butterflies", "seats": 3, "rounds": 2}),
]
"""Format, entrants, games in all, and rules."""


@pytest.mark.parametrize(("form", "size", "games", "rules"), FORMATS)
async def test_a_tournament_is_played_to_its_end(
    form: str, size: int, games: int, rules: dict[str, Any]
) -> None:
    async with open_server() as server:
        organiser, entrants, tournament = await played(server, size, format=form, **rules)
        state = tournament.state
        assert state.phase == "finished"
        assert len(state.history.results) == games
        spots = Counter((one.round, one.table, one.game) for one in state.history.results)
        assert set(spots.values()) == {1}
        assert not any(one.failures or one.void for one in state.history.results)
        assert not any(entrant.errors for entrant in entrants)
        assert all(sum(one.moves) > 0 and min(one.thinking) >= 0 for one in state.history.results)
        await told_as_it_is(organiser, tournament)


async def told_as_it_is(organiser: Organiser, tournament: RunningTournament) -> None:
    """What watchers heard adds up to the snapshot, without a gap, and the log to the state."""
    state, heard = tournament.state, organiser.heard
    assert [event["seq"] for event in heard if "seq" in event] == sorted(
        {event["seq"] for event in heard if "seq" in event}
    )
    snapshot = await organiser.watch()
    told = [event["result"] for event in heard if event["type"] == "tournament_result"]
    assert told == snapshot["results"]
    rounds = [event["round"] for event in heard if event["type"] == "tournament_round"]
    assert [round_ for round_ in rounds if round_["secret"] is not None] == snapshot["rounds"]
    ranked = standings(state.history, list(state.entrants.values()), state.rules)
    assert [line["name"] for line in snapshot["standings"]] == [line.name for line in ranked]
    assert lifecycle.recovered(note.line for note in tournament.log) == state


@pytest.mark.usefixtures("restless")
async def test_luck_can_be_checked_by_everybody_once_a_round_is_over(tmp_path: Path) -> None:
    """All tables of a round play the same deals, and these follow from what was published and the nonces."""
    archive = tmp_path / "parlour.db"
    async with open_server(archive=str(archive)) as server:
        organiser, _, tournament = await played(server, 4, rounds=2)
        snapshot = await organiser.watch()
        page = await organiser.do("tournament_log", tournament=organiser.tournament)
        told = [events.read_line(each["line"]) for each in page["lines"]]
        assert page["next"] is None
        assert [each["number"] for each in page["lines"]] == [
            number for number, note in enumerate(tournament.log, 1) if note.public
        ]
        assert not any(isinstance(event, events.SecretDrawn) for event in told)
        before = bytes.fromhex(snapshot["info"]["published"])
        nonces = {one["name"]: one["nonce"] for one in snapshot["entrants"]}
        for round_ in snapshot["rounds"]:
            secret = bytes.fromhex(round_["secret"])
            deals.check(secret, before)
            before = secret
            for result in (one for one in snapshot["results"] if one["round"] == round_["round"]):
                replay = (await organiser.do("replay", game=result["replay"]))["replay"]
                key = deals.deal(secret, nonces, result["round"], result["deal"]).key
                assert replay["end"]["secret"] == key.hex()
                assert replay["header"]["names"] == result["players"]
                assert replay["end"]["places"] == result["places"]
    for game in library.games(str(archive), pytest.fail):
        assert verify(library.find_record(str(archive), game["id"])).sound


@pytest.mark.usefixtures("restless")
async def test_ratings_go_on_from_one_tournament_to_the_next(tmp_path: Path) -> None:
    async with open_server(archive=str(tmp_path / "parlour.db")) as server:
        first, _, _ = await played(server, ["Ann", "Ben"], rounds=1)
        rated = {one["name"]: one for one in (await first.watch())["ratings"]}
        assert rated["Ann"]["games"] == rated["Ben"]["games"] == 2
    async with open_server(archive=str(tmp_path / "parlour.db")) as server:
        old = await Organiser(server.url, "Otto").connect()
        listed = (await old.do("tournaments"))["tournaments"]
        assert [info["phase"] for info in listed] == ["finished"]
        snapshot = await old.do("watch_tournament", tournament=listed[0]["tournament"])
        assert {one["name"]: one for one in snapshot["ratings"]} == rated
        assert server.lobby.tournaments.stored.ratings("balloon-cup").keys() == {"Ann", "Ben"}
