"""The films of the invented players: WebM and WebP as a browser's, without anybody real."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from arrocco.demo.living.camera import Fault
from arrocco.demo.living.cast import Cast, Seat
from arrocco.demo.living.course import erase_old
from arrocco.demo.living.film import (
    HEAD,
    PICTURES,
    SCREEN_HEAD,
    SCREEN_SIZE,
    SECONDS,
    SIZE,
    SOUNDS,
    STILL_SIZE,
    Film,
    dark_film,
    film_of,
    screen_of,
)
from arrocco.video.erasure import certificate_of
from arrocco.video.recordings import Recordings, recording_files
from arrocco.video.settings import MAX_SLICE, MAX_STILL, VideoSettings
from arrocco.video.watching import DARK
from arrocco.video.webm import Frames, WebmReader
from arrocco.video.webm_writer import cluster, size_of


def light(webp: bytes) -> float:
    """The mean brightness of a still, of 255."""
    picture = Image.open(BytesIO(webp)).convert("L")
    return sum(picture.tobytes()) / (picture.width * picture.height)


@pytest.mark.parametrize("film", [film_of(1), dark_film()], ids=["face", "dark"])
def test_every_second_has_whole_pictures_and_sound(film: Film) -> None:
    reader = WebmReader()
    for number in range(2 * SECONDS):
        data = cluster(1000 * number, film.blocks[number % SECONDS])
        frames = reader.feed(data if number else HEAD + data)
        assert frames[:2] == Frames(PICTURES, SOUNDS, None)[:2]
        assert frames.key_at is not None  # who begins to watch sees something at once
        assert len(data) < MAX_SLICE
    assert reader.head_ends == len(HEAD)


def test_pictures_are_vp8_of_the_size_that_the_head_says() -> None:
    block = film_of(1).blocks[0]
    picture = block[block.index(b"\x9d\x01\x2a") - 3 :]
    assert size_of(picture) == SIZE


def test_a_shared_screen_is_a_whole_picture_without_sound() -> None:
    reader = WebmReader()
    frames = reader.feed(SCREEN_HEAD + cluster(0, screen_of(1)))
    assert (frames.video, frames.audio) == (1, 0)
    picture = screen_of(1)[screen_of(1).index(b"\x9d\x01\x2a") - 3 :]
    assert size_of(picture) == SCREEN_SIZE


def test_of_what_is_filmed_only_the_last_event_stays(tmp_path: Path) -> None:
    nobody = Seat(0, "", "", "", 0, 0, 0)
    for event in ("live-1", "live-2", "live-3", "open"):
        Recordings(tmp_path, VideoSettings(keep_free=0)).begin(event, 1, "camera").close()
    erase_old(Cast("", nobody, nobody, nobody, (), str(tmp_path)))
    assert [event for event, _ in recording_files(tmp_path)] == ["live-3", "open"]
    certificate = certificate_of(tmp_path, "live-1")
    assert certificate is not None
    assert [one.recording for one in certificate.recordings] == ["1-camera-1"]


def test_stills_show_a_face_that_moves_and_darkness_is_dark() -> None:
    film = film_of(1)
    assert len(set(film.stills)) > 1
    for still in film.stills:
        assert Image.open(BytesIO(still)).size == STILL_SIZE
        assert len(still) < MAX_STILL
        assert light(still) > 4 * DARK
    assert all(light(still) < DARK for still in dark_film().stills)


def test_the_same_number_has_the_same_face_and_others_have_others() -> None:
    assert film_of(7) == film_of(7)
    assert film_of(7).stills != film_of(8).stills


def test_a_camera_is_covered_in_turn_or_never() -> None:
    fault = Fault(45, 30)
    assert [fault.is_dark(at) for at in (0, 44, 45, 74, 75, 121)] == [
        True,
        True,
        False,
        False,
        True,
        False,
    ]
    assert not Fault().is_dark(0)
