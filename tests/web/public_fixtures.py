"""The office with lists, made once; nothing here changes it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal
from argon2 import PasswordHasher
from litestar import Litestar
from litestar.testing import TestClient

from arrocco.desk import Office, passwords
from tests.made_once import made_once
from tests.web.apps import app_of
from tests.web.conftest import Client
from tests.web.public_office import fill_public


@dataclass(frozen=True)
class Public:
    """An office with lists, its application, and a browser of the public."""

    office: Office
    app: Litestar
    client: Client


_COPIED: dict[str, Path] = {}


@pytest.fixture(scope="session")
def public_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the office; modules that ask for it share one in each process."""
    if "folder" not in _COPIED:
        made = made_once(tmp_path_factory, "public", _make)
        _COPIED["folder"] = tmp_path_factory.mktemp("public") / "office"
        shutil.copytree(made / "office", _COPIED["folder"])
    return _COPIED["folder"]


def _make(folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        weak = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
        patch.setattr(passwords, "_HASHER", weak)
        patch.setattr("os.fsync", lambda _: None)
        fill_public(folder / "office")


@pytest.fixture(scope="module")
def public(public_folder: Path, portal: BlockingPortal) -> Iterator[Public]:
    """The office for everybody to look at, as it is."""
    with closing(Office.open(public_folder)) as office:
        yield _opened(office, portal)


@pytest.fixture
def own_public(public_folder: Path, tmp_path: Path, portal: BlockingPortal) -> Iterator[Public]:
    """A copy of it that a test may change."""
    folder = Path(shutil.copytree(public_folder, tmp_path / "office"))
    with closing(Office.open(folder)) as office:
        yield _opened(office, portal)


def _opened(office: Office, portal: BlockingPortal) -> Public:
    app = app_of(office)
    client: Client = TestClient(app)
    client.blocking_portal = portal
    return Public(office, app, client)
