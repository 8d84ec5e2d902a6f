"""What everybody may look up: sound pages in both languages that say what the lists say."""

from __future__ import annotations

import re

import pytest

from arrocco.formats.lists import read_list
from arrocco.office.roles import Role
from arrocco.store.sql import seals
from arrocco.store.sql.tables import accounts
from arrocco.web import writing
from arrocco.words import LANGUAGES, Language
from tests.desk.offices import name_of, player_id
from tests.web.conftest import Client
from tests.web.html import faults_of
from tests.web.offices import logged_in_cookie
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public
from tests.web.public_office import JULY, JUNE, KEPT, LEFT
from tests.web.visits import all_of

PAGES = (
    "/lists",
    "/lists/fide",
    "/lists/uisp",
    "/lists/fide/latest",
    "/lists/fide/latest?top=10",
    "/lists/fide/latest?q=nobody",
    "/lists/rio-blitz/latest?category=OCM",
    "/lists/fide/latest/changes",
    "/lists/fide/latest/changes?kind=federation",
    "/lists/fide/2025-05-01/changes",
    "/lists/fide/latest/files",
    "/lists/fide/2025-05-01/files",
    "/players",
    "/players?q=alta",
    "/players?q=nobody",
    f"/players/{player_id(1)}",
    f"/players/{KEPT}",
    f"/players/{LEFT}",
    f"/players/{player_id(14)}",
    f"/players/{player_id(1)}/chart/fide",
    f"/players/{player_id(1)}/fide/2025-06-01",
    f"/players/{player_id(14)}/fide/2025-06-01",
    f"/players/{player_id(8)}/rio-blitz/2025-06-01",
    f"/players/{player_id(1)}/fide/2025-05-01",
    "/tournaments",
    "/tournaments?q=torri",
    "/tournaments?q=nobody",
    "/tournaments/1",
    "/tournaments/2",
    "/tournaments/3",
    "/tournaments/5",
    "",
    "/?system=rio-blitz",
    "/?system=none",
    "/compare",
    f"/players/{player_id(1)}/record/fide",
    f"/compare?a={player_id(1)}&b={player_id(2)}",
)
MISSING = (
    "/players/1",
    "/players/99999999999999999999999999",
    "/lists/none/latest",
    "/lists/fide/2020-01-01",
    "/lists/fide/today",
    "/lists/uisp/latest",
    "/lists/fide/latest/files/secret.txt",
    "/lists/fide/latest/files/..%2F..%2Foffice.sqlite",
    "/tournaments/77",
    "/tournaments/99999999999999999999999",
    f"/players/{LEFT}/uisp/latest",
    f"/players/{player_id(14)}/fide/2025-05-01",
)


def names_of(page: str) -> list[str]:
    return [str(found.text_content()) for found in all_of(page, "//tbody//th//bdi")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_sound_and_leads_somewhere(public: Public, language: Language) -> None:
    links: set[str] = set()
    for path in PAGES:
        answer = public.client.get(f"/{language}{path}")
        assert answer.status_code == 200, path
        assert faults_of(answer.text) == [], path
        links.update(str(link) for link in all_of(answer.text, "//main//@href"))
    assert len(links) > 100
    for link in sorted(links):
        if link.startswith("/"):
            assert public.client.get(link).status_code == 200, link


def test_what_is_not_there_is_said_in_words(public: Public) -> None:
    for path in MISSING:
        answer = public.client.get(f"/it{path}")
        assert answer.status_code == 404, path
        assert faults_of(answer.text) == [], path
        title = str(all_of(answer.text, "//h1")[0].text_content()).strip()
        assert title in ("Non trovato", "Pagina non trovata"), (path, title)
        assert "Rifiutato" not in answer.text, path


def test_a_list_page_shows_the_rows_of_the_published_file(public: Public) -> None:
    listed, _ = read_list(public.office.lists.folder("fide", JULY) / "list.parquet")
    wanted = sorted(zip(listed.rating.tolist(), listed.name.tolist(), strict=True), reverse=True)
    page = public.client.get("/en/lists/fide/2025-07-01").text
    shown = [int(found.text_content()) for found in all_of(page, "//tbody/tr/td[4]")]
    assert shown == [rating for rating, _ in wanted]
    assert sorted(names_of(page)) == sorted(name for _, name in wanted)


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("q=brugh", [2]),
        ("sex=F&rating_from=1800", [3, 6]),
        ("federation=smr", [2]),
        ("age_to=32", [11, 12]),
        ("age_from=60", [1]),
        ("rating_from=1900&sort=name", [1, 2, 3, 4, 5]),
        ("rating_from=1900&sort=-name", [5, 4, 3, 2, 1]),
        ("title=GM", []),
        ("rating_from=nonsense&sort=nonsense&sex=X&q=altavilla", [1]),
    ],
)
def test_filters_and_sorts(public: Public, query: str, numbers: list[int]) -> None:
    page = public.client.get(f"/en/lists/fide/latest?{query}").text
    assert names_of(page) == [name_of(number) for number in numbers]


