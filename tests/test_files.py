"""Files are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from arrocco.files import replacing


def test_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "list"
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_failure_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"old")

    def fail() -> None:
        with replacing(path) as file:
            file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    with replacing(tmp_path / "one") as file:
        file.write(b"x")
    (tmp_path / "two").write_bytes(b"x")
    assert (tmp_path / "one").stat().st_mode == (tmp_path / "two").stat().st_mode
