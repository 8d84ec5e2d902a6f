"""The view of a list of 1,900,000 invented players: building it, and what people ask of it."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from arrocco.demo.generate import federation
from arrocco.formats.lists import write_list
from arrocco.store.list_view import SORTS, Filters, ListView, build_view

PLAYERS = 1_900_000
QUESTIONS = 300
Act = Callable[[], object]


def run() -> list[tuple[str, str]]:
    """Rows of what was measured, on a list generated for the purpose."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        listed = folder / "list.parquet"
        write_list(federation(PLAYERS, 7).rating_list(0), listed, "parquet")
        rows = [_built(listed, folder / "view")]
        size = sum(file.stat().st_size for file in (folder / "view").iterdir())
        rows.append(("size of the view", f"{size / 1e6:.0f} MB"))
        started = time.perf_counter()
        view = ListView.open(folder / "view")
        rows.append(("opening it", f"{(time.perf_counter() - started) * 1000:.1f} ms"))
        rows += [(what, _spread(acts)) for what, acts in _questions(view)]
        return rows


def _built(listed: Path, view: Path) -> tuple[str, str]:
    """Builds the view in a process of its own, to see its memory alone."""
    with get_context("spawn").Pool(1) as pool:
        seconds, megabytes = pool.apply(_build, (listed, view))
    return f"building the view of {PLAYERS:,} players", f"{seconds:.1f} s, {megabytes} MB"


def _build(listed: Path, view: Path) -> tuple[float, int]:
    started = time.perf_counter()
    build_view(listed, view)
    seconds = time.perf_counter() - started
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _spread(acts: Iterator[Act]) -> str:
    """Milliseconds on the clock, and of the processor, which other programs do not disturb."""
    clock, processor = [], []
    for act in acts:
        started, worked = time.perf_counter(), time.thread_time()
        act()
        clock.append((time.perf_counter() - started) * 1000)
        processor.append((time.thread_time() - worked) * 1000)
    return f"{_percentiles(clock)} (processor: {_percentiles(processor)})"


def _percentiles(times: list[float]) -> str:
    times.sort()
    return f"p50 {times[len(times) // 2]:.2f} ms, p99 {times[len(times) * 99 // 100]:.2f} ms"


def _questions(view: ListView) -> Iterator[tuple[str, Iterator[Act]]]:
    rng = Random(3)
    places = [rng.randrange(len(view)) for _ in range(QUESTIONS)]
    people = [view.at(place) for place in places]
    largest = max(view.federations(), key=lambda one: one.players).federation

    def pages(filters: Filters, deepest: int) -> Iterator[Act]:
        for number in range(QUESTIONS):
            sort, offset = SORTS[number % len(SORTS)], rng.randrange(deepest)
            yield lambda s=sort, o=offset, d=bool(number & 8): view.page(  # type: ignore[misc]
                filters, s, o, 50, descending=d
            )

    yield "a player by number", (lambda p=p: view.player(p.id) for p in people)  # type: ignore[misc]
    yield "a player's rank", (lambda p=p: view.rank_of(p.id) for p in people)  # type: ignore[misc]
    yield "a page of everybody, any sort", pages(Filters(), len(view) - 50)
    yield "a page of a federation (the largest)", pages(Filters(federation=largest), 10_000)
    yield (
        "a page of active women born 2000-2010, first pages",
        pages(Filters(sex="F", born_from=2000, born_to=2010, active_only=True), 500),
    )
    yield (
        "a page of active players rated 1400 to 2000, anywhere",
        pages(Filters(active_only=True, rating_from=1400, rating_to=2000), 100_000),
    )
    whole = [person.name.replace(",", " ") for person in people]
    yield "a search by the whole name", (lambda n=n: view.search(n) for n in whole)  # type: ignore[misc]
    typed = [name[: rng.randint(2, 6)] for name in whole]
    yield (
        "a search by two to six letters",
        (lambda n=n: view.search(n) for n in typed),  # type: ignore[misc]
    )
    letters = [name[:1] for name in whole]
    yield "a search by one letter", (lambda n=n: view.search(n) for n in letters)  # type: ignore[misc]
    yield (
        "a page filtered by two to six letters",
        (lambda n=n: view.page(Filters(text=n), "name") for n in typed),  # type: ignore[misc]
    )


if __name__ == "__main__":
    for what, figure in run():
        print(f"{what:<55} {figure}")
