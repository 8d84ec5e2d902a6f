"""Debian's Janus as the engine of the video: started, asked, killed, stopped; and its settings."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import logging
import os
import signal
import warnings
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arrocco.cli.main import program
from arrocco.errors import Malformed, Refusal
from arrocco.video.engine import Engine
from arrocco.video.janus import Janus, JanusPlaces, is_installed, requests
from arrocco.video.janus.configuration import Secrets, write
from arrocco.video.janus.events import TrackTold, read_events
from arrocco.video.messages import MediaState
from arrocco.video.recordings import Recordings
from arrocco.video.segments import Segments
from arrocco.video.settings import (
    EngineName,
    JanusSettings,
    VideoSettings,
    engine_from_environment,
    janus_from_environment,
)
from arrocco.video.webrtc import IceSettings, with_long_sound
from arrocco.web.part_settings import PartSettings
from arrocco.web.video_process import media_of
from tests.serving import children, command_of, is_alive
from tests.video.test_engine import EVENT, Ear

LONG = 60
AUDIO, VIDEO, OTHER = (f"v=0\r\nm={kind} 9 X 0\r\n" for kind in ("audio", "video", "application"))


@pytest.fixture
def installed() -> None:
    if not is_installed():
        warnings.warn("NO JANUS: the video is not tried over WebRTC", stacklevel=1)
        pytest.skip("NO JANUS: install Debian's package `janus`")


def places(folder: Path) -> JanusPlaces:
    return JanusPlaces(folder / "janus", folder / "api")


def run(folder: Path, scene: Callable[[Engine, Janus], Coroutine[Any, Any, None]]) -> None:
    """Plays a scene with a Janus that is started for it."""

    async def played() -> None:
        recordings = Recordings(folder / "video", VideoSettings(keep_free=0))
        janus = Janus(recordings, JanusSettings(listen_at="127.0.0.1"), places(folder))
        engine = Engine(janus, lambda: 1_000_000)
        await janus.start()
        try:
            await scene(engine, janus)
        finally:
            engine.close()
            await janus.stop()

    asyncio.run(played())


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONG):
        while not condition():
            await asyncio.sleep(0.02)


def own_janus() -> list[int]:
    """The processes of Janus that this one has."""
    return [pid for pid in children(os.getpid()) if "janus" in command_of(pid)]


class TestTheProcess:
    @pytest.mark.usefixtures("installed")
    def test_it_is_there_after_the_start_and_gone_after_the_end(self, tmp_path: Path) -> None:
        pids = []

        async def scene(_engine: Engine, janus: Janus) -> None:
            await until(lambda: janus.is_up)
            pids.extend(own_janus())

        run(tmp_path, scene)
        assert len(pids) == 1
        assert not is_alive(pids[0])

    @pytest.mark.usefixtures("installed")
    def test_killed_it_is_started_again_and_everybody_is_told(self, tmp_path: Path) -> None:
        async def scene(engine: Engine, janus: Janus) -> None:
            await until(lambda: janus.is_up)
            ear = Ear()
            engine.join(EVENT, "a1", 1, "Prova1", ear, needs_screen=True)
            killed = own_janus()[0]
            os.kill(killed, signal.SIGKILL)
            await until(lambda: not janus.is_up)
            await until(lambda: janus.is_up)
            assert own_janus() not in ([], [killed])
            states = [told.is_up for told in ear.told if isinstance(told, MediaState)]
            assert states[-2:] == [False, True]

        run(tmp_path, scene)

    @pytest.mark.usefixtures("installed")
    def test_hung_it_counts_as_gone_at_once_and_is_ended_and_started_again(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        """The process is alive and answers nothing: no player is blamed for it meanwhile."""
        monkeypatch.setattr(requests, "SILENT_AFTER", 0.5)
        monkeypatch.setattr(requests, "HUNG_AFTER", 2.0)

        async def scene(engine: Engine, janus: Janus) -> None:
            await until(lambda: janus.is_up)
            ear = Ear()
            engine.join(EVENT, "a1", 1, "Prova1", ear, needs_screen=True)
            hung = own_janus()[0]
            os.kill(hung, signal.SIGSTOP)
            await until(lambda: not janus.is_up)
            assert is_alive(hung)
            with pytest.raises(Refusal) as refused:
                engine.reach(Ear(), "a1", "")
            assert refused.value.key == "video.starting"
            await until(lambda: janus.is_up)
            assert own_janus() not in ([], [hung])
            assert not is_alive(hung)
            states = [told.is_up for told in ear.told if isinstance(told, MediaState)]
            assert states[-2:] == [False, True]

        with caplog.at_level(logging.ERROR):
            run(tmp_path, scene)
        assert "runs and does not answer" in caplog.text

    @pytest.mark.usefixtures("installed")
    def test_one_that_was_only_slow_goes_on_with_its_streams(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(requests, "SILENT_AFTER", 0.5)
        monkeypatch.setattr(requests, "HUNG_AFTER", 60.0)

        async def scene(engine: Engine, janus: Janus) -> None:
            await until(lambda: janus.is_up)
            slow = own_janus()
            os.kill(slow[0], signal.SIGSTOP)
            await until(lambda: not janus.is_up)
            os.kill(slow[0], signal.SIGCONT)
            await until(lambda: janus.is_up)
            assert own_janus() == slow

        run(tmp_path, scene)

    @pytest.mark.usefixtures("installed")
    def test_one_whose_rooms_answer_nothing_is_started_again(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its core gives signs of life still."""

        async def scene(engine: Engine, janus: Janus) -> None:
            await until(lambda: janus.is_up)
            before, asked = own_janus(), janus.requests
            assert asked is not None
            monkeypatch.setattr(requests, "ANSWER_WITHIN", 0.0)
            for _ in range(requests.MAX_UNANSWERED):
                with pytest.raises(requests.JanusRefused):
                    await asked.attach("trial")
            monkeypatch.setattr(requests, "ANSWER_WITHIN", 5.0)
            await until(lambda: janus.is_up and own_janus() not in ([], before))

        run(tmp_path, scene)

    @pytest.mark.usefixtures("installed")
    def test_only_this_program_can_ask_it_for_anything(self, tmp_path: Path) -> None:
        settings = JanusSettings(ports=(30_000, 30_100), public_address="203.0.113.7")
        one, two = Secrets.new(), Secrets.new()
        assert not set(one) & set(two)
        configuration = write(places(tmp_path), settings, one, 12_345)
        folder = configuration.parent
        assert folder.stat().st_mode & 0o777 == 0o700
        files = [path for path in folder.iterdir() if path.is_file()]
        assert all(path.stat().st_mode & 0o777 == 0o600 for path in files)
        loaded = [path.name for path in folder.glob("*/*.so")]
        assert sorted(loaded) == [
            "libjanus_videoroom.so",
            "libjanus_websockets.so",
            "libjanus_wsevh.so",
        ]
        text = configuration.read_text()
        assert 'rtp_port_range = "30000-30100"' in text
        assert 'nat_1_1_mapping = "203.0.113.7"' in text
        assert one.api in text
        sockets = (folder / "janus.transport.websockets.jcfg").read_text()
        assert f'ws_unix = "{tmp_path / "api"}"' in sockets
        assert "ws_port" not in sockets