def test_a_top_is_no_longer_than_it_says(public: Public) -> None:
    page = public.client.get("/en/lists/fide/latest?top=10&sort=name").text
    assert len(names_of(page)) == 10
    assert names_of(page)[0] == name_of(1)


def test_what_changed_is_what_the_two_lists_say(public: Public) -> None:
    was, now = (
        read_list(public.office.lists.folder("fide", day) / "list.parquet")[0]
        for day in (JUNE, JULY)
    )
    before = dict(zip(was.id.tolist(), was.rating.tolist(), strict=True))
    after = dict(zip(now.id.tolist(), now.rating.tolist(), strict=True))
    moved = {one: after[one] - before[one] for one in before if after.get(one)}
    for kind, wanted in (
        ("gained", {one for one, change in moved.items() if change > 0}),
        ("lost", {one for one, change in moved.items() if change < 0}),
        ("left", {one for one in before if before[one] and not after.get(one)}),
        ("new", {one for one in after if after[one] and not before.get(one)}),
        ("federation", {player_id(2)}),
        ("title", set()),
    ):
        told = public.client.get(f"/api/v1/lists/fide/latest/changes?kind={kind}").json()
        assert {row["id"] for row in told["players"]} == wanted, kind
        assert all(row["change"] == moved.get(row["id"]) for row in told["players"]), kind
        page = public.client.get(f"/it/lists/fide/latest/changes?kind={kind}").text
        assert len(names_of(page)) == len(wanted), kind


def test_a_search_goes_over_all_systems_and_follows_mergers(public: Public) -> None:
    page = public.client.get("/en/players", params={"q": "IMBRIANI"}).text
    assert names_of(page) == [name_of(8)]
    heads = [str(found.text_content()) for found in all_of(page, "//thead//th")]
    assert "FIDE" in heads
    assert "RIO blitz" in heads


def test_a_players_page_shows_lists_corrections_and_mergers(public: Public) -> None:
    page = public.client.get(f"/en/players/{KEPT}").text
    days = [str(found.text_content()) for found in all_of(page, "//*[@class='day']")]
    assert days[:3] == ["1 Jul 2025", "1 Jul 2025", "1 Jun 2025"]
    assert f"Number {LEFT} was merged into this one" in page
    corrected = [
        number
        for number in range(1, 9)
        if "A report was corrected" in public.client.get(f"/en/players/{player_id(number)}").text
    ]
    assert len(corrected) == 2, "a game has two players"
    assert all_of(page, "//figure//*[name()='svg']"), "a chart"


def test_a_period_is_the_computation_itself(public: Public) -> None:
    found = public.office.people.period("fide", player_id(8), JULY)
    page = public.client.get(f"/en/players/{player_id(8)}/fide/2025-07-01").text
    rows = all_of(page, "//div[@class='receipt']//tbody/tr")
    games = [game for event in found.rows.events for game in event.games]
    assert len(rows) == len(games) > 0
    text = re.sub(r"\s+", " ", str(all_of(page, "//div[@class='receipt']")[0].text_content()))
    assert f"{found.rows.rating} becomes {found.rows.new_rating} on the list of 1 Jul 2025." in text
    (outcome,) = all_of(page, "//p[@class='outcome']")
    assert str(outcome.text_content()) in text
    assert "2025-" not in text, "days as the page's language writes them"
    assert f"K is {found.rows.k}" in text
    articles = {str(a.text_content()) for a in all_of(page, "//*[@class='article']")}
    assert {game.article for game in games} <= articles


