"""The pages of the hall over HTTP: an event from its announcement to its validated standings."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.desk.hall_people import rating_known
from arrocco.hall.event.objections import objections
from arrocco.hall.event.rules import Rules
from arrocco.hall.game import Phase
from arrocco.hall.game import commands as c
from arrocco.laws.classes import TimeClass
from arrocco.laws.hall import laws_held_under
from arrocco.laws.systems import SYSTEMS
from arrocco.live.hall import Hall
from arrocco.live.log_reader import SqliteLogReader
from arrocco.office.readings import closing_list
from arrocco.office.roles import Asker, Role
from arrocco.web.forms import Form
from arrocco.web.guard import TOKEN_HEADER
from arrocco.web.pages.hall_rules import GROUPS, read_rules, shown_in_form, time_of
from arrocco.words import LANGUAGES, catalogue
from tests.operation.verify.furnished import without_triggers
from tests.web.apps import app_of
from tests.web.conftest import Client, LogIn
from tests.web.html import faults_of
from tests.web.offices import PASSWORD, email_of, logged_in_cookie
from tests.web.visits import all_of, posted, token_of

# Events of the hall are held in Rome; a round that is opened now belongs to the day there.
TODAY = f"{datetime.now(ZoneInfo('Europe/Rome')):%Y-%m-%d}"
FORM = {
    "name": "Trofeo delle Piante",
    "site": "online",
    "federation": "ITA",
    "start": TODAY,
    "chief": "yes",
    "time_control": "3+2",
    "tolerance": "5:00",
    "disconnection_rule": "Decide l'orologio.",
    "system": "swiss",
    "rounds": "1",
    "win": "1",
    "draw": "0.5",
    "loss": "0",
    "forfeit": "0",
    "half_point_byes": "0",
    "late_entries_until": "1",
    "rating_of_unrated": "999",
    "sample": "0",
    "supervision": "none",
    "chat": "arbiters",
    "initial_colour": "white",
    "premoves": "yes",
    "white_loses_time_while_absent": "yes",
    "federation_id_required": "no",
    "rated": "yes",
    "spectators_admitted": "yes",
    "spectators_half_moves": "0",
    "tie_breaks_1": "buchholz",
}
"""What the form of a new event sends."""


@pytest.fixture
def app(office: Office) -> Litestar:
    """The application with its hall."""
    return app_of(office, with_hall=True)


@pytest.fixture
def logged_in(app: Litestar, office: Office) -> Iterator[LogIn]:
    """Browsers of several people before one running server."""
    with TestClient(app) as running:

        def log_in(role: Role) -> Client:
            made = TestClient(app)
            made.blocking_portal = running.blocking_portal
            if role is not Role.PUBLIC:
                made.cookies.set(app.state.cookies.session, logged_in_cookie(office, role))
            return made

        yield log_in


def announce(client: Client, **changes: str) -> str:
    """Announces an event; its address."""
    answer = posted(client, "/en/hall/new", FORM | changes)
    assert answer.status_code == 303, plain(answer.text)
    return str(answer.headers["location"])


def asked(client: Client, event: str, what: str, **fields: str) -> str:
    """Sends a form of an event's page that is granted; the page after it."""
    answer = posted(client, f"{event}/ask/{what}", fields)
    assert answer.status_code == 303, plain(answer.text.partition("<main")[2])
    return str(client.get(event).text)


def nothing(*_: object) -> list[str]:
    return []


def plain(text: str) -> str:
    return re.sub(r"<[^>]*>|\s+", " ", text)[:3000]


def enter_both(office: Office, arbiter: Client, event: str, *, numbers: bool = True) -> None:
    """Two players with accounts of their own."""
    admin = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
    for number, name in enumerate(("Bea Abete", "Carlo Betulla"), start=1):
        email = f"p{number}@example.org"
        role, player = (Role.PLAYER, 99000010 + number) if numbers else (Role.ARBITER, None)
        token = office.accounts.invite(admin, email, role, "", player)
        office.accounts.accept_invitation(token, name, PASSWORD)
        asked(arbiter, event, "enter", email=email)


