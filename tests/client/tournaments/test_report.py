"""A report's page: what its tables and charts show, and what they leave out because it would tell nothing."""

import re
from typing import Any
from xml.etree import ElementTree

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.server.tournament_folders import finished_tournament

from parlour.client.language import Texts
from parlour.client.tournaments.charts import MOST_ROUNDS, Range, bars, curve, fixed, limits, ranges, steps
from parlour.client.tournaments.report import report
from parlour.server.tournament.export import files as export

NAME = "<b>&\"'Zoë"
NUMBER = st.floats(-1000, 1000, allow_nan=False)
FACTS = export.facts(finished_tournament())


def percents(html: str, name: str) -> list[float]:
    return [float(each) for each in re.findall(rf' {name}="(-?[\d.]+)%"', html)]


def texts_of(html: str, tag: str) -> list[str]:
    return re.findall(rf"<{tag}[^>]*>([^<]*)</{tag}>", html)


def drawn(facts: export.Facts) -> str:
    return report(facts, Texts("en"))


def with_rows(**changes: Any) -> export.Facts:
    """The same tournament, with something else in every line of its standings."""
    return attrs.evolve(FACTS, standings=[{**row, **changes} for row in FACTS.standings])


def section(page: str, title: str) -> str:
    (found,) = [part for part in page.split("<section>") if part.startswith(f"<h2>{title}</h2>")]
    return found


# Charts


@pytest.mark.parametrize(
    ("least", "most", "told"),
    [(0.0, 1.0, ["0", "0.2", "0.4", "0.6", "0.8", "1"]), (-1.0, 1.0, ["−1", "−0.5", "0", "0.5", "1"])],
)
def test_a_scale_has_a_number_at_both_of_its_ends(least: float, most: float, told: list[str]) -> None:
    html = ranges([("Anna", Range(least, least, most))], least, most)
    assert texts_of(html, "text") == told
    assert (min(percents(html, "x")), max(percents(html, "x"))) == (0.0, 100.0)


@pytest.mark.parametrize(
    ("least", "most", "told"),
    [(0.0, 1.0, 0.0), (-1.0, 1.0, -1.0), (0.6, 1.4, 0.6), (0.3, 0.7, 0.3), (20.0, 60.0, 20.0)],
)
def test_a_scale_begins_with_its_least_number_if_that_is_round(
    least: float, most: float, told: float
) -> None:
    assert steps(least, most)[0] == told


@settings(deadline=None, max_examples=50)
@given(NUMBER, st.floats(0.01, 2000))
def test_the_numbers_of_a_scale_are_few_round_and_within(least: float, span: float) -> None:
    found = steps(least, least + span)
    assert found == sorted(set(found))
    assert 1 <= len(found) <= 6
    assert all(least - 1e-6 <= value <= least + span + 1e-6 for value in found)
    assert all(re.fullmatch(r"-?\d+(\.\d+)?|-?\d+e[-+]\d+", f"{value:g}") for value in found)


def test_a_range_is_drawn_and_told_with_the_same_numbers() -> None:
    html = ranges([("Anna", Range(0.6, 0.25, 0.75)), ("Ben", Range(0.5)), ("Zoë", None)], 0.0, 1.0)
    assert 'class="bar" x1="25.0%" x2="75.0%"' in html
    assert percents(html, "cx") == [60.0, 50.0]
    assert texts_of(html, "title") == ["0.600 (0.250 … 0.750)", "0.500", "–"]


def test_bars_are_as_long_as_the_scale_below_says() -> None:
    html = bars([("Anna", 200.0, "0.5 s a move"), ("Ben", 100.0, "0.7 s a move"), ("Zoë", 0.0, "0 s a move")])
    assert percents(html, "width") == [100.0, 50.0, 0.0]
    assert dict(zip(texts_of(html, "text"), percents(html, "x"), strict=True))["100"] == 50.0


def test_nobody_thought_at_all() -> None:
    assert percents(bars([("Anna", 0.0, "0")]), "width") == [0.0]
    assert "<svg" in bars([])


@pytest.mark.parametrize("rounds", [0, 1, 3, 8, 30])
def test_a_curve_has_both_axes_with_few_numbers_from_the_start_on(rounds: int) -> None:
    points = [Range(25.0 + at, 20.0, 60.0) for at in range(rounds + 1)]
    root = ElementTree.fromstring(curve(points, limits(points), NAME))
    across = [text.text for text in root.iter("text") if text.attrib["text-anchor"] == "middle"]
    up = [text.text for text in root.iter("text") if text.attrib["text-anchor"] == "end"]
    assert across[0] == "0"
    assert len(across) <= max(MOST_ROUNDS, 1)
    assert "40" in up
    assert len(list(root.iter("circle"))) == rounds + 1


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(NUMBER, NUMBER, NUMBER).map(sorted), min_size=1, max_size=12))
def test_a_curve_stays_inside_and_above_its_axis(values: list[list[float]]) -> None:
    points = [Range(middle, low, high) for low, middle, high in values]
    root = ElementTree.fromstring(curve(points, limits(points), NAME))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    (axis,) = [float(line.attrib["y1"]) for line in root.iter("line") if line.attrib["class"] == "axis"]
    assert axis < height
    for dot in root.iter("circle"):
        assert 0 <= float(dot.attrib["cx"]) <= width
        assert 0 <= float(dot.attrib["cy"]) <= axis
    for line in root.iter("line"):
        assert all(0 <= float(line.attrib[end]) <= axis for end in ("y1", "y2"))


