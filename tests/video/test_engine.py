"""The video conference without sockets: slices, what is missing, what is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from arrocco.errors import Refusal
from arrocco.hall.presence import Problem, RecordingHead
from arrocco.video import recordings as recordings_module
from arrocco.video.chain import slice_hash
from arrocco.video.engine import REPLACED, Engine
from arrocco.video.erasure import erase
from arrocco.video.kept import kept_of
from arrocco.video.messages import Present, Status
from arrocco.video.recordings import Recording, Recordings
from arrocco.video.segments import Segments
from arrocco.video.session import Session
from arrocco.video.settings import VideoSettings
from arrocco.video.space import EVERY
from arrocco.video.stream import STILL, Stream, unframed
from arrocco.video.verification import Damage, verify
from arrocco.video.watching import TO_BEGIN, Reading
from arrocco.video.webm import WebmReader
from tests.video.slices import Sender, slices

EVENT = "open"


class Ear:
    """A socket."""

    def __init__(self) -> None:
        self.told: list[Struct] = []
        self.sent: list[bytes] = []
        self.code = 0

    def tell(self, message: Struct) -> None:
        self.told.append(message)

    def send(self, data: bytes) -> None:
        self.sent.append(data)

    def refuse(self, refusal: Refusal) -> None:
        raise refusal

    def close(self, code: int) -> None:
        self.code = code


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def change(path: Path, number: int, old: bytes, new: bytes) -> None:
    """Changes the line of a slice."""
    lines = path.read_bytes().splitlines(keepends=True)
    assert old in lines[number]
    lines[number] = lines[number].replace(old, new)
    path.write_bytes(b"".join(lines))


def cut(path: Path, count: int) -> None:
    """Leaves only so many lines."""
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:count]))


class Stage:
    """An engine whose time only tests move."""

    def __init__(self, folder: Path, **settings: int) -> None:
        self.now = 1_000_000
        kept = VideoSettings(**{"keep_free": 0, **settings})
        self.engine = Engine(Segments(Recordings(folder, kept)), lambda: self.now)
        self.folder = folder

    def join(self, entry: int = 1, ear: Ear | None = None, *, needs_room: bool = False) -> Session:
        return self.engine.join(
            EVENT,
            f"a{entry}",
            entry,
            f"Prova{entry}",
            ear or Ear(),
            needs_screen=True,
            needs_room=needs_room,
        )

    def begin(self, session: Session, kind: str = "camera") -> Sender:
        begun = self.engine.begin(session, kind)
        assert begun is not None
        return Sender(begun)

    def send(self, session: Session, sender: Sender, data: bytes) -> None:
        self.engine.take(session, *sender.next(data))

    def refusal(self, session: Session, header: bytes, data: bytes) -> str:
        with pytest.raises(Refusal) as caught:
            self.engine.take(session, header, data)
        return caught.value.key

    def sees(self, session: Session, *kinds: str) -> None:
        """Frames of everything in these streams have come."""
        for kind in kinds or ("camera", "screen"):
            session.came(kind, 1, 1, self.now)
        self.engine.look()

    def problems(self, session: Session) -> tuple[Problem, ...]:
        self.engine.look()
        return session.problems


def recording_of(session: Session) -> Recording:
    stream = session.streams["camera"]
    assert isinstance(stream, Stream)
    return stream.recording


Stages = Callable[..., Stage]


@pytest.fixture
def stages(tmp_path: Path) -> Iterator[Stages]:
    """Makes stages, and closes what they recorded."""
    made: list[Stage] = []

    def make(name: str = "video", **settings: int) -> Stage:
        made.append(Stage(tmp_path / name, **settings))
        return made[-1]

    yield make
    for one in made:
        one.engine.close()


@pytest.fixture
def stage(stages: Stages) -> Stage:
    return stages()


def test_frames_are_counted_wherever_the_browser_cuts() -> None:
    whole = b"".join(slices("camera"))
    frames = [WebmReader().feed(whole)]
    for size in (1, 7, 1000):
        reader = WebmReader()
        parts = [reader.feed(whole[at : at + size]) for at in range(0, len(whole), size)]
        frames.append(
            frames[0]._replace(
                video=sum(part.video for part in parts), audio=sum(part.audio for part in parts)
            )
        )
    assert {(frame.video, frame.audio) for frame in frames} == {(62, 145)}


def test_9_1a_a_stopped_camera_leaves_sound_only() -> None:
    reader = WebmReader()
    last = [reader.feed(data) for data in slices("camera")][-1]
    assert last.video == 0 < last.audio


@pytest.mark.parametrize("data", [b"no video", b"\x00" * 40, bytes.fromhex("1a45dfa3") + b"\x00"])
def test_what_is_no_webm_is_refused(stage: Stage, data: bytes) -> None:
    session = stage.join()
    sender = stage.begin(session)
    assert stage.refusal(session, *sender.next(data + bytes(100_000))) == "video.not_webm"


class TestSlicesThatAreRefused:
    def test_one_of_another_player(self, stage: Stage) -> None:
        first, second = stage.join(1), stage.join(2)
        sender = stage.begin(first)
        assert stage.refusal(second, *sender.next(slices("camera")[0])) == "video.not_yours"

    def test_one_that_came_before(self, stage: Stage) -> None:
        session = stage.join()
        sender = stage.begin(session)
        header, data = sender.next(slices("camera")[0])
        stage.engine.take(session, header, data)
        assert stage.refusal(session, header, data) == "video.replayed"

    def test_one_out_of_order_and_the_stream_goes_on(self, stage: Stage) -> None:
        session, (one, two, three) = stage.join(), slices("camera")[:3]
        sender = stage.begin(session)
        stage.send(session, sender, one)
        kept = sender.next(two)
        assert stage.refusal(session, *sender.next(three)) == "video.out_of_order"
        stage.engine.take(session, *kept)
        assert recording_of(session).slices == 2

    def test_one_that_does_not_fit_its_hash(self, stage: Stage) -> None:
        session = stage.join()
        header, data = stage.begin(session).next(slices("camera")[0])
        assert stage.refusal(session, header, data + b"!") == "video.hash_differs"

    def test_one_that_is_too_large(self, stage: Stage) -> None:
        session = stage.join()
        header, _ = stage.begin(session).next(b"")
        assert stage.refusal(session, header, bytes(600_000)) == "video.too_large"

    def test_a_header_that_is_none(self, stage: Stage) -> None:
        assert stage.refusal(stage.join(), b"{", b"") == "video.not_a_message"


class TestWhatIsMissing:
    def test_all_is_there(self, stage: Stage) -> None:
        session = self.streaming(stage)
        assert stage.problems(session) == ()
        assert session.presence.is_on

    def test_9_1_a_player_who_has_just_joined_has_time_to_begin(self, stage: Stage) -> None:
        session = stage.join()
        assert stage.problems(session) == ()
        stage.now += TO_BEGIN + 2_600
        missing = (Problem.NO_CAMERA, Problem.NO_MICROPHONE)
        assert stage.problems(session) == missing

    def test_9_1a_a_stopped_camera_is_seen_by_its_frames(self, stage: Stage) -> None:
        session = self.streaming(stage)
        assert session.watched is not None
        for _ in range(3):
            stage.now += 1_000
            session.watched.frames("camera", 0, 20, stage.now)
        assert stage.problems(session) == (Problem.NO_CAMERA,)
        assert not session.presence.is_on

    @pytest.mark.parametrize(
        ("readings", "problem", "is_on"),
        [
            ([Reading(light=3)], Problem.BLACK, False),
            ([Reading(change=0)] * 5, Problem.FROZEN, False),
            ([Reading(level=0)] * 2, Problem.SILENT, False),
            ([Reading(camera=False)], Problem.NO_CAMERA, False),
            ([Reading(microphone=False)], Problem.NO_MICROPHONE, False),
            ([Reading(screen=False)], Problem.NO_SCREEN, False),
            ([Reading(surface="window")], Problem.PART_OF_SCREEN, True),
            ([Reading(extended=True)], Problem.SECOND_MONITOR, True),
            ([Reading(focused=False)], Problem.UNFOCUSED, True),
        ],
    )
    def test_what_the_browser_measures(
        self, stage: Stage, readings: list[Reading], problem: Problem, is_on: bool
    ) -> None:
        session = self.streaming(stage)
        for reading in readings[:-1]:
            stage.engine.read(session, reading)
        assert not session.problems
        stage.engine.read(session, readings[-1])
        assert session.problems == (problem,)
        assert session.presence.is_on is is_on
        assert problem.article
        stage.engine.read(session, Reading())
        assert not session.presence.problems

    def test_7_9_a_socket_that_is_gone(self, stage: Stage) -> None:
        ear = Ear()
        session = stage.join(ear=ear)
        stage.engine.gone(session, ear)
        assert session.problems == (Problem.LOST,)
        stage.join()
        assert not session.presence.problems

    def test_a_second_page_takes_the_place_of_the_first(self, stage: Stage) -> None:
        first, second = Ear(), Ear()
        session = stage.join(ear=first)
        stage.join(ear=second)
        assert first.code == REPLACED
        stage.engine.gone(session, first)
        assert session.peer is second

    def test_5_14_who_has_finished_rests_and_nothing_is_missing(self, stage: Stage) -> None:
        ear = Ear()
        session = stage.join(ear=ear)
        with pytest.raises(Refusal, match="until your game is over"):
            stage.engine.rest(session)
        assert not session.presence.is_resting
        stage.engine.set_needed([(EVENT, "a1")])
        status = ear.told[-1]
        assert isinstance(status, Status)
        assert not status.needed
        stage.engine.rest(session)
        assert session.presence.is_resting
        assert session.problems == ()
        with pytest.raises(Refusal, match="not in the video"):
            stage.engine.begin(session, "camera")

    @pytest.mark.parametrize("missing", ["video", "audio", "screen"])
    def test_9_1f_who_has_joined_is_there_once_everything_has_come(
        self, stage: Stage, missing: str
    ) -> None:
        session = stage.join()
        for part in {"video", "audio", "screen"} - {missing}:
            kind = "screen" if part == "screen" else "camera"
            session.came(kind, part != "audio", part == "audio", stage.now)
        stage.engine.look()
        assert (session.presence.is_on, session.problems) == (False, ())
        kind = "screen" if missing == "screen" else "camera"
        session.came(kind, missing != "audio", missing == "audio", stage.now)
        assert stage.engine.look()  # the hall is told at once
        assert session.presence.is_on

    def test_9_1f_joining_again_and_again_is_not_being_there(self, stage: Stage) -> None:
        session = self.streaming(stage)
        stage.engine.look()
        assert session.presence.is_on
        for _ in range(5):
            stage.join()
            stage.now += TO_BEGIN - 1_000
            stage.engine.look()
            assert not session.presence.is_on

    def test_9_1f_who_was_seen_before_a_fault_of_the_server_is_not_held_up_by_it(
        self, stage: Stage
    ) -> None:
        seen, joined = self.streaming(stage), stage.join(2)
        stage.engine.look()
        stage.engine.went_away()
        stage.engine.came_back()
        stage.engine.look()
        assert (seen.presence.is_on, joined.presence.is_on) == (True, False)

    def test_who_is_gone_and_need_not_be_there_is_forgotten(self, stage: Stage) -> None:
        ear = Ear()
        session = stage.join(ear=ear)
        stage.engine.gone(session, ear)
        stage.engine.set_needed([])
        assert stage.engine.presence()
        stage.engine.set_needed([(EVENT, "a1")])
        assert not stage.engine.presence()

    @staticmethod
    def streaming(stage: Stage) -> Session:
        session = stage.join()
        for kind in ("camera", "screen"):
            sender = stage.begin(session, kind)
            for data in slices(kind)[:2]:
                stage.send(session, sender, data)
        return session


class TestWatching:
    def test_an_arbiter_sees_who_is_there_and_stills_that_are_not_kept(self, stage: Stage) -> None:
        ear = Ear()
        stage.engine.follow(ear, EVENT, lambda entry: entry == 1)
        for entry in (1, 2):
            stage.engine.still(stage.join(entry), b"RIFF....WEBP")
        present = ear.told[-1]
        assert isinstance(present, Present)
        assert [player.entry for player in present.players] == [1]
        assert [data[:1] for data in ear.sent] == [STILL]
        assert not list(stage.folder.rglob("*.webp"))

    def test_a_still_that_is_none(self, stage: Stage) -> None:
        session = stage.join()
        for data in (b"<svg>", b"RIFF" + bytes(20_000)):
            with pytest.raises(Refusal):
                stage.engine.still(session, data)

    def test_who_begins_to_watch_gets_the_head_and_the_last_key_frame(self, stage: Stage) -> None:
        session, ear, parts = stage.join(), Ear(), slices("camera")
        sender = stage.begin(session)
        for data in parts[:4]:
            stage.send(session, sender, data)
        stage.engine.watch(ear, EVENT, 1, "camera")
        stage.send(session, sender, parts[4])
        first, then = (bytes(unframed(data).body) for data in ear.sent)
        reader = WebmReader()
        shown = reader.feed(first)
        assert shown.key_at == reader.head_ends
        assert 0 < shown.video < 40
        assert then == parts[4]

    def test_a_stream_that_begins_anew_is_shown_to_who_watched_the_one_before(
        self, stage: Stage
    ) -> None:
        session, ear = stage.join(), Ear()
        stage.engine.watch(ear, EVENT, 1, "camera")
        assert not ear.sent
        for _ in range(2):
            stage.send(session, stage.begin(session), slices("camera")[0])
        assert len(ear.sent) == 2
        stage.engine.leave(ear)
        stage.send(session, stage.begin(session), slices("camera")[0])
        assert len(ear.sent) == 2


class TestRecordings:
    def test_what_is_kept_can_be_played_and_proves_itself(self, stage: Stage) -> None:
        head = self.recorded(stage)
        assert (stage.folder / EVENT / "1-camera-1.webm").read_bytes() == b"".join(slices("camera"))
        checked = verify(stage.folder, EVENT, "1-camera-1", [head])
        assert (checked.slices, checked.fault) == (8, None)

    @pytest.mark.parametrize("at", [0, 5424, 20_425, 32_700])
    def test_one_byte_that_is_changed_names_its_slice(self, stage: Stage, at: int) -> None:
        head = self.recorded(stage)
        path = stage.folder / EVENT / "1-camera-1.webm"
        data = bytearray(path.read_bytes())
        data[at] ^= 1
        path.write_bytes(data)
        fault = verify(stage.folder, EVENT, "1-camera-1", [head]).fault
        assert fault is not None
        ends, total = [], 0
        for one in slices("camera"):
            ends.append(total := total + len(one))
        number = next(n for n, end in enumerate(ends) if at < end)
        assert (fault.damage, fault.slice) == (Damage.CHANGED, number)
        assert fault.at == 1_000_000

    def test_slices_that_were_taken_away_are_missed_by_the_log(self, stage: Stage) -> None:
        head = self.recorded(stage)
        media = stage.folder / EVENT / "1-camera-1.webm"
        lines = media.with_suffix(".slices")
        media.write_bytes(media.read_bytes()[: len(slices("camera")[0])])
        lines.write_bytes(lines.read_bytes().partition(b"\n")[0] + b"\n")
        assert verify(stage.folder, EVENT, "1-camera-1").fault is None
        fault = verify(stage.folder, EVENT, "1-camera-1", [head]).fault
        assert fault is not None
        assert (fault.damage, fault.slice) == (Damage.MISSING, 1)

    def test_another_recording_in_its_place_is_not_the_one_of_the_log(
        self, stage: Stage, stages: Stages
    ) -> None:
        head = self.recorded(stage, "screen")
        other = stages("other")
        self.recorded(other)
        assert verify(other.folder, EVENT, "1-camera-1").fault is None
        fault = verify(other.folder, EVENT, "1-camera-1", [head]).fault
        assert fault is not None
        assert (fault.damage, fault.slice) == (Damage.OTHER, head.slices - 1)

    def test_what_a_killed_process_had_half_written_is_told_and_is_no_damage(
        self, stage: Stage, caplog: pytest.LogCaptureFixture
    ) -> None:
        head = self.recorded(stage)
        media = stage.folder / EVENT / "1-camera-1.webm"
        whole = media.read_bytes()
        (span,) = [kept.span for kept in kept_of(stage.folder, EVENT)]
        media.write_bytes(whole + b"half a slice")
        with media.with_suffix(".slices").open("ab") as lines:
            lines.write(b'{"number": 8')
        Recordings(stage.folder, VideoSettings(keep_free=0))
        assert not caplog.text
        assert media.read_bytes() == whole + b"half a slice"
        checked = verify(stage.folder, EVENT, "1-camera-1", [head])
        assert (checked.fault, checked.slices, checked.rest) == (None, head.slices, 12)
        assert [kept.span for kept in kept_of(stage.folder, EVENT)] == [span]

    @pytest.mark.parametrize(
        ("damage", "found", "number", "is_told"),
        [
            (lambda lines: lines.unlink(), Damage.NO_LIST, 0, True),
            # Too short to be told from a slice half written, but by the log of the hall.
            (lambda lines: lines.write_bytes(b""), Damage.MISSING, 0, False),
            (lambda lines: lines.write_bytes(lines.read_bytes()[:40]), Damage.MISSING, 0, False),
            (lambda lines: cut(lines, 3), Damage.MISSING, 3, False),
            (lambda lines: flip(lines, 3), Damage.LIST, 0, True),
            (lambda lines: flip(lines, -1), Damage.LIST, 7, True),
            (lambda lines: change(lines, 7, b'"end":', b'"end":1'), Damage.LIST, 7, True),
            (lambda lines: change(lines, 5, b'"at":1', b'"at":2'), Damage.LIST, 5, True),
            (lambda lines: change(lines, 5, b'"seal"', b'"sael"'), Damage.LIST, 5, True),
        ],
        ids="gone empty cut-short three-lines first-byte last-newline end moment seal".split(),
    )
    def test_a_damaged_list_never_costs_the_recording(
        self,
        stage: Stage,
        caplog: pytest.LogCaptureFixture,
        damage: Callable[[Path], object],
        found: Damage,
        number: int,
        is_told: bool,
    ) -> None:
        head = self.recorded(stage)
        media = stage.folder / EVENT / "1-camera-1.webm"
        whole, lines = media.read_bytes(), media.with_suffix(".slices")
        media.write_bytes(whole + b"half a slice")
        damage(lines)
        kept = lines.read_bytes() if lines.exists() else None
        store = Recordings(stage.folder, VideoSettings(keep_free=0, quota=1 << 30))
        assert media.read_bytes() == whole + b"half a slice"
        assert (lines.read_bytes() if lines.exists() else None) == kept
        assert ("1-camera-1" in caplog.text) is is_told
        fault = verify(stage.folder, EVENT, "1-camera-1", [head]).fault
        assert fault is not None
        assert (fault.damage, fault.slice) == (found, number)

        following = store.begin(EVENT, 1, "camera")  # beside it
        data = slices("camera")[0]
        following.add(data, slice_hash(following.hash, data), 1, 1, 1)
        following.close()
        assert (following.name, following.stopped) == ("1-camera-2", "")
        assert verify(stage.folder, EVENT, "1-camera-2", [following.head]).fault is None

    def test_a_list_whose_film_is_gone_is_not_written_over(self, stage: Stage) -> None:
        self.recorded(stage)
        media = stage.folder / EVENT / "1-camera-1.webm"
        lines = media.with_suffix(".slices").read_bytes()
        media.unlink()
        store = Recordings(stage.folder, VideoSettings(keep_free=0))
        store.begin(EVENT, 1, "camera").close()
        assert media.with_suffix(".slices").read_bytes() == lines
        assert (stage.folder / EVENT / "1-camera-2.slices").exists()

    def test_the_name_of_an_erased_recording_does_not_come_again(self, stage: Stage) -> None:
        self.recorded(stage)
        erase(stage.folder, EVENT, "2026-01-02T03:04:05Z", "somebody", "12.3")
        store = Recordings(stage.folder, VideoSettings(keep_free=0))
        assert store.next_name(EVENT, 1, "camera") == "1-camera-2"

    def test_12_3_what_has_no_list_is_erased_too(self, stage: Stage) -> None:
        self.recorded(stage)
        (stage.folder / EVENT / "1-camera-1.slices").unlink()
        certificate = erase(stage.folder, EVENT, "2026-01-02T03:04:05Z", "somebody", "12.3")
        assert [one.was_whole for one in certificate.recordings] == [False]
        assert [path.name for path in (stage.folder / EVENT).iterdir()] == ["erased.json"]

    def test_lists_of_older_programs_have_no_seals_and_are_read(self, stage: Stage) -> None:
        head = self.recorded(stage)
        lines = stage.folder / EVENT / "1-camera-1.slices"
        lines.write_bytes(re.sub(rb',"seal":"[0-9a-f]+"', b"", lines.read_bytes()))
        assert b"seal" not in lines.read_bytes()
        assert verify(stage.folder, EVENT, "1-camera-1", [head]).fault is None

    @pytest.mark.parametrize(
        ("settings", "why"),
        [
            ({"quota": 12_000}, "quota"),
            ({"player_quota": 12_000}, "player_quota"),
            ({"keep_free": 1 << 60}, "disk"),
        ],
    )
    def test_what_is_over_the_quota_is_shown_and_not_kept(
        self, stages: Stages, settings: dict[str, int], why: str
    ) -> None:
        stage = stages(**settings)
        session, ear = stage.join(), Ear()
        stage.engine.watch(ear, EVENT, 1, "camera")
        sender = stage.begin(session)
        for data in slices("camera")[:4]:
            stage.send(session, sender, data)
        stage.sees(session, "screen")
        assert session.not_recorded == why
        assert session.presence.is_on
        assert len(ear.sent) == 4
        assert verify(stage.folder, EVENT, "1-camera-1").fault is None

    def test_what_was_used_before_counts(self, stage: Stage) -> None:
        self.recorded(stage)
        after = Recordings(stage.folder, VideoSettings())
        assert after.used == stage.engine.media.recordings.used == len(b"".join(slices("camera")))
        following = after.begin(EVENT, 1, "camera")
        following.close()
        assert following.name == "1-camera-2"

    def test_what_another_process_erased_counts_no_more(
        self, stages: Stages, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """12.3 — the announcement erases in the site's process, the video goes on beside it."""
        monkeypatch.setattr(recordings_module, "LOOK_AT_DISK", 0.0)
        data = slices("camera")
        stage = stages(quota=len(b"".join(data)))
        self.recorded(stage)
        store = stage.engine.media.recordings
        other = store.begin("another-event", 1, "camera")
        assert store.objection("another-event", other.name, len(data[0])) == "quota"
        erase(stage.folder, EVENT, "2026-01-02T03:04:05Z", "somebody", "12.3")
        other.add(data[0], "0" * 64, 1, 1, 1)
        other.close()
        assert (other.stopped, store.used) == ("", len(data[0]))
        assert store.next_name(EVENT, 1, "camera") == "1-camera-2"  # no name comes twice

    def test_12_3_the_arbiter_is_told_how_long_there_is_room(self, stages: Stages) -> None:
        data = slices("camera")
        stage = stages(quota=60 * len(b"".join(data)))
        session, ear = stage.join(), Ear()
        stage.engine.follow(ear, EVENT, lambda entry: True)
        sender = stage.begin(session)
        minutes: list[int | None] = []
        for one in data[:4]:  # a slice every ten seconds
            stage.send(session, sender, one)
            ear.told.clear()
            stage.engine.look()  # nothing else is new: it is told all the same
            told = [message for message in ear.told if isinstance(message, Present)][-1]
            minutes.append(told.minutes)
            stage.now += EVERY
        assert told.free == told.quota - told.used
        assert minutes[:3] == [None, None, None]  # too short to tell
        pace = len(b"".join(data[1:4])) / 30
        assert minutes[3] == int(told.free / pace / 60)

    def test_what_the_disk_has_not_is_no_room(self, stages: Stages) -> None:
        stage = stages(keep_free=1 << 60)
        ear = Ear()
        stage.engine.follow(ear, EVENT, lambda entry: True)
        (told,) = [message for message in ear.told if isinstance(message, Present)]
        assert (told.free, told.minutes) == (0, None)

    def test_heads_that_could_not_be_entered_are_tried_again(self, stage: Stage) -> None:
        self.recorded(stage)
        heads = stage.engine.take_heads()
        assert stage.engine.take_heads() == {}
        stage.engine.put_back(heads)
        assert stage.engine.take_heads() == heads

    @staticmethod
    def recorded(stage: Stage, kind: str = "camera") -> RecordingHead:
        session = stage.join()
        sender = stage.begin(session, "camera")
        for data in slices(kind):
            stage.send(session, sender, data)
        return recording_of(session).head
