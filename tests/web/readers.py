"""A browser for tests that only look: its office is opened once for all of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from anyio.from_thread import BlockingPortal
from litestar import Litestar
from litestar.testing import TestClient

from arrocco.desk import Office
from tests.web.apps import app_of


@contextmanager
def reader(filled: Path, portal: BlockingPortal, beside: Path) -> Iterator[TestClient[Litestar]]:
    """A browser of the public, before a copy of the office in `filled`."""
    folder = Path(shutil.copytree(filled, beside / "office"))
    with closing(Office.open(folder)) as office:
        client: TestClient[Litestar] = TestClient(app_of(office))
        client.blocking_portal = portal
        yield client