def test_a_base_that_a_correction_moved_is_explained(public: Public) -> None:
    moved = [
        number
        for number in range(1, 11)
        if "after corrections"
        in public.client.get(f"/en/players/{player_id(number)}/fide/latest").text
    ]
    for number in moved:
        before = public.office.lists.view("fide", JUNE).player(player_id(number))
        found = public.office.people.period("fide", player_id(number), JULY)
        assert before is not None
        assert before.rating != found.rows.rating
    assert moved, "the correction moved somebody who played on"


def test_a_part_for_a_script_is_the_same_receipt(public: Public) -> None:
    path = f"/en/players/{player_id(8)}/fide/2025-07-01"
    part = public.client.get(path, headers={"hx-request": "true"}).text
    assert "<html" not in part
    assert 'class="receipt"' in part
    chart = public.client.get(
        f"/en/players/{player_id(8)}/chart/fide", headers={"hx-request": "true"}
    ).text
    assert "<html" not in chart
    assert chart.count('class="mark"') >= 2, "tournaments are marks"


def test_a_tournament_shows_its_table_and_its_changes_but_no_findings(public: Public) -> None:
    page = public.client.get("/en/tournaments/2").text
    tables = all_of(page, "//table")
    assert len(tables) == 3
    assert len(all_of(page, "//table[1]//tbody/tr")) >= 8
    for number in (9, 12):
        found = public.office.people.period("fide", player_id(number), JUNE)
        event = next(e for e in found.rows.events if e.tournament.name == "Torneo delle Torri")
        wanted = f"{event.variation / 100:+.2f}".replace("-", "−")
        assert wanted in page
    assert "finding" not in page
    waiting = public.client.get("/en/tournaments/5").text
    assert "waiting for the list of 1 Aug 2025" in waiting
    assert not all_of(waiting, "//table"), "a report on no list yet is not shown"


def test_pages_of_the_public_may_be_asked_for_again(client: Client) -> None:
    assert client.get("/en/lists").headers["cache-control"] == "no-cache"


def test_a_player_is_led_to_their_own_rating(own_public: Public) -> None:
    office, client = own_public.office, own_public.client
    with office.desk.database.writing() as connection:
        a_player = accounts.c.role == "player"
        seals.update(connection, accounts, a_player, values={"player": KEPT})
    cookie = logged_in_cookie(office, Role.PLAYER)
    client.cookies.set(own_public.app.state.cookies.session, cookie)
    assert 'href="/it/my-rating"' in client.get("/it").text
    answer = client.get("/it/my-rating", follow_redirects=False)
    assert answer.headers["location"] == f"/it/players/{KEPT}"
    assert client.get("/it/my-rating").status_code == 200
    with office.desk.database.writing() as connection:
        seals.update(connection, accounts, a_player, values={"player": 99999999})
    answer = client.get("/it/my-rating")
    assert answer.status_code == 200
    assert answer.url.path == "/it/players", "on no list yet: the search says so"


def test_what_two_days_have_in_common_is_said_once() -> None:
    assert writing.days("it", JUNE, JUNE) == "1 giu 2025"
    assert writing.days("en", JUNE, JULY) == "1 Jun – 1 Jul 2025"
    assert writing.days("it", JUNE, JUNE.replace(day=9)) == "1–9 giu 2025"
    assert (
        writing.days("en", JUNE.replace(month=12, day=28), JUNE.replace(year=2026, month=1, day=4))
        == "28 Dec 2025 – 4 Jan 2026"
    )


def test_the_home_page_has_the_newest_list_with_its_top_and_movers(public: Public) -> None:
    page = public.client.get("/en/?system=fide").text
    latest = public.office.lists.latest("fide")
    assert latest is not None
    top = public.office.lists.view("fide", latest.list_date).top(10)
    assert names_of(page)[: len(top)] == [player.name for player in top]
    assert f'href="/en/lists/fide/{latest.list_date}"' in page
    assert f'href="/en/lists/fide/{latest.list_date}/changes"' in page