def test_an_event_is_announced_paired_and_opened_from_its_pages(
    office: Office, logged_in: LogIn
) -> None:
    arbiter, public = logged_in(Role.ARBITER), logged_in(Role.PUBLIC)
    event = announce(arbiter)
    assert "Trofeo delle Piante" in public.get("/en/hall").text
    page = public.get(f"{event}/announcement").text
    assert "Decide l&#39;orologio." in page
    assert "7.4" in page
    enter_both(office, arbiter, event)
    page = asked(arbiter, event, "pair_round")
    assert "Abete, Bea" in page
    page = asked(arbiter, event, "open_round")
    game = re.search(r'href="/en(/hall/game/[^"]+)"', page)
    assert game is not None
    for language in LANGUAGES:
        for path in (
            event[3:],
            f"{event[3:]}/wall",
            f"{event[3:]}/report",
            game[1],
            f"{game[1]}/log",
        ):
            answer = arbiter.get(f"/{language}{path}")
            assert answer.status_code == 200, plain(answer.text)
            assert not faults_of(answer.text), path
    assert public.get(f"/it{game[1]}").status_code == 200
    assert public.get(f"/it{game[1]}/log", follow_redirects=False).status_code == 303
    player = logged_in(Role.PLAYER)
    assert player.get(f"/en{game[1]}/log").status_code == 404
    assert player.get(f"{event}/wall").status_code == 404
    assert player.get(f"{event}/report").status_code == 404
    assert player.get(f"{event}/files/pgn").status_code == 404
    for name, first in (("trf16", "012 "), ("trf26", "012 "), ("pgn", "[Event ")):
        answer = arbiter.get(f"{event}/files/{name}")
        assert answer.text.startswith(first), name
        assert ("\n212 PTS," in answer.text) is (name == "trf26")


def test_c043_the_page_of_an_event_leads_to_why_a_round_is_paired_so(
    office: Office, logged_in: LogIn
) -> None:
    arbiter, public = logged_in(Role.ARBITER), logged_in(Role.PUBLIC)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    assert public.get(f"{event}/rounds/1/pairing").status_code == 404
    asked(arbiter, event, "pair_round")
    assert f"{event}/rounds/1/pairing" in public.get(event).text
    page = public.get(f"{event}/rounds/1/pairing")
    assert page.status_code == 200
    assert "upper half against lower half" in page.text
    assert "(5.2.5)" in page.text
    assert not faults_of(page.text)


def test_the_end_of_an_event_gives_standings_files_and_a_rating(
    office: Office, logged_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter, tolerance="0:00")
    enter_both(office, arbiter, event)
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    for _ in range(100):  # nobody comes: the round is lost by both when it starts
        page = arbiter.get(event).text
        if "0–0 F" in page:
            break
        time.sleep(0.1)
    assert "0–0 F" in page
    page = asked(arbiter, event, "close_round")
    (article,) = all_of(
        page, "//form[contains(@action, 'correct_result')]//select[@name='article']"
    )
    assert article.get("required") is not None
    assert article.xpath("./option[1]/@value") == [""], "no article is proposed"
    assert not article.xpath("./option[@selected]")
    asked(
        arbiter,
        event,
        "correct_result",
        round="1",
        board="1",
        points="10,0",
        article="5.16",
        reason="Errore",
    )
    page = asked(arbiter, event, "impose", entry="2", article="6.9a", reason="Rumore")
    assert "Rumore" in page
    page = asked(arbiter, event, "close_event")
    public = logged_in(Role.PUBLIC)
    assert "/hall/game/" in public.get(event).text
    monkeypatch.setattr(SqliteLogReader, "streams", nothing)
    assert "/hall/game/" not in public.get(event).text, "results without games of this hall"
    monkeypatch.undo()
    assert public.get(f"{event}/files/trf26").status_code == 200
    assert "Result" in public.get(f"{event}/files/pgn").text
    report = plain(arbiter.get(f"{event}/report").text)
    assert "Result corrected" in report
    assert "Errore" in report
    rating = arbiter.get(f"{event}/rating")
    assert rating.status_code in (200, 409, 422), rating.status_code
    refused = posted(arbiter, f"{event}/ask/validate", {})
    assert refused.status_code == 409
    assert "12.9" in refused.text


