"""From a game of a receipt to a question, its answer and the correction; following and feeds."""

from __future__ import annotations

import json
import re
from datetime import date

import pytest
from lxml import etree

from arrocco.desk.mail import MailKind
from arrocco.desk.questions import MAX_OPEN
from arrocco.office.roles import Role
from arrocco.store.sql import accounts, follows, mails, webhooks
from arrocco.store.sql.follows import Followed
from tests.desk.offices import player_id
from tests.web.conftest import Client
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_fixtures import Public
from tests.web.visits import all_of, posted

ATOM = "{http://www.w3.org/2005/Atom}"


def log_in(public: Public, role: Role) -> Client:
    """A browser of whoever has a role in the office with lists."""
    from datetime import timedelta

    from litestar.testing import TestClient

    from arrocco.store.sql import sessions

    office = public.office
    with office.desk.database.writing() as connection:
        account = next(one for one in accounts.every(connection) if one.role is role)
        at = office.desk.now()
        token = sessions.start(connection, account.id, at, at + timedelta(hours=12))
    client: Client = TestClient(public.app)
    client.blocking_portal = public.client.blocking_portal
    client.cookies.set(public.app.state.cookies.session, token)
    return client


def a_game(public: Public) -> str:
    """The address of the question about a game of somebody's receipt."""
    page = public.client.get(f"/en/players/{player_id(1)}/fide/2025-06-01").text
    return str(all_of(page, "//td/a[contains(@href, '/questions/new')]/@href")[0])


def kinds(public: Public) -> list[str]:
    with public.office.desk.database.reading() as connection:
        return [one.kind for one in mails.newest(connection)]


def test_a_question_goes_from_the_receipt_to_the_office_and_back(own_public: Public) -> None:
    link = a_game(own_public)
    assert own_public.client.get(link, follow_redirects=False).status_code == 303  # log in first
    player, officer = log_in(own_public, Role.PLAYER), log_in(own_public, Role.RATING_ADMINISTRATOR)
    asked = player.get(link)
    assert asked.status_code == 200
    hidden = dict(
        zip(
            all_of(asked.text, "//main//input[@type='hidden']/@name"),
            all_of(asked.text, "//main//input[@type='hidden']/@value"),
            strict=True,
        )
    )
    empty = player.post("/en/questions/new", data=hidden | {"text": " "})
    assert empty.status_code == 422
    answer = player.post("/en/questions/new", data=hidden | {"text": "I won this <b>game</b>."})
    assert "Your question is with the office" in answer.text
    assert "Waits for an answer" in answer.text
    path = str(answer.url.path)
    assert MailKind.QUESTION in kinds(own_public)
    assert path in officer.get("/en/desk/questions").text
    shown = officer.get(path).text
    assert "I won this &lt;b&gt;game" in shown
    done = posted(officer, f"{path}/answer", {"text": "You are right."}, form=path)
    assert done.status_code == 303
    assert "You are right." in player.get(path).text
    assert "Answered" in player.get("/en/questions").text
    assert MailKind.ANSWER in kinds(own_public)
    again = posted(officer, f"{path}/answer", {"text": "Once more."}, form="/en/account")
    assert again.status_code in (409, 422)
    stranger = log_in(own_public, Role.ARBITER)
    assert stranger.get(path).status_code == 404


def test_a_correction_made_from_a_question_links_back(own_public: Public) -> None:
    office = own_public.office
    link = a_game(own_public)
    fields = dict(re.findall(r"(\w+)=([\w-]+)", link.replace("&amp;", "&")))
    player = log_in(own_public, Role.PLAYER)
    boss = log_in(own_public, Role.RATING_ADMINISTRATOR)
    posted(player, "/en/questions/new", fields | {"text": "Wrong day."}, form=link)
    from arrocco.desk.desk import operator
    from arrocco.office.ledger import DateCorrection
    from arrocco.store.sql import reports

    asker = operator(Role.RATING_ADMINISTRATOR)
    tournament = int(fields["tournament"])
    with office.desk.database.reading() as connection:
        report = reports.of_tournament(connection, tournament)[0]
    known = office.corrections.as_corrected(asker, report.id)
    assert known.start is not None
    change = DateCorrection(start=known.start, end=known.start)
    seq = office.corrections.enter(asker, report.id, [change], "the last round was moved")
    (question,) = office.questions.waiting(asker)[1]
    path = f"/en/questions/{question.id}"
    wrong = posted(boss, f"{path}/answer", {"text": "Corrected.", "correction": "1"}, form=path)
    assert wrong.status_code == 409
    posted(boss, f"{path}/answer", {"text": "Corrected.", "correction": str(seq)}, form=path)
    assert f"Correction {seq}" in player.get(path).text
    assert f'href="{path}"' in boss.get(f"/en/desk/corrections/{report.id}").text


