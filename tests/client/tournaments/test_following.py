"""Following a tournament: events in order change the snapshot, and after a gap it is asked for again."""

from typing import Any

import pytest

from parlour.client.session import Session
from parlour.protocol import messages as m
from parlour.protocol.codec import write, write_part

ID = "LEAGUE"


def info(phase: str = "registration", **more: Any) -> m.TournamentInfo:
    plain: dict[str, Any] = {
        "tournament": ID,
        "name": "Cup",
        "game": "balloon-cup",
        "format": "swiss",
        "seats": 2,
        "phase": phase,
        "organiser": "Anna",
        "entrants": 0,
        "checked_in": 0,
        "round": 0,
        "rounds": None,
        "starts": None,
        "published": None,
    }
    return m.TournamentInfo(**{**plain, **more})


def snapshot(seq: int = 3, **more: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "seq": seq,
        "info": info(),
        "rules": {"games": 2},
        "entrants": (),
        "rounds": (),
        "results": (),
        "standings": (),
        "crosstable": (),
        "ratings": (),
    }
    found: dict[str, Any] = write_part(m.Picture(**{**plain, **more}))
    return found


def entrant(name: str, **more: Any) -> m.Entrant:
    plain = {"bot": True, "since": 1, "gone": False, "checked_in": False, "nonce": None, "strength": 0}
    return m.Entrant(name=name, **{**plain, **more})


@pytest.fixture
def session() -> Session:
    session = Session(name="Anna")
    number = session.ask(m.WatchTournament, tournament=ID, on=True)
    session.receive(write(m.Ok(number, snapshot())), 0.0)
    session.home.outgoing.clear()
    return session


def receive(session: Session, event: m.Message) -> m.Message | None:
    return session.receive(write(event), 0.0)


def test_events_change_the_snapshot(session: Session) -> None:
    followed = session.tournaments[ID]
    news: list[m.Message] = [
        m.TournamentEntrant(ID, 4, entrant("Ben"), withdrawn=False),
        m.TournamentEntrant(ID, 5, entrant("Zoë"), withdrawn=False),
        m.TournamentEntrant(ID, 6, entrant("Ben"), withdrawn=True),
        m.TournamentChanged(ID, 7, info("running")),
        m.TournamentRound(ID, 8, m.Round(1, (m.PairedTable(1, ("Ben", "Zoë"), ""),), (), None)),
        m.TournamentStandings(ID, 9, (), (m.Cross("Ben", "Zoë", 2, 1.5),), ()),
    ]
    for event in news:
        assert receive(session, event) == event
    assert list(followed.entrants) == ["Zoë"]
    assert followed.info.phase == "running"
    assert followed.round is not None and followed.round.round == 1
    assert followed.crosstable["Ben", "Zoë"].points == 1.5
    assert not session.home.outgoing


def test_after_a_check_in_of_too_few_nobody_is_there_any_more(session: Session) -> None:
    receive(session, m.TournamentChanged(ID, 4, info("check_in")))
    receive(session, m.TournamentEntrant(ID, 5, entrant("Ben", checked_in=True, nonce="n"), withdrawn=False))
    receive(session, m.TournamentChanged(ID, 6, info("registration", entrants=1, cause="too_few")))
    assert session.tournaments[ID].entrants == {"Ben": entrant("Ben")}


def test_whoever_has_not_checked_in_is_no_entrant_once_it_runs(session: Session) -> None:
    receive(session, m.TournamentChanged(ID, 4, info("check_in")))
    receive(session, m.TournamentEntrant(ID, 5, entrant("Ben", checked_in=True, nonce="n"), withdrawn=False))
    receive(session, m.TournamentEntrant(ID, 6, entrant("Cara"), withdrawn=False))
    receive(session, m.TournamentChanged(ID, 7, info("running", entrants=1)))
    assert list(session.tournaments[ID].entrants) == ["Ben"]


def test_after_a_gap_the_picture_is_asked_for_once(session: Session) -> None:
    assert receive(session, m.TournamentChanged(ID, 6, info("running"))) is None
    assert receive(session, m.TournamentChanged(ID, 7, info("running"))) is None
    (asked,) = session.home.outgoing
    assert (asked["type"], asked["tournament"]) == ("watch_tournament", ID)
    session.receive(write(m.Ok(asked["id"], snapshot(7, info=info("running")))), 0.0)
    assert session.tournaments[ID].seq == 7
    assert receive(session, m.TournamentChanged(ID, 8, info("paused"))) is not None


def test_an_old_event_changes_nothing(session: Session) -> None:
    assert receive(session, m.TournamentChanged(ID, 2, info("announced"))) is None
    assert session.tournaments[ID].info.phase == "registration"
    assert not session.home.outgoing


def test_a_new_connection_asks_for_the_picture_again(session: Session) -> None:
    limits = m.Limits(**{field.name: 1 for field in m.Limits.__attrs_attrs__})  # type: ignore[attr-defined]
    welcome = m.Welcome(1, 1, "parlour 0", (), limits, 15.0, m.Person("Anna", False), "t", 1, (), 0.0)
    session.receive(write(welcome), 0.0)
    assert [each["type"] for each in session.home.outgoing] == ["watch_tournament"]


def test_what_is_not_followed_is_still_heard(session: Session) -> None:
    other = m.TournamentChanged("OTHER", 9, info("running", tournament="OTHER"))
    assert receive(session, other) == other
    assert "OTHER" not in session.tournaments


def test_who_stops_watching_follows_no_more(session: Session) -> None:
    number = session.ask(m.WatchTournament, tournament=ID, on=False)
    session.receive(write(m.Ok(number, None)), 0.0)
    assert session.tournaments == {}