@pytest.mark.parametrize("delay", ["", "15:00"])
def test_the_files_of_an_event_tell_everybody_the_year_of_a_birth_and_nobody_too_early(
    logged_in: LogIn, delay: str
) -> None:
    arbiter, public = logged_in(Role.ARBITER), logged_in(Role.PUBLIC)
    event = announce(arbiter, spectators_delay=delay)
    headers = {TOKEN_HEADER: token_of(arbiter)}
    for number in (1, 2):
        person = {
            "account": f"70{number}",
            "surname": "Prova",
            "name": f"Nome{number}",
            "birth": {"year": 2011, "month": 7, "day": 23},
        }
        answer = arbiter.post(
            f"/api/v1{event[3:].replace('/hall/', '/hall/events/')}/commands",
            json={"type": "enter", "person": person},
            headers=headers,
        )
        assert answer.json()["done"], answer.text
    asked(arbiter, event, "close_event", reason="Prova")
    for name in ("trf16", "trf26"):
        assert "2011/07/23" in arbiter.get(f"{event}/files/{name}").text
        answer = public.get(f"{event}/files/{name}")
        if delay:  # 5.17: the last games are still to be seen
            assert answer.status_code == 404
        else:
            assert "2011" in answer.text
            assert "07/23" not in answer.text


