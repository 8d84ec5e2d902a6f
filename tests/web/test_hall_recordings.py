"""12.3 — recordings are watched by chief arbiter and committee alone, and each access is logged."""

from __future__ import annotations

import re

import pytest
from anyio.from_thread import BlockingPortal
from litestar import Litestar

from arrocco.desk import Office
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.records import Person
from arrocco.office.roles import Role
from arrocco.video.chain import slice_hash
from arrocco.video.recordings import FOLDER, Recordings
from arrocco.video.settings import VideoSettings
from arrocco.video.webm import WebmReader
from arrocco.words import LANGUAGES
from tests.video.tracks import PICTURE, SOUND, recorded
from tests.web.conftest import LogIn
from tests.web.html import faults_of
from tests.web.test_hall_pages import announce, app, enter_both, logged_in
from tests.web.test_hall_screen import number_of
from tests.web.visits import posted

__all__ = ["app", "logged_in"]

DATA = b"what a camera has seen"
NAME = "1-camera-1"


@pytest.fixture
def event(office: Office, logged_in: LogIn) -> str:
    """An event with a recording of its first player; its address."""
    arbiter = logged_in(Role.ARBITER)
    address = announce(arbiter)
    enter_both(office, arbiter, address)
    store = Recordings(office.folder / FOLDER, VideoSettings(keep_free=0))
    recording = store.begin(address.rpartition("/")[2], 1, "camera")
    recording.add(DATA, slice_hash(recording.hash, DATA), 1_795_000_000_000, 1, 1)
    recording.close()
    return address


def test_12_3_every_role_asks_and_only_chief_and_committee_get_it(
    event: str, logged_in: LogIn
) -> None:
    admitted = {Role.ARBITER, Role.COMMITTEE}
    for role in Role:
        client = logged_in(role)
        answer = client.get(f"{event}/recordings", follow_redirects=False)
        opened = posted(client, f"{event}/recordings/{NAME}/watch", {"reason": "a voice"})
        file = client.get(f"{event}/recordings/{NAME}/file", follow_redirects=False)
        if role in admitted:
            assert (answer.status_code, file.status_code) == (200, 200), role
            assert file.content == DATA
            assert file.headers["cache-control"] == "no-store"
        else:
            assert answer.status_code == (303 if role is Role.PUBLIC else 404), role
            assert opened.status_code in (401, 404), role
            assert file.status_code in (303, 404), role
            assert DATA not in file.content


def test_12_3_who_plays_in_the_event_gets_none_of_them_whatever_else_they_are(
    app: Litestar, office: Office, logged_in: LogIn, event: str, portal: BlockingPortal
) -> None:
    """A member of the committee who plays would see the others' rooms and screens."""
    member = logged_in(Role.COMMITTEE)
    posted(member, f"{event}/recordings/{NAME}/watch", {"reason": "a voice"})
    assert member.get(f"{event}/recordings/{NAME}/file").status_code == 200
    room = app.state.live.events[event.rpartition("/")[2]]
    account = number_of(office, Role.COMMITTEE)
    person = Person(account=account, surname="Acero", name="Ida")
    entered = portal.call(room.ask, Enter(by=number_of(office, Role.ARBITER), person=person))
    assert not entered.objections
    for path in ("recordings", f"recordings/{NAME}", f"recordings/{NAME}/file"):
        assert member.get(f"{event}/{path}", follow_redirects=False).status_code == 404, path
    again = posted(member, f"{event}/recordings/{NAME}/watch", {"reason": "a voice"})
    assert again.status_code == 404


def test_12_3_nothing_is_shown_without_a_reason_and_the_log_has_it(
    event: str, app: Litestar, logged_in: LogIn
) -> None:
    arbiter = logged_in(Role.ARBITER)
    assert arbiter.get(f"{event}/recordings/{NAME}/file").status_code == 404
    page = arbiter.get(f"{event}/recordings/{NAME}", follow_redirects=False)
    assert page.status_code in (302, 303)
    refused = posted(arbiter, f"{event}/recordings/{NAME}/watch", {"reason": " "})
    assert 'role="alert"' in refused.text
    assert arbiter.get(f"{event}/recordings/{NAME}/file").status_code == 404
    room = app.state.live.events[event.rpartition("/")[2]]
    assert not room.state.recordings_watched

    posted(arbiter, f"{event}/recordings/{NAME}/watch", {"reason": "una voce al turno 1"})
    assert [recording for _, recording in room.state.recordings_watched] == [NAME]
    for language in LANGUAGES:
        here = f"/{language}{event[3:]}"
        for path in ("recordings", f"recordings/{NAME}"):
            assert not faults_of(arbiter.get(f"{here}/{path}").text)
    assert "una voce al turno 1" in arbiter.get(f"{event}/report").text
    # Another who may watch says so for themselves.
    assert logged_in(Role.COMMITTEE).get(f"{event}/recordings/{NAME}/file").status_code == 404


def test_12_3_the_page_says_until_when_they_are_kept_and_how_much_room_there_is(
    event: str, logged_in: LogIn
) -> None:
    page = logged_in(Role.ARBITER).get(f"{event}/recordings").text
    assert "until the official announcement" in page
    assert "the validation of the standings" in page  # what it waits for
    assert f"{event}/life" in page
    assert re.search(r"server: \d+ of 21,?475 MB", page)


def test_12_3_an_access_holds_for_half_an_hour(
    event: str, app: Litestar, logged_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    arbiter = logged_in(Role.ARBITER)
    posted(arbiter, f"{event}/recordings/{NAME}/watch", {"reason": "a voice"})
    time = app.state.hall.time
    now = time.now()
    monkeypatch.setattr(time, "now", lambda: now + 29 * 60_000)
    assert arbiter.get(f"{event}/recordings/{NAME}/file").status_code == 200
    monkeypatch.setattr(time, "now", lambda: now + 31 * 60_000)
    assert arbiter.get(f"{event}/recordings/{NAME}/file").status_code == 404


def test_12_3_what_janus_recorded_is_one_film_of_picture_and_sound(
    event: str, office: Office, logged_in: LogIn
) -> None:
    recorded(office.folder / FOLDER, event.rpartition("/")[2], "2-camera-1", PICTURE, SOUND)
    arbiter = logged_in(Role.ARBITER)
    name = "2-camera-1"
    for language in LANGUAGES:
        page = arbiter.get(f"/{language}{event[3:]}/recordings").text
        assert not faults_of(page)
        assert [page.count(f"/recordings/{one}/watch") for one in (NAME, name)] == [1, 1]
        assert "audio-0" not in page
    posted(arbiter, f"{event}/recordings/{name}/watch", {"reason": "a voice"})
    assert f"/recordings/{name}/file" in arbiter.get(f"{event}/recordings/{name}").text
    film = arbiter.get(f"{event}/recordings/{name}/file")
    assert film.headers["content-type"] == "video/webm"
    frames = WebmReader().feed(film.content)
    assert frames.video > 10
    assert frames.audio > 10
    track = f"{event}/recordings/{name}-video-1/file"
    assert arbiter.get(track).status_code == 404  # a track is no recording


@pytest.mark.parametrize("name", ["1-camera-2", "..%2F..%2Foffice", "1-camera-1.webm", "erased"])
def test_a_name_is_never_a_path(event: str, logged_in: LogIn, name: str) -> None:
    arbiter = logged_in(Role.ARBITER)
    assert arbiter.get(f"{event}/recordings/{name}/file").status_code == 404
    assert posted(arbiter, f"{event}/recordings/{name}/watch", {"reason": "x"}).status_code == 404