class TestOffers:
    @pytest.mark.usefixtures("installed")
    def test_what_is_no_camera_microphone_or_screen_is_refused(self, tmp_path: Path) -> None:
        async def scene(engine: Engine, janus: Janus) -> None:
            await until(lambda: janus.is_up)
            session = engine.join(EVENT, "a1", 1, "Prova1", Ear(), needs_screen=True)
            for kind, offer in (
                ("camera", ""),
                ("camera", OTHER),
                ("screen", AUDIO),
                ("camera", VIDEO + VIDEO),
            ):
                with pytest.raises(Refusal) as refused:
                    engine.begin(session, kind, offer)
                assert refused.value.key == "video.not_an_offer"
            for offer in (OTHER, AUDIO, VIDEO + VIDEO):
                with pytest.raises(Refusal) as refused:
                    engine.reach(Ear(), "a1", offer)
                assert refused.value.key == "video.not_an_offer"
            arbiter = Ear()
            engine.talks.begin(arbiter, EVENT, "t1", (1, 2))
            with pytest.raises(Refusal) as refused:
                engine.talk(arbiter, EVENT, 1, VIDEO)
            assert refused.value.key == "video.not_an_offer"
            with pytest.raises(Refusal) as refused:
                engine.talk(arbiter, EVENT, 2, AUDIO)
            assert refused.value.key == "video.not_there"
            with pytest.raises(Refusal) as refused:
                engine.answer(Ear(), 1, "camera", "v=0")
            assert refused.value.key == "video.not_offered"
            with pytest.raises(Refusal) as refused:
                engine.hear(session, 1, "v=0")
            assert refused.value.key == "video.not_offered"

        run(tmp_path, scene)

    @pytest.mark.usefixtures("installed")
    def test_an_offer_that_janus_cannot_read_is_told_to_the_page(self, tmp_path: Path) -> None:
        class Listening(Ear):
            def __init__(self) -> None:
                super().__init__()
                self.refused: list[str] = []

            def refuse(self, refusal: Refusal) -> None:
                self.refused.append(refusal.key)

        async def scene(engine: Engine, janus: Janus) -> None:
            await until(lambda: janus.is_up)
            ear = Listening()
            session = engine.join(EVENT, "a1", 1, "Prova1", ear, needs_screen=True)
            assert engine.begin(session, "camera", VIDEO) is None
            await until(lambda: ear.refused == ["video.not_taken"])

        run(tmp_path, scene)

    def test_while_it_is_not_there_pages_are_told_to_wait(self, tmp_path: Path) -> None:
        recordings = Recordings(tmp_path / "video", VideoSettings(keep_free=0))
        engine = Engine(Janus(recordings, JanusSettings(), places(tmp_path)), lambda: 1)
        session = engine.join(EVENT, "a1", 1, "Prova1", Ear(), needs_screen=True)
        with pytest.raises(Refusal) as refused:
            engine.begin(session, "camera", VIDEO)
        assert refused.value.key == "video.starting"