def test_a_validated_event_is_handed_over_to_the_rating_office(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    end_the_game(app.state.live, event.rpartition("/")[2], arbiter)
    asked(arbiter, event, "close_round")
    asked(arbiter, event, "close_event")

    early = posted(arbiter, f"{event}/hand-over", {})
    assert early.status_code in (409, 422)
    assert "are not validated" in plain(early.text)
    time_ = app.state.live.time
    time_.not_before(time_.now() + THREE_HOURS)  # complaints can come no more (12.9)
    page = asked(arbiter, event, "validate")
    assert "Send to the rating office" in page
    assert "Send to the rating office" not in logged_in(Role.PUBLIC).get(event).text
    stranger = posted(logged_in(Role.FEDERATION_OFFICER), f"{event}/hand-over", {})
    assert stranger.status_code == 403
    assert "Only the chief arbiter or the organiser" in plain(stranger.text)

    sent = posted(arbiter, f"{event}/hand-over", {})
    assert sent.status_code == 303, plain(sent.text.partition("<main")[2])
    link: re.Match[str] | None = None
    for language in LANGUAGES:
        page = arbiter.get(f"/{language}{event[3:]}").text
        assert not faults_of(page)
        link = re.search(rf'href="/{language}(/desk/tournaments/(\d+))"', page)
        assert link is not None
        file = arbiter.get(f"/{language}{link[1]}")
        assert file.status_code == 200
        assert "Trofeo delle Piante" in file.text
    assert link is not None
    admin = Asker(account=1, name="Ada Rossi", role=Role.RATING_ADMINISTRATOR)
    [report] = office.reports.of_tournament(admin, int(link[2]))
    assert len(office.reports.read(admin, report.id).games) == 1
    assert "Send the report again" in arbiter.get(event).text


@pytest.mark.parametrize(("chat", "is_closed"), [("closed", True), ("arbiters", False)])
def test_5_2_a_player_is_told_at_the_board_that_the_event_closes_the_chat(
    office: Office, logged_in: LogIn, chat: str, is_closed: bool
) -> None:
    arbiter, player = logged_in(Role.ARBITER), logged_in(Role.FEDERATION_OFFICER)
    event = announce(arbiter, chat=chat)
    asked(player, event, "enter")
    enter_both(office, arbiter, event)
    asked(arbiter, event, "pair_by_hand", boards="3 1\n2")
    page = asked(arbiter, event, "open_round")
    game = re.search(r'href="/en(/hall/game/[^"]+)"', page)
    assert game is not None
    for language in LANGUAGES:
        words = catalogue(language, "event")["event.chat_closed.text"].replace("'", "&#39;")
        seen = [one.get(f"/{language}{game[1]}").text for one in (player, arbiter)]
        assert [words in one for one in seen] == [is_closed, False]
        assert [faults_of(one) for one in seen] == [[], []]
        assert 'data-part="chat"' in seen[0]
    assert 'data-part="chat"' not in logged_in(Role.PUBLIC).get(f"/en{game[1]}").text


THREE_HOURS = 3 * 3600 * 1000


def end_the_game(hall: Hall, event: str, arbiter: Client) -> None:
    """The game of board 1 begins, and White resigns after four half-moves."""

    async def play() -> None:
        room = await hall.find_room(f"{event}-1-1")
        assert room is not None
        while room.state.phase is Phase.WAITING:
            await asyncio.sleep(0.05)
        white, black = room.state.white.player.id, room.state.black.player.id
        for player in (white, black):
            await room.answer(c.Connect(by=player))
        for ply, uci in enumerate(("e2e4", "e7e5", "g1f3", "b8c6")):
            player = black if ply % 2 else white
            assert (await room.answer(c.Move(by=player, uci=uci, ply=ply))).refusal is None
        await room.answer(c.Resign(by=white))
        assert room.state.phase is Phase.ENDED

    arbiter.blocking_portal.call(play)


@pytest.mark.parametrize(
    ("changes", "article"),
    [
        ({"tolerance": ""}, "1.3.5"),
        ({"chat": "everybody"}, "5.2"),
        ({"disconnection_rule": ""}, "7.4"),
        ({"device_sanction": "j"}, "5.9"),
        ({"time_control": ""}, "1.3.6"),
        ({"supervision": "sample"}, "9.1"),
    ],
)
def test_rules_that_an_article_forbids_are_refused_with_it(
    logged_in: LogIn, changes: dict[str, str], article: str
) -> None:
    answer = posted(logged_in(Role.ARBITER), "/it/hall/new", FORM | changes)
    assert answer.status_code == 422
    notice = answer.text[answer.text.index('role="alert"') :].partition("</ul>")[0]
    assert f">{article}<" in notice


def test_5_2_5_9_12_8_choices_that_the_regulation_forbids_are_not_offered(
    logged_in: LogIn,
) -> None:
    page = logged_in(Role.ARBITER).get("/en/hall/new").text
    assert 'name="fair_play_only_by_platform"' not in page
    assert 'value="everybody"' not in page
    offered = page.partition('name="device_sanction"')[2].partition("</select>")[0]
    assert re.findall(r'value="(\w)"', offered) == list("abcdegk")


@pytest.mark.parametrize("written", ["3+2", "3'+2\"", "3 min + 2 sec"])
def test_1_3_6_a_time_control_is_read_as_everybody_writes_it_and_said_back(
    logged_in: LogIn, written: str
) -> None:
    arbiter = logged_in(Role.ARBITER)
    said = arbiter.get("/api/v1/hall/time-control", params={"text": written}).json()
    assert said["code"] == "180+2"
    assert said["text"] == "3 minutes and 2 seconds more for every move (blitz)"
    event = announce(arbiter, time_control=written)
    assert said["text"] in arbiter.get(event).text
    assert 'value="3&#39; + 2&#34;"' in arbiter.get(f"{event}/rules").text


def test_1_3_6_a_time_control_nobody_can_read_is_refused_with_what_to_write(
    logged_in: LogIn,
) -> None:
    arbiter = logged_in(Role.ARBITER)
    answer = posted(arbiter, "/en/hall/new", FORM | {"time_control": "as usual"})
    assert answer.status_code == 422
    assert "as usual" in plain(answer.text.partition('id="time_control-wrong"')[2])
    assert arbiter.get("/api/v1/hall/time-control", params={"text": "as usual"}).json()["wrong"]


def test_c_05_a_round_robin_takes_the_defaults_of_its_form(logged_in: LogIn) -> None:
    swiss = {"rounds": "5", "tie_breaks_1": "buchholz_cut_1", "tie_breaks_2": "buchholz"}
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter, system="round_robin", **swiss)
    page = arbiter.get(f"{event}/announcement").text
    assert "direct encounter, Sonneborn-Berger" in page
    chosen = {"system": "round_robin", "tie_breaks_1": "buchholz"}
    refused = posted(arbiter, "/en/hall/new", FORM | chosen)
    assert refused.status_code == 422
    assert "C.07 8" in refused.text