def test_questions_are_bounded_and_about_games_there_are(own_public: Public) -> None:
    link = a_game(own_public)
    fields = dict(re.findall(r"(\w+)=([\w-]+)", link.replace("&amp;", "&")))
    player = log_in(own_public, Role.PLAYER)
    for change in ({"round": "99"}, {"tournament": "0"}, {"on": "soon"}, {"player": "x"}):
        query = fields | change
        assert player.get("/en/questions/new", params=query).status_code == 404
    for _ in range(MAX_OPEN):
        posted(player, "/en/questions/new", fields | {"text": "Wrong."}, form=link)
    last = posted(player, "/en/questions/new", fields | {"text": "Wrong."}, form=link)
    assert last.status_code == 422


FEEDS = ("/lists/{system}", "/players/{player}", "/tournaments/{tournament}")


def valid(feed: bytes, base: str) -> list[str]:
    """The ids of an Atom feed, which has what RFC 4287 asks for."""
    root = etree.fromstring(feed)
    assert root.tag == f"{ATOM}feed"
    for holder in (root, *root.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(holder.findall(f"{ATOM}{name}")) == 1, name
            assert holder.findtext(f"{ATOM}{name}")
        assert re.fullmatch(
            r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", holder.findtext(f"{ATOM}updated") or ""
        )
    assert root.find(f"{ATOM}author/{ATOM}name") is not None
    rels = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
    assert (rels["self"] or "").endswith("/feed.atom")
    return [entry.findtext(f"{ATOM}id") or "" for entry in root.findall(f"{ATOM}entry")]


@pytest.mark.parametrize("pattern", FEEDS)
def test_feeds_are_valid_atom_and_the_same_news_keep_their_id(public: Public, pattern: str) -> None:
    fields = dict(re.findall(r"(\w+)=([\w-]+)", a_game(public).replace("&amp;", "&")))
    path = pattern.format(**fields)
    english = public.client.get(f"/en{path}/feed.atom")
    assert english.headers["content-type"].startswith("application/atom+xml")
    ids = valid(english.content, path)
    assert ids
    assert len(set(ids)) == len(ids)
    assert ids == valid(public.client.get(f"/it{path}/feed.atom").content, path)


def test_following_is_told_by_mail_when_a_list_is_published(own_public: Public) -> None:
    from arrocco.desk.announcements import tell_published
    from arrocco.desk.desk import Act

    fields = dict(re.findall(r"(\w+)=([\w-]+)", a_game(own_public).replace("&amp;", "&")))
    player = log_in(own_public, Role.PLAYER)
    subjects = {
        Followed.LIST: fields["system"],
        Followed.PLAYER: fields["player"],
        Followed.TOURNAMENT: fields["tournament"],
    }
    for kind, subject in subjects.items():
        answer = posted(player, f"/en/follow/{kind.value}/{subject}", {})
        assert answer.status_code == 303, kind
    shown = player.get("/en/following").text
    assert shown.count("/en/unfollow/") == 3
    office = own_public.office
    name = next(iter(office.people.on_lists(int(fields["player"])).values())).name
    assert name in shown, "people have names, not numbers"
    assert office.tournaments.public(int(fields["tournament"])).name in shown
    asker = office.accounts.asker_of(str(player.cookies[own_public.app.state.cookies.session]))
    hook = office.webhooks.add(asker, "https://hooks.example.org/told")
    with office.desk.database.writing() as connection:
        tell_published(
            Act(connection, office.desk.now()),
            fields["system"],
            date.fromisoformat(fields["on"]),
            [int(fields["tournament"])],
            {int(fields["player"]): name},
        )
        told = mails.newest(connection)[:3]
        (call,) = webhooks.calls_of(connection, hook.id)
    said = json.loads(call.body)
    assert said["players"] == [int(fields["player"])]
    assert said["tournaments"] == [int(fields["tournament"])]
    assert any(f'"{name}"' in mail.params for mail in told)
    assert sorted(kinds(own_public)[:3]) == ["followed", "followed", "list_published"]
    posted(player, f"/en/unfollow/list/{fields['system']}", {})
    with office.desk.database.reading() as connection:
        assert follows.followers(connection, Followed.LIST, fields["system"]) == []
    assert posted(player, "/en/follow/list/none", {}).status_code == 404
    assert posted(player, "/en/follow/player/0099", {}).status_code == 404
    assert posted(player, "/en/follow/player/424242", {}).status_code == 404, "nobody"
    assert posted(player, "/en/follow/tournament/999", {}).status_code == 404
    boss = log_in(own_public, Role.RATING_ADMINISTRATOR)
    assert boss.get("/en/audit").status_code == 200
