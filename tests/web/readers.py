"""A browser for tests that only look: its office is opened once for all of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from anyio.from_thread import BlockingPortal
from litestar import Litestar
from litestar.testing import TestClient

from arrocco.web.app import create_app
from arrocco.wiring.office import Office


@contextmanager
def reader(filled: Path, portal: BlockingPortal, beside: Path) -> Iterator[TestClient[Litestar]]:
    """A browser of the public, before a copy of the office in `filled`."""
    folder = Path(shutil.copytree(filled, beside / "office"))
    with closing(Office.open(folder)) as office:
        client: TestClient[Litestar] = TestClient(create_app(office, secure=False))
        client.blocking_portal = portal
        yield client