def test_14_2_who_has_no_rio_enters_with_the_rating_that_the_article_looks_for_first(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    admin = Asker(account=1, name="Ada Rossi", role=Role.RATING_ADMINISTRATOR)
    lists = {
        "fide": {1: 2100, 2: 2050},
        "fide-blitz": {1: 2300},
        "rio-blitz": {2: 1800},
    }
    for system, ratings in lists.items():
        path = office.folder / f"{system}.csv"
        rows = (f'{99000010 + n},"Abete, Bea",ITA,F,1990,,{r},,20,\n' for n, r in ratings.items())
        path.write_text(
            "id,name,federation,sex,birth,title,rating,k,games,flag\n" + "".join(rows), "utf-8"
        )
        office.lists.import_list(admin, system, date(2026, 11, 1), path)
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    page = plain(arbiter.get(event).text.partition('aria-labelledby="entries"')[2])
    assert "2300" in page
    assert "1800" in page
    known = [rating_known(office, 99000010 + n, TimeClass.BLITZ) for n in (1, 2, 3)]
    assert known == [2300, 1800, None]
    # "Rate under RIO now" counts with the same: not with the 999 of who has no rating at all.
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    end_the_game(app.state.live, event.rpartition("/")[2], arbiter)
    for _ in range(200):  # the event takes the result of its game a moment later
        rated = all_of(arbiter.get(f"{event}/rating").text, "//main//tbody/tr")
        if rated:
            break
        time.sleep(0.05)
    before = sorted(row.xpath("string(./td[1])").strip() for row in rated)
    assert before == ["1800", "2300"]


def test_14_1_the_preview_of_an_event_reads_rio_as_the_office_does(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    """Two guests without a number: no game of theirs counts, unless the office reads otherwise."""
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    enter_both(office, arbiter, event, numbers=False)
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    end_the_game(app.state.live, event.rpartition("/")[2], arbiter)
    for _ in range(200):  # the event takes the result of its game a moment later
        page = plain(arbiter.get(f"{event}/rating").text)
        if "14.1" in page:
            break
        time.sleep(0.05)
    assert "14.1" in page
    office.readings.choose(
        operator(Role.HEAD_OF_OFFICE),
        "rio",
        "membership",
        "not_asked",
        closing_list(SYSTEMS["rio-blitz"], date.fromisoformat(TODAY)),
        "delibera finta 4",
    )
    read = plain(arbiter.get(f"{event}/rating").text)
    assert "14.1" not in read
    assert read != page


def test_players_enter_withdraw_and_ask_for_byes_themselves(logged_in: LogIn) -> None:
    event = announce(logged_in(Role.ARBITER), rounds="3", half_point_byes="1")
    player = logged_in(Role.PLAYER)
    # The account of the fixtures is named "Player": 5.4 asks for surname and name.
    refused = posted(player, f"{event}/ask/enter", {})
    assert refused.status_code == 409
    assert "5.4" in refused.text
    officer = logged_in(Role.FEDERATION_OFFICER)
    page = asked(officer, event, "enter")
    assert "Officer, Federation" in page
    assert "Check in" in page
    assert "checked in" in asked(officer, event, "check_in")
    assert "Cancel the bye in round 2" in asked(
        officer, event, "request_bye", round="2", kind="half_point"
    )
    asked(officer, event, "cancel_bye", round="2")
    assert "withdrawn" in asked(officer, event, "withdraw_entry")
    refused = posted(player, f"{event}/ask/pair_round", {})
    assert refused.status_code == 409
    told = {
        (answer.status_code, plain(answer.text.partition("<main")[2]))
        for what in ("appoint_arbiter", "enter")
        for email in (email_of(Role.ARBITER), "nobody@example.org")
        if (answer := posted(player, f"{event}/ask/{what}", {"email": email}))
    }
    assert len(told) == 1, "who has an account is for officials to know"
    unknown = posted(player, f"{event}/ask/dance", {})
    assert unknown.status_code == 422


def test_an_event_with_a_long_name_has_an_address_that_can_be_kept(logged_in: LogIn) -> None:
    event = announce(logged_in(Role.ARBITER), name="Trofeo delle piante rampicanti " * 8)
    assert len(event.rpartition("/")[2]) <= 32


def test_the_organiser_changes_the_rules_until_a_round_is_paired(
    office: Office, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    form = arbiter.get(f"{event}/rules").text
    assert 'value="5:00"' in form
    answer = posted(arbiter, f"{event}/rules", FORM | {"tolerance": "10:00"})
    assert answer.status_code == 303
    assert "10:00" in arbiter.get(f"{event}/announcement").text
    enter_both(office, arbiter, event)
    asked(arbiter, event, "pair_by_hand", boards="2 - 1")
    refused = posted(arbiter, f"{event}/rules", FORM)
    assert refused.status_code == 409
    assert "1.3.3" in refused.text


def test_without_a_hall_its_pages_say_so(office: Office) -> None:
    with TestClient(app_of(office)) as client:
        assert client.get("/it/hall").status_code == 200
        answer = client.get("/it/hall/trofeo")
        assert answer.status_code == 503
        assert "La sala di gioco è chiusa" in answer.text


# --- forms ----------------------------------------------------------------------------------------


def test_every_rule_of_an_event_has_a_field_and_comes_back_as_it_was() -> None:
    fields: dict[str, Any] = FORM | {
        "reconnection_limit": "2:30",
        "cards": "yes",
        "red_card_from": "2",
        "bye_points": "0.5",
        "announced_fine": "20,50",
        "device_sanction": "a",
        "final_decisions": ["a", "f"],
        "spectators_delay": "1:00",
        "check_in": "yes",
        "call_stops_clocks": "yes",
    }
    rules = read_rules(Form(fields))
    assert rules is not None
    assert not objections(rules, laws_held_under(None))
    assert (rules.announced_fine, rules.bye_points) == (2050, 5)
    again = read_rules(Form(shown_in_form(rules)))
    assert again == rules
    named = {rule.name for _, group in GROUPS for rule in group}
    parts = {
        "scoring": {"win", "draw", "loss", "forfeit"},
        "spectators": {"spectators_admitted", "spectators_delay", "spectators_half_moves"},
    }
    forbidden = {"fair_play_only_by_platform"}  # 12.8: no form asks for it
    for name in set(Rules.__struct_fields__) - forbidden:
        assert parts.get(name, {name}) <= named, f"{name} has no field"


@pytest.mark.parametrize("text", ["x", "1:2:3:4", "5:61", "-5", "1:-1", "٣:00"])
def test_a_time_that_is_none_is_not_taken(text: str) -> None:
    assert time_of(text) is None


def test_the_wall_names_boards_whose_logs_are_damaged(office: Office, logged_in: LogIn) -> None:
    arbiter = logged_in(Role.ARBITER)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    game = f"game:{event.rpartition('/')[2]}-1-1"
    statement = f"UPDATE hall_log SET body = body || ' ' WHERE stream = '{game}' AND number = 0"
    assert without_triggers(office.folder / "hall.sqlite", statement) == 1
    assert "The game at board 1 cannot continue" in arbiter.get(f"{event}/wall").text
