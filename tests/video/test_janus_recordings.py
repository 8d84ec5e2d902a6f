"""What Janus records: chained while it grows, verified, joined into films that play."""

from __future__ import annotations

import json
import shutil
import subprocess
import warnings
from pathlib import Path

import pytest

from arrocco.errors import Malformed
from arrocco.video.erasure import erase
from arrocco.video.export import export
from arrocco.video.janus.packets import HEAD, LENGTH, frames_of, head_of
from arrocco.video.janus.tracks import Track, whole_packets
from arrocco.video.recordings import Recordings, recordings_of
from arrocco.video.verification import Damage, verify
from arrocco.video.webm import WebmReader
from tests.video import tracks
from tests.video.tracks import PICTURE, PIECE, SOUND, store_at

EVENT = "prova"


def recorded(folder: Path, *sources: Path, rest: bytes = b"") -> Recordings:
    return tracks.recorded(folder, EVENT, "1-camera-1", *sources, rest=rest)


def packets_of(data: bytes) -> list[bytes]:
    """The parts of a file: what is said of it, then each packet."""
    parts, at = [], 0
    while at < len(data):
        ends = at + HEAD + LENGTH
        ends += int.from_bytes(data[ends - LENGTH : ends], "big")
        parts.append(data[at:ends])
        at = ends
    return parts


class TestChaining:
    def test_a_recording_that_grows_anywhere_is_whole(self, tmp_path: Path) -> None:
        recorded(tmp_path, PICTURE, SOUND)
        for name in recordings_of(tmp_path, EVENT):
            checked = verify(tmp_path, EVENT, name)
            assert checked.fault is None
            assert checked.slices > 1
        assert len(recordings_of(tmp_path, EVENT)) == 2

    def test_a_changed_byte_is_found_with_its_slice(self, tmp_path: Path) -> None:
        recorded(tmp_path, PICTURE)
        path = tmp_path / EVENT / PICTURE.name
        data = bytearray(path.read_bytes())
        data[PIECE + 100] ^= 1
        path.write_bytes(data)
        fault = verify(tmp_path, EVENT, PICTURE.stem).fault
        assert fault is not None
        assert (fault.damage, fault.slice) == (Damage.CHANGED, 1)

    def test_half_a_packet_of_a_janus_that_was_killed_is_taken_away(self, tmp_path: Path) -> None:
        recorded(tmp_path, PICTURE, rest=packets_of(PICTURE.read_bytes())[1][:-5])
        assert (tmp_path / EVENT / PICTURE.name).read_bytes() == PICTURE.read_bytes()
        assert verify(tmp_path, EVENT, PICTURE.stem).fault is None

    def test_a_video_process_that_was_killed_leaves_what_was_chained(self, tmp_path: Path) -> None:
        recorded(tmp_path, PICTURE)
        with (tmp_path / EVENT / PICTURE.name).open("ab") as file:
            file.write(packets_of(PICTURE.read_bytes())[1])
        after = store_at(tmp_path)
        checked = verify(tmp_path, EVENT, PICTURE.stem)
        assert (checked.fault, checked.bytes) == (None, PICTURE.stat().st_size)
        assert after.used == checked.bytes + checked.rest
        assert after.next_name(EVENT, 1, "camera") == "1-camera-2"

    def test_over_the_quota_it_says_so(self, tmp_path: Path) -> None:
        store = store_at(tmp_path, player_quota=10_000)
        (tmp_path / EVENT).mkdir()
        path = tmp_path / EVENT / PICTURE.name
        shutil.copy(PICTURE, path)
        track = Track(store, EVENT, path)
        assert track.grow(1) == "player_quota"
        track.close()

    def test_12_3_it_is_erased_like_every_other(self, tmp_path: Path) -> None:
        recorded(tmp_path, PICTURE, SOUND)
        certificate = erase(tmp_path, EVENT, "2026-11-18T12:00:00Z", "ada", "announced")
        assert [one.was_whole for one in certificate.recordings] == [True, True]
        assert [path.name for path in (tmp_path / EVENT).iterdir()] == ["erased.json"]

    def test_whole_packets_are_counted(self) -> None:
        data = PICTURE.read_bytes()
        whole = whole_packets(data)
        assert whole.size == len(data)
        assert whole.packets == len(packets_of(data)) - 1
        assert whole.frames == len(list(frames_of(PICTURE)))
        assert whole_packets(data[:-1]).size == len(data) - len(packets_of(data)[-1])
        assert whole_packets(b"").size == 0