def test_names_are_text_and_nothing_else() -> None:
    for html in (
        bars([(NAME, 1.0, NAME)]),
        ranges([(NAME, None)], 0.0, 1.0),
        curve([Range(1.0)], (0, 2), NAME),
    ):
        assert "<b>" not in html
        ElementTree.fromstring(html)


def test_numbers_have_all_their_digits_and_zero_has_no_sign() -> None:
    assert [fixed(value, 1) for value in (31.0, -0.04, -2.26)] == ["31.0", "0.0", "−2.3"]


# The page


def test_a_rating_is_the_same_in_the_standings_and_at_the_end_of_its_curve() -> None:
    page = drawn(FACTS)
    for row in FACTS.standings:
        told = fixed(row["rating"]["mean"], 1)
        assert f"<td>{told} <small" in section(page, "Standings")
        assert f"<bdi>{row['name']}</bdi> <small>{told}</small>" in section(page, "Ratings, round by round")


def test_a_chart_without_a_single_value_is_not_drawn() -> None:
    unknown = {"turns": 0, "mean": None, "low": None, "high": None}
    assert section(drawn(FACTS), "How sure is that?").count('class="chart"') == 2
    without = drawn(with_rows(adjusted=unknown))
    assert section(without, "How sure is that?").count('class="chart"') == 1
    for told in ("<h3>Adjusted for the deal</h3>", "Each result is set against"):
        assert (told in drawn(FACTS), told in without) == (True, False)
    assert "How sure is that?" not in drawn(with_rows(share=unknown, adjusted=unknown))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "4 entrants, 1 round, 8 games."),
        ("ru", "4 участника, 1 тур, 8 партий."),
        ("it", "4 iscritti, 1 turno, 8 partite."),
        ("zh", "4 人参加，1 轮，8 局。"),
    ],
)
def test_what_there_is_one_of_is_not_told_as_many(language: str, told: str) -> None:
    ratings = FACTS.tournament["ratings"][:2]
    facts = attrs.evolve(FACTS, tournament={**FACTS.tournament, "ratings": ratings})
    assert told in report(facts, Texts(language))


def test_a_knockout_shows_no_tie_breaks_since_they_decide_nothing() -> None:
    rules = {**FACTS.tournament["rules"], "format": "knockout"}
    knockout = attrs.evolve(FACTS, tournament={**FACTS.tournament, "rules": rules})
    assert "Buchholz" in section(drawn(FACTS), "Standings")
    assert "Buchholz" not in section(drawn(knockout), "Standings")


@pytest.mark.parametrize(("seconds", "told"), [(0.0, "0.000"), (0.04, "0.0004"), (30.0, "0.300")])
def test_the_time_of_hasty_bots_is_not_nought(seconds: float, told: str) -> None:
    facts = with_rows(thinking={"moves": 100, "seconds": seconds})
    assert f">{told} s a move<" in section(drawn(facts), "Time to think")


def test_names_keep_their_direction_wherever_they_stand() -> None:
    page = drawn(attrs.evolve(FACTS, standings=[{**FACTS.standings[0]}]))
    name = FACTS.standings[0]["name"]
    body = page.partition("<body>")[2]
    shown = re.sub(r'="[^"]*"', "", body)
    assert shown.count(f"<bdi>{name}</bdi>") == shown.count(name)


# Who came from the same address


def with_addresses(*addresses: str) -> export.Facts:
    known = [*addresses, *(f"{number:016x}" for number in range(len(FACTS.tournament["entrants"])))]
    entrants = [
        {**one, "address": address} for one, address in zip(FACTS.tournament["entrants"], known, strict=False)
    ]
    return attrs.evolve(FACTS, tournament={**FACTS.tournament, "entrants": entrants})


def test_entrants_who_share_an_address_are_listed_and_their_address_is_not() -> None:
    first, second, *others = [one["name"] for one in FACTS.tournament["entrants"]]
    told = section(drawn(with_addresses("f00", "f00")), "Same address")
    assert f"<bdi>{first}</bdi>, <bdi>{second}</bdi>" in told
    assert not [name for name in others if name in told] and "f00" not in told


def test_a_report_says_that_nobody_shares_an_address() -> None:
    assert "No two entered from the same address." in section(drawn(with_addresses()), "Same address")


def test_a_log_without_addresses_tells_nothing_of_them() -> None:
    assert "<h2>Same address</h2>" not in drawn(with_addresses("", *[""] * 20))
