"""Blobs: under their own SHA-256, whole or not at all, refused when damaged."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from threading import Thread

import pytest

from arrocco.errors import Inconsistent
from arrocco.store.blobs import Blobs
from arrocco.words import LANGUAGES

DATA = b"012 An invented report"
NAME = hashlib.sha256(DATA).hexdigest()


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(tmp_path / "blobs")


def test_what_is_put_is_got_under_its_hash(blobs: Blobs) -> None:
    assert not blobs.has(NAME)
    assert blobs.put(DATA) == NAME
    assert blobs.has(NAME)
    assert blobs.get(NAME) == DATA
    assert (blobs.root / NAME[:2] / NAME[2:]).read_bytes() == DATA


def test_the_same_bytes_are_kept_once(blobs: Blobs) -> None:
    blobs.put(DATA)
    before = blobs.path(NAME).stat()
    assert blobs.put(DATA) == NAME
    assert blobs.path(NAME).stat().st_mtime_ns == before.st_mtime_ns
    assert list(blobs.all()) == [NAME]


def test_empty_bytes_are_bytes_too(blobs: Blobs) -> None:
    assert blobs.get(blobs.put(b"")) == b""


@pytest.mark.parametrize("damage", [b"", DATA[:-1], DATA + b"x", b"other bytes altogether"])
def test_a_damaged_blob_is_refused_in_words_and_mended_by_putting_it_again(
    blobs: Blobs, damage: bytes
) -> None:
    blobs.put(DATA)
    blobs.path(NAME).write_bytes(damage)
    with pytest.raises(Inconsistent) as refused:
        blobs.get(NAME)
    assert refused.value.key == "store.refused.blob_damaged"
    for language in LANGUAGES:
        assert NAME in refused.value.said(language)[0]
    blobs.put(DATA)
    assert blobs.get(NAME) == DATA


def test_a_missing_blob_is_refused(blobs: Blobs) -> None:
    with pytest.raises(Inconsistent) as refused:
        blobs.get(NAME)
    assert refused.value.key == "store.refused.blob_missing"


@pytest.mark.parametrize("name", ["", "../../etc/passwd", NAME[:-1], NAME.upper(), NAME + "\n"])
def test_what_is_no_hash_names_no_file(blobs: Blobs, name: str) -> None:
    for ask in (blobs.get, blobs.has, blobs.path):
        with pytest.raises(ValueError, match="SHA-256"):
            ask(name)


def test_all_names_what_is_there_in_order_and_no_unfinished_file(blobs: Blobs) -> None:
    assert list(blobs.all()) == []
    names = sorted(blobs.put(str(number).encode()) for number in range(40))
    (blobs.path(names[0]).parent / ".unfinished.part").write_bytes(b"half")
    (blobs.root / "notes").mkdir()
    assert list(blobs.all()) == names


def test_a_failure_while_writing_leaves_nothing(
    blobs: Blobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    blobs.put(b"another")
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            blobs.put(DATA)
    assert not blobs.has(NAME)
    assert not list(blobs.root.rglob("*.part"))


def test_a_blob_is_on_the_disk_before_its_name_is_given(
    blobs: Blobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    real = os.fsync

    def noted(handle: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{handle}").readlink()))
        real(handle)

    monkeypatch.setattr(os, "fsync", noted)
    blobs.put(DATA)
    assert any(name.endswith(".part") for name in synced)
    assert synced[-1] == str(blobs.path(NAME).parent)  # the rename, last of all
    assert str(blobs.root) in synced  # the new folder in its own


def test_many_threads_may_put_the_same_bytes(blobs: Blobs) -> None:
    threads = [Thread(target=blobs.put, args=(DATA,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert blobs.get(NAME) == DATA
    assert list(blobs.all()) == [NAME]
