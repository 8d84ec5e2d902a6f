"""The calculators: figures with articles, addresses, rows, what-ifs, two laws side by side."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from anyio.from_thread import BlockingPortal

from arrocco.words import LANGUAGES, Language
from tests.cli.tournaments import report, write_report
from tests.web.conftest import Client
from tests.web.html import faults_of
from tests.web.readers import reader
from tests.web.visits import all_of, posted

DAY = "on=2024-05-01"
TWO_GAMES = f"law=fide&{DAY}&rating=2000&k=20&o=2100&r=1&o=1900&r=0"


@pytest.fixture(scope="module")
def client(
    filled: Path, portal: BlockingPortal, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    with reader(filled, portal, tmp_path_factory.mktemp("reading")) as made:
        yield made


def page_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, path
    assert faults_of(answer.text) == [], path
    return answer.text


def words(found: Any) -> str:
    return " ".join(found.text_content().split())


def result_of(text: str) -> str:
    return words(all_of(text, "//h2[@id='result']")[0])


def what_ifs(text: str) -> list[list[str]]:
    rows = all_of(text, "//table[contains(@class, 'whatif')]/tbody/tr")
    return [[words(cell) for cell in row.xpath("td")[1:]] for row in rows]


# --- a change -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_change_with_every_step_and_its_article(client: Client, language: Language) -> None:
    text = page_of(client, f"/{language}/calculator?law=fide&{DAY}&rating=2000&o=2100&r=1")
    assert result_of(text) == "2000 → 2013 (+13)"
    cells = [words(cell) for cell in all_of(text, "//div[@class='receipt']//tbody/tr/td")]
    comma = "," if language == "it" else "."
    assert cells[2:] == [
        "2100",
        "−100",
        "−100",
        f"0{comma}36",
        f"1{comma}0",
        f"+0{comma}64",
        "8.3.1",
    ]
    steps = all_of(text, "//ol[@class='steps']/li")
    articles = [words(step.xpath(".//a[@class='article']")[0]) for step in steps]
    assert articles == ["8.3.2", "8.3.3", "8.3.2", "8.3.4"]
    links = all_of(text, "//div[@class='receipt']//a[@class='article']/@href")
    assert links[0] == f"/{language}/law/fide/2024-03-01#art-8.3.1"


def test_the_edition_is_that_of_the_day(client: Client) -> None:
    query = "law=fide&rating=2700&k=10&o=2200&r=1"
    old = page_of(client, f"/en/calculator?{query}&on=2024-05-01")
    new = page_of(client, f"/en/calculator?{query}&on=2025-11-01")
    assert result_of(old) == "2700 → 2701 (+1)"
    assert result_of(new) == "2700 → 2700 (0)"
    refused = page_of(client, f"/en/calculator?{query}&on=2005-01-01", 422)
    assert "no edition of fide is in force" in refused


def test_k_follows_from_what_is_told(client: Client) -> None:
    base = f"/en/calculator?law=fide&{DAY}&rating=2000&o=2000&r=1"
    assert result_of(page_of(client, base)) == "2000 → 2010 (+10)"
    assert result_of(page_of(client, f"{base}&games=5")) == "2000 → 2020 (+20)"
    assert result_of(page_of(client, f"{base}&born=2010")) == "2000 → 2020 (+20)"
    assert result_of(page_of(client, f"{base}&highest=2400")) == "2000 → 2005 (+5)"
    assert result_of(page_of(client, f"{base}&k=30")) == "2000 → 2015 (+15)"


def test_k_belongs_to_the_tournament_where_the_law_says_so(client: Client) -> None:
    base = f"/it/calculator?law=uisp&{DAY}&rating=1500&o=1500&r=1"
    assert result_of(page_of(client, f"{base}&control=5%2B3")) == "1500 → 1505 (+5)"
    assert "II.2" in page_of(client, base, 422)


def test_a_reading_can_be_chosen(client: Client) -> None:
    base = f"/en/calculator?law=fide&{DAY}&rating=2000&k=1&o=2000&r=0"
    assert result_of(page_of(client, base)) == "2000 → 1999 (−1)"
    up = page_of(client, f"{base}&read.half_point_rounding=up")
    assert result_of(up) == "2000 → 2000 (0)"
    assert "no_such" in page_of(client, f"{base}&read.half_point_rounding=no_such", 422)


def test_a_game_that_is_too_fast_is_refused_with_its_article(client: Client) -> None:
    text = page_of(client, f"/en/calculator?{TWO_GAMES}&control=5%2B3", 422)
    assert "too little time for 60 moves" in text
    assert "article 1.1" in text


def test_an_unrated_opponent_does_not_count(client: Client) -> None:
    text = page_of(client, f"/en/calculator?law=fide&{DAY}&rating=2000&o=&r=1&o=2100&r=1")
    assert result_of(text) == "2000 → 2013 (+13)"
    assert "the opponent is unrated" in text


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("rating=x&o=2000&r=1", "rating-wrong"),
        ("o=2000&r=1", "rating-wrong"),
        ("rating=2000&o=nobody&r=1", "o-1-wrong"),
        ("rating=2000&o=4000&r=1", "o-1-wrong"),
        ("rating=2000&o=2000&r=1&o=1900&r=", "r-2-wrong"),
        ("rating=2000&o=2000&r=2", "r-1-wrong"),
        ("rating=2000", "o-1-wrong"),
        ("rating=2000&o=2000&r=1&born=yesterday", "born-wrong"),
        ("rating=2000&o=2000&r=1&k=0", "k-wrong"),
        ("rating=2000&o=2000&r=1&on=never", "on-wrong"),
    ],
)
def test_a_fault_is_told_under_its_field(client: Client, query: str, field: str) -> None:
    text = page_of(client, f"/it/calculator?law=fide&{query}", 422)
    assert all_of(text, f"//*[@id='{field}']")
    assert not all_of(text, "//h2[@id='result']")


@pytest.mark.parametrize("law", ["nowhere", "online", "<b>"])
def test_an_unknown_law_is_a_fault(client: Client, law: str) -> None:
    text = page_of(client, f"/en/calculator?law={law}&rating=2000&o=2000&r=1", 422)
    assert all_of(text, "//*[@id='law-wrong']")


def test_as_many_games_as_a_calculation_has_and_no_more(client: Client) -> None:
    start = "/en/calculator?law=fide&on=2024-05-01&rating=2000"
    text = page_of(client, start + "&o=2000&r=1" * 60)
    assert len(all_of(text, "//input[@name='o']")) == 60
    text = page_of(client, start + "&o=2000&r=1" * 200, 422)
    assert len(all_of(text, "//input[@name='o']")) == 60
    assert "200 games;" in text


# --- rows -----------------------------------------------------------------------------------------


def test_rows_are_taken_away_and_added_by_address(client: Client) -> None:
    answer = client.get(f"/en/calculator?{TWO_GAMES}&remove=1", follow_redirects=False)
    assert answer.status_code == 303
    query = parse_qs(urlsplit(answer.headers["location"]).query, keep_blank_values=True)
    assert (query["o"], query["r"], query["rating"]) == (["1900"], ["0"], ["2000"])
    assert "remove" not in query
    text = page_of(client, f"/en/calculator?{TWO_GAMES}&add=1")
    assert len(all_of(text, "//input[@name='o']")) == 8
    assert [str(v) for v in all_of(text, "//input[@name='o']/@value")[:3]] == ["2100", "1900", ""]
    assert result_of(text) == "2000 → 2000 (0)"


def test_removing_what_is_not_there_changes_nothing(client: Client) -> None:
    for number in ("9", "0", "-1", "x", ""):
        answer = client.get(f"/en/calculator?{TWO_GAMES}&remove={number}", follow_redirects=False)
        query = parse_qs(urlsplit(answer.headers["location"]).query)
        assert query["o"] == ["2100", "1900"]


def test_enter_calculates_and_removes_nothing(client: Client) -> None:
    text = page_of(client, "/en/calculator")
    assert not all_of(text, "//main//form//button")[0].get("name")


# --- what if --------------------------------------------------------------------------------------


def test_every_result_of_every_game(client: Client) -> None:
    text = page_of(client, f"/en/calculator?{TWO_GAMES}")
    assert what_ifs(text) == [["−20", "−10", "0 (as played)"], ["0 (as played)", "+10", "+20"]]


def test_a_what_if_stands_beside_what_was_played(client: Client) -> None:
    first = page_of(client, f"/en/calculator?{TWO_GAMES}")
    link = all_of(first, "//table[contains(@class, 'whatif')]/tbody/tr[2]/td[4]/a/@href")[0]
    text = page_of(client, link)
    results = [words(found) for found in all_of(text, "//p[@class='result']")]
    assert results == ["2000 → 2000 (0)", "2000 → 2020 (+20)"]
    assert "If game 2 were won" in text
    assert "Difference: +20" in text


@pytest.mark.parametrize("what", ["9:1", "0:1", "1:7", "x", "1:2", "²:1"])
def test_a_what_if_of_nothing_is_left_out(client: Client, what: str) -> None:
    text = page_of(client, f"/en/calculator?{TWO_GAMES}&what={what}")
    assert len(all_of(text, "//p[@class='result']")) == 1


# --- the others -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_first_rating(client: Client, language: Language) -> None:
    games = "&".join(
        f"o={rating}&r={result}"
        for rating, result in ((1700, 1), (1800, "0.5"), (1600, 1), (1750, 0), (1650, "0.5"))
    )
    text = page_of(client, f"/{language}/calculator/first-rating?law=fide&{DAY}&{games}")
    # Two draws against 1800 added: average 1728.57, 4 points of 7, 0.57 is +50.
    assert result_of(text).endswith(": 1779")
    assert what_ifs(text)[3][0].startswith("1779")
    assert "8.2.3" in text
    beside = page_of(client, f"/{language}/calculator/first-rating?law=fide&{DAY}&{games}&what=4:2")
    assert len(all_of(beside, "//p[@class='result']")) == 2
    refused = page_of(client, f"/{language}/calculator/first-rating?law=uisp&{DAY}&{games}", 422)
    assert 'role="alert"' in refused


def test_a_performance(client: Client) -> None:
    games = "o=2000&r=1&o=2100&r=0.5&o=2200&r=1&o=&r=1"
    text = page_of(client, f"/en/calculator/performance?law=fide&{games}")
    assert result_of(text) == "Performance: 2373"  # 2100, and 0.83 is +273
    assert "2100 +273 = 2373" in text
    unrated = page_of(client, "/en/calculator/performance?law=fide&o=&r=1", 422)
    assert "no games against rated opponents" in unrated


def test_a_k_with_its_limit(client: Client) -> None:
    base = f"/en/calculator/k?law=fide&{DAY}&rating=1500"
    assert result_of(page_of(client, base)) == "K 20"
    text = page_of(client, f"{base}&games=3&n=25")
    assert result_of(text) == "K 28"
    assert "fewer than 30 games completed" in text
    assert result_of(page_of(client, "/en/calculator/k?law=rio&on=2025-06-01&control=5%2B3")) == (
        "K 20"
    )


def test_an_expected_score_and_what_each_result_is_worth(client: Client) -> None:
    text = page_of(client, f"/en/calculator/expected?law=fide&{DAY}&rating=2000&opponent=2500&k=20")
    assert result_of(text) == "Expected score: 0.08"
    rows = [[words(c) for c in row.xpath("td")] for row in all_of(text, "//tbody/tr")][-3:]
    assert rows == [
        ["−0.08", "−1.60", "−2", "1998"],
        ["+0.42", "+8.40", "+8", "2008"],
        ["+0.92", "+18.40", "+18", "2018"],
    ]
    assert "−500" in text
    assert "−400" in text


# --- two laws -------------------------------------------------------------------------------------


def table_of(text: str) -> list[list[str]]:
    rows = all_of(text, "//section[@aria-labelledby='result']//table[@class='sheet']/tbody/tr")
    return [[words(cell) for cell in row.xpath("th | td")] for row in rows]


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_players_games_under_two_editions(client: Client, language: Language) -> None:
    text = page_of(
        client,
        f"/{language}/calculator/side-by-side?law=fide&a=fide@2024-03-01&b=fide@2025-10-01"
        f"&{DAY}&rating=2700&o=2200&r=1",
    )
    [[_, *figures]] = table_of(text)
    assert figures == ["2700", "+1", "2700", "0", "−1"]
    assert len(all_of(text, "//p[@class='result']")) == 2


def test_a_report_under_two_laws_is_shown_and_not_kept(client: Client, tmp_path: Path) -> None:
    made = report([2100, 2000, 1900, None], [(1, 1, 2, "1"), (1, 3, 4, "="), (2, 2, 3, "0")])
    sent = Path(write_report(tmp_path, made)).read_bytes()
    answer = posted(
        client,
        "/en/calculator/side-by-side/report",
        {"a": "fide", "b": "uisp"},
        form="/en/calculator/side-by-side",
        files={"report": ("finto.trf", sent)},
    )
    assert answer.status_code == 200
    assert faults_of(answer.text) == []
    rows = table_of(answer.text)
    assert [row[1] for row in rows] == ["2100", "2000", "1900", "–"]
    assert rows[0][2:] == ["+7", "2100", "+12", "+5"]
    assert len(all_of(answer.text, "//details[@class='steps-of']")) == 4


@pytest.mark.parametrize(
    ("data", "status"), [(b"", 422), (b"\x00\x01", 422), (b"x" * (1 << 20) + b"y", 422)]
)
def test_a_report_that_cannot_be_read_is_refused(client: Client, data: bytes, status: int) -> None:
    answer = posted(
        client,
        "/it/calculator/side-by-side/report",
        {"a": "fide", "b": "uisp"},
        form="/it/calculator/side-by-side",
        files={"report": ("finto.trf", data)},
    )
    assert answer.status_code == status
    assert faults_of(answer.text) == []
    assert 'role="alert"' in answer.text


def test_laws_that_are_not_there_are_faults(client: Client) -> None:
    base = f"/en/calculator/side-by-side?law=fide&{DAY}&rating=2000&o=2000&r=1"
    assert all_of(page_of(client, f"{base}&a=none&b=uisp", 422), "//*[@id='a-wrong']")
    page_of(client, f"{base}&a=fide@1999-01-01&b=uisp", 422)
    missing = posted(
        client,
        "/en/calculator/side-by-side/report",
        {"a": "fide", "b": "uisp"},
        form="/en/calculator/side-by-side",
    )
    assert missing.status_code == 422
