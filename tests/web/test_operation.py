"""What watches a server from outside sees of it: a real server, whose parts really fail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from arrocco.desk import Office
from arrocco.office.roles import Role
from tests.databases import cluster
from tests.running_server import RunningServer, running_server
from tests.web.offices import fill, logged_in_cookie

TOKEN = "a-token-only-the-scraper-knows"
BY_PROXY = {"x-forwarded-for": "198.51.100.7"}
CHECKS = {"database": "ok", "schema": "ok", "folder": "ok", "disk": "ok", "hall": "ok"}


def names_in(text: str) -> set[str]:
    return {family.name for family in text_string_to_metric_families(text)}


def value_in(text: str, name: str, **labels: str) -> float | None:
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                return sample.value
    return None


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("watched") / "office"
    with closing(Office.open(folder)) as office:
        fill(office)
        session = logged_in_cookie(office, Role.SYSTEM_ADMINISTRATOR)
        player = logged_in_cookie(office, Role.PLAYER)
    with running_server(folder, environment={"ARROCCO_METRICS_TOKEN": TOKEN}) as running:
        running.session, running.player = session, player  # type: ignore[attr-defined]
        yield running


class TestWhoMaySee:
    def test_everybody_sees_that_it_lives_and_is_ready(self, server: RunningServer) -> None:
        health = server.get("/health", headers=BY_PROXY)
        assert (health.status_code, health.json()) == (200, {"status": "alive"})
        ready = server.get("/ready", headers=BY_PROXY)
        assert (ready.status_code, ready.json()) == (200, {"ready": True})

    def test_only_the_operator_sees_why(self, server: RunningServer) -> None:
        assert server.get("/ready").json()["checks"] == CHECKS  # from the machine itself
        assert "checks" not in server.get("/ready", headers=BY_PROXY).json()
        for session, is_told in ((server.session, True), (server.player, False)):  # type: ignore[attr-defined]
            answer = server.get("/ready", headers=BY_PROXY, cookies={"arrocco_session": session})
            assert ("checks" in answer.json()) is is_told

    def test_strangers_get_no_numbers(self, server: RunningServer) -> None:
        for name in ("x-forwarded-for", "forwarded", "x-real-ip", "via"):
            assert server.get("/metrics", headers={name: "127.0.0.1"}).status_code == 404
        wrong = {**BY_PROXY, "authorization": "Bearer another"}
        assert server.get("/metrics", headers=wrong).status_code == 404
        right = {**BY_PROXY, "authorization": f"Bearer {TOKEN}"}
        assert server.get("/metrics", headers=right).status_code == 200

    def test_an_address_that_is_not_named_is_a_stranger(self, tmp_path: Path) -> None:
        environment = {"ARROCCO_METRICS_FROM": "192.0.2.0/24"}
        with running_server(tmp_path / "office", environment=environment) as server:
            assert server.get("/metrics").status_code == 404
            assert server.get("/ready").json() == {"ready": True}


class TestNumbers:
    def test_are_in_the_format_of_prometheus(self, server: RunningServer) -> None:
        server.get("/en/players")
        answer = server.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert names_in(answer.text) >= {
            "arrocco_moves",
            "arrocco_commit_seconds",
            "arrocco_flag_lateness_seconds",
            "arrocco_journal_queue",
            "arrocco_sockets",
            "arrocco_room_queue",
            "arrocco_games",
            "arrocco_heavy_jobs",
            "arrocco_http_requests",
            "arrocco_http_seconds",
            "arrocco_lists",
            "arrocco_disk_free_bytes",
            "arrocco_clock_jump_seconds",
            "arrocco_loop_lag_seconds",
            "arrocco_alarm",
            "arrocco_check",
            "arrocco_process_memory_bytes",
        }

    def test_name_pages_by_their_route_and_never_by_their_address(
        self, server: RunningServer
    ) -> None:
        for number in range(5):
            server.get(f"/en/players/9900000{number}")
            server.get(f"/it/players/9900000{number}")
            server.get(f"/made-up-{number}")
        text = server.get("/metrics").text
        assert "/9900000" not in text
        assert "made-up" not in text
        assert (
            value_in(
                text,
                "arrocco_http_requests_total",
                route="/{language}/players/{player}",
                status="404",
            )
            == 10
        )
        unmatched = value_in(text, "arrocco_http_requests_total", route="unmatched", status="404")
        assert unmatched is not None
        assert unmatched >= 5

    def test_a_method_nobody_knows_makes_no_name_of_its_own(self, server: RunningServer) -> None:
        httpx.request("PROPFIND", server.address + "/en")
        text = server.get("/metrics").text
        assert "PROPFIND" not in text
        assert value_in(text, "arrocco_http_requests_total", method="other") == 1

    def test_each_request_has_an_id_of_its_own(self, server: RunningServer) -> None:
        ids = {server.get("/health").headers["x-request-id"] for _ in range(5)}
        assert len(ids) == 5
        forged = server.get("/health", headers={"x-request-id": "forged-by-a-stranger"})
        assert forged.headers["x-request-id"] != "forged-by-a-stranger"


class TestWhatFails:
    def test_a_database_that_stops_and_comes_back(self, tmp_path: Path) -> None:
        with cluster() as postgres:
            environment = {"ARROCCO_DATABASE": postgres.url(postgres.lend())}
            with running_server(tmp_path / "office", environment=environment) as server:
                assert server.get("/ready").json()["checks"] == CHECKS
                postgres.stop()
                answer = server.status_of("/ready", 503)
                assert answer.status_code == 503
                assert answer.json()["checks"]["database"] != "ok"
                assert answer.json()["checks"]["folder"] == "ok"
                assert server.get("/ready", headers=BY_PROXY).json() == {"ready": False}
                assert server.get("/health").status_code == 200
                assert "database" in server.get("/ready").json()["alarms"]
                text = server.get("/metrics").text
                assert value_in(text, "arrocco_ready") == 0
                assert value_in(text, "arrocco_alarm", alarm="database") == 1
                postgres.launch()
                answer = server.status_of("/ready", 200)
                assert answer.json()["checks"] == CHECKS
                assert answer.json()["alarms"] == []

    def test_a_folder_that_is_gone(self, tmp_path: Path) -> None:
        folder = tmp_path / "office"
        with running_server(folder) as server:
            assert server.get("/ready").status_code == 200
            folder.rename(tmp_path / "away")
            answer = server.status_of("/ready", 503)
            assert answer.json()["checks"]["folder"] != "ok"
            assert "folder" in answer.json()["alarms"]
            (tmp_path / "away").rename(folder)
            assert server.status_of("/ready", 200).json()["checks"] == CHECKS

    def test_a_schema_of_another_program(self, tmp_path: Path) -> None:
        folder = tmp_path / "office"
        with running_server(folder) as server, closing(Office.open(folder)) as office:
            with office.desk.database.writing() as connection:
                connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
            answer = server.status_of("/ready", 503)
            assert "9999" in answer.json()["checks"]["schema"]
            assert answer.json()["checks"]["database"] == "ok"

    def test_settings_that_cannot_be_read_are_refused_in_words(self, tmp_path: Path) -> None:
        from click.testing import CliRunner

        from arrocco.cli.main import program

        environment = {"ARROCCO_ALARM_DISK_FREE": "plenty"}
        args = ["serve", "--office", str(tmp_path / "o"), "--port", "0", "--lang", "en"]
        result = CliRunner(env=environment).invoke(program, args)
        assert result.exit_code == 1
        assert "ARROCCO_ALARM_DISK_FREE" in result.output
        assert not (tmp_path / "o").exists()
