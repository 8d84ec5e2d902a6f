"""Statistics on the web: counted once, kept by what they were counted from, drawn and fetched."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from argon2 import PasswordHasher
from litestar.testing import TestClient

from arrocco.desk import Office, passwords
from arrocco.desk import list_statistics as watching
from arrocco.errors import Inconsistent
from arrocco.office.roles import Asker, Role
from arrocco.store.statistics import watch
from arrocco.store.statistics_kept import count_list
from arrocco.store.statistics_rows import TABLES, tables_of
from arrocco.words import LANGUAGES, Language, say
from tests.desk.offices import (
    Clock,
    accepted,
    people_of,
    published,
    report,
    write_opening,
)
from tests.web.apps import app_of
from tests.web.conftest import Client
from tests.web.html import faults_of
from tests.web.readers import reader
from tests.web.visits import all_of

MAY, JUNE, JULY = date(2025, 5, 1), date(2025, 6, 1), date(2025, 7, 1)


@pytest.fixture(scope="module")
def client(
    filled: Path, portal: BlockingPortal, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    with reader(filled, portal, tmp_path_factory.mktemp("reading")) as made:
        yield made


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """An office with an imported list and two that it made itself."""
    folder, clock = tmp_path_factory.mktemp("watched"), Clock()
    with pytest.MonkeyPatch.context() as patched:
        weak = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
        patched.setattr(passwords, "_HASHER", weak)
        patched.setattr(os, "fsync", lambda _: None)
        with closing(Office.open(folder / "office", now=clock)) as office:
            people = people_of(office)
            opening = write_opening(folder / "opening.csv")
            office.lists.import_list(people.administrator, "fide", MAY, opening)
            for seed, start, list_date in (
                (1, date(2025, 5, 5), JUNE),
                (2, date(2025, 6, 5), JULY),
            ):
                accepted(office, clock, people, report(seed, start), ("fide",))
                clock.go_to(list_date)
                published(office, people, "fide", list_date)
            yield office


def browser_before(office: Office, portal: BlockingPortal) -> Client:
    """A browser before an application that has looked at nothing yet."""
    made: Client = TestClient(app_of(office))
    made.blocking_portal = portal
    return made


@pytest.fixture(scope="module")
def visitor(watched: Office, portal: BlockingPortal) -> Client:
    return browser_before(watched, portal)


def page_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, path
    assert faults_of(answer.text) == [], path
    return answer.text


def chart(text: str, name: str) -> list[list[str]]:
    """The table behind a chart."""
    rows = all_of(text, f"//section[@id='{name}']//details//tbody/tr")
    return [[cell.text_content() for cell in row.xpath("th | td")] for row in rows]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_has_its_chart_and_its_files(visitor: Client, language: Language) -> None:
    text = page_of(visitor, f"/{language}/statistics/fide")
    charts = all_of(text, "//section[@class='watched']/@id")
    assert charts == [
        "bands",
        "ages",
        "drift",
        "games",
        "scores",
        "spread",
        "points",
        "people",
        "coefficients",
    ]
    assert len(all_of(text, "//section[@class='watched']//figure/div/svg")) == 9
    links = {str(link) for link in all_of(text, "//p[@class='fetch']/a/@href")}
    assert len(links) == 2 * len(TABLES)
    for link in sorted(links):
        assert visitor.get(link).status_code == 200, link


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_all_systems_begins_with_pictures(visitor: Client, language: Language) -> None:
    page_of(visitor, f"/{language}/statistics/fide")  # counted now
    text = page_of(visitor, f"/{language}/statistics")
    assert text.index("<figure") < text.index(f"/{language}/statistics/fide")
    assert len(all_of(text, "//section[@class='watched']//figure")) == 2


def test_charts_show_what_the_command_line_counts(visitor: Client, watched: Office) -> None:
    text = page_of(visitor, "/en/statistics/fide")
    tables = tables_of(watch([watched.folder / "lists" / "fide"], "standard"))
    points = tables["points"]
    assert [row[1:] for row in chart(text, "people")] == [
        [str(row["entering"]), str(row["leaving"])] for row in points
    ]
    drift = chart(text, "drift")
    assert [row[0] for row in drift] == ["1 May 2025", "1 Jun 2025", "1 Jul 2025"]
    assert drift[0][1:] == ["0", "0", "0"]
    ranks = [row for row in tables["ranks"] if row["of"] == "active"]
    moved = ranks[-1]["rank_1"] - ranks[0]["rank_1"]
    assert drift[-1][1].replace("−", "-") == str(moved)
    spread = chart(text, "spread")
    active = [row for row in tables["lists"] if row["of"] == "active"]
    assert [row[1] for row in spread] == [str(row["q50"]) for row in active]
    played = sum(int(row[1]) for row in chart(text, "games"))
    assert played == sum(row["players"] for row in tables["games"] if row["list"] == "2025-07-01")


@pytest.mark.parametrize(
    ("language", "warned"), [("en", "also rises when the pool grows"), ("it", "aumentano")]
)
def test_beside_fixed_ranks_stand_those_on_both_lists(
    visitor: Client, watched: Office, language: Language, warned: str
) -> None:
    text = page_of(visitor, f"/{language}/statistics/fide")
    (section,) = all_of(text, "//section[@id='drift']")
    assert warned in section.text_content()
    heads = [head.text_content() for head in section.xpath(".//details//thead//th")]
    assert heads[-1] == say(language, "statistics_pages.both_lists")
    tables = tables_of(watch([watched.folder / "lists" / "fide"], "standard"))
    total, expected = 0.0, [0]
    for row in tables["points"]:
        total += float(row["common_mean_change"] or 0)
        expected.append(round(total))
    shown = [int(row[-1].replace("−", "-").replace("+", "")) for row in chart(text, "drift")]
    assert shown == expected


def test_files_hold_the_same_tables(visitor: Client, watched: Office) -> None:
    tables = tables_of(watch([watched.folder / "lists" / "fide"], "standard"))
    for name in TABLES:
        fetched = visitor.get(f"/en/statistics/fide/files/{name}.json")
        assert fetched.json() == tables[name], name
        answer = visitor.get(f"/it/statistics/fide/files/{name}.csv")
        assert "attachment" in answer.headers["content-disposition"]
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        empty = [{k: "" if v is None else str(v) for k, v in row.items()} for row in tables[name]]
        assert rows == empty, name


def test_a_list_is_counted_once_and_kept(
    visitor: Client, watched: Office, portal: BlockingPortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = page_of(visitor, "/en/statistics/fide")
    kept = sorted((watched.desk.views / "statistics" / "fide").iterdir())
    assert len([file for file in kept if file.suffix == ".json"]) == 3
    assert not [file for file in kept if file.suffix == ".part"]

    def never(*_: Any) -> Any:
        raise AssertionError("counted again")

    monkeypatch.setattr(watching, "count_list", never)
    again = browser_before(watched, portal)
    assert chart(page_of(again, "/en/statistics/fide"), "spread") == chart(before, "spread")


def test_what_was_kept_may_be_deleted_or_broken(watched: Office, portal: BlockingPortal) -> None:
    folder = watched.desk.views / "statistics" / "fide"
    one, two, *_ = [*sorted(folder.glob("*.json")), folder / "a.json", folder / "b.json"]
    one.unlink(missing_ok=True)
    two.parent.mkdir(parents=True, exist_ok=True)
    two.write_bytes(b"{broken")
    fresh = browser_before(watched, portal)
    assert len(chart(page_of(fresh, "/en/statistics/fide"), "spread")) == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_while_lists_are_counted_the_page_says_how_far_it_is(
    watched: Office, portal: BlockingPortal, monkeypatch: pytest.MonkeyPatch, language: Language
) -> None:
    for file in (watched.desk.views / "statistics" / "fide").glob("*.json"):
        file.unlink()
    go_on = Event()

    def slowly(*args: Any) -> Any:
        assert go_on.wait(10)
        return count_list(*args)

    monkeypatch.setattr(watching, "count_list", slowly)
    monkeypatch.setattr("arrocco.web.pages.statistics._PATIENCE", 0.01)
    fresh = browser_before(watched, portal)
    path = f"/{language}/statistics/fide"
    text = page_of(fresh, path)
    assert all_of(text, "//progress[@max='3' and @value='0']")
    assert say(language, "statistics_pages.counting") in text
    waiting = fresh.get(f"{path}/counting")
    assert "hx-refresh" not in waiting.headers
    assert fresh.get(f"{path}/files/ranks.csv").status_code == 409
    go_on.set()
    watching_now = fresh.app.state["watching"]
    watching_now._threads["fide"].join(10)
    assert fresh.get(f"{path}/counting").headers["hx-refresh"] == "true"
    assert len(chart(page_of(fresh, path), "spread")) == 3


def test_a_list_that_cannot_be_read_is_told_and_not_tried_for_ever(
    watched: Office, portal: BlockingPortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in (watched.desk.views / "statistics" / "fide").glob("*.json"):
        file.unlink()
    tried = []

    def broken(*args: Any) -> Any:
        tried.append(args)
        raise Inconsistent.of("statistics.refused.no_lists", path="list.parquet")

    monkeypatch.setattr(watching, "count_list", broken)
    fresh = browser_before(watched, portal)
    for _ in range(3):
        assert "no lists found" in page_of(fresh, "/en/statistics/fide", 409)
    assert len(tried) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_systems_without_lists_say_so(client: Client, language: Language) -> None:
    assert say(language, "statistics_pages.none") in page_of(client, f"/{language}/statistics/uisp")
    text = page_of(client, f"/{language}/statistics")
    assert not all_of(text, "//table//a")
    assert all_of(text, "//main//a/@href") == [f"/{language}/statistics/replays"]
    assert "arrocco period" not in text, "commands are for the page of those who replay"


@pytest.mark.parametrize(
    "path",
    [
        "statistics/nowhere",
        "statistics/nowhere/counting",
        "statistics/fide/files/x.csv",
        "statistics/fide/files/ranks.exe",
        "statistics/fide/files/..%2Franks.csv",
    ],
)
def test_what_is_not_there_is_said_to_be_not_there(client: Client, path: str) -> None:
    assert client.get(f"/en/{path}").status_code == 404


def test_ratings_and_ages_are_counted_on_the_newest_list(visitor: Client, watched: Office) -> None:
    text = page_of(visitor, "/en/statistics/fide")
    tables = tables_of(watch([watched.folder / "lists" / "fide"], "standard"))
    last = max(row["list"] for row in tables["lists"])
    spread = next(r for r in tables["lists"] if r["list"] == last and r["of"] == "rated")
    bands = chart(text, "bands")
    assert sum(int(row[1]) for row in bands) == spread["count"]
    ages = chart(text, "ages")
    assert ages[-1][0] == "≥ 75"
    assert 0 < sum(int(cell) for row in ages for cell in row[1:]) <= spread["count"]


def test_what_the_office_hides_is_counted_for_nobody(visitor: Client, watched: Office) -> None:
    root = Asker(account=1, role=Role.SYSTEM_ADMINISTRATOR)
    watched.settings.change(root, hidden_fields=("birth",))
    try:
        text = page_of(visitor, "/en/statistics/fide")
        assert all_of(text, "//section[@id='ages']") == []
        assert visitor.get("/en/statistics/fide/files/ages.csv").status_code == 404
        assert visitor.get("/en/statistics/fide/files/bands.csv").status_code == 200
    finally:
        watched.settings.change(root, hidden_fields=())
