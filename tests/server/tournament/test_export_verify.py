"""Verifying a tournament's folder: as it was written it is right, and whatever is changed in it is named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from houses.folders import draw, files, kept

from parlour.server import replay_file
from parlour.server.record import Record, end_hash, header_hash, line_hash
from parlour.server.tournament import export
from parlour.server.tournament.export_folder import BadFolder, write
from parlour.server.tournament.export_verify import Fault, verify

Change = Callable[[Any], Any]
GAME = export.game_file((1, 1, 0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "cup", files(kept()))
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
    write(tmp_path / "cup", files(kept(), language))
    assert verify(tmp_path / "cup", draw) is None


def test_a_folder_with_three_at_a_table_and_byes_is_right(tmp_path: Path) -> None:
    write(tmp_path / "cup", files(kept("hurry-cup", 3, 5, 1)))
    assert verify(tmp_path / "cup", draw) is None


@pytest.mark.parametrize("name", sorted(files(kept())))
def test_one_letter_more_in_any_file_is_found_there(folder: Path, name: str) -> None:
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write("x")
    assert where(folder) == str(folder / name)


@pytest.mark.parametrize(
    "name", [each for each in sorted(files(kept())) if each.endswith("csv")] + ["report.html"]
)
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
        (other_entrant, "entrants.0.bot", "differs"),
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
        (other_deal, "end.secret", "deal"),
        (other_replay, "header.table", "differs"),
    ],
)
def test_a_game_on_another_deal_or_at_another_table_is_named(
    folder: Path, change: Change, where: str, code: str
) -> None:
    fault = changed(folder, export.TOURNAMENT, change)
    assert (fault.file, fault.where, fault.code) == (GAME, where, code)


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
    path = folder / GAME
    record = reforged(change(replay_file.read(path.read_bytes())))
    path.write_text(replay_file.write(record), encoding="utf-8")

    def fit(plain: Any) -> None:
        plain["games"][0]["head"] = record.end.head

    return changed(folder, export.TOURNAMENT, fit)


def test_a_game_with_other_names_is_found_though_its_hashes_fit(folder: Path) -> None:
    fault = forged(
        folder, lambda record: attrs.evolve(record, header=attrs.evolve(record.header, names=("Eve", "Ben")))
    )
    assert (fault.file, fault.where, fault.code) == (GAME, "header.names", "differs")


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


def test_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (folder / GAME).rename(tmp_path / "elsewhere")
    (folder / GAME).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadFolder) as refused:
        verify(folder, draw)
    assert refused.value.kind == "NotAFile"


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
