"""Large files are worked on apart from pages: in a queue, with a place in it and a deadline."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar

from arrocco.office.roles import Role
from arrocco.operation.heavy import HeavyWork, Job
from arrocco.web import heavy as answers
from tests.formats.trf.samples import swiss
from tests.web.conftest import Client, LogIn
from tests.web.slow_work import SlowWork
from tests.web.visits import posted, token_of

LONG = 60.0
PAGE = "/en/calculator/side-by-side"


@pytest.fixture(scope="module")
def public() -> Iterator[HeavyWork]:
    """A queue of strangers: one process, three places, two of them for one address."""
    made = HeavyWork(workers=1, max_waiting=3, max_of_one=2, preload=("arrocco.web.comparison",))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _queue(app: Litestar, public: HeavyWork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.state.heavy, "public", public)
    monkeypatch.setattr(answers, "ANSWER_SECONDS", 0.3)


@pytest.fixture
def blocked(public: HeavyWork) -> Iterator[Job]:
    """A file of somebody else that is being worked on for a long time."""
    job = public.submit("somebody else", time.sleep, LONG, deadline=LONG)
    until(job.future.running)
    yield job
    job.future.cancel()
    until(lambda: public.waiting() == 0)


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def large() -> bytes:
    """A report that is not small: 60 players over 9 rounds, 11 KB, with a long comment."""
    return swiss(players=60, rounds=9, seed=1) + b"### " + b"x" * 30_000 + b"\r\n"


def compare(client: Client, data: bytes) -> Any:
    fields = {
        "a": "fide",
        "b": "uisp",
        "reason": "to compare",
        "form_token": token_of(client, PAGE),
    }
    files = {"report": ("torneo.trf", data, "application/octet-stream")}
    return client.post(f"{PAGE}/report", data=fields, files=files, follow_redirects=False)


def test_a_large_report_gives_the_same_as_a_small_one(client: Client) -> None:
    small = client.post(
        f"{PAGE}/report",
        data={
            "a": "fide",
            "b": "uisp",
            "reason": "to compare",
            "form_token": token_of(client, PAGE),
        },
        files={"report": ("torneo.trf", swiss(players=60, rounds=9, seed=1))},
    )
    answer = client.post(
        f"{PAGE}/report",
        data={
            "a": "fide",
            "b": "uisp",
            "reason": "to compare",
            "form_token": token_of(client, PAGE),
        },
        files={"report": ("torneo.trf", large())},
        follow_redirects=False,
    )
    while answer.status_code == 303 or "refresh" in answer.headers:
        where = answer.headers.get("location", str(answer.url))
        time.sleep(0.1)
        answer = client.get(where, follow_redirects=False)
    assert answer.status_code == small.status_code == 200

    def table(text: str) -> str:
        return text[text.index("<tbody>") : text.index("</tbody>")]

    assert table(answer.text) == table(small.text)


def test_who_waits_sees_the_place_in_the_queue_and_then_the_result(
    client: Client, public: HeavyWork, blocked: Job
) -> None:
    answer = compare(client, large())
    assert answer.status_code == 303
    where = answer.headers["location"]
    assert "/en/waiting/" in where
    waiting = client.get(where)
    assert waiting.status_code == 200
    assert waiting.headers["refresh"] == "2"
    assert "Position in the queue: 1." in waiting.text
    assert "Posizione in coda: 1." in client.get(where.replace("/en/", "/it/")).text
    blocked.future.cancel()
    until(lambda: "refresh" not in client.get(where).headers)
    done = client.get(where)
    assert done.status_code == 200
    assert "Torneo di Prova" in done.text
    assert client.get(where).text.count("<tr>") == done.text.count("<tr>")


def test_pages_and_small_reports_are_answered_while_others_wait(
    client: Client, blocked: Job
) -> None:
    compare(client, large())
    assert client.get("/en/calculator?law=fide&rating=2000&o=2000&r=1").status_code == 200
    small = compare(client, swiss(players=10, rounds=5, seed=1))
    assert small.status_code == 200


def test_a_full_queue_refuses_with_the_time_to_come_back(
    client: Client, public: HeavyWork, blocked: Job
) -> None:
    for owner in ("one", "other"):
        public.submit(owner, time.sleep, 0)
    answer = compare(client, large())
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert "the queue is full" in answer.text


def test_one_address_has_a_few_places_and_no_more(client: Client, blocked: Job) -> None:
    sent = [compare(client, large()) for _ in range(3)]
    assert [answer.status_code for answer in sent] == [303, 303, 429]
    assert "retry-after" in sent[2].headers


def test_a_ticket_is_of_no_use_to_others(client: Client, logged_in: LogIn, blocked: Job) -> None:
    where = compare(client, large()).headers["location"]
    assert logged_in(Role.ARBITER).get(where).status_code == 404
    assert client.get("/en/waiting/nothing").status_code == 404


def test_work_past_its_deadline_is_refused_in_words(
    client: Client, app: Litestar, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty = SlowWork()
    monkeypatch.setattr(app.state.heavy, "public", hasty)
    monkeypatch.setattr(answers, "ANSWER_SECONDS", LONG)
    data = swiss(players=240, rounds=60, seed=1)
    try:
        answer = compare(client, data)
    finally:
        hasty.close()
    assert answer.status_code == 422
    assert "was stopped" in answer.text
    assert "command line" in answer.text


def test_a_list_is_imported_in_the_queue_of_imports(
    app: Litestar, logged_in: LogIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """While one is imported another one is told to come back, and its file is taken away."""
    administrator = logged_in(Role.RATING_ADMINISTRATOR)
    imports = app.state.heavy.imports
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    owner = "account 1"
    monkeypatch.setattr(answers, "owner_of", lambda _: owner)
    running = imports.submit(owner, time.sleep, LONG)
    fields = {"system": "fide", "list_date": "2024-05-01"}
    files = {"file": ("fide.csv", b"id,name,rating\n99000001,x,2000\n")}
    answer = posted(administrator, "/en/desk/lists/import", fields, files=files)
    running.future.cancel()
    assert answer.status_code == 429
    assert "in the queue" in answer.text
    assert not list(scratch.glob("arrocco-*"))
