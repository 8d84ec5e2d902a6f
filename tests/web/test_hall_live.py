"""The page of all boards, the games as they grow, and everything an event leaves in one archive."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import timedelta

from litestar import Litestar

from arrocco.desk import Office
from arrocco.live.growing_pgn import FRESH
from arrocco.office.roles import Role
from arrocco.words import LANGUAGES
from tests.web.conftest import Client, LogIn
from tests.web.html import faults_of
from tests.web.offices import logged_in_cookie_of
from tests.web.test_hall_pages import announce, app, asked, end_the_game, enter_both, logged_in

__all__ = ["app", "logged_in"]


def pgn_of(event: str) -> str:
    return f"/api/v1/hall/events/{event.removeprefix('/en/hall/')}/games.pgn"


def test_5_17_the_games_of_an_event_grow_as_late_as_its_rules_say(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter, public = logged_in(Role.ARBITER), logged_in(Role.PUBLIC)
    event = announce(arbiter, spectators_delay="1:00")
    enter_both(office, arbiter, event)
    assert public.get(pgn_of(event)).text == ""
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    end_the_game(app.state.live, event.removeprefix("/en/hall/"), arbiter)
    assert "e4" not in public.get(pgn_of(event)).text
    time = app.state.hall.time
    time.not_before(time.now() + timedelta(minutes=1) // timedelta(milliseconds=1) + FRESH)
    answer = public.get(pgn_of(event))
    assert answer.headers["content-type"].startswith("application/vnd.chess-pgn")
    assert re.search(r"1\. e4 \{\[%clk 0:0[^}]*\]\}", answer.text)
    assert '[Result "0-1"]' in answer.text
    tag, changed = answer.headers["etag"], answer.headers["last-modified"]
    for headers in ({"if-none-match": tag}, {"if-modified-since": changed}):
        assert public.get(pgn_of(event), headers=headers).status_code == 304
    assert public.get(pgn_of(event), params={"round": 2}).text == ""


def test_5_17_who_plays_gets_no_games_of_others_before_the_end(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    end_the_game(app.state.live, event.removeprefix("/en/hall/"), arbiter)
    player = logged_in(Role.PUBLIC)
    player.cookies.set(app.state.cookies.session, logged_in_cookie_of(office, "p1@example.org"))
    refused = player.get(pgn_of(event))
    assert (refused.status_code, refused.json()["key"]) == (403, "hall_live.not_for_players")
    assert "games.pgn" not in player.get(f"{event}/live").text
    asked(arbiter, event, "close_round")
    asked(arbiter, event, "close_event")
    assert "[%clk" in player.get(pgn_of(event)).text


def test_all_boards_the_cross_table_and_the_archive(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter, public = logged_in(Role.ARBITER), logged_in(Role.PUBLIC)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    assert 'data-follow="yes" data-round="0"' in seen_by(public, event), "the first round comes"
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    end_the_game(app.state.live, event.removeprefix("/en/hall/"), arbiter)
    asked(arbiter, event, "close_round")
    page = seen_by(public, event)
    assert 'data-live="no" data-follow="yes" data-round="1"' in page, "the next round comes"
    assert "games.pgn" in page
    assert "export.zip" not in page
    assert "data-boards" in page
    assert "Abete, Bea" in page
    assert public.get(f"{event}/export.zip", follow_redirects=False).status_code == 303
    assert logged_in(Role.PLAYER).get(f"{event}/export.zip").status_code == 404
    name = event.removeprefix("/en/hall/")
    packed = arbiter.get(f"{event}/export.zip")
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        held = {one.removeprefix(f"{name}/"): archive.read(one) for one in archive.namelist()}
    assert held["games.pgn"].startswith(b"[Event ")
    assert held["report-trf16.txt"].startswith(b"012 ")
    assert b"e2e4" in held[f"log/games/{name}-1-1.jsonl"]
    assert b"round_closed" in held["log/event.jsonl"]
    assert b"Abete" in held["entries.csv"]
    for table in ("standings.csv", "cross-table.csv"):
        assert held[table].decode("utf-8-sig").splitlines()[1].startswith("1,"), table
    assert {"rules.json", "arbiters-report.csv", "report-trf26.txt"} <= held.keys()


def seen_by(client: Client, event: str) -> str:
    for language in LANGUAGES:
        answer = client.get(f"/{language}{event[3:]}/live")
        assert answer.status_code == 200
        assert not faults_of(answer.text), language
    return str(answer.text)
