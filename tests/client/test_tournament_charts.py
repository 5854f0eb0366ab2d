"""The charts of a report: everything is inside, on round numbers, and what people wrote is only text."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.client.tournament_charts import Range, bars, curve, limits, ranges, steps

NAME = "<b>&\"'Zoë"
NUMBER = st.floats(-1000, 1000, allow_nan=False)


def places(svg: str) -> list[tuple[float, float]]:
    """Every x and y, with the size of the picture that it must be in."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    found = []
    for part in root.iter():
        for name, value in part.attrib.items():
            if name in ("x", "x1", "x2", "cx"):
                found.append((float(value), width))
            elif name in ("y", "y1", "y2", "cy"):
                found.append((float(value), height))
            elif name == "points":
                for pair in value.split():
                    x, y = map(float, pair.split(","))
                    found += [(x, width), (y, height)]
    return found


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(NUMBER, NUMBER, NUMBER).map(sorted), min_size=1, max_size=12))
def test_curves_stay_inside_whatever_the_numbers(values: list[list[float]]) -> None:
    points = [Range(middle, low, high) for low, middle, high in values]
    for place, size in places(curve(points, limits(points), NAME)):
        assert -1 <= place <= size + 1


@pytest.mark.parametrize("count", [0, 1, 200])
def test_ranges_and_bars_stay_inside(count: int) -> None:
    rows = [(NAME, Range(0.5, 0.0, 1.0) if at % 2 else None) for at in range(count)]
    values = [(NAME, float(at), f"{at} s") for at in range(count)]
    for svg in (ranges(rows, NAME, 0.0, 1.0), bars(values, NAME)):
        assert all(0 <= place <= size for place, size in places(svg))


@settings(deadline=None, max_examples=50)
@given(NUMBER, st.floats(0.01, 2000))
def test_lines_of_a_scale_are_few_and_on_round_numbers(least: float, span: float) -> None:
    found = steps(least, least + span)
    assert 1 <= len(found) <= 6
    assert all(least <= value <= least + span + 1e-6 for value in found)
    assert all(re.fullmatch(r"-?\d+(\.\d+)?|-?\d+e[-+]\d+", f"{value:g}") for value in found)


def test_names_are_text_and_nothing_else() -> None:
    for svg in (bars([(NAME, 1.0, NAME)], NAME), ranges([(NAME, None)], NAME, 0.0, 1.0)):
        root = ElementTree.fromstring(svg)
        assert NAME in [part.text for part in root.iter()]
        assert {part.tag for part in root.iter()} <= {"svg", "title", "text", "rect", "line", "circle"}
