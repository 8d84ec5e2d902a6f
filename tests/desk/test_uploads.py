"""What people send: bounded whatever the headers say, hostile content refused with words."""

from __future__ import annotations

import io
import struct
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.desk.uploads import MAX_BYTES, plain_name, taken
from arrocco.errors import Malformed

TRF = b"012 Torneo Finto\n"


def zipped(*members: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return stream.getvalue()


def test_a_plain_file_is_taken_as_it_is() -> None:
    assert taken("open.trf", TRF) == ("open.trf", TRF, None)


def test_a_report_alone_in_an_archive_is_taken_out() -> None:
    assert taken("open.zip", zipped(("2025/", b""), ("2025/open.trf", TRF))) == (
        "open.trf",
        TRF,
        None,
    )


def test_9_4_what_macos_adds_to_an_archive_is_no_file_of_its_own() -> None:
    games = b'[Event "Finto"]\n'
    members = (
        ("open/open.trf", TRF),
        ("__MACOSX/open/._open.trf", b"x"),
        ("open/.DS_Store", b"x"),
        ("open/games.PGN", games),
    )
    found = taken("open.zip", zipped(*members))
    assert found == ("open.trf", TRF, ("games.PGN", games))


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"", "upload_empty"),
        (b"x" * (MAX_BYTES + 1), "upload_too_large"),
        (zipped(), "upload_members"),
        (zipped(("a.trf", TRF), ("b.trf", TRF)), "upload_members"),
        (zipped(("a.trf", TRF), ("b.pgn", b"x"), ("c.pgn", b"x")), "upload_members"),
        (zipped(("a.pgn", b"x"), ("c.pgn", b"x")), "upload_members"),
        (zipped(("a.trf", TRF), ("b.pgn", b"0" * (MAX_BYTES + 1))), "upload_too_large"),
        (zipped(("a.trf", b"")), "upload_empty"),
        (zipped(("a.trf", b"0" * (MAX_BYTES + 1))), "upload_too_large"),
        (zipped(("a.trf", TRF))[:-30], "upload_broken"),
        (b"PK\x03\x04 and nothing more", "upload_broken"),
    ],
    ids=[
        "nothing",
        "too large",
        "no member",
        "two members",
        "games twice",
        "games alone",
        "large games",
        "empty member",
        "bomb",
        "cut off",
        "no archive",
    ],
)
def test_what_cannot_be_a_report_is_refused(data: bytes, key: str) -> None:
    with pytest.raises(Malformed) as refused:
        taken("open.zip", data)
    assert refused.value.key == f"desk.refused.{key}"
    assert all(refused.value.said("it"))


def test_a_bomb_that_lies_about_its_size_is_counted() -> None:
    data = bytearray(zipped(("a.trf", b"0" * (2 * MAX_BYTES))))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(mark)
        data[at + offset : at + offset + 4] = struct.pack("<I", 100)
    with pytest.raises(Malformed):
        taken("bomb.zip", bytes(data))


def test_an_encrypted_member_is_refused() -> None:
    data = bytearray(zipped(("a.trf", TRF)))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    with pytest.raises(Malformed) as refused:
        taken("a.zip", bytes(data))
    assert refused.value.key == "desk.refused.upload_encrypted"


def test_a_member_without_a_name_is_a_file_like_others() -> None:
    data = zipped(("a.trf", TRF)).replace(b"a.trf", b"\0.trf")  # names end at the first zero
    assert taken("a.zip", data).content == TRF


@given(st.binary(max_size=300), st.integers(0, 120))
def test_no_archive_however_broken_gives_anything_but_a_refusal(noise: bytes, at: int) -> None:
    whole = zipped(("a.trf", TRF))
    broken = whole[:at] + noise + whole[at + len(noise) :]
    with suppress(Malformed):
        found = taken("a.zip", broken).content
        assert len(found) <= MAX_BYTES


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("../../etc/open.trf", "open.trf"),
        ("C:\\tornei\\open.trf", "open.trf"),
        ("a\x00b\nc.trf", "abc.trf"),
        ("", "report"),
        ("/", "report"),
        ("x" * 500 + ".trf", "x" * 116 + ".trf"),
    ],
)
def test_names_lose_their_folders_and_what_cannot_be_shown(given_name: str, kept: str) -> None:
    assert plain_name(given_name) == kept