class TestFrames:
    def changed(self, tmp_path: Path, parts: list[bytes]) -> Path:
        path = tmp_path / PICTURE.name
        path.write_bytes(b"".join(parts))
        return path

    def test_packets_out_of_order_and_twice_give_the_same_pictures(self, tmp_path: Path) -> None:
        head, *packets = packets_of(PICTURE.read_bytes())
        packets[3], packets[5] = packets[5], packets[3]
        path = self.changed(tmp_path, [head, *packets, packets[7]])
        assert list(frames_of(path)) == list(frames_of(PICTURE))

    def test_a_picture_of_which_a_packet_is_missing_is_left_out(self, tmp_path: Path) -> None:
        head, *packets = packets_of(PICTURE.read_bytes())
        path = self.changed(tmp_path, [head, *packets[:6], *packets[7:]])
        frames, all_frames = list(frames_of(path)), list(frames_of(PICTURE))
        assert len(frames) == len(all_frames) - 1
        assert set(frames) < set(all_frames)

    def test_numbers_start_again(self, tmp_path: Path) -> None:
        """RTP counts packets to 65535 and then from 0 again."""
        head, *packets = packets_of(PICTURE.read_bytes())
        begins = HEAD + LENGTH
        moved = []
        for packet in packets:
            number = int.from_bytes(packet[begins + 2 : begins + 4], "big") + 65_520
            moved.append(
                packet[: begins + 2] + (number % 65_536).to_bytes(2, "big") + packet[begins + 4 :]
            )
        assert list(frames_of(self.changed(tmp_path, [head, *moved]))) == list(frames_of(PICTURE))

    def test_a_file_of_which_nothing_came_has_none(self, tmp_path: Path) -> None:
        assert list(frames_of(self.changed(tmp_path, []))) == []

    def test_what_janus_did_not_write_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(Malformed) as refused:
            head_of(self.changed(tmp_path, [b"something else entirely"]))
        assert refused.value.key == "recording.not_a_track"


class TestFilms:
    def test_picture_and_sound_are_in_one_film(self, tmp_path: Path) -> None:
        recorded(tmp_path, PICTURE, SOUND)
        [film] = export(tmp_path, EVENT, tmp_path / "films")
        assert film.recording == "1-camera-1"
        data = (tmp_path / "films" / "1-camera-1.webm").read_bytes()
        frames = WebmReader().feed(data)
        assert frames.video == len(list(frames_of(PICTURE)))
        assert frames.audio == len(list(frames_of(SOUND)))

    def test_sound_alone_is_a_film_too(self, tmp_path: Path) -> None:
        recorded(tmp_path, SOUND)
        export(tmp_path, EVENT, tmp_path / "films")
        frames = WebmReader().feed((tmp_path / "films" / "1-camera-1.webm").read_bytes())
        assert (frames.video, frames.audio) == (0, len(list(frames_of(SOUND))))

    def test_another_program_plays_it(self, tmp_path: Path) -> None:
        if shutil.which("ffmpeg") is None:
            warnings.warn("NO FFMPEG: films are not played by another program", stacklevel=1)
            pytest.skip("NO FFMPEG: install Debian's package `ffmpeg`")
        recorded(tmp_path, PICTURE, SOUND)
        export(tmp_path, EVENT, tmp_path / "films")
        film = tmp_path / "films" / "1-camera-1.webm"
        told = _run(
            "ffprobe",
            "-v",
            "error",
            "-show_streams",
            "-show_format",
            "-count_frames",
            "-of",
            "json",
            str(film),
        )
        found = json.loads(told)
        by_codec = {stream["codec_name"]: stream for stream in found["streams"]}
        assert set(by_codec) == {"vp8", "opus"}
        assert int(by_codec["vp8"]["nb_read_frames"]) == len(list(frames_of(PICTURE)))
        assert (by_codec["vp8"]["width"], by_codec["vp8"]["height"]) == (320, 240)
        assert 3 < float(found["format"]["duration"]) < 4
        _run("ffmpeg", "-v", "error", "-xerror", "-i", str(film), "-f", "null", "-")


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout
