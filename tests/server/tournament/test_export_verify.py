"""Verifying a tournament's folder: as it was written it is right, and whatever is changed in it is named."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from support.server.tournament_folders import draw, files, finished_tournament, usual

from parlour.protocol.version import build
from parlour.server.records import replay_file
from parlour.server.records.record import Record, end_hash, header_hash, line_hash
from parlour.server.tournament.export import files as export
from parlour.server.tournament.export.derived import is_by_another_build
from parlour.server.tournament.export.faults import Fault
from parlour.server.tournament.export.folder import BadFolder, write
from parlour.server.tournament.export.verify import verify

Change = Callable[[Any], Any]
GAME = export.game_file((1, 1, 0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "cup", usual())
    return tmp_path / "cup"


def found(folder: Path) -> Fault:
    fault = verify(folder, draw)
    assert fault is not None
    return fault


def where(folder: Path) -> str:
    """The file that is wrong, be it unreadable or in contradiction to others."""
    try:
        return str(folder / found(folder).file)
    except BadFolder as refused:
        return refused.path


def changed(folder: Path, name: str, change: Change) -> Fault:
    """The fault after a change of a JSON file that keeps its form."""
    path = folder / name
    plain = json.loads(path.read_text(encoding="utf-8"))
    change(plain)
    path.write_text(json.dumps(plain, ensure_ascii=False), encoding="utf-8")
    return found(folder)


def index(plain: Any, kind: str, number: int = 0) -> int:
    return [at for at, event in enumerate(plain["events"]) if event["type"] == kind][number]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_folder_as_it_was_written_is_right(tmp_path: Path, language: str) -> None:
    write(tmp_path / "cup", files(finished_tournament(), language))
    assert verify(tmp_path / "cup", draw) is None


def test_a_folder_with_three_at_a_table_and_byes_is_right(tmp_path: Path) -> None:
    write(tmp_path / "cup", files(finished_tournament("hurry-cup", 3, 5, 1)))
    assert verify(tmp_path / "cup", draw) is None


@pytest.mark.parametrize("name", sorted(usual()))
def test_one_letter_more_in_any_file_is_found_there(folder: Path, name: str) -> None:
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write("x")
    assert where(folder) == str(folder / name)


@pytest.mark.parametrize("name", [each for each in sorted(usual()) if each.endswith("csv")] + ["report.html"])
def test_another_digit_is_found_in_its_line(folder: Path, name: str) -> None:
    lines = (folder / name).read_text(encoding="utf-8").split("\n")
    lines[2] = f"{lines[2]}0"
    (folder / name).write_text("\n".join(lines), encoding="utf-8")
    fault = found(folder)
    assert (fault.file, fault.where, fault.code) == (name, "3", "line")


def more_points(plain: Any) -> None:
    plain["standings"][1]["points"] += 0.5


def other_rating(plain: Any) -> None:
    plain["standings"][0]["rating"]["mean"] += 0.001


def test_standings_that_do_not_follow_are_named_by_their_place(folder: Path) -> None:
    fault = changed(folder, export.STANDINGS, more_points)
    assert (fault.file, fault.where, fault.code) == (export.STANDINGS, "standings.1.points", "differs")


def test_a_rating_that_does_not_follow_is_named(folder: Path) -> None:
    assert changed(folder, export.STANDINGS, other_rating).where == "standings.0.rating.mean"


def test_a_crosstable_that_does_not_follow_is_named(folder: Path) -> None:
    def change(plain: Any) -> None:
        one, others = next(iter(plain["cells"].items()))
        change.other = next(iter(others))  # type: ignore[attr-defined]
        change.one = one  # type: ignore[attr-defined]
        others[change.other]["games"] += 1  # type: ignore[attr-defined]

    fault = changed(folder, export.CROSSTABLE, change)
    assert fault.file == export.CROSSTABLE
    assert fault.where == f"cells.{change.one}.{change.other}.games"  # type: ignore[attr-defined]


def name_it(plain: Any) -> None:
    plain["rules"]["name"] = "Another"


def swap_players(plain: Any) -> None:
    players = plain["events"][index(plain, "round_paired")]["pairing"]["tables"][0]["players"]
    players.reverse()


def other_winner(plain: Any) -> None:
    plain["events"][index(plain, "game_finished")]["result"]["places"].reverse()


def other_secret(plain: Any) -> None:
    plain["events"][index(plain, "round_finished")]["secret"] = "0" * 64


def other_nonce(plain: Any) -> None:
    plain["events"][index(plain, "checked_in")]["nonce"] = "other"


def other_deal(plain: Any) -> None:
    plain["events"][index(plain, "game_finished")]["result"]["spare"] = 7


def other_moves(plain: Any) -> None:
    plain["events"][index(plain, "game_finished")]["result"]["moves"][0] += 1


def void_but_played(plain: Any) -> None:
    plain["events"][index(plain, "game_finished")]["result"]["void"] = True


def struck_out_for_nothing(plain: Any) -> None:
    at = index(plain, "round_finished")
    plain["events"].insert(at + 1, {"type": "left", "name": "Anna", "why": "strikes"})


def no_begin(plain: Any) -> None:
    del plain["events"][index(plain, "game_begun")]


def other_table(plain: Any) -> None:
    plain["events"][index(plain, "game_begun")]["at"] = "Q"


def table_used_before(plain: Any) -> None:
    plain["events"][index(plain, "game_begun", 1)]["at"] = "CUP-000"


def spare_without_need(plain: Any) -> None:
    plain["events"][index(plain, "game_begun")]["spare"] = 7


def check_in_long_ago(plain: Any) -> None:
    plain["events"][index(plain, "check_in_opened")]["until"] = 1


def check_in_after_the_games(plain: Any) -> None:
    plain["events"][index(plain, "check_in_opened")]["until"] += 10 * 24 * 3600


def other_replay(plain: Any) -> None:
    plain["events"][index(plain, "game_finished")]["result"]["replay"] = "TABLE999-1"


def other_failure(plain: Any) -> None:
    at = index(plain, "game_finished", 2)
    plain["events"][at]["result"]["failures"][0]["times"] += 1


def other_start(plain: Any) -> None:
    plain["events"][index(plain, "finished")]["ratings"]["Anna"]["mean"] += 1


def no_end(plain: Any) -> None:
    del plain["events"][-1]


def other_round(plain: Any) -> None:
    del plain["events"][index(plain, "round_finished")]


def other_entrant(plain: Any) -> None:
    plain["events"][index(plain, "entered")]["bot"] = True


def no_rules(plain: Any) -> None:
    plain["events"][0]["rules"] = -1


def no_thought(plain: Any) -> None:
    plain["events"][index(plain, "game_finished")]["result"]["thinking"] = ["long", 1]


@pytest.mark.parametrize(
    ("change", "where", "code"),
    [
        (no_rules, "events.0", "malformed"),
        (no_thought, "events.14", "malformed"),
        (name_it, "rules.name", "differs"),
        (swap_players, "events.12", "pairing"),
        (other_winner, "events.14.result.places", "result"),
        (other_secret, "events.21", "not_allowed"),
        (other_start, "ratings.0.Anna.mean", "differs"),
        (no_end, "events", "unfinished"),
        (other_round, "events.21", "not_allowed"),
        (other_moves, "events.14.result.moves", "differs"),
        (void_but_played, "events.14.result.void", "differs"),
        (struck_out_for_nothing, "events.22", "not_allowed"),
        (no_begin, "events.13", "not_begun"),
        (other_table, "events.13.at", "differs"),
        (table_used_before, "events.15", "not_allowed"),
        (spare_without_need, "events.13", "not_allowed"),
        (other_deal, "events.14.result.spare", "differs"),
        (check_in_long_ago, "events.6.until", "early"),
        (check_in_after_the_games, "events.6.until", "late"),
    ],
)
def test_a_change_of_the_events_is_named(folder: Path, change: Change, where: str, code: str) -> None:
    fault = changed(folder, export.TOURNAMENT, change)
    assert (fault.file, fault.where, fault.code) == (export.TOURNAMENT, where, code)


def test_a_failure_told_otherwise_shows_in_the_standings(folder: Path) -> None:
    fault = changed(folder, export.TOURNAMENT, other_failure)
    assert (fault.file, fault.code) == (export.STANDINGS, "differs")


@pytest.mark.parametrize(
    ("change", "where", "code"),
    [
        (other_nonce, "end.secret", "deal"),
        (other_replay, "header.table", "differs"),
    ],
)
def test_a_game_on_another_deal_or_at_another_table_is_named(
    folder: Path, change: Change, where: str, code: str
) -> None:
    fault = changed(folder, export.TOURNAMENT, change)
    assert (fault.file, fault.where, fault.code) == (GAME, where, code)


def test_a_bot_that_is_told_as_a_person_is_found_in_its_first_game(folder: Path) -> None:
    fault = changed(folder, export.TOURNAMENT, other_entrant)
    assert (fault.where, fault.code) == ("header.bots", "differs")


# Games


def reforged(record: Record) -> Record:
    """With all hashes made to fit again, as a careful forger would."""
    header = attrs.evolve(record.header, hash=header_hash(record.header))
    before, lines = header.hash, []
    for line in record.lines:
        before = line_hash(before, line)
        fields = {field.name: getattr(line, field.name) for field in attrs.fields(type(line))}
        lines.append(type(line)(**{**fields, "hash": before}))
    return Record(header, tuple(lines), attrs.evolve(record.end, head=end_hash(before, record.end)))


def forged(folder: Path, change: Callable[[Record], Record]) -> Fault:
    fault = forge(folder, change)
    assert fault is not None
    return fault


def forge(folder: Path, change: Callable[[Record], Record]) -> Fault | None:
    path = folder / GAME
    record = reforged(change(replay_file.read(path.read_bytes())))
    path.write_text(replay_file.write(record), encoding="utf-8")

    main = folder / export.TOURNAMENT
    plain = json.loads(main.read_text(encoding="utf-8"))
    plain["games"][0]["head"] = record.end.head
    main.write_text(json.dumps(plain, ensure_ascii=False), encoding="utf-8")
    return verify(folder, draw)


def test_a_game_with_other_names_is_found_though_its_hashes_fit(folder: Path) -> None:
    fault = forged(
        folder, lambda record: attrs.evolve(record, header=attrs.evolve(record.header, names=("Eve", "Ben")))
    )
    assert (fault.file, fault.where, fault.code) == (GAME, "header.names", "differs")


def with_header(**changes: Any) -> Callable[[Record], Record]:
    return lambda record: attrs.evolve(record, header=attrs.evolve(record.header, **changes))


def with_end(**changes: Any) -> Callable[[Record], Record]:
    return lambda record: attrs.evolve(record, end=attrs.evolve(record.end, **changes))


@pytest.mark.parametrize(
    ("change", "where", "code"),
    [
        (with_header(bots=(False, False)), "header.bots", "differs"),
        (with_header(started=1), "end.ended", "late"),
        (with_end(ended=1), "end.ended", "early"),
        (with_end(ended=2**52), "end.ended", "late"),
        (with_header(protocol=7), "header.protocol", "differs"),
        (with_header(build="evil"), "header.build", "differs"),
        (with_header(build="evil 9.9"), "header.build", "differs"),
    ],
)
def test_a_record_that_others_contradict_is_found_though_its_hashes_fit(
    folder: Path, change: Callable[[Record], Record], where: str, code: str
) -> None:
    fault = forged(folder, change)
    assert (fault.file, fault.where, fault.code) == (GAME, where, code)


def test_a_whole_game_at_another_time_is_found(folder: Path) -> None:
    before = 3 * 24 * 3600 * 1000

    def change(record: Record) -> Record:
        moved = with_header(started=record.header.started + before)(record)
        return with_end(ended=record.end.ended + before)(moved)

    fault = forged(folder, change)
    assert (fault.file, fault.where, fault.code) == (export.game_file((1, 2, 0)), "header.started", "early")


def test_a_clock_that_is_put_right_by_an_hour_is_no_fault(folder: Path) -> None:
    def change(record: Record) -> Record:
        return with_header(started=record.header.started - 3600 * 1000)(record)

    assert forge(folder, change) is None


def test_a_server_may_be_updated_in_mid_tournament_but_does_not_go_back(folder: Path) -> None:
    assert forge(folder, with_header(build="parlour 0.0.9")) is None
    fault = forged(folder, with_header(build="parlour 99.0.1"))
    assert (fault.file, fault.where, fault.code) == (export.game_file((1, 2, 0)), "header.build", "update")


def test_a_version_of_thousands_of_digits_is_found_where_the_build_is_told_again(folder: Path) -> None:
    fault = changed(folder, export.TOURNAMENT, lambda plain: plain.update(build=f"parlour {'9' * 9000}"))
    assert fault.file == export.REPORT


def test_a_game_that_no_event_deals_does_not_belong_there(folder: Path) -> None:
    more = export.game_file((1, 9, 0))
    (folder / more).write_bytes((folder / GAME).read_bytes())

    def change(plain: Any) -> None:
        head = plain["games"][0]["head"]
        plain["games"].append({"file": more, "round": 1, "table": 9, "game": 0, "head": head})

    assert changed(folder, export.TOURNAMENT, change) == Fault(more, "", "not_ours")


def test_a_game_that_the_rules_do_not_lead_along_is_found(folder: Path) -> None:
    fault = forged(folder, lambda record: attrs.evolve(record, lines=record.lines[:-1]))
    assert (fault.file, fault.code) == (GAME, "game")


def test_another_head_in_the_list_of_games_is_found(folder: Path) -> None:
    def change(plain: Any) -> None:
        plain["games"][3]["head"] = "1" * 64

    fault = changed(folder, export.TOURNAMENT, change)
    assert (fault.file, fault.where) == (export.TOURNAMENT, "games.3.head")


def test_a_game_put_in_the_place_of_another_is_found(folder: Path) -> None:
    other = folder / export.game_file((1, 2, 0))
    (folder / GAME).write_bytes(other.read_bytes())
    fault = found(folder)
    assert (fault.file, fault.code) == (GAME, "differs")


def test_a_game_left_out_is_missed(folder: Path) -> None:
    def change(plain: Any) -> None:
        del plain["games"][0]

    fault = changed(folder, export.TOURNAMENT, change)
    assert (fault.file, fault.code, fault.facts["file"]) == (export.TOURNAMENT, "no_game", GAME)


def test_a_file_that_does_not_belong_there_is_named(folder: Path) -> None:
    (folder / "games" / "more.txt").write_text("hello", encoding="utf-8")
    assert found(folder) == Fault("games/more.txt", "", "not_ours")


# Layout, and what other builds wrote


JSONS = (export.TOURNAMENT, export.STANDINGS, export.CROSSTABLE, GAME)


@pytest.mark.parametrize("name", JSONS)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_json_counts_by_what_it_means(folder: Path, name: str, mark: str) -> None:
    plain = json.loads((folder / name).read_text(encoding="utf-8"))
    (folder / name).write_text(f"{mark}{json.dumps(plain, indent=3, sort_keys=True)}", encoding="utf-8")
    assert verify(folder, draw) is None


def test_whole_numbers_may_lose_their_point_but_are_no_truth_values(folder: Path) -> None:
    path = folder / export.STANDINGS
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(".0,", ","), encoding="utf-8")
    assert verify(folder, draw) is None
    path.write_text(text.replace('"byes": 0', '"byes": false'), encoding="utf-8")
    assert found(folder).where.endswith(".byes")


@pytest.mark.parametrize("name", [export.STANDINGS_CSV, export.CROSSTABLE_CSV])
def test_a_table_counts_by_its_cells(folder: Path, name: str) -> None:
    text = (folder / name).read_text(encoding="utf-8-sig")
    (folder / name).write_text(text.replace("\n", "\r\n"), encoding="utf-8", newline="")
    assert verify(folder, draw) is None


def by_another_build(folder: Path, *changes: tuple[str, str, str]) -> Fault | None:
    for name, before, after in ((export.REPORT, build(), "parlour 0.0.1"), *changes):
        text = (folder / name).read_text(encoding="utf-8")
        assert before in text
        (folder / name).write_text(text.replace(before, after), encoding="utf-8")
    assert is_by_another_build(folder)
    return verify(folder, draw)


def test_the_words_of_another_builds_report_are_its_own(folder: Path) -> None:
    assert not is_by_another_build(folder)
    changes = [(export.REPORT, "<h2>Standings</h2>", "<h2>Who came where</h2>")]
    changes += [(export.CROSSTABLE_CSV, " of ", "/"), (export.STANDINGS_CSV, "thinking_moves", "thoughts")]
    assert by_another_build(folder, *changes) is None


def test_ranks_and_points_must_be_right_in_any_report(folder: Path) -> None:
    first = json.loads((folder / export.STANDINGS).read_text(encoding="utf-8"))["standings"][0]
    fault = by_another_build(folder, (export.REPORT, f"<bdi>{first['name']}</bdi>", "<bdi>Eve</bdi>"))
    assert fault is not None
    assert (fault.file, fault.code, fault.facts["name"]) == (export.REPORT, "not_shown", first["name"])


@pytest.mark.parametrize(
    "page", ["", "<tr><td>x<tr>y", "<td>1", "<![odd[ ]]>", "<tr><td>1<td>", "<![CDATA[", "\x00<!--"]
)
def test_a_page_that_is_no_report_is_found_whatever_it_is(folder: Path, page: str) -> None:
    (folder / export.REPORT).write_text(page, encoding="utf-8")
    assert where(folder) == str(folder / export.REPORT)


@pytest.mark.parametrize("text", ["", '"', "\x00,\x00", "a" * 200_000, "rank,name,points\n1"])
def test_a_table_that_is_none_is_found_whatever_it_is(folder: Path, text: str) -> None:
    assert by_another_build(folder) is None
    (folder / export.STANDINGS_CSV).write_text(text, encoding="utf-8")
    assert where(folder) == str(folder / export.STANDINGS_CSV)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [(export.STANDINGS_CSV, "Anna", "Eve"), (export.CROSSTABLE_CSV, " of 2", " of 3")],
)
def test_the_tables_of_another_build_have_the_same_facts(
    folder: Path, name: str, before: str, after: str
) -> None:
    fault = by_another_build(folder, (name, before, after))
    assert fault is not None
    assert (fault.file, fault.code) == (name, "line")


# What cannot be read


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        (export.TOURNAMENT, None, "NoFile"),
        (export.TOURNAMENT, "[]", "BadFile"),
        (export.TOURNAMENT, "{", "BadFile"),
        (export.TOURNAMENT, '{"format": 2}', "BadFile"),
        (export.TOURNAMENT, '{"format": 1, "format": 1}', "BadFile"),
        (export.TOURNAMENT, '{"format": NaN}', "BadFile"),
        (export.STANDINGS_CSV, None, "NoFile"),
        (export.TOURNAMENT, "[" * 100_000, "BadFile"),
        (export.STANDINGS, None, "NoFile"),
        (export.STANDINGS, "\x00", "BadFile"),
        (export.REPORT, None, "NoFile"),
        (GAME, None, "NoFile"),
        (GAME, "{}", "BadFile"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_name(
    folder: Path, name: str, text: str | None, kind: str
) -> None:
    path = folder / name
    path.unlink()
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFolder) as refused:
        verify(folder, draw)
    assert (refused.value.kind, refused.value.path) == (kind, str(path))


@pytest.mark.parametrize("protocol", [0, 9])
def test_a_protocol_that_is_not_known_is_refused(folder: Path, protocol: int) -> None:
    with pytest.raises(BadFolder, match="protocol"):
        changed(folder, export.TOURNAMENT, lambda plain: plain.update(protocol=protocol))


@pytest.mark.parametrize("name", [GAME, export.REPORT, export.GAMES])
def test_a_link_is_not_followed(folder: Path, tmp_path: Path, name: str) -> None:
    (folder / name).rename(tmp_path / "elsewhere")
    (folder / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadFolder) as refused:
        verify(folder, draw)
    assert (refused.value.kind, refused.value.path) == ("IsLink", str(folder / name))


@pytest.mark.parametrize(("make", "kind"), [(os.mkdir, "IsFolder"), (os.mkfifo, "NotAFile")])
def test_what_stands_in_a_files_place_is_called_what_it_is(
    folder: Path, make: Callable[[Path], None], kind: str
) -> None:
    (folder / GAME).unlink()
    make(folder / GAME)
    with pytest.raises(BadFolder) as refused:
        verify(folder, draw)
    assert (refused.value.kind, refused.value.path) == (kind, str(folder / GAME))


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFolder):
        verify(tmp_path / "nowhere", draw)


# Games that were not played


def absent(plain: Any) -> Any:
    found = [event for event in plain["events"] if event["type"] == "game_finished"]
    return next(event["result"] for event in found if event["result"]["replay"] is None)


def test_who_did_not_come_has_lost_and_nobody_else(folder: Path) -> None:
    fault = changed(folder, export.TOURNAMENT, lambda plain: absent(plain)["places"].reverse())
    assert fault.code == "differs" and fault.where.endswith("result.places")


def test_a_game_without_a_record_was_lost_by_somebody(folder: Path) -> None:
    def change(plain: Any) -> None:
        absent(plain)["forfeits"].clear()
        absent(plain)["places"][:] = [1, 1]

    assert changed(folder, export.TOURNAMENT, change).code == "no_game"


def test_nobody_forfeits_who_has_played_to_the_end(folder: Path) -> None:
    def change(plain: Any) -> None:
        result = plain["events"][index(plain, "game_finished")]["result"]
        result["forfeits"].append(result["players"][0])

    fault = changed(folder, export.TOURNAMENT, change)
    assert (fault.code, fault.where) == ("result", "events.14.result.forfeits")
