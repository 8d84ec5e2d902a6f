"""The search as one types, over a list of 1,900,000 invented players.

The program itself serves (`arrocco serve`). What the field of the search asks for
(`/api/v1/players?limit=8&q=…`) is asked 50 times a second with beginnings of names, words from
their middle in another order, names with other accents, and names with one letter wrong; beside it,
in the same run, a page that asks the office for nothing. Where the whole name was typed it is also
told how often the player who is meant is among the eight.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.parse import quote

from arrocco.demo.generate import federation
from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.formats.lists import write_list
from arrocco.office.roles import Role
from benchmarks.web_pages import PLAYERS, RATE, day, first_byte, served

SECONDS = 6
ASKED = 150
_EMPTY = "an empty page"
_ACCENTS = str.maketrans("aeioucnAEIOUCN", "àéìöùçñÀÉÌÖÙÇÑ")
_LETTERS = "abcdefghilmnoprstuvz"
_WHOLE = ("accents", "a letter wrong")
"""What is typed whole, so that who is meant must be found."""
Asked = dict[str, list[tuple[str, int]]]
"""By kind: what is typed, and the number of whom it is the name."""


def run(players: int = PLAYERS, seconds: int = SECONDS) -> list[tuple[str, str]]:
    """Rows of what was measured."""
    with TemporaryDirectory() as made:
        folder = Path(made) / "office"
        write_list(federation(players, 7).rating_list(0), Path(made) / "list.parquet", "parquet")
        with closing(Office.open(folder)) as office:
            boss = operator(Role.RATING_ADMINISTRATOR)
            office.lists.import_list(boss, "fide", day(0), Path(made) / "list.parquet")
            asked = _typed(office)
        with served(folder) as (host, port):
            return asyncio.run(_measured(host, port, asked, seconds))


def _typed(office: Office) -> Asked:
    """What people type who look for somebody."""
    rng, view = Random(5), office.lists.view("fide")
    people = [view.at(rng.randrange(len(view))) for _ in range(ASKED)]
    asked: Asked = {"beginnings": [], "middle words": [], "accents": [], "a letter wrong": []}
    for person in people:
        surname, _, given = (part.strip() for part in person.name.partition(","))
        word = given.split()[-1] if given else surname
        asked["beginnings"].append((surname[: rng.randint(2, 6)], person.id))
        asked["middle words"].append((f"{word} {surname[:4]}", person.id))
        asked["accents"].append((f"{surname} {given}".translate(_ACCENTS), person.id))
        asked["a letter wrong"].append((f"{_mistyped(surname, rng)} {given}", person.id))
    return asked


def _mistyped(word: str, rng: Random) -> str:
    """A word with one letter left out, added, swapped or another."""
    at = rng.randrange(1, max(len(word) - 1, 2))
    other = rng.choice(_LETTERS)
    return rng.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + other + word[at:],
            word[:at] + other + word[at + 1 :],
            word[: at - 1] + word[at : at + 1] + word[at - 1 : at] + word[at + 1 :],
        )
    )


async def _measured(host: str, port: int, asked: Asked, seconds: int) -> list[tuple[str, str]]:
    paths = {_EMPTY: ["/en/log-in"]}
    paths |= {kind: [_address(text) for text, _ in typed] for kind, typed in asked.items()}
    for some in paths.values():
        for path in some[:20]:
            await first_byte(host, port, path)
    rows: list[tuple[str, str]] = []
    empty = 0.0
    for kind, some in paths.items():
        rng, tasks = Random(1), []
        for _ in range(RATE * seconds):
            tasks.append(asyncio.create_task(first_byte(host, port, rng.choice(some))))
            await asyncio.sleep(1 / RATE)
        times = sorted(await asyncio.gather(*tasks))
        p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
        empty = empty or p99
        told = f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, p99 / empty page {p99 / empty:.1f}"
        if kind in _WHOLE:
            there = [await _is_found(host, port, *one) for one in asked[kind]]
            told += f", found {sum(there)} of {len(there)}"
        rows.append((kind, told))
    return rows


def _address(text: str) -> str:
    return f"/api/v1/players?limit=8&q={quote(text)}"


async def _is_found(host: str, port: int, text: str, player: int) -> bool:
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(
        f"GET {_address(text)} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
    )
    _, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return player in {load["id"] for load in json.loads(body)}


if __name__ == "__main__":
    for what, figures in run():
        print(f"{what:<20} {figures}")
