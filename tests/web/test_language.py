"""The language of a page: of its address, the cookie, the browser; how values are written."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from lxml import html

from arrocco.web import writing
from arrocco.web.language import in_language, language_of_path, preferred_language
from arrocco.web.speaker import Speaker
from arrocco.web.templating import marked
from arrocco.words import Language
from tests.web.conftest import Client
from tests.web.visits import all_of


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        ("it", "it"),
        ("it-IT,it;q=0.9,en;q=0.8", "it"),
        ("en-GB,it;q=0.9", "en"),
        ("de,it;q=0.5,en;q=0.4", "it"),
        ("de", "en"),
        ("", "en"),
        ("en;q=0,it;q=0.001", "it"),
        ("it;q=x", "en"),
        ("*", "en"),
        ("IT", "it"),
    ],
)
def test_the_browser_says_what_it_wants(accept: str, language: str) -> None:
    assert preferred_language(None, accept) == language
    assert preferred_language("en", accept) == "en"
    assert preferred_language("it", accept) == "it"
    assert preferred_language("xx", accept) == language


def test_an_address_names_its_language() -> None:
    assert language_of_path("/it/players") == "it"
    assert language_of_path("/it") == "it"
    assert language_of_path("/item") is None
    assert language_of_path("/") is None
    assert in_language("/it/players", "en") == "/en/players"
    assert in_language("/it", "en") == "/en"
    assert in_language("/api/v1", "en") == "/api/v1"


def test_the_front_door_leads_to_the_visitors_language(client: Client) -> None:
    asked = client.get("/", headers={"accept-language": "it"}, follow_redirects=False)
    assert (asked.status_code, asked.headers["location"]) == (302, "/it")
    assert "accept-language" in asked.headers["vary"]


@pytest.mark.parametrize("path", ["/log-in", "/lists", "/players?q=rossi", "/players/12"])
def test_an_address_without_language_leads_to_the_page(client: Client, path: str) -> None:
    asked = client.get(path, headers={"accept-language": "it"}, follow_redirects=False)
    assert (asked.status_code, asked.headers["location"]) == (302, f"/it{path}")
    assert "accept-language" in asked.headers["vary"]


@pytest.mark.parametrize("path", ["/no-such-page", "/api/v1/none"])
def test_an_address_of_nothing_is_not_found(client: Client, path: str) -> None:
    assert client.get(path, follow_redirects=False).status_code == 404


def test_switching_keeps_the_page_and_is_remembered(client: Client) -> None:
    english = {"accept-language": "en"}
    page = client.get("/en/log-in?next=%2Fen%2Faccount", headers=english).text
    (link,) = all_of(page, "//header//a[@hreflang='it']/@href")
    assert link == "/it/log-in?next=%2Fen%2Faccount"
    assert client.get("/", headers=english, follow_redirects=False).headers["location"] == "/en"
    assert html.fromstring(client.get(str(link), headers=english).text).get("lang") == "it"
    assert client.get("/", headers=english, follow_redirects=False).headers["location"] == "/it"


def test_no_cookie_is_set_where_the_browser_already_wants_the_language(client: Client) -> None:
    answer = client.get("/it", headers={"accept-language": "it"})
    assert "set-cookie" not in answer.headers
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("theme", ["light", "dark", "system"])
def test_the_appearance_is_kept_and_leads_back(client: Client, theme: str) -> None:
    answer = client.get(f"/it/appearance?theme={theme}&next=/it/log-in", follow_redirects=False)
    assert answer.headers["location"] == "/it/log-in"
    shown = html.fromstring(client.get("/it/log-in").text).get("data-theme")
    assert shown == (None if theme == "system" else theme)


@pytest.mark.parametrize(
    ("language", "day", "long_day", "month", "moment", "count", "hundredths", "change", "score"),
    [
        (
            "en",
            "1 May 2024",
            "1 May 2024",
            "May 2024",
            "1 May 2024, 14:05 UTC",
            "1,900,000",
            "−2.50",
            "+2.50",
            "4.5",
        ),
        (
            "it",
            "1 mag 2024",
            "1 maggio 2024",
            "maggio 2024",
            "1 mag 2024, 14:05 UTC",
            "1.900.000",
            "−2,50",
            "+2,50",
            "4,5",
        ),
    ],
)
def test_values_are_written_as_the_language_does(
    language: Language,
    day: str,
    long_day: str,
    month: str,
    moment: str,
    count: str,
    hundredths: str,
    change: str,
    score: str,
) -> None:
    first = date(2024, 5, 1)
    assert writing.day(language, first) == day
    assert writing.long_day(language, first) == long_day
    assert writing.month(language, first) == month
    assert writing.moment(language, datetime(2024, 5, 1, 14, 5, tzinfo=UTC)) == moment
    assert writing.count(language, 1_900_000) == count
    assert writing.hundredths(language, -250) == hundredths
    assert writing.change(language, 250) == change
    assert writing.score(language, 9) == score
    assert writing.day(language, None) == writing.rating(None) == writing.NOTHING
    assert writing.change_points(-12) == "−12"
    assert (
        writing.true_minus("K 20 × -1.05 in 2024-05, n. 1-2") == "K 20 × −1.05 in 2024-05, n. 1-2"
    )


def test_what_is_typed_stands_as_such_and_nothing_else_is_let_through() -> None:
    assert marked("Esegui `arrocco serve`.") == "Esegui <code>arrocco serve</code>."
    assert marked("`<script>` & `a`") == "<code>&lt;script&gt;</code> &amp; <code>a</code>"


@pytest.mark.parametrize(("language", "day"), [("en", "1 May 2026"), ("it", "1 mag 2026")])
def test_days_in_sentences_are_written_as_in_tables(language: Language, day: str) -> None:
    given = {"day": date(2026, 5, 1), "at": datetime(2026, 5, 1, 9, tzinfo=UTC), "count": 3}
    said = writing.details(language, given)
    assert said == {"day": day, "at": given["at"], "count": 3}
    assert day in Speaker(language).t("web.home.list_of", day=date(2026, 5, 1))
