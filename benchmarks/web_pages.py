"""Pages of an office with a list of 1,900,000 invented players, asked for over loopback.

The program itself serves (`arrocco serve`). Each page is asked for 50 times a second, and beside
it, in the same run, a page of the same stack that asks the office for nothing. Then the same with
twelve lists kept instead of two: what people ask must not get slower as lists come out.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec.structs import replace

from arrocco.demo.generate import federation
from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.formats.lists import write_list
from arrocco.office.roles import Role
from arrocco.store.list_view import Filters, ListView
from arrocco.store.sql import history, publications

PLAYERS = 1_900_000
RATE = 50
SECONDS = 4
FIRST, MORE = 2, 12
_ADDRESS = re.compile(r"http://([\d.]+):(\d+)")
Paths = list[str]


def run(players: int = PLAYERS, seconds: int = SECONDS) -> list[tuple[str, str]]:
    """Rows of what was measured."""
    rows: list[tuple[str, str]] = []
    with TemporaryDirectory() as made:
        folder = Path(made) / "office"
        questions = _made(folder, Path(made), players)
        for lists in (FIRST, MORE):
            _keep(folder, lists)
            with served(folder) as (host, port):
                found = asyncio.run(_measured(host, port, questions, seconds))
            rows += _rows(found, lists)
    return rows


# --- the office -----------------------------------------------------------------------------------


def _made(folder: Path, scratch: Path, players: int) -> dict[str, Paths]:
    """Makes an office with one imported list, and the questions that people ask of it."""
    listed = federation(players, 7).rating_list(0)
    write_list(listed, scratch / "list.parquet", "parquet")
    with closing(Office.open(folder)) as office:
        boss = operator(Role.RATING_ADMINISTRATOR)
        office.lists.import_list(boss, "fide", day(0), scratch / "list.parquet")
        return _questions(office.lists.view("fide"))


def day(number: int) -> date:
    """The day of the list of a number."""
    return date(2024 + (4 + number) // 12, (4 + number) % 12 + 1, 1)


def _keep(folder: Path, lists: int) -> None:
    """Has an office keep so many lists: copies of the first, each with its history rows."""
    with closing(Office.open(folder)) as office:
        known = office.lists.published("fide")
        source = folder / "lists" / "fide" / known[-1].list_date.isoformat()
        moved = _some_changes(source / "list.parquet")
        for number in range(len(known), lists):
            target = folder / "lists" / "fide" / day(number).isoformat()
            target.mkdir()
            for file in source.iterdir():
                (target / file.name).hardlink_to(file)
            with office.desk.database.writing() as connection:
                one = publications.get(connection, "fide", known[-1].list_date)
                assert one is not None
                publications.add(connection, replace(one, list_date=day(number)))
                history.add(connection, "fide", day(number), moved)
        for number in range(lists):
            office.lists.view("fide", day(number))


def _some_changes(path: Path) -> list[history.Change]:
    """A tenth of the rated players, with a game each."""
    table: pa.Table = pq.read_table(path, columns=["id", "rating"])
    ids, ratings = table["id"].to_pylist(), table["rating"].to_pylist()
    rated = [(one, rating) for one, rating in zip(ids, ratings, strict=True) if rating]
    return [history.Change(one, rating, 3, 1, 20) for one, rating in rated[::10]]


def _questions(view: ListView) -> dict[str, Paths]:
    rng = Random(5)
    rated = view.page(Filters(rating_from=1))[0]
    people = [view.at(rng.randrange(rated)) for _ in range(200)]
    filters = tuple(
        """
        sex=F&active=1&sort=name rating_from=1400&rating_to=2000&sort=-games
        age_to=18&sort=birth sort=name q=ma&sort=-rating top=100
    """.split()
    )
    federations = [one.federation for one in view.federations() if one.players > 1000]
    pages = [f"/en/lists/fide/latest?{one}&page={n}" for one in filters for n in (1, 2, 3)]
    pages += [f"/en/lists/fide/latest?federation={one}" for one in federations[:10]]
    names = [person.name.split(",")[0] for person in people]
    return {
        "an empty page": ["/en/log-in"],
        "a list, filtered and sorted": pages,
        "a search": [f"/en/players?q={quote(name[: rng.randint(3, 8)])}" for name in names],
        "a player": [f"/en/players/{person.id}" for person in people],
    }


# --- asking ---------------------------------------------------------------------------------------


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, int]]:
    """The program serving an office, at host and port."""
    command = [sys.executable, "-c", "from arrocco.cli.main import main; main()", "serve"]
    server = subprocess.Popen(
        [*command, "--office", str(folder), "--port", "0", "--lang", "en"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        found = _ADDRESS.search(server.stdout.readline())
        assert found, "the server did not start"
        yield found[1], int(found[2])
    finally:
        server.terminate()
        server.wait(30)


async def _measured(
    host: str, port: int, questions: dict[str, Paths], seconds: int
) -> dict[str, list[float]]:
    """Milliseconds to the first byte of each kind of page, after a little warming up."""
    for paths in questions.values():
        for path in paths[:25]:
            await first_byte(host, port, path)
    found: dict[str, list[float]] = {}
    for name, paths in questions.items():
        rng, asked = Random(1), []
        for _ in range(RATE * seconds):
            asked.append(asyncio.create_task(first_byte(host, port, rng.choice(paths))))
            await asyncio.sleep(1 / RATE)
        found[name] = sorted(await asyncio.gather(*asked))
    return found


async def first_byte(host: str, port: int, path: str) -> float:
    """Milliseconds until the first byte of an answer."""
    reader, writer = await asyncio.open_connection(host, port)
    request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    started = time.perf_counter()
    writer.write(request.encode())
    first = await reader.read(12)
    taken = (time.perf_counter() - started) * 1000
    await reader.read()
    writer.close()
    assert first == b"HTTP/1.1 200", (path, first)
    return taken


def _rows(found: dict[str, list[float]], lists: int) -> list[tuple[str, str]]:
    rows = []
    empty = found["an empty page"]
    for name, times in found.items():
        p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
        ratio = p99 / empty[len(empty) * 99 // 100]
        figure = f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, p99 / empty page {ratio:.1f}"
        rows.append((f"{lists} lists kept: {name}", figure))
    return rows


if __name__ == "__main__":
    for what, told in run():
        print(f"{what:<50} {told}")
