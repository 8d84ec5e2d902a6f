"""Replays on the web: asked for in a form, followed while they run, shown to everybody."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal
from litestar import Litestar
from litestar.testing import TestClient

from arrocco.desk import Office
from arrocco.desk.draft_records import Failure
from arrocco.desk.replay_records import Ended, HowFar, ReplayStatus
from arrocco.office.roles import GRANTS, Permission, Role
from arrocco.words import LANGUAGES, Language, say
from tests.web.apps import app_of
from tests.web.conftest import Client
from tests.web.html import faults_of
from tests.web.offices import logged_in_cookie
from tests.web.public_fixtures import *  # noqa: F403 - fixtures
from tests.web.public_office import JULY, JUNE
from tests.web.readers import reader
from tests.web.visits import all_of, posted

HERE = "/statistics/replays"
BOSS = Role.RATING_ADMINISTRATOR
ASKED = {"system": "fide", "first": "2025-06-01", "last": "2025-07-01", "other": "fide@2012-07-01"}
_PATIENCE = 120

Browse = Callable[[Role], Client]


def browse_of(office: Office, app: Litestar, portal: BlockingPortal) -> Browse:
    """Gives the browser of somebody with a role."""

    def browse(role: Role) -> Client:
        made: Client = TestClient(app)
        made.blocking_portal = portal
        if role is not Role.PUBLIC:
            made.cookies.set(app.state.cookies.session, logged_in_cookie(office, role))
        return made

    return browse


@pytest.fixture
def office(public_folder: Path, tmp_path: Path) -> Iterator[Office]:
    folder = Path(shutil.copytree(public_folder, tmp_path / "office"))
    with closing(Office.open(folder)) as opened:
        yield opened


@pytest.fixture
def browse(office: Office, portal: BlockingPortal, monkeypatch: pytest.MonkeyPatch) -> Browse:
    """Browsers before an office in which replays wait until the test lets them go on."""
    monkeypatch.setattr(office.replays, "work_on_waiting", lambda: None)
    return browse_of(office, app_of(office), portal)


@pytest.fixture(scope="module")
def done(
    public_folder: Path, portal: BlockingPortal, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browse]:
    """Browsers before an office with a replay that differs (1) and one that does not (2)."""
    folder = Path(shutil.copytree(public_folder, tmp_path_factory.mktemp("done") / "office"))
    with closing(Office.open(folder)) as office:
        browse = browse_of(office, app_of(office), portal)
        for role, other in ((BOSS, "fide@2012-07-01"), (Role.FEDERATION_OFFICER, "fide")):
            answer = posted(browse(role), f"/en{HERE}", ASKED | {"other": other})
            assert answer.status_code == 303, answer.text
        office.replays.wait(_PATIENCE)
        yield browse


def page_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, path
    assert faults_of(answer.text) == [], path
    return answer.text


def cells(text: str, path: str) -> list[list[str]]:
    rows = all_of(text, f"{path}//tbody/tr")
    return [[cell.text_content().strip() for cell in row.xpath("th | td")] for row in rows]


class TestAsking:
    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("role", Role)
    def test_the_form_is_for_those_who_may_ask(
        self, done: Browse, role: Role, language: Language
    ) -> None:
        text = page_of(done(role), f"/{language}{HERE}")
        may = role in GRANTS[Permission.REPLAY]
        assert len(all_of(text, "//form[@id='ask']")) == may
        assert (say(language, "replay_pages.who_may") in text) is not may

    def test_editions_are_offered_with_their_names_dates_and_readings(self, done: Browse) -> None:
        text = page_of(done(BOSS), f"/en{HERE}?system=rio-blitz")
        groups = all_of(text, "//select[@id='other']/optgroup/@label")
        assert groups == ["Rating Italia Online", "Elo UISP"]
        own = all_of(text, "//select[@id='other']/optgroup[1]/option")
        assert all((one.text or "").startswith(groups[0]) for one in own)
        # Each edition is named by its day, and by it once.
        assert [(one.text or "").count("12 Apr 2025") for one in own] == [0] + [1] * (len(own) - 1)
        values = all_of(text, "//select[@id='other']//option/@value")
        assert values[:2] == ["rio", "rio@2025-04-12"]
        assert "rio@2025-04-12:publication_interval=quarterly" in values
        assert not any(value.startswith("fide") for value in values)
        assert all_of(text, "//select[@id='first']/option/@value") == ["2025-06-01"]

    def test_a_replay_is_asked_for_and_waits(self, browse: Browse, office: Office) -> None:
        boss = browse(BOSS)
        answer = posted(boss, f"/en{HERE}", ASKED)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/en{HERE}/1")
        text = page_of(boss, f"/en{HERE}/1")
        assert say("en", "replay_pages.asked", number=1) in text
        assert all_of(text, "//div[@class='progress']//progress[not(@max)]")
        assert "Rating Administrator" in text
        (row,) = cells(page_of(boss, f"/en{HERE}"), "//section[@aria-labelledby='all']")
        assert row[:3] == ["1", "○ Waiting", "FIDE standard"]
        assert office.replays.get(1).asked.first == JUNE

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_second_one_is_refused_in_words(self, browse: Browse, language: Language) -> None:
        boss = browse(BOSS)
        posted(boss, f"/{language}{HERE}", ASKED)
        answer = posted(boss, f"/{language}{HERE}", ASKED)
        assert answer.status_code == 422
        assert faults_of(answer.text) == []
        said = say(language, "replay_pages.refused.yours_first.text", number=1)
        assert said in answer.text
        chosen = all_of(answer.text, "//select[@id='other']//option[@selected]/@value")
        assert chosen == [ASKED["other"]], "what was chosen stays chosen"

    @pytest.mark.parametrize(
        "wrong",
        [
            {"first": ""},
            {"first": "yesterday"},
            {"other": "fide@1999-01-01"},
            {"system": "chess960"},
            {"last": "2025-05-01"},
            {"other": "uisp@undated"},
        ],
    )
    def test_what_makes_no_sense_is_told_and_nothing_is_kept(
        self, browse: Browse, office: Office, wrong: dict[str, str]
    ) -> None:
        answer = posted(browse(BOSS), f"/en{HERE}", ASKED | wrong)
        assert answer.status_code in (404, 409, 422)
        assert faults_of(answer.text) == []
        assert office.replays.all() == []

    def test_one_can_be_cancelled_by_who_asked(self, browse: Browse, office: Office) -> None:
        officer = browse(Role.FEDERATION_OFFICER)
        posted(officer, f"/it{HERE}", ASKED)
        assert all_of(page_of(officer, f"/it{HERE}/1"), "//details[@class='confirm']")
        for other in (Role.PUBLIC, Role.ARBITER):
            text = page_of(browse(other), f"/it{HERE}/1")
            assert not all_of(text, "//details[@class='confirm']")
        answer = posted(officer, f"/it{HERE}/1/cancel", {})
        assert answer.headers["location"] == f"/it{HERE}/1"
        text = page_of(officer, f"/it{HERE}/1")
        assert say("it", "replay_pages.status.cancelled") in text
        assert posted(officer, f"/it{HERE}/1/cancel", {}).status_code == 422


class TestUnderWay:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_page_says_how_far_it_is_and_turns_when_it_is_over(
        self, browse: Browse, office: Office, language: Language
    ) -> None:
        client = browse(BOSS)
        posted(client, f"/{language}{HERE}", ASKED)
        files = office.replays.files
        with files.working(1):
            files.note(1, HowFar())
            assert say(language, "replay_pages.gathering") in page_of(
                client, f"/{language}{HERE}/1"
            )
            files.note(1, HowFar(period=2, periods=12))
            part = client.get(f"/{language}{HERE}/1/progress")
            assert all_of(part.text, "//progress[@max='12' and @value='2']")
            assert "hx-refresh" not in part.headers
        part = client.get(f"/{language}{HERE}/1/progress")
        assert part.headers["hx-refresh"] == "true"
        text = page_of(client, f"/{language}{HERE}/1")
        assert say(language, "replay_pages.status.interrupted") in text
        assert say(language, "replay_pages.interrupted_about") in text
        (again,) = all_of(text, f"//a[starts-with(@href, '/{language}{HERE}?')]/@href")
        chosen = all_of(page_of(client, again), "//select[@id='other']//option[@selected]/@value")
        assert chosen == [ASKED["other"]]

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_failure_is_told_with_its_reason(
        self, browse: Browse, office: Office, language: Language
    ) -> None:
        client = browse(BOSS)
        posted(client, f"/{language}{HERE}", ASKED)
        failure = Failure(key="store.refused.blob_damaged", details={"blob": "ab12"})
        ended = Ended(status=ReplayStatus.FAILED, at=office.desk.now(), failure=failure)
        office.replays.files.end(1, ended)
        text = page_of(client, f"/{language}{HERE}/1")
        assert say(language, "store.refused.blob_damaged.text", blob="ab12") in text
        assert client.get(f"/{language}{HERE}/1/files/lists.csv").status_code == 404


class TestFound:
    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("role", [Role.PUBLIC, BOSS])
    def test_everybody_sees_what_was_found(
        self, done: Browse, role: Role, language: Language
    ) -> None:
        text = page_of(done(role), f"/{language}{HERE}/1")
        assert len(all_of(text, "//section//figure/div/svg")) == 2
        assert len(all_of(text, "//table[@id='lists']/tbody/tr")) == 2
        (facts,) = all_of(text, "//dl[@class='facts']")
        assert ("Rating Administrator" in facts.text_content()) is (role is BOSS)

    def test_the_figures_are_those_that_were_found(self, done: Browse) -> None:
        client = done(Role.PUBLIC)
        office: Office = client.app.state.office
        found = office.replays.get(1).found
        assert found is not None
        last = found.lists[-1]
        text = page_of(client, f"/en{HERE}/1")
        rows = cells(text, "//table[@id='lists']")
        assert rows[-1][1:5] == [
            last["one"]["mean"],
            last["other"]["mean"],
            str(last["both"]),
            str(last["different"]),
        ]
        differences = cells(text, "//section[@id='differences']//details")
        assert sum(int(row[1]) for row in differences) == last["both"]
        zero = next(row for row in differences if row[0] == "0")
        assert last["both"] - int(zero[1]) == last["different"]
        most = cells(text, "//section[@id='most']")
        listed = office.lists.view("fide", JULY)
        for row, one in zip(most, last["most_affected"], strict=True):
            assert row[1:4] == [str(one["id"]), str(one["one"]), str(one["other"])]
            player = listed.player(one["id"])
            assert player is not None
            assert (row[0], one["one"]) == (player.name, player.rating)
        link = all_of(text, "//section[@id='most']//tbody/tr[1]//a/@href")[0]
        assert client.get(link).status_code == 200

    def test_files_hold_every_list_and_every_player_who_differs(self, done: Browse) -> None:
        client = done(Role.PUBLIC)
        found = client.app.state.office.replays.get(1).found
        fetched = client.get(f"/en{HERE}/1/files/lists.csv")
        assert "attachment" in fetched.headers["content-disposition"]
        rows = list(csv.DictReader(io.StringIO(fetched.text)))
        assert [row["list"] for row in rows] == ["2025-06-01", "2025-07-01"]
        assert rows[-1]["mean_replayed"] == found.lists[-1]["other"]["mean"]
        fetched = client.get(f"/it{HERE}/1/files/players.csv")
        rows = list(csv.DictReader(io.StringIO(fetched.text)))
        both = [row for row in rows if row["as_was"] and row["replayed"]]
        assert len(both) == found.lists[-1]["different"]
        assert all(
            int(row["difference"]) == int(row["replayed"]) - int(row["as_was"]) for row in both
        )
        assert client.get(f"/en{HERE}/1/files/state.csv").status_code == 404
        assert client.get(f"/en{HERE}/99/files/lists.csv").status_code == 404

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_same_law_makes_no_difference(self, done: Browse, language: Language) -> None:
        text = page_of(done(Role.PUBLIC), f"/{language}{HERE}/2")
        assert say(language, "replay_pages.same") in text
        assert say(language, "replay_pages.nobody") in text
        differences = cells(text, "//section[@id='differences']//details")
        assert [row[0] for row in differences if row[1] != "0"] == ["0"]

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_statistics_lead_to_the_replays(self, done: Browse, language: Language) -> None:
        text = page_of(done(Role.PUBLIC), f"/{language}/statistics")
        assert all_of(text, f"//main//a[@href='/{language}{HERE}']")
        assert "arrocco period replay" not in text, "what is typed on a server is no page's"
        rows = cells(page_of(done(Role.PUBLIC), f"/{language}{HERE}"), "//section[2]")
        assert [row[0] for row in rows] == ["2", "1"]

    def test_the_audit_log_tells_who_asked(self, done: Browse) -> None:
        text = page_of(done(BOSS), "/en/audit?action=ask_replay")
        assert say("en", "audit_pages.did.ask_replay") in text
        assert len(cells(text, "//main")) == 2


def test_a_replay_that_is_not_there_is_not_found(browse: Browse) -> None:
    for path in ("/7", "/7/progress", "/7/files/lists.csv"):
        page_of(browse(Role.PUBLIC), f"/en{HERE}{path}", 404)
    assert posted(browse(BOSS), f"/en{HERE}/7/cancel", {}).status_code == 404


def test_an_office_without_lists_says_what_is_needed(
    filled: Path, portal: BlockingPortal, tmp_path: Path
) -> None:
    with reader(filled, portal, tmp_path) as client:
        assert say("en", "replay_pages.none_here") in page_of(client, f"/en{HERE}")
