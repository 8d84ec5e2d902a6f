"""An office to back up, and a store that speaks S3 in a process of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from pyarrow import fs

from arrocco.desk import Office, passwords
from tests.databases import *  # noqa: F403 - fixtures
from tests.desk.offices import (
    Clock,
    accepted,
    people_of,
    published,
    report,
    write_opening,
)

KEYS = {"AWS_ACCESS_KEY_ID": "invented", "AWS_SECRET_ACCESS_KEY": "invented"}


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An office with two lists of FIDE, closed."""
    folder, clock = tmp_path_factory.mktemp("original"), Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", PasswordHasher(1, 64, 1))
        patch.setattr(os, "fsync", lambda _: None)
        patch.delenv("ARROCCO_DATABASE", raising=False)
        with closing(Office.open(folder / "office", now=clock)) as office:
            people = people_of(office)
            office.lists.import_list(
                people.administrator, "fide", date(2025, 5, 1), write_opening(folder / "fide.csv")
            )
            accepted(office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
            published(office, people, "fide", date(2025, 6, 1))
    return folder / "office"


@pytest.fixture
def folder(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it to work with."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.delenv("ARROCCO_DATABASE", raising=False)
    monkeypatch.setenv("ARROCCO_LANG", "en")
    return Path(shutil.copytree(original, tmp_path / "office"))


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """The address of a store that speaks S3."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert process.poll() is None, "the store has ended"
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture
def bucket(
    s3_server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> tuple[str, fs.S3FileSystem]:
    """The name of an empty bucket, and a way to look into it that is not the program's."""
    for name, value in {**KEYS, "AWS_REGION": "us-east-1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("ARROCCO_S3_ENDPOINT", s3_server)
    name = f"backups-{abs(hash(tmp_path))}"
    files = fs.S3FileSystem(
        endpoint_override=s3_server, region="us-east-1", allow_bucket_creation=True
    )
    files.create_dir(name)
    return name, files