def test_a_record_adds_up_to_the_games_of_the_lists(public: Public) -> None:
    player = player_id(1)
    rows = public.office.people.history(player)["fide"]
    page = public.client.get(f"/en/players/{player}/record/fide").text
    scores = [str(cell.text_content()) for cell in all_of(page, "//table[last()]//td[2]")]
    assert sum(int(score.split("/")[1]) for score in scores) >= sum(row.games for row in rows)
    assert public.client.get(f"/en/players/{player}/record/uisp").status_code == 404


def test_two_players_are_compared_by_number_or_name(public: Public) -> None:
    one, other = player_id(1), player_id(2)
    page = public.client.get(f"/en/compare?a={one}&b={other}").text
    heads = [str(found.text_content()) for found in all_of(page, "//thead//bdi")]
    assert heads == [name_of(1), name_of(2)]
    assert "data-rating-chart" in page
    by_name = public.client.get(f"/en/compare?a={name_of(1)}&b={name_of(2)}").text
    assert [str(found.text_content()) for found in all_of(by_name, "//thead//bdi")] == heads


def test_a_comparison_keeps_what_was_typed_and_says_which_player_is_not_there(
    public: Public,
) -> None:
    page = public.client.get(f"/en/compare?a=Nobody+At-all&b={player_id(2)}").text
    first, second = all_of(page, "//form//div[@class='field']")
    assert first.xpath("string(.//input/@value)") == "Nobody At-all"
    assert "Nobody on a published list" in first.text_content()
    named = f"{name_of(2)} ({player_id(2)})"
    assert second.xpath("string(.//input/@value)") == named, "who it is, not a number alone"
    kept = public.client.get("/en/compare", params={"a": named, "b": str(player_id(1))}).text
    heads = [str(found.text_content()) for found in all_of(kept, "//thead//bdi")]
    assert heads == [name_of(2), name_of(1)]
    assert "Nobody" not in second.text_content()
    assert "Choose two players" in page


def test_the_colour_of_an_office_is_a_style_sheet_of_its_own(public: Public) -> None:
    sheet = public.client.get("/colour/1b5e20.css")
    assert sheet.headers["content-type"].startswith("text/css")
    assert "--accent: #1b5e20" in sheet.text
    for wrong in ("red.css", "1b5e20;}body{.css", "1B5E2.css"):
        assert public.client.get(f"/colour/{wrong}").status_code == 404


def test_a_receipt_leads_to_its_tournament_its_law_and_what_if(public: Public) -> None:
    number = player_id(9)
    page = public.client.get(f"/en/players/{number}/fide/{JUNE}").text
    links = [str(link) for link in all_of(page, "//p[@class='receipt-links']/a/@href")]
    assert "/en/tournaments/2" in links
    assert any(link.startswith("/en/law/fide/") for link in links)
    what_if = next(link for link in links if link.startswith("/en/calculator?"))
    answer = public.client.get(what_if)
    assert answer.status_code == 200
    event = public.office.people.period("fide", number, JUNE).rows.events[0]
    assert all(public.client.get(link).status_code == 200 for link in links)
    shown = all_of(answer.text, "//input[@name='o'][@value != '']/@value")
    counted = [game for game in event.games if game.exclusion is None]
    assert shown == [str(game.opponent_rating) for game in counted]


def test_results_are_told_by_colour(public: Public) -> None:
    path = f"/en/players/{player_id(8)}/record/fide"
    part = public.client.get(path, headers={"hx-request": "true"})
    assert part.status_code == 200, "the player's page loads it by itself"
    assert "<h3>" in part.text
    page = public.client.get(path).text
    rows = all_of(page, "//table[caption='By colour']/tbody/tr")
    cells = [[cell.text_content() for cell in row] for row in rows]
    assert [row[0] for row in cells] == ["White", "Black"]
    games = sum(
        len(event.games)
        for day in (JUNE, JULY)
        for event in public.office.people.period("fide", player_id(8), day).rows.events
    )
    assert sum(int(row[1]) for row in cells) == games
