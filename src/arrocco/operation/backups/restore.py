"""Makes an office of a backup, wherever it is kept and whether or not it is encrypted."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from arrocco.store import backup_crypt
from arrocco.store.backup import Manifest
from arrocco.store.backup_places import S3, place_and_name
from arrocco.store.restore import restore


def restore_backup(
    source: str,
    folder: Path,
    database_url: str = "",
    *,
    identity: Path | None = None,
    endpoint: str = "",
) -> Manifest:
    """Restores a backup into a folder and a database that are empty.

    What is brought or decrypted on the way lies beside the new folder, for its owner alone, and
    is gone at the end.
    """
    folder = folder.absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent, prefix=".arrocco-restore-") as scratch:
        archive = Path(source)
        if source.startswith(S3):
            place, name = place_and_name(source, endpoint)
            archive = Path(scratch) / "brought"
            place.get(name, archive)
        if backup_crypt.is_encrypted(archive):
            plain = Path(scratch) / "archive.zip"
            backup_crypt.decrypt(archive, plain, identity)
            archive = plain
        return restore(archive, folder, database_url)
