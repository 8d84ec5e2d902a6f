"""Drafting, publishing and importing lists through the pages; nothing happens by halves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import date
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec
import pytest
from httpx import Response
from litestar import Litestar
from lxml import html

from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.desk.draft_records import Draft, DraftLeftOut, DraftUnusual, Failure
from arrocco.desk.list_builder import Maker
from arrocco.office.records import DraftStatus
from arrocco.office.roles import Role
from arrocco.operation.heavy import HeavyWork, Job
from arrocco.web.pages.desk_lists import LARGEST_LIST
from arrocco.web.pages.desk_reports import REPORT_BYTES
from arrocco.words import LANGUAGES, Language, say
from tests.desk.offices import HEADING, Clock, player_id
from tests.web.conftest import Client, LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import JULY, JUNE, OPEN, RATED, good_file, people_in
from tests.web.html import faults_of
from tests.web.slow_work import SlowWork
from tests.web.visits import posted

BOSS, ARBITER = Role.RATING_ADMINISTRATOR, Role.ARBITER
WAIT_SECONDS = 120
BOTH = {"looked": "1", "before_closing": "1"}


def accepted_report(office: Office) -> None:
    people = people_in(office)
    sent = office.reports.send(people.arbiter, OPEN, "a.trf", good_file())
    warned = [n for n, one in enumerate(sent.findings) if one.severity == "warning"]
    office.reports.answer(people.arbiter, sent.id, dict.fromkeys(warned, "as of May"))
    office.reports.accept(people.administrator, sent.id)


def begun(client: Client) -> int:
    """Begins the draft of July on the page; its number."""
    sent = {"system": "fide", "list_date": JULY.isoformat()}
    answer = posted(client, "/en/desk/lists/draft", sent)
    assert answer.status_code == 303
    return int(answer.headers["location"].rpartition("/")[2])


def made(office: Office, number: int) -> Draft:
    """A draft once nobody works on it any more."""
    end = time.monotonic() + WAIT_SECONDS
    while (draft := office.lists.draft(operator(BOSS), number)).status is DraftStatus.RUNNING:
        assert time.monotonic() < end
        time.sleep(0.02)
    return draft


def drafted(client: Client, office: Office) -> int:
    """Begins the draft of July on the page and waits for it; its number."""
    number = begun(client)
    draft = made(office, number)
    assert draft.status is DraftStatus.READY, draft.failure
    return number


def days(office: Office) -> list[Any]:
    return [one.list_date for one in office.lists.published("fide")]


def test_from_the_calendar_to_a_published_list(
    logged_in: LogIn, office: Office, clock: Clock
) -> None:
    accepted_report(office)
    clock.go_to(JULY)
    client = logged_in(BOSS)
    assert "1 Jul 2025" in client.get("/en/desk/lists").text
    number = drafted(client, office)
    page: Any = html.fromstring(client.get(f"/en/desk/drafts/{number}").text)
    digests = page.xpath("//td[@class='hash']/text()")
    assert len(digests) == 11
    assert all(len(digest) == 64 for digest in digests)
    assert page.xpath("//svg//*[@class='bar']")
    path = f"/en/desk/drafts/{number}/publish"
    assert posted(client, path, {}).status_code == 422, "it is confirmed first"
    assert JULY not in days(office)
    assert posted(client, path, {"looked": "1"}).status_code == 303
    assert days(office)[0] == JULY
    assert "12 players" in client.get(f"/en/desk/drafts/{number}").text
    assert posted(client, path, {"looked": "1"}).status_code == 422, "it is published once"


@pytest.mark.parametrize(
    ("language", "day", "shown"),
    [
        (
            "en",
            date(2025, 6, 10),
            ("closes on 30 Jun 2025", "20 days left", "7.1.3"),
        ),
        ("it", date(2025, 6, 10), ("chiude il 30 giu 2025", "Mancano 20 giorni")),
        ("it", date(2025, 6, 29), ("chiude il 30 giu 2025", "Manca 1 giorno.")),
        ("en", date(2025, 6, 30), ("Today is its last day.", "7.1.3")),
        ("en", JULY, ()),
    ],
)
def test_a_draft_says_plainly_that_its_period_is_still_open(
    logged_in: LogIn,
    office: Office,
    clock: Clock,
    language: Language,
    day: date,
    shown: tuple[str, ...],
) -> None:
    clock.go_to(day)
    client = logged_in(BOSS)
    page: Any = html.fromstring(
        client.get(f"/{language}/desk/drafts/{drafted(client, office)}").text
    )
    said = " ".join(page.xpath("string(//*[@id='still-open'])").split())
    assert bool(said) == bool(shown)
    assert len(page.xpath("//input[@name='before_closing']")) == bool(shown)
    for words in shown:
        assert words in said


@pytest.mark.parametrize(
    ("language", "day", "ordinary", "official"),
    [
        ("en", date(2025, 6, 10), "if they end by 28 Jun 2025", "if they end by 30 Jun 2025"),
        ("it", date(2025, 6, 28), "se finiscono entro il 28 giu 2025", "entro il 30 giu 2025"),
        ("en", date(2025, 6, 29), "that ended by 28 Jun 2025", "if they end by 30 Jun 2025"),
        ("it", JULY, "non possono più entrare in questa lista", "per finire era il 30 giu 2025"),
    ],
)
def test_FIDE_7_1_3_a_draft_says_until_when_ordinary_tournaments_can_enter_it(
    logged_in: LogIn,
    office: Office,
    clock: Clock,
    language: Language,
    day: date,
    ordinary: str,
    official: str,
) -> None:
    clock.go_to(day)
    client = logged_in(BOSS)
    page: Any = html.fromstring(
        client.get(f"/{language}/desk/drafts/{drafted(client, office)}").text
    )
    first, second, _ = page.xpath("//*[@id='entry-days']/li")
    for row, words in ((first, ordinary), (second, official)):
        assert words in " ".join(row.xpath("string()").split())
        assert row.xpath("string(.//*[@class='article'])") == "7.1.3"


@pytest.mark.parametrize("language", LANGUAGES)
def test_publishing_before_the_closing_day_asks_for_a_confirmation(
    logged_in: LogIn, office: Office, language: Language
) -> None:
    client = logged_in(BOSS)
    number = drafted(client, office)
    path = f"/{language}/desk/drafts/{number}/publish"
    refused = posted(client, path, {"looked": "1"})
    assert refused.status_code == 422
    page: Any = html.fromstring(refused.text)
    wrong = page.xpath("string(//*[@id='before_closing-wrong'])")
    assert say(language, "desk_pages.draft.confirm_early") in wrong
    assert page.xpath("//details[@open]//input[@name='looked'][@checked]"), "what was ticked stays"
    assert JULY not in days(office)
    assert posted(client, path, {"looked": "1", "before_closing": "1"}).status_code == 303
    assert days(office)[0] == JULY


def test_a_draft_says_which_articles_it_reads_otherwise(logged_in: LogIn, office: Office) -> None:
    boss = logged_in(BOSS)
    assert "Read otherwise" not in boss.get(f"/en/desk/drafts/{drafted(boss, office)}").text
    office.readings.choose(
        operator(Role.HEAD_OF_OFFICE), "fide", "reentry", "keeps_games", JULY, "the board"
    )
    number = drafted(boss, office)
    page = boss.get(f"/en/desk/drafts/{number}").text
    assert "Read otherwise than by default:" in page
    assert "the games completed before" in page
    assert "le partite completate prima" in boss.get(f"/it/desk/drafts/{number}").text


def test_a_draft_that_is_behind_cannot_be_published(logged_in: LogIn, office: Office) -> None:
    client = logged_in(BOSS)
    number = drafted(client, office)
    accepted_report(office)
    page = client.get(f"/en/desk/drafts/{number}").text
    assert "Make a new draft" in page
    assert f"/en/desk/drafts/{number}/publish" not in page
    answer = posted(client, f"/en/desk/drafts/{number}/publish", BOTH)
    assert answer.status_code == 422
    assert days(office)[0] == JUNE


def test_progress_is_a_part_for_scripts_and_a_page_for_everybody_else(
    logged_in: LogIn, office: Office
) -> None:
    client = logged_in(BOSS)
    number = office.lists.enter_draft(people_in(office).administrator, "fide", JULY)
    path = f"/en/desk/drafts/{number}/progress"
    running = client.get(path, headers={"hx-request": "true"}).text
    assert f'data-hx-get="{path}"' in running
    assert "<html" not in running
    plain = client.get(path, follow_redirects=False)
    assert (plain.status_code, plain.headers["location"]) == (303, f"/en/desk/drafts/{number}")
    office.lists.run_draft(number)
    ready = client.get(path, headers={"hx-request": "true"}).text
    assert 'id="draft"' in ready
    assert "data-hx-get" not in ready


def test_discarding_takes_a_draft_away(logged_in: LogIn, office: Office) -> None:
    client = logged_in(BOSS)
    number = drafted(client, office)
    assert posted(client, f"/en/desk/drafts/{number}/discard", {}).status_code == 303
    found = office.lists.draft(people_in(office).administrator, number)
    assert found.status is DraftStatus.DISCARDED
    assert client.get(f"/en/desk/drafts/{number}").status_code == 200
    assert posted(client, f"/en/desk/drafts/{number}/discard", {}).status_code == 422


def test_players_of_a_draft_by_what_happens_to_them(logged_in: LogIn, office: Office) -> None:
    accepted_report(office)
    client = logged_in(BOSS)
    path = f"/en/desk/drafts/{drafted(client, office)}/players"
    page: Any = html.fromstring(client.get(f"{path}/changed").text)
    changes = [row.xpath("td")[4].text for row in page.xpath("//tbody/tr")]
    sizes = [abs(int(change.replace("−", "-"))) for change in changes]
    assert len(sizes) == 8
    assert sizes == sorted(sizes, reverse=True)
    assert "None." in client.get(f"{path}/delisted").text


@pytest.mark.parametrize(
    "forged",
    [
        {"system": "fide", "list_date": "2025-08-01"},
        {"system": "fide", "list_date": JUNE.isoformat()},
        {"system": "elo", "list_date": JULY.isoformat()},
        {"system": "fide", "list_date": "soon"},
        {},
    ],
)
def test_a_list_out_of_order_is_not_begun(
    logged_in: LogIn, office: Office, forged: dict[str, str]
) -> None:
    answer = posted(logged_in(BOSS), "/en/desk/lists/draft", forged)
    assert answer.status_code in (404, 409, 422)
    assert office.lists.drafts(people_in(office).administrator, "fide", JULY) == []


def test_an_arbiter_builds_no_list(logged_in: LogIn, office: Office) -> None:
    sent = {"system": "fide", "list_date": JULY.isoformat()}
    assert posted(logged_in(ARBITER), "/en/desk/lists/draft", sent).status_code == 403
    assert office.lists.drafts(people_in(office).administrator, "fide", JULY) == []


# --- lists from elsewhere -------------------------------------------------------------------------


def imported(client: Client, data: bytes, name: str, **changed: str) -> Response:
    sent = {"system": "fide-rapid", "list_date": JUNE.isoformat()} | changed
    files = {"file": (name, data, "application/octet-stream")}
    return posted(client, "/en/desk/lists/import", sent, files=files)


def test_a_list_is_imported(logged_in: LogIn, office: Office) -> None:
    row = f'{player_id(1)},"Altavilla, Fintaa",ITA,M,1963,,2100,,0,\n'
    answer = imported(logged_in(BOSS), (HEADING + row).encode(), "rapid.csv")
    assert answer.status_code == 200
    assert "has been imported: 1 player." in answer.text
    latest = office.lists.latest("fide-rapid")
    assert latest is not None
    assert latest.list_date == JUNE


_ENTITIES = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
HOSTILE = {
    "outside": b'<?xml version="1.0"?><!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    b"<playerslist><player><fideid>99000101</fideid><name>&x;</name></player></playerslist>",
    "laughs": f'<?xml version="1.0"?><!DOCTYPE p [<!ENTITY a0 "ha">{_ENTITIES}]>'
    "<playerslist><player><fideid>99000101</fideid><name>&a9;</name></player></playerslist>"
    "".encode(),
    "cut": b'<?xml version="1.0"?><playerslist><player><fideid>99000101</fid',
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_xml_is_refused_and_changes_nothing(
    logged_in: LogIn, office: Office, kind: str
) -> None:
    answer = imported(logged_in(BOSS), HOSTILE[kind], "list.xml")
    assert answer.status_code in (409, 422)
    page: Any = html.fromstring(answer.text)
    assert page.xpath("//*[@id='file-wrong']"), "it is told beside the file"
    assert page.xpath("//*[@id='list_date'][@value='2025-06-01']"), (
        "the day need not be given again"
    )
    assert "root:" not in answer.text
    assert office.lists.latest("fide-rapid") is None
    assert not (office.folder / "lists" / "fide-rapid" / JUNE.isoformat()).exists()


@pytest.mark.parametrize(
    ("data", "name", "changed"),
    [
        (b"", "a.csv", {}),
        (b"\0" * 5000, "a.txt", {}),
        (HEADING.encode(), "a.csv", {}),
        (HEADING.encode(), "a.csv", {"system": "../fide"}),
        (HEADING.encode(), "a.csv", {"list_date": "2025-06-17"}),
        (HEADING.encode(), "../../../office.sqlite", {}),
    ],
)
def test_what_is_no_list_is_refused_and_changes_nothing(
    logged_in: LogIn, office: Office, data: bytes, name: str, changed: dict[str, str]
) -> None:
    answer = imported(logged_in(BOSS), data, name, **changed)
    assert answer.status_code in (409, 422)
    assert office.lists.latest("fide-rapid") is None


def long_list(megabytes: int) -> bytes:
    """A list whose file is longer than that."""
    row = '{},"{}",ITA,M,1963,,2100,,0,\n'
    name = "Altavilla, " + "Fintaa " * 150
    rows = (row.format(99_100_000 + n, name) for n in range(megabytes << 10))
    return (HEADING + "".join(rows)).encode()


def test_a_list_longer_than_other_requests_may_be_is_imported(
    logged_in: LogIn, office: Office
) -> None:
    data = long_list(18)
    assert REPORT_BYTES < len(data) < LARGEST_LIST
    answer = imported(logged_in(BOSS), data, "rapid.csv")
    assert answer.status_code == 200, answer.text[:500]
    latest = office.lists.latest("fide-rapid")
    assert latest is not None
    assert latest.players == data.count(b"\n") - 1


def test_a_list_in_an_archive_is_imported_and_one_that_swells_is_refused(
    logged_in: LogIn, office: Office
) -> None:
    def archive(data: bytes) -> bytes:
        made = BytesIO()
        with ZipFile(made, "w", ZIP_DEFLATED) as file:
            file.writestr("list.csv", data)
        return made.getvalue()

    client = logged_in(BOSS)
    bomb = archive(HEADING.encode() + b"0" * (100 << 20))
    assert len(bomb) < 1 << 20
    refused = imported(client, bomb, "list.zip")
    page: Any = html.fromstring(refused.text)
    told = page.xpath("string(//*[@id='file-wrong'])")
    assert "list.zip!list.csv: the archive is too large" in told
    assert "/" not in told, "where the office put it is not told"
    assert office.lists.latest("fide-rapid") is None
    row = f'{player_id(1)},"Altavilla, Fintaa",ITA,M,1963,,2100,,0,\n'
    assert imported(client, archive((HEADING + row).encode()), "list.zip").status_code == 200
    assert office.lists.latest("fide-rapid") is not None


def test_more_than_a_list_can_have_is_refused_before_it_is_read(
    logged_in: LogIn, office: Office
) -> None:
    answer = imported(logged_in(BOSS), b"0" * (LARGEST_LIST + 1), "list.csv")
    assert answer.status_code == 413
    assert office.lists.latest("fide-rapid") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_before_the_upload_what_to_do_with_a_larger_file(
    logged_in: LogIn, language: Language
) -> None:
    page: Any = html.fromstring(logged_in(BOSS).get(f"/{language}/desk/lists/import").text)
    hint = page.xpath("string(//*[@id='file-hint'])")
    assert "64 MB" in hint
    assert "arrocco office import-list" in hint
    (box,) = page.xpath("//form//*[@data-upload]")
    assert int(box.get("data-most")) < LARGEST_LIST
    assert "{sent}" in box.get("data-sending")


# --- what is to be looked at before publishing ----------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_unusual_changes_and_left_out_reports_are_told_with_names_and_reasons(
    logged_in: LogIn, office: Office, monkeypatch: pytest.MonkeyPatch, language: Language
) -> None:
    client = logged_in(BOSS)
    ready = office.lists.draft(people_in(office).administrator, drafted(client, office))
    figures = {"player": player_id(1), "change": "+99", "k": 20, "games": 9, "rating": 2168}
    told = msgspec.structs.replace(
        ready,
        unusual=(DraftUnusual(kind="jump", players=(player_id(1),), figures=figures),),
        left_out=(DraftLeftOut(report=1, tournament=RATED, reason="no_start"),),
    )
    monkeypatch.setattr(office.lists, "draft", lambda *_: told)
    text = client.get(f"/{language}/desk/drafts/{ready.id}").text
    assert faults_of(text) == []
    for seen in ("+99", "Altavilla, Fintaa", "Torneo Finto 1"):
        assert seen in text
    assert say(language, "desk.left_out.no_start") in text


def test_a_draft_that_failed_says_why(
    logged_in: LogIn, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = logged_in(BOSS)
    ready = office.lists.draft(people_in(office).administrator, drafted(client, office))
    failed = msgspec.structs.replace(
        ready, status=DraftStatus.FAILED, failure=Failure(key="desk.failed.stopped")
    )
    monkeypatch.setattr(office.lists, "draft", lambda *_: failed)
    text = client.get(f"/en/desk/drafts/{ready.id}").text
    assert faults_of(text) == []
    assert "the program stopped before the draft was ready" in text
    assert "/publish" not in text


# --- drafts in a process of their own -------------------------------------------------------------


@pytest.fixture
def busy(app: Litestar) -> Iterator[Job]:
    """A draft of somebody else that is being made for a long time."""
    queue: HeavyWork = app.state.heavy.drafts
    job = queue.submit("somebody else", time.sleep, WAIT_SECONDS)
    while not job.future.running():
        time.sleep(0.02)
    yield job
    job.future.cancel()
    while queue.waiting():
        time.sleep(0.02)


def test_a_draft_is_not_made_in_the_process_of_the_pages(
    logged_in: LogIn, office: Office, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(*_: Any) -> None:
        raise AssertionError("made here")

    monkeypatch.setattr(Maker, "make", make)
    clock.go_to(JULY)
    assert drafted(logged_in(BOSS), office)


def test_drafts_are_made_one_at_a_time_and_who_waits_has_a_place(
    logged_in: LogIn, office: Office, clock: Clock, busy: Job
) -> None:
    clock.go_to(JULY)
    client = logged_in(BOSS)
    number = begun(client)
    Office.open(office.folder, now=clock).close()  # puts right what nobody works on any more
    assert office.lists.draft(operator(BOSS), number).status is DraftStatus.RUNNING
    again = posted(client, "/en/desk/lists/draft", {"system": "fide", "list_date": str(JULY)})
    assert again.status_code == 422
    assert not (office.desk.drafts / str(number)).exists()
    busy.future.cancel()
    assert made(office, number).status is DraftStatus.READY
    assert drafted(client, office) == number + 1


def test_a_draft_that_takes_too_long_is_stopped_and_says_so(
    app: Litestar, logged_in: LogIn, office: Office, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.go_to(JULY)
    hasty = SlowWork()
    monkeypatch.setattr(app.state.heavy, "drafts", hasty)
    client = logged_in(BOSS)
    try:
        number = begun(client)
        failure = made(office, number).failure
    finally:
        hasty.close()
    assert failure is not None
    assert failure.key == "heavy.refused.too_long"
    assert "was stopped" in client.get(f"/en/desk/drafts/{number}").text


def test_a_draft_without_a_place_in_the_queue_has_failed_and_says_so(
    app: Litestar, logged_in: LogIn, office: Office, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.go_to(JULY)
    full = HeavyWork(workers=1, max_waiting=0)
    monkeypatch.setattr(app.state.heavy, "drafts", full)
    client = logged_in(BOSS)
    try:
        answer = posted(client, "/en/desk/lists/draft", {"system": "fide", "list_date": str(JULY)})
    finally:
        full.close()
    assert answer.status_code == 503
    (draft,) = office.lists.drafts(operator(BOSS), "fide", JULY)
    assert draft.status is DraftStatus.FAILED
