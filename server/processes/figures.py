"""The figures of all nodes as one page: each figure with the name of its node."""

from collections.abc import Iterator, Mapping

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector


class AllFigures(Collector):
    """What nodes have answered at /metrics, by their names, and how often each was started."""

    def __init__(self, pages: Mapping[str, str | None], starts: Mapping[str, int]) -> None:
        self._pages = pages
        self._starts = starts

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("parlour_node_up", "Whether a node answers", labels=["node"])
        restarts = CounterMetricFamily("parlour_node_restarts", "Starts after the first", labels=["node"])
        found: dict[str, Metric] = {}
        for node, page in self._pages.items():
            up.add_metric([node], 0.0 if page is None else 1.0)
            restarts.add_metric([node], float(max(0, self._starts[node] - 1)))
            for family in text_string_to_metric_families(page or ""):
                kept = found.setdefault(
                    family.name, Metric(family.name, family.documentation, family.type, family.unit)
                )
                for sample in family.samples:
                    kept.add_sample(sample.name, {"node": node, **sample.labels}, sample.value)
        yield from (up, restarts, *found.values())


def one_page(pages: Mapping[str, str | None], starts: Mapping[str, int]) -> str:
    """None stands for a node that did not answer."""
    registry = CollectorRegistry()
    registry.register(AllFigures(pages, starts))
    return generate_latest(registry).decode()
