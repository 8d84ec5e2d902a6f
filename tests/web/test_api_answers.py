"""The API: the figures of the lists and the computation, and reports sent by a program."""

from __future__ import annotations

from datetime import date

from litestar import Litestar

from arrocco.office.roles import Role
from arrocco.units import decimal
from tests.desk.offices import data_of, player_id, report
from tests.pgn_games import pgn_of
from tests.web.conftest import Client
from tests.web.offices import logged_in_cookie
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public
from tests.web.public_office import JULY, KEPT, LEFT

API = "/api/v1"


def test_rows_come_by_filters_and_in_parts(public: Public) -> None:
    path = f"{API}/lists/fide/latest/players"
    whole = public.client.get(path).json()
    assert whole["total"] == len(whole["players"]) == 13
    parts = [
        row
        for offset in range(0, 13, 5)
        for row in public.client.get(f"{path}?offset={offset}&limit=5").json()["players"]
    ]
    assert parts == whole["players"]
    women = public.client.get(f"{path}?sex=F&sort=name").json()["players"]
    assert [row["id"] for row in women] == [player_id(n) for n in (3, 6, 9, 12)]
    assert all(set(row) >= {"rating", "birth_year"} for row in women)
    assert public.client.get(f"{path}?top=3&offset=2").json()["players"][0] == parts[2]
    assert len(public.client.get(f"{path}?top=3&offset=2").json()["players"]) == 1


def test_a_period_is_told_as_it_was_computed(public: Public) -> None:
    found = public.office.people.period("fide", player_id(8), JULY)
    told = public.client.get(f"{API}/players/{player_id(8)}/fide/2025-07-01").json()
    assert told["variation"] == decimal(found.rows.variation)
    assert (told["rating"], told["new_rating"]) == (found.rows.rating, found.rows.new_rating)
    games = [game for event in told["tournaments"] for game in event["games"]]
    rows = [game for event in found.rows.events for game in event.games]
    assert [(g["opponent"], g["difference"], g["article"]) for g in games] == [
        (g.opponent, g.difference, g.article) for g in rows
    ]
    assert {step["article"] for step in told["steps"]} >= {"8.3.2", "8.3.3", "8.3.4"}
    italian = public.client.get(
        f"{API}/players/{player_id(8)}/fide/2025-07-01", headers={"accept-language": "it"}
    ).json()
    assert italian["steps"][0]["text"] != told["steps"][0]["text"]
    assert italian["steps"][0]["key"] == told["steps"][0]["key"]


def test_a_history_has_mergers_and_corrections(public: Public) -> None:
    told = public.client.get(f"{API}/players/{KEPT}/history").json()
    assert {row["player"] for row in told["systems"]["fide"]} == {KEPT, LEFT}
    merged = next(one for one in told["entries"] if one["kind"] == "merged")
    assert merged["other"] == LEFT
    assert merged["lists"]["fide"] == "2025-07-01"
    left = public.client.get(f"{API}/players/{LEFT}/history").json()
    assert left["entries"][0]["other"] == KEPT


def test_calculators_show_every_step(public: Public) -> None:
    told = public.client.get(
        f"{API}/calculators/change",
        params={"law": "fide", "on": "2025-06-01", "rating": 2000, "games": "2100:1,1900:0.5,-:1"},
    ).json()
    assert (told["n"], told["score"], told["expected"]) == (2, "1.5", "1.00")
    assert (told["k"], told["change"], told["new_rating"]) == (20, 10, 2010)
    assert all(step["article"] for step in told["steps"])
    refused = public.client.get(f"{API}/calculators/performance?games=2100")
    assert refused.status_code == 422
    assert "2319:1" in refused.json()["advice"]


def test_law_is_told_edition_by_edition(public: Public) -> None:
    editions = public.client.get(f"{API}/law").json()
    assert {one["law"] for one in editions} >= {"fide", "rio", "uisp", "online"}
    for edition in editions:
        told = public.client.get(f"{API}/law/{edition['law']}/{edition['edition']}").json()
        assert told["edition"] == edition
        assert told["rules"] or told["values"]
    italian = public.client.get(
        f"{API}/law/fide/2024-03-01", headers={"accept-language": "it"}
    ).json()
    (delisted,) = [one["words"] for one in italian["rules"] if one["name"] == "is_delisted"]
    assert delisted == "chi scende sotto 1400 è senza rating nella lista successiva."
    assert italian["edition"]["source"].startswith("FIDE Handbook")
    assert public.client.get(f"{API}/law/fide/1999-01-01").status_code == 404


def _arbiter(app: Litestar, own: Public) -> tuple[Client, dict[str, str]]:
    client = own.client
    client.cookies.set(app.state.cookies.session, logged_in_cookie(own.office, Role.ARBITER))
    token = client.get(f"{API}/session").json()["form_token"]
    return client, {"x-form-token": token}


def test_an_arbiters_program_checks_and_sends_a_report(own_public: Public) -> None:
    client, headers = _arbiter(own_public.app, own_public)
    made = report(6, date(2025, 7, 8), players=range(1, 7), rounds=5, name="Torneo che attende")
    file = {"file": ("report.trf", data_of(made))}
    checked = client.post(f"{API}/tournaments/5/reports/check", headers=headers, files=file)
    assert checked.status_code == 200, checked.text
    assert checked.json()["players"] == 6
    assert all(one["text"] and one["do"] for one in checked.json()["findings"])
    sent = client.post(f"{API}/tournaments/5/reports", headers=headers, files=file)
    assert sent.status_code == 200, sent.text
    assert own_public.office.desk.blobs.get(sent.json()["sha256"]) == data_of(made)
    assert sent.json()["version"] == 2


def test_9_4_a_program_sends_the_games_beside_the_report(own_public: Public) -> None:
    client, headers = _arbiter(own_public.app, own_public)
    made = report(6, date(2025, 7, 8), players=range(1, 7), rounds=5, name="Torneo che attende")
    files = {
        "file": ("report.trf", data_of(made)),
        "games": ("games.pgn", pgn_of(made, made.games[1:])),
    }
    checked = client.post(f"{API}/tournaments/5/reports/check", headers=headers, files=files)
    assert "games_sent.missing" in {one["key"] for one in checked.json()["findings"]}
    sent = client.post(f"{API}/tournaments/5/reports", headers=headers, files=files)
    assert sent.status_code == 200, sent.text
    kept = own_public.office.desk.blobs.get(sent.json()["games_sha256"])
    assert kept == pgn_of(made, made.games[1:])
    broken = files | {"games": ("games.pgn", b"\n")}
    refused = client.post(f"{API}/tournaments/5/reports", headers=headers, files=broken)
    assert refused.status_code == 422


def test_reports_of_others_broken_ones_and_forged_requests_are_refused(own_public: Public) -> None:
    client, headers = _arbiter(own_public.app, own_public)
    file = {"file": ("report.trf", b"this is no report")}
    path = f"{API}/tournaments/5/reports"
    forged = {"x-form-token": "0.0"}
    assert client.post(path, headers=forged, files=file).status_code == 403
    assert client.post(path, headers=headers, files=file).status_code == 422
    assert client.post(path, headers=headers, files={"file": ("x", b"")}).status_code == 422
    assert (
        client.post(f"{API}/tournaments/99/reports", headers=headers, files=file).status_code == 404
    )
    client.cookies.clear()
    assert client.post(path, headers=headers, files=file).status_code == 401
