"""What the hall has of a person is in the file of their own data, and nothing of anybody else."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from typing import Any

import pytest
from litestar import Litestar

from arrocco.desk import Office
from arrocco.hall.event.acts.consent import WORDS
from arrocco.office.roles import Asker, Role
from arrocco.web.command_rate import TooManyCommands
from arrocco.web.pages.hall_own_data import Exports
from tests.web.conftest import Client, LogIn
from tests.web.offices import email_of, logged_in_cookie_of
from tests.web.test_hall_filings import PDF, TEXT, Scene, scene
from tests.web.test_hall_pages import announce, app, asked, enter_both, logged_in
from tests.web.visits import posted

__all__ = ["app", "logged_in", "scene"]

REASON = "Rumore nella stanza di Bea"
HERS = "Il mio orologio non si vedeva."


def exported(client: Client) -> dict[str, str]:
    """The files of somebody's own data, by name."""
    answer = client.get("/en/account/data/export.zip")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        return {name: file.read(name).decode() for name in file.namelist()}


def events_in(files: dict[str, str]) -> dict[str, Any]:
    told = json.loads(files["hall.json"])
    assert told["could_not_be_read"] == []
    return {event["event"]: event for event in told["events"]}


def entry_of(scene: Scene, surname: str) -> int:
    found = (e.id for e in scene.state().entries if e.person.surname == surname)
    return int(next(found))


def test_12_3_12_9_a_person_gets_games_entry_sanctions_consents_and_filings_of_theirs_alone(
    scene: Scene,
) -> None:
    bea, carlo = entry_of(scene, "Abete"), entry_of(scene, "Betulla")
    asked(scene.arbiter, scene.event, "impose", entry=str(bea), article="6.9a", reason=REASON)
    scene.appeal(scene.bea, text=HERS, about=str(carlo))
    scene.file(scene.carlo, about=str(bea))
    scene.decide(scene.arbiter, 2)
    filmed = announce(scene.arbiter, supervision="full", name="Coppa delle Foglie")
    for number in (1, 2):
        asked(scene.arbiter, filmed, "enter", email=f"p{number}@example.org")
    consented = posted(scene.bea, f"{filmed}/video/consent", {"words": WORDS})
    assert consented.status_code == 303, consented.text

    hers, his = exported(scene.bea), exported(scene.carlo)
    of_bea, of_carlo = events_in(hers), events_in(his)
    filmed_id = filmed.rpartition("/")[2]
    assert set(of_bea) == set(of_carlo) == {scene.id, filmed_id}

    played = of_bea[scene.id]
    assert played["entry"]["person"]["surname"] == "Abete"
    assert [board["game"] for board in played["boards"]] == [f"{scene.id}-1-1"]
    assert [(s["article"], s["reason"], s["lifted"]) for s in played["sanctions"]] == [
        ("6.9a", REASON, False)
    ]
    assert [(f["kind"], f["text"]) for f in played["filings"]] == [("appeal", HERS)]
    assert played["filings"][0]["receipt"]["size"] == len(PDF)
    assert [one["words"] for one in of_bea[filmed_id]["consents_to_video"]] == [WORDS]
    assert "1. e4" in hers["games.pgn"]
    assert hers["games.pgn"] == his["games.pgn"], "a game is of both"

    assert "sanctions" not in of_carlo[scene.id]
    assert "consents_to_video" not in of_carlo[filmed_id]
    assert [f["text"] for f in of_carlo[scene.id]["filings"]] == [TEXT]
    assert of_carlo[scene.id]["filings"][0]["decision"]["outcome"] == "upheld"
    for files, strange in (
        (hers, ("Betulla", "99000012", "p2@example.org", TEXT)),
        (his, ("Abete", "99000011", "p1@example.org", HERS, REASON)),
    ):
        for name in ("hall.json", "personal-data.json"):
            for word in (*strange, email_of(Role.ARBITER)):
                assert word not in files[name], (name, word)
        assert '"by"' not in files["hall.json"]


def test_somebody_who_has_no_part_in_an_event_gets_nothing_of_it(scene: Scene) -> None:
    files = exported(scene.stranger)
    assert events_in(files) == {}
    assert "games.pgn" not in files


def test_a_game_that_is_being_played_is_not_in_the_file(
    app: Litestar, office: Office, logged_in: LogIn
) -> None:
    player, arbiter = logged_in(Role.PUBLIC), logged_in(Role.ARBITER)
    event = announce(arbiter)
    enter_both(office, arbiter, event)
    cookie = logged_in_cookie_of(office, "p1@example.org")
    player.cookies.set(app.state.cookies.session, cookie)
    asked(arbiter, event, "pair_round")
    asked(arbiter, event, "open_round")
    files = exported(player)
    (found,) = events_in(files).values()
    assert found["boards"][0]["points"] is None
    assert "games.pgn" not in files


def test_whoever_works_for_the_office_gets_no_data_of_those_they_worked_on(
    office: Office, logged_in: LogIn
) -> None:
    admin = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
    office.accounts.invite(admin, "invited@example.org", Role.PLAYER, "", 99000013)
    with zipfile.ZipFile(io.BytesIO(office.personal_data.export(admin))) as file:
        text = file.read("personal-data.json").decode()
    data = json.loads(text)
    assert {row["you"] for row in data["invitations"] if "you" in row} == {"invited_by"}
    assert data["audit"]
    for word in ("invited@example.org", "99000013"):
        assert word not in text


def test_files_are_made_one_after_the_other_and_once_for_each() -> None:
    """Each reads the logs of all events: asked for again and again it took all threads of pages."""
    order: list[str] = []

    async def make(exports: Exports, account: int, go_on: asyncio.Event) -> None:
        async with exports.turn_of(account):
            order.append(f"{account} begins")
            await go_on.wait()
            order.append(f"{account} ends")

    async def scene() -> None:
        exports, go_on = Exports(), asyncio.Event()
        first, second = (asyncio.create_task(make(exports, one, go_on)) for one in (1, 2))
        await asyncio.sleep(0)
        with pytest.raises(TooManyCommands):
            await make(exports, 1, go_on)
        with pytest.raises(TooManyCommands):
            await make(exports, 2, go_on)
        assert order == ["1 begins"]
        go_on.set()
        await asyncio.gather(first, second)
        await make(exports, 1, go_on)

    asyncio.run(scene())
    assert order == [f"{one} {what}" for one in (1, 2, 1) for what in ("begins", "ends")]
