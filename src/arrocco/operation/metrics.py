"""The numbers of the site and its hall in the text format of Prometheus.

Pages are counted as they are answered; everything else is read when somebody asks. The hall's own
numbers come from its process, and text is made of them here, so a scrape costs no board anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from arrocco import __version__
from arrocco.hall.game import Phase
from arrocco.live.numbers import HallNumbers
from arrocco.live.process_numbers import ProcessNumbers
from arrocco.live.tally import Spread
from arrocco.operation import logs
from arrocco.operation.alarms import ALARMS, Alarm
from arrocco.operation.observation import Observation

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
PAGE_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
UNMATCHED = "unmatched"
"""The route of a request that no route takes."""
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


disable_created_metrics()  # type: ignore[no-untyped-call]  # a second series for each, which nobody reads


class PageNumbers:
    """Pages by route, method and status, and how long they took."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "arrocco_http_requests",
            "Requests answered, by the template of their route.",
            ("route", "method", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "arrocco_http_seconds",
            "Seconds from a request to the end of its answer.",
            ("route",),
            buckets=PAGE_BOUNDS,
            registry=self.registry,
        )
        self._jobs = Gauge(
            "arrocco_heavy_jobs",
            "Jobs of heavy work that wait or run.",
            ("queue",),
            registry=self.registry,
        )
        self.answered = self.failures = self.now_under_way = 0
        """All answers, those with the status 500, and requests without one so far."""

    def watch_queue(self, name: str, waiting: Callable[[], int]) -> None:
        """Shows how many jobs a queue of heavy work has whenever the numbers are asked for."""
        self._jobs.labels(name).set_function(waiting)

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        """Takes one answer; `route` is a template, so that there are only so many."""
        known = method if method in _METHODS else "other"
        self._requests.labels(route or UNMATCHED, known, str(status)).inc()
        self._seconds.labels(route or UNMATCHED).observe(seconds)
        self.answered += 1
        self.failures += status == 500

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Counts a request as one that is being answered; on the loop only."""
        self.now_under_way += 1
        try:
            yield
        finally:
            self.now_under_way -= 1


class _Everything(Collector):
    def __init__(self, pages: PageNumbers, seen: Observation, alarms: tuple[Alarm, ...]) -> None:
        self._pages, self._seen, self._alarms = pages, seen, alarms

    def collect(self) -> Iterator[Metric]:
        yield from self._pages.registry.collect()
        yield _gauge(
            "arrocco_http_under_way", "Requests being answered.", self._pages.now_under_way
        )
        yield from _office(self._seen)
        yield from _alarms(self._alarms)
        yield from _logs()
        processes = [self._seen.process]
        if self._seen.hall is not None:
            yield from _hall(self._seen.hall)
            if self._seen.hall.process is not None:
                processes.append(self._seen.hall.process)
        yield from _processes(processes)


def metrics_text(pages: PageNumbers, seen: Observation, alarms: tuple[Alarm, ...]) -> bytes:
    """All numbers as text."""
    return generate_latest(_Everything(pages, seen, alarms))


# --- the office -----------------------------------------------------------------------------------


def _office(seen: Observation) -> Iterator[Metric]:
    yield _labelled("arrocco_info", "The program.", "version", {__version__: 1})
    yield _gauge("arrocco_ready", "Whether all checks hold.", seen.is_ready)
    checks = {name: float(held) for name, held in seen.checks.items()}
    yield _labelled("arrocco_check", "Whether each check of readiness holds.", "check", checks)
    if seen.disk is not None:
        yield _gauge("arrocco_disk_free_bytes", "Free on the office's disk.", seen.disk.free)
        yield _gauge("arrocco_disk_total_bytes", "Size of the office's disk.", seen.disk.total)
    if seen.backup is not None:
        age = seen.backup.age(seen.at)
        yield _gauge("arrocco_backup_age_seconds", "Since the last whole backup.", age)
    database = seen.database
    if database is not None:
        yield _gauge(
            "arrocco_database_seconds", "How long the database took to answer.", database.seconds
        )
        yield _labelled("arrocco_lists", "Lists that are out.", "system", database.lists)
        yield _gauge("arrocco_ledger_entries", "Entries of the ledger.", database.entries)
        yield _gauge(
            "arrocco_reports_waiting", "Reports to be decided.", database.reports_to_decide
        )
        yield _gauge("arrocco_drafts_running", "Lists being computed.", database.running_drafts)


def _alarms(alarms: tuple[Alarm, ...]) -> Iterator[Metric]:
    raised = {alarm.key for alarm in alarms}
    states = {key: float(key in raised) for key in ALARMS}
    yield _labelled("arrocco_alarm", "1 while an alarm is raised.", "alarm", states)


def _logs() -> Iterator[Metric]:
    records = CounterMetricFamily(
        "arrocco_log_records", "Records of the site's log.", labels=("level",)
    )
    for level, count in sorted(logs.counts.by_level.items()):
        records.add_metric((level,), count)
    yield records
    yield CounterMetricFamily(
        "arrocco_log_dropped", "Records that nobody took.", value=logs.counts.dropped
    )


# --- the hall -------------------------------------------------------------------------------------


def _hall(hall: HallNumbers) -> Iterator[Metric]:
    games = {phase.value: hall.games.get(phase.value, 0) for phase in Phase}
    yield _labelled("arrocco_games", "Games in memory.", "phase", games)
    for name, text, value in (
        ("arrocco_events", "Events in memory.", hall.events),
        ("arrocco_sockets", "Sockets that are open.", hall.sockets),
        ("arrocco_journal_queue", "Records that wait for the disk.", hall.journal_queue),
        ("arrocco_room_queue", "Commands that wait in all games.", hall.room_queue),
        ("arrocco_room_queue_max", "Commands that wait in one game.", hall.longest_room_queue),
        ("arrocco_thinking_queue", "Positions to be judged.", hall.thinking_queue),
    ):
        yield _gauge(name, text, value)
    for name, text, value in (
        ("arrocco_moves", "Moves completed.", hall.moves),
        ("arrocco_commits", "Commits of the hall's log.", hall.commits),
        ("arrocco_log_written", "Records written to the hall's log.", hall.records),
        ("arrocco_failed_writes", "Records that could not be written.", hall.failed_writes),
    ):
        yield CounterMetricFamily(name, text, value=value)
    yield _spread("arrocco_commit_seconds", "Seconds of one commit.", hall.commit_seconds)
    yield _spread(
        "arrocco_flag_lateness_seconds", "From a flag's fall to the game's end.", hall.flag_lateness
    )


# --- processes ------------------------------------------------------------------------------------


def _processes(processes: list[ProcessNumbers]) -> Iterator[Metric]:
    counters = (
        ("arrocco_process_cpu_seconds", "Processor time used.", "cpu_seconds"),
        ("arrocco_clock_jumps", "Times the machine's date was set.", "clock_jumps"),
    )
    gauges = (
        ("arrocco_process_memory_bytes", "Memory in use.", "memory_bytes"),
        ("arrocco_process_open_files", "Files and sockets open.", "open_files"),
        ("arrocco_process_max_files", "Files and sockets it may open.", "max_open_files"),
        ("arrocco_process_start_time_seconds", "When it started, since 1970.", "started"),
        ("arrocco_loop_lag_seconds", "Longest wait of the event loop.", "loop_lag_seconds"),
        ("arrocco_clock_jump_seconds", "The last jump of the date.", "last_jump_seconds"),
        ("arrocco_clock_offset_seconds", "All jumps together.", "clock_offset_seconds"),
    )
    for kind, names in ((CounterMetricFamily, counters), (GaugeMetricFamily, gauges)):
        for name, text, field in names:
            family = kind(name, text, labels=("process",))
            for process in processes:
                family.add_metric((process.name,), getattr(process, field))
            yield family


# --- forms ----------------------------------------------------------------------------------------


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)


def _labelled(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, text, labels=(label,))
    for key, value in values.items():
        family.add_metric((key,), value)
    return family


def _spread(name: str, text: str, spread: Spread) -> Metric:
    return HistogramMetricFamily(name, text, buckets=spread.cumulated(), sum_value=spread.sum)
