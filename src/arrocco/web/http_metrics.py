"""The connections of the site, in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from arrocco.web.http_protocol import REASONS, HttpNumbers


class ConnectionMetrics(Collector):
    """Reads the counts of connections when somebody asks."""

    def __init__(self, numbers: HttpNumbers) -> None:
        self._numbers = numbers

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily(
            "arrocco_http_connections", "HTTP connections that are open.", value=self._numbers.open
        )
        closed = CounterMetricFamily(
            "arrocco_http_connections_closed",
            "HTTP connections the server closed, by reason.",
            labels=["reason"],
        )
        for reason in REASONS:
            closed.add_metric([reason], self._numbers.closed[reason])
        yield closed
