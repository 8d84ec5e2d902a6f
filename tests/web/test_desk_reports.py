"""Reports through the pages: checked, sent, answered, decided; what is hostile is refused."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from typing import Any

import pytest
from httpx import Response
from lxml import html

from arrocco.desk import Office
from arrocco.office.records import ReportStatus, SentReport
from arrocco.office.roles import Role
from arrocco.web import writing
from arrocco.web.guard import TOKEN_HEADER
from arrocco.words import LANGUAGES, Language, say
from tests.desk.offices import Clock
from tests.pgn_games import pgn_of
from tests.web.conftest import Client, LogIn
from tests.web.desk_office import *  # noqa: F403 - fixtures
from tests.web.desk_office import (
    FOREIGN,
    LATE,
    OPEN,
    RATED_REPORT,
    file_with_error,
    file_with_warning,
    good_file,
    people_in,
    played,
)
from tests.web.html import faults_of
from tests.web.visits import posted

BOSS, ARBITER, OFFICER = Role.RATING_ADMINISTRATOR, Role.ARBITER, Role.FEDERATION_OFFICER


def upload(
    client: Client,
    data: bytes,
    do: str,
    *,
    name: str = "torneo.trf",
    to: int = OPEN,
    language: str = "en",
) -> Response:
    path = f"/{language}/desk/tournaments/{to}/report"
    return posted(client, path, {"do": do}, files={"file": (name, data, "text/plain")})


def sent_reports(office: Office, tournament: int = OPEN) -> list[SentReport]:
    return office.reports.of_tournament(people_in(office).administrator, tournament)


def zipped(*files: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return out.getvalue()


def test_checking_shows_the_line_with_its_column_and_keeps_nothing(
    logged_in: LogIn, office: Office
) -> None:
    answer = upload(logged_in(ARBITER), file_with_error(), "check")
    assert answer.status_code == 200
    page: Any = html.fromstring(answer.text)
    first = page.xpath("//ul[@class='findings']/li[@class='error']")[0]
    assert "line 12, column 92" in " ".join(first.text_content().split())
    assert first.xpath(".//pre//mark")[0].text.strip() == "77"
    assert first.xpath(".//p[@class='advice']")[0].text.strip()
    assert sent_reports(office) == []
    assert not page.xpath("//input[@name='kept']"), "what has errors is not offered to be sent"


def test_what_was_checked_is_sent_from_the_page_that_checked_it(
    logged_in: LogIn, office: Office
) -> None:
    client = logged_in(ARBITER)
    page: Any = html.fromstring(upload(client, file_with_warning(), "check").text)
    kept = {
        name: page.xpath(f"//input[@name='{name}']/@value")[0] for name in ("kept", "kept_name")
    }
    path = f"/en/desk/tournaments/{OPEN}/report"
    answer = posted(client, path, kept | {"do": "send"})
    assert answer.status_code == 303
    report = sent_reports(office)[0]
    assert office.reports.content(people_in(office).arbiter, report.id) == file_with_warning()
    broken = posted(client, path, {"kept": "%%%", "kept_name": "a", "do": "send"})
    assert broken.status_code == 422
    assert len(sent_reports(office)) == 1


def test_errors_return_a_report_and_the_page_says_what_next(
    logged_in: LogIn, office: Office
) -> None:
    client = logged_in(ARBITER)
    answer = upload(client, file_with_error(), "send")
    assert answer.status_code == 303
    report = sent_reports(office)[0]
    assert report.status is ReportStatus.RETURNED
    page = client.get(answer.headers["location"]).text
    assert f"/en/desk/tournaments/{OPEN}/report" in page
    accepted = posted(logged_in(BOSS), f"/en/desk/reports/{report.id}/accept", {})
    assert accepted.status_code == 422
    assert sent_reports(office)[0].status is ReportStatus.RETURNED


def stops_in(page: str) -> tuple[str, list[str], set[str]]:
    """What stops a report in words, where each line leads, and the places of the page."""
    tree: Any = html.fromstring(page)
    (box,) = tree.xpath("//*[@id='stops']")
    said = " ".join(box.xpath("string()").split())
    return said, box.xpath(".//li/a[starts-with(@href, '#')]/@href"), set(tree.xpath("//@id"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_returned_report_says_what_stops_it_and_what_each_reader_does_next(
    logged_in: LogIn, office: Office, language: Language
) -> None:
    def words(key: str, **details: object) -> str:
        return say(language, f"desk_pages.stops.{key}", **details)

    client, boss = logged_in(ARBITER), logged_in(BOSS)
    upload(client, file_with_error(), "send")
    report = sent_reports(office)[0]
    page = client.get(f"/{language}/desk/reports/{report.id}").text
    assert faults_of(page) == []
    said, links, places = stops_in(page)
    assert said.startswith(words("returned"))
    errors = [one for one in report.findings if one.severity == "error"]
    assert errors
    assert len(links) == len({(one.key, one.system) for one in errors})
    assert {link[1:] for link in links} <= places
    assert words("send_again") in said
    day = writing.day(language, date(2025, 6, 30))
    assert words("send_by", day=day) in said
    said, _, _ = stops_in(boss.get(f"/{language}/desk/reports/{report.id}").text)
    assert words("sender_corrects") in said
    assert words("send_again") not in said


def test_each_other_state_says_what_comes_next(
    logged_in: LogIn, office: Office, clock: Clock
) -> None:
    client, boss = logged_in(ARBITER), logged_in(BOSS)
    upload(client, file_with_warning(), "send")
    first = sent_reports(office)[0]
    assert first.status is ReportStatus.NEEDS_ANSWERS
    said, links, _ = stops_in(client.get(f"/en/desk/reports/{first.id}").text)
    assert say("en", "desk_pages.stops.give_reasons") in said
    assert links
    warned = [n for n, one in enumerate(first.findings) if one.severity == "warning"]
    answers = {f"answer_{number}": "it was so" for number in warned}
    assert posted(client, f"/en/desk/reports/{first.id}/answer", answers).status_code == 303
    sent = sent_reports(office)[0]
    assert sent.status is ReportStatus.SENT
    path = f"/en/desk/reports/{sent.id}"
    assert say("en", "desk_pages.stops.wait") in stops_in(client.get(path).text)[0]
    assert not html.fromstring(boss.get(path).text).xpath("//*[@id='stops']")
    assert posted(boss, f"{path}/reject", {"reject_reason": "Unsigned"}).status_code == 303
    said, _, _ = stops_in(client.get(path).text)
    assert "Unsigned" in said
    assert say("en", "desk_pages.stops.send_again") in said
    clock.go_to(date(2025, 7, 1))
    said, _, _ = stops_in(logged_in(ARBITER).get(path).text)
    assert say("en", "desk_pages.stops.late", day="30 Jun 2025") in said
    cancelled = f"/en/desk/tournaments/{OPEN}/cancel"
    assert (
        posted(logged_in(ARBITER), cancelled, {"cancel_reason": "Sala allagata"}).status_code == 303
    )
    said, _, _ = stops_in(logged_in(ARBITER).get(path).text)
    assert "cancelled" in said
    assert say("en", "desk_pages.stops.send_again") not in said


def _returned(logged_in: LogIn, office: Office) -> SentReport:
    """A report with errors whose warnings have their answers."""
    client = logged_in(ARBITER)
    upload(client, file_with_error(), "send")
    report = sent_reports(office)[0]
    warned = [n for n, one in enumerate(report.findings) if one.severity == "warning"]
    answers = {f"answer_{number}": "it was so" for number in warned}
    if answers:
        assert posted(client, f"/en/desk/reports/{report.id}/answer", answers).status_code == 303
    return report


def test_errors_are_waived_one_by_one_with_reasons(logged_in: LogIn, office: Office) -> None:
    report = _returned(logged_in, office)
    path, boss = f"/en/desk/reports/{report.id}", logged_in(BOSS)
    page: Any = html.fromstring(boss.get(path).text)
    fields = page.xpath("//textarea[starts-with(@name, 'waive_')]/@name")
    errors = {finding.key for finding in report.findings if finding.severity == "error"}
    assert len(fields) == len(errors) > 0
    assert not html.fromstring(logged_in(ARBITER).get(path).text).xpath(
        "//textarea[starts-with(@name, 'waive_')]"
    )
    assert posted(boss, f"{path}/accept", dict.fromkeys(fields, " ")).status_code == 422
    reasons = dict.fromkeys(fields, "the game was not played")
    assert posted(boss, f"{path}/accept", reasons).status_code == 303
    accepted = sent_reports(office)[0]
    assert accepted.status is ReportStatus.ACCEPTED
    assert {one.answer for one in accepted.findings if one.severity == "error"} == {
        "the game was not played"
    }


def test_the_api_takes_waivers_too(logged_in: LogIn, office: Office) -> None:
    report = _returned(logged_in, office)
    boss = logged_in(BOSS)
    token = boss.get("/api/v1/session").json()["form_token"]
    path, headers = f"/api/v1/reports/{report.id}/accept", {TOKEN_HEADER: token}
    keys = sorted({finding.key for finding in report.findings if finding.severity == "error"})
    assert boss.post(path, json={}, headers=headers).status_code == 422
    waivers = [{"key": key, "reason": "the game was not played"} for key in keys]
    answer = boss.post(path, json={"waivers": waivers}, headers=headers)
    assert (answer.status_code, answer.json()["status"]) == (200, "accepted")
    assert sent_reports(office)[0].status is ReportStatus.ACCEPTED


def test_warnings_are_answered_one_by_one(logged_in: LogIn, office: Office) -> None:
    client = logged_in(ARBITER)
    upload(client, file_with_warning(), "send")
    report = sent_reports(office)[0]
    path = f"/en/desk/reports/{report.id}/answer"
    warned = [n for n, one in enumerate(report.findings) if one.severity == "warning"]
    noted = [n for n, one in enumerate(report.findings) if one.severity == "note"]
    assert len(warned) > 1
    assert posted(client, path, {}).status_code == 422
    assert posted(client, path, {f"answer_{noted[0]}": "why not"}).status_code == 422
    assert posted(client, path, {f"answer_{warned[0]}": "she stood in"}).status_code == 303
    assert sent_reports(office)[0].status is ReportStatus.NEEDS_ANSWERS
    rest = {f"answer_{number}": "the list of May was used" for number in warned[1:]}
    assert posted(client, path, rest).status_code == 303
    assert sent_reports(office)[0].status is ReportStatus.SENT
    assert "she stood in" in client.get(f"/en/desk/reports/{report.id}").text
    queue = logged_in(BOSS).get("/en/desk/reports").text
    assert f"/en/desk/reports/{report.id}" in queue


def test_every_adjustment_is_listed(logged_in: LogIn) -> None:
    answer = upload(logged_in(ARBITER), good_file(), "check")
    assert "2210 in the report, 2168 on the list in force" in answer.text


def test_a_report_in_an_archive_is_taken_out_of_it(logged_in: LogIn, office: Office) -> None:
    answer = upload(logged_in(ARBITER), zipped(("a.trf", good_file())), "send", name="a.zip")
    assert answer.status_code == 303
    assert sent_reports(office)[0].file_name == "a.trf"


@pytest.mark.parametrize(
    ("data", "name", "status"),
    [
        (b"", "empty.trf", 422),
        (zipped(("a.trf", b"\0" * (9 << 20))), "bomb.zip", 422),
        (zipped(("a.trf", b"x"), ("b.trf", b"y")), "two.zip", 422),
        (zipped(("a.trf", good_file()))[:200], "cut.zip", 422),
        (b"x" * (9 << 20), "large.trf", 422),
        (b"x" * (18 << 20), "larger.trf", 413),
    ],
    ids=["empty", "bomb", "two", "cut", "large", "larger"],
)
@pytest.mark.parametrize("do", ["check", "send"])
def test_a_file_nothing_can_be_taken_from_is_refused_in_words(
    logged_in: LogIn, office: Office, data: bytes, name: str, status: int, do: str
) -> None:
    answer = upload(logged_in(ARBITER), data, do, name=name, language="it")
    assert answer.status_code == status
    page: Any = html.fromstring(answer.text)
    assert page.xpath("//main")[0].text_content().strip()
    assert "Traceback" not in answer.text
    assert sent_reports(office) == []


@pytest.mark.parametrize(
    "data",
    [
        good_file()[:700],
        good_file().decode().replace("Altavilla", "Altavìllà").encode("latin-1"),
        b"\xff\xfe" + good_file().decode().encode("utf-16-le"),
        bytes(range(256)) * 40,
        b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
    ],
    ids=["truncated", "latin-1", "utf-16", "noise", "xml"],
)
def test_a_file_that_is_no_good_report_comes_back_with_reasons(
    logged_in: LogIn, office: Office, data: bytes
) -> None:
    answer = upload(logged_in(ARBITER), data, "check")
    assert answer.status_code in (200, 422)
    page: Any = html.fromstring(answer.text)
    assert page.xpath("//ul[@class='findings']/li") or page.xpath("//div[@class='notice error']")
    assert "root:" not in answer.text
    assert sent_reports(office) == []


def test_another_federations_tournament_takes_no_report_of_mine(
    logged_in: LogIn, office: Office
) -> None:
    for role in (ARBITER, OFFICER):
        for do in ("check", "send"):
            assert upload(logged_in(role), good_file(), do, to=FOREIGN).status_code == 403
    assert sent_reports(office, FOREIGN) == []
    rows = office.audit.page(people_in(office).administrator, outcome="refused")
    refused = {(row.action, row.subject, row.role) for row in rows}
    for role in (ARBITER, OFFICER):
        for action in ("check_report", "send_report"):
            assert (action, f"tournament:{FOREIGN}", role.value) in refused


def test_a_tournament_not_approved_takes_no_report(logged_in: LogIn, office: Office) -> None:
    client = logged_in(ARBITER)
    assert 'value="send"' not in client.get(f"/en/desk/tournaments/{LATE}/report").text
    assert upload(client, good_file(), "send", to=LATE).status_code == 422
    assert sent_reports(office, LATE) == []


def test_rejecting_wants_a_reason_and_lets_another_be_sent(
    logged_in: LogIn, office: Office
) -> None:
    client, boss = logged_in(ARBITER), logged_in(BOSS)
    upload(client, good_file(), "send")
    report = sent_reports(office)[0]
    path = f"/en/desk/reports/{report.id}/reject"
    assert posted(client, path, {"reject_reason": "mine"}).status_code == 403
    assert posted(boss, path, {}).status_code == 422
    assert posted(boss, path, {"reject_reason": "Unsigned"}).status_code == 303
    page = client.get(f"/en/desk/reports/{report.id}").text
    assert "Unsigned" in page
    assert upload(client, file_with_warning(), "send").status_code == 303
    assert [one.status for one in sent_reports(office)][1] is ReportStatus.SUPERSEDED


def test_a_rated_report_is_not_withdrawn(logged_in: LogIn, office: Office) -> None:
    path = f"/en/desk/reports/{RATED_REPORT}/withdraw"
    answer = posted(logged_in(BOSS), path, {"withdraw_reason": "too late"})
    assert answer.status_code == 422
    report = office.reports.get(people_in(office).administrator, RATED_REPORT)
    assert report.status is ReportStatus.RATED


def test_the_file_is_given_back_as_it_was_sent(logged_in: LogIn, office: Office) -> None:
    answer = logged_in(ARBITER).get(f"/en/desk/reports/{RATED_REPORT}/file")
    assert answer.content == office.reports.content(people_in(office).arbiter, RATED_REPORT)
    assert "attachment" in answer.headers["content-disposition"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_9_4_games_are_sent_beside_the_report_from_the_page_that_checked_them(
    logged_in: LogIn, office: Office
) -> None:
    client, path = logged_in(ARBITER), f"/en/desk/tournaments/{OPEN}/report"
    games = pgn_of(played(), played().games[1:])
    files = {
        "file": ("torneo.trf", good_file(), "text/plain"),
        "games": ("torneo.pgn", games, "text/plain"),
    }
    page: Any = html.fromstring(posted(client, path, {"do": "check"}, files=files).text)
    assert "the game was not sent" in page.text_content()
    names = ("kept", "kept_name", "kept_games", "kept_games_name")
    kept = {name: page.xpath(f"//input[@name='{name}']/@value")[0] for name in names}
    assert posted(client, path, kept | {"do": "send"}).status_code == 303
    sent = sent_reports(office)[0]
    shown = client.get(f"/it/desk/reports/{sent.id}")
    assert "torneo.pgn" in shown.text
    assert client.get(f"/en/desk/reports/{sent.id}/games").content == games
    assert client.get(f"/en/desk/reports/{RATED_REPORT}/games").status_code == 404
    nothing = files | {"games": ("torneo.pgn", b"\n", "text/plain")}
    refused = posted(client, path, {"do": "send"}, files=nothing)
    assert refused.status_code == 422
    assert html.fromstring(refused.text).xpath("//*[@id='games-wrong']")
