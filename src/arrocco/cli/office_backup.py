"""`arrocco office backup` and `restore`: to a file, a folder or a bucket, and back."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from arrocco.cli.office_options import office_option, opened, opened_to_read
from arrocco.cli.output import Output, output_options

_endpoint = click.option(
    "--endpoint",
    default="",
    envvar="ARROCCO_S3_ENDPOINT",
    metavar="URL",
    help="The address of a store that speaks S3, where it is not Amazon's.",
)


@click.command()
@click.argument("file", required=False)
@office_option
@click.option(
    "--to",
    "place",
    metavar="DIR|s3://BUCKET/PREFIX",
    help="Keep it there, under a name with the office and the moment.",
)
@click.option(
    "--encrypt-to",
    "recipients",
    multiple=True,
    metavar="RECIPIENT",
    help="Encrypt it in the format of age, to age1… or an SSH key; may be given again.",
)
@click.option("--check", is_flag=True, help="Restore and verify it before it is called a backup.")
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="N",
    help="With --to: take older backups of this office away, so that N are left.",
)
@_endpoint
@output_options
def backup(
    out: Output,
    file: str | None,
    folder: Path,
    place: str | None,
    recipients: tuple[str, ...],
    check: bool,
    keep: int | None,
    endpoint: str,
) -> None:
    """Write everything an office holds into one file, while it runs.

    FILE is its name; with --to it gets one. A folder as FILE is as good as --to.
    """
    from arrocco.desk import utc_now
    from arrocco.operation.backups.create import Wanted, make_backup

    if file is not None and place is None and Path(file).is_dir():
        file, place = None, file
    if (file is None) == (place is None):
        raise click.UsageError("Give a file, or a place with --to.")
    if keep is not None and place is None:
        raise click.UsageError("--keep goes with --to.")
    wanted = Wanted(
        to=place or "",
        file=file or "",
        encrypt_to=recipients,
        check=check,
        keep=keep,
        endpoint=endpoint,
    )
    with opened_to_read(folder) as office:
        made = make_backup(office.folder, office.desk.database, wanted, utc_now())
    if out.is_json:
        damage = [out.finding_record(finding) for finding in made.damage]
        out.json({**msgspec.structs.asdict(made), "damage": damage})
        return
    rows = sum(made.rows.values())
    out.line(out.say("desk.cli.backed_up", file=made.file, rows=rows, files=made.files))
    if made.checked:
        out.line(out.say("desk.cli.backup_checked"))
    if made.damage:
        said = out.say("desk.cli.backup_damage", count=len(made.damage))
        click.secho(said, err=True, fg="yellow")
    for name in made.removed:
        out.line(out.say("desk.cli.backup_removed", file=name))


@click.command()
@click.argument("file")
@office_option
@click.option(
    "--identity",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="The private key of an encrypted backup: a file of age, or a private SSH key.",
)
@_endpoint
@output_options
def restore(out: Output, file: str, folder: Path, identity: Path | None, endpoint: str) -> None:
    """Make an office out of a backup, in a folder and a database that are empty.

    FILE may also be s3://BUCKET/NAME.
    """
    from arrocco.operation.backups.restore import restore_backup

    address = os.environ.get("ARROCCO_DATABASE", "")
    manifest = restore_backup(file, folder, address, identity=identity, endpoint=endpoint)
    with opened(folder):  # views and what else is derived are made where they are asked for
        pass
    if out.is_json:
        out.json({"folder": str(folder), "rows": manifest.rows, "files": len(manifest.files)})
        return
    out.line(out.say("desk.cli.restored", folder=folder, files=len(manifest.files)))