def test_browsers_are_asked_for_fewer_and_longer_packets_of_sound() -> None:
    answer = AUDIO + "a=ptime:20\r\na=rtpmap:111 opus/48000/2\r\nm=video 9 X 96\r\na=mid:1\r\n"
    asked = with_long_sound(answer)
    assert asked.partition("m=video")[0].endswith("opus/48000/2\r\na=ptime:60\r\na=maxptime:60\r\n")
    assert asked.count("ptime") == 2
    assert with_long_sound(VIDEO) == VIDEO


class TestSettings:
    def test_segments_are_the_default(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("ARROCCO_VIDEO_ENGINE", raising=False)
        assert engine_from_environment() is EngineName.SEGMENTS

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("ARROCCO_VIDEO_RTP_PORTS", "20000"),
            ("ARROCCO_VIDEO_RTP_PORTS", "30000-20000"),
            ("ARROCCO_VIDEO_RTP_PORTS", "80-90"),
            ("ARROCCO_VIDEO_LISTEN_AT", "0.0.0.0; rm"),
            ("ARROCCO_VIDEO_PUBLIC_ADDRESS", "example.org"),
            ("ARROCCO_VIDEO_ICE_SERVERS", "https://example.org"),
        ],
    )
    def test_what_makes_no_sense_is_named(
        self, monkeypatch: pytest.MonkeyPatch, name: str, text: str
    ) -> None:
        monkeypatch.setenv(name, text)
        with pytest.raises(Malformed) as refused:
            janus_from_environment()
        assert refused.value.key == "video.misstated"
        assert name in refused.value.said("en")[0]

    def test_an_engine_that_is_none_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ARROCCO_VIDEO_ENGINE", "zoom")
        with pytest.raises(Malformed) as refused:
            engine_from_environment()
        assert refused.value.key == "video.unknown_engine"

    def test_the_server_does_not_start_with_an_engine_that_is_none(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ARROCCO_VIDEO_ENGINE", "zoom")
        done = CliRunner().invoke(program, ["serve", "--office", str(tmp_path / "office")])
        assert done.exit_code != 0
        assert "zoom" in done.output

    def test_without_janus_the_video_goes_over_segments_and_says_so(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setenv("ARROCCO_VIDEO_ENGINE", "janus")
        monkeypatch.setenv("PATH", str(tmp_path))
        recordings = Recordings(tmp_path / "video", VideoSettings())
        with caplog.at_level(logging.WARNING):
            media = media_of(PartSettings(office=tmp_path, orders=0, ahead=0), recordings)
        assert isinstance(media, Segments)
        assert "no media server" in caplog.text

    def test_a_relay_s_password_is_the_one_that_coturn_computes(self, tmp_path: Path) -> None:
        servers = ("stun:192.0.2.1:3478", "turn:192.0.2.1:3478")
        settings = JanusSettings(ice=IceSettings(servers=servers, turn_secret="north"))
        recordings = Recordings(tmp_path / "video", VideoSettings())
        janus = Janus(recordings, settings, places(tmp_path))
        assert Segments(recordings, settings.ice).ice_servers("7") == janus.ice_servers("7")
        stun, turn = janus.ice_servers("7")
        assert (stun.urls, stun.username) == ("stun:192.0.2.1:3478", "")
        expires, _, account = turn.username.partition(":")
        assert account == "7"
        assert int(expires) > 0
        digest = hmac.digest(b"north", turn.username.encode(), hashlib.sha1)
        assert turn.credential == base64.b64encode(digest).decode()


def test_events_of_janus_tell_of_tracks() -> None:
    counted = b"""[{"emitter": "arrocco", "type": 32, "subtype": 3, "timestamp": 1,
        "session_id": 1, "handle_id": 7, "event": {"mid": "1", "mindex": 1, "media": "video",
        "base": 90000, "lost": 0, "packets-received": 63, "packets-sent": 0}},
        {"type": 16, "handle_id": 7, "event": {}}]"""
    assert read_events(counted) == [TrackTold(7, "video", packets=63)]
    stopped = b"""{"type": 32, "subtype": 1, "handle_id": 7,
        "event": {"media": "audio", "mid": "0", "receiving": false, "seconds": 2}}"""
    assert read_events(stopped) == [TrackTold(7, "audio", has_stopped=True)]
    assert read_events(b"{") == []
