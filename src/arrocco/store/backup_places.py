"""Where backups are kept: a folder, or a bucket of a store that speaks S3; whole files only."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from arrocco.errors import Inconsistent
from arrocco.files import sync, sync_folder
from arrocco.words import system

S3 = "s3://"
ENDPOINT_VARIABLE = "ARROCCO_S3_ENDPOINT"
_PART = 1 << 20


class Place(Protocol):
    """A place for backups. Every method raises `Inconsistent` where the place cannot be used."""

    @property
    def scratch(self) -> Path | None:
        """Where to write a file that is then put here; `None` where it makes no difference."""

    def names(self) -> list[str]:
        """The names of all files, in order."""

    def put(self, name: str, file: Path) -> None:
        """Brings a file here; it appears whole or not at all, and never in place of another."""

    def get(self, name: str, target: Path) -> None:
        """Writes a file that is here to a new file."""

    def sha256(self, name: str) -> str:
        """The hash of a file as it is here."""

    def remove(self, name: str) -> None:
        """Takes a file away."""


def place_of(where: str, endpoint: str = "") -> Place:
    """The place of a text: a folder, or ``s3://bucket/prefix``."""
    if where.startswith(S3):
        return S3Place(where, endpoint)
    return FolderPlace(Path(where))


def place_and_name(where: str, endpoint: str = "") -> tuple[Place, str]:
    """The place of a file, and its name there."""
    if where.startswith(S3):
        prefix, _, name = where.rpartition("/")
        return S3Place(prefix, endpoint), name
    path = Path(where)
    return FolderPlace(path.parent), path.name


class FolderPlace:
    """A folder; made where it is missing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __str__(self) -> str:
        return str(self.folder)

    @property
    def scratch(self) -> Path | None:
        with _told(self, self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.folder  # so that the last step is a rename

    def names(self) -> list[str]:
        with _told(self, self.folder):
            return sorted(path.name for path in self.folder.iterdir() if path.is_file())

    def put(self, name: str, file: Path) -> None:
        target = self.folder / name
        with _told(self, target):
            if target.exists():
                raise Inconsistent.of("store.backup.in_the_way", target=target)
            file.chmod(0o600)
            sync(file)
            file.rename(target)
            sync_folder(self.folder)

    def get(self, name: str, target: Path) -> None:
        with _told(self, self.folder / name), (self.folder / name).open("rb") as source:
            _copy(source, target)

    def sha256(self, name: str) -> str:
        with _told(self, self.folder / name), (self.folder / name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def remove(self, name: str) -> None:
        with _told(self, self.folder / name):
            (self.folder / name).unlink()


class S3Place:
    """A bucket, or what is below a prefix in it.

    The keys come from where programs of AWS look for them: AWS_ACCESS_KEY_ID and
    AWS_SECRET_ACCESS_KEY, or a file of profiles. `endpoint` is the address of a store elsewhere.
    """

    def __init__(self, where: str, endpoint: str = "") -> None:
        self._path = where.removeprefix(S3).rstrip("/")
        self._where = S3 + self._path
        if not self._path or self._path.startswith("/"):
            raise Inconsistent.of("store.backup.no_bucket", place=where)
        from pyarrow import fs

        given: dict[str, Any] = {}
        if chosen := endpoint or os.environ.get(ENDPOINT_VARIABLE, ""):
            given["endpoint_override"] = chosen
        if region := os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION"):
            given["region"] = region
        with _told(self, self._where):
            # Written in the call, not behind it: what goes wrong is then known here.
            self._files = fs.S3FileSystem(background_writes=False, **given)
        self._kind = fs.FileType.File
        self._selector = fs.FileSelector

    def __str__(self) -> str:
        return self._where

    @property
    def scratch(self) -> Path | None:
        return None

    def names(self) -> list[str]:
        with _told(self, self._where):
            infos = self._files.get_file_info(self._selector(self._path, allow_not_found=True))
        return sorted(info.base_name for info in infos if info.type == self._kind)

    def put(self, name: str, file: Path) -> None:
        with _told(self, f"{self._where}/{name}"):
            if self._files.get_file_info(self._at(name)).type == self._kind:
                raise Inconsistent.of("store.backup.in_the_way", target=f"{self._where}/{name}")
            try:
                with (
                    file.open("rb") as source,
                    self._files.open_output_stream(self._at(name)) as to,
                ):
                    shutil.copyfileobj(source, to, _PART)
            except BaseException:
                # Closing the stream has completed what was sent so far: half a backup is none.
                with suppress(OSError):
                    self._files.delete_file(self._at(name))
                raise
            size = self._files.get_file_info(self._at(name)).size
            if size != file.stat().st_size:
                raise OSError(f"{size} bytes arrived")

    def get(self, name: str, target: Path) -> None:
        with (
            _told(self, f"{self._where}/{name}"),
            self._files.open_input_stream(self._at(name)) as source,
        ):
            _copy(source, target)

    def sha256(self, name: str) -> str:
        digest = hashlib.sha256()
        with (
            _told(self, f"{self._where}/{name}"),
            self._files.open_input_stream(self._at(name)) as source,
        ):
            while part := source.read(_PART):
                digest.update(part)
        return digest.hexdigest()

    def remove(self, name: str) -> None:
        with _told(self, f"{self._where}/{name}"):
            self._files.delete_file(self._at(name))

    def _at(self, name: str) -> str:
        return f"{self._path}/{name}"


def _copy(source: BinaryIO, target: Path) -> None:
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        shutil.copyfileobj(source, file, _PART)


@contextmanager
def _told(place: Place, what: Path | str) -> Iterator[None]:
    """Turns what the system says into a refusal that names the place."""
    try:
        yield
    except OSError as error:
        raise Inconsistent.of("store.backup.place", place=str(what), reason=system(error)) from None
