"""`arrocco office`: make an office and look after it, at the machine it stands on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.options import day
from arrocco.cli.output import Column, Output, output_options

if TYPE_CHECKING:
    from arrocco.wiring.office import Office

ROLES = ("player", "arbiter", "federation_officer", "rating_administrator", "system_administrator")


def office_option(command: Any) -> Any:
    """Gives a command ``--office DIR``, as `folder`."""
    return click.option(
        "--office", "folder", type=click.Path(path_type=Path, file_okay=False), default="office",
        envvar="ARROCCO_OFFICE", show_default=True, metavar="DIR",
        help="The folder of the office.",
    )(command)  # fmt: skip


@contextmanager
def opened(
    folder: Path, *, create: bool = False, with_unknown_lists_aside: bool = False
) -> Iterator[Office]:
    """The office of a folder to work in, closed at the end; what was moved aside is told."""
    from arrocco.wiring.office import Office

    office = Office.open(
        folder, create=create, with_unknown_lists_aside=with_unknown_lists_aside
    )  # fmt: skip
    try:
        tell_moved_aside(Output.of(click.get_current_context()), office)
        yield office
    finally:
        office.close()


@contextmanager
def opened_to_read(folder: Path) -> Iterator[Office]:
    """The office of a folder to look at; nothing in it is changed."""
    from arrocco.wiring.office import Office

    office = Office.open_to_read(folder)
    try:
        yield office
    finally:
        office.close()


def tell_moved_aside(out: Output, office: Office) -> None:
    """Says on standard error what opening an office has moved aside."""
    for moved in office.moved_aside:
        reason = out.say(f"desk.aside.{moved.reason}")
        said = out.say(
            "desk.cli.moved_aside", path=moved.path, kept_in=moved.kept_in, reason=reason
        )
        click.secho(said, err=True, fg="yellow")


@click.group()
def command() -> None:
    """Make an office and look after it.

    What is done here is done by whoever works at the machine: it needs no account, and the audit
    log has it without one. The database is a file in the folder, or the one ARROCCO_DATABASE names.
    """


@command.command()
@office_option
@click.option("--email", required=True, help="Who is invited as the first administrator.")
@output_options
def init(out: Output, folder: Path, email: str) -> None:
    """Make an office and invite its first administrator."""
    with opened(folder, create=True) as office:
        token = office.accounts.invite_first(email)
        _print_invitation(out, office, email, token)


@command.command()
@click.argument("email")
@click.argument("role", type=click.Choice(ROLES))
@office_option
@click.option("--federation", default="", metavar="FED", help="The federation of an officer.")
@click.option("--player", type=click.IntRange(1), help="The number of a player on the lists.")
@output_options
def invite(
    out: Output, email: str, role: str, folder: Path, federation: str, player: int | None
) -> None:
    """Invite somebody to open an account."""
    from arrocco.office.roles import Role
    from arrocco.wiring.office.desk import operator

    with opened(folder) as office:
        asker = operator(Role.SYSTEM_ADMINISTRATOR)
        token = office.accounts.invite(asker, email, Role(role), federation.upper(), player)
        _print_invitation(out, office, email, token)


def _print_invitation(out: Output, office: Office, email: str, token: str) -> None:
    invitation = office.accounts.invitation(token)
    expires = invitation.expires_at.date()
    if out.is_json:
        out.json({"email": invitation.email, "token": token, "expires": expires})
        return
    out.line(out.say("desk.cli.invited", email=email, expires=expires))
    out.line(token, bold=True)


@command.command("import-list")
@click.argument("system")
@click.argument("list_date", type=day, metavar="DATE")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@office_option
@output_options
def import_list(out: Output, system: str, list_date: date, file: Path, folder: Path) -> None:
    """Take over a list from elsewhere: one to start with, or one that entry ratings come from."""
    from arrocco.office.roles import Role
    from arrocco.wiring.office.desk import operator

    with opened(folder) as office:
        asker = operator(Role.RATING_ADMINISTRATOR)
        made, findings = office.lists.import_list(asker, system, list_date, file)
    if out.is_json:
        out.json(
            {
                "system": made.system,
                "list": made.list_date,
                "players": made.players,
                "findings": [out.finding_record(finding) for finding in findings],
            }
        )
        return
    from arrocco.cli.list import print_findings

    print_findings(out, list(findings))
    out.line(out.say("desk.cli.imported", system=system, list_date=list_date, players=made.players))


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@office_option
@output_options
def backup(out: Output, file: Path, folder: Path) -> None:
    """Write everything an office holds into one file, while it runs."""
    from arrocco.store.backup import backup as write_backup

    with opened_to_read(folder) as office:
        manifest = write_backup(office.folder, office.desk.database, file)
    rows = sum(manifest.rows.values())
    if out.is_json:
        out.json({"file": str(file), "rows": manifest.rows, "files": len(manifest.files)})
        return
    out.line(out.say("desk.cli.backed_up", file=file, rows=rows, files=len(manifest.files)))


@command.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@office_option
@output_options
def restore(out: Output, file: Path, folder: Path) -> None:
    """Make an office out of a backup, in a folder and a database that are empty."""
    from arrocco.store.restore import restore as read_backup

    manifest = read_backup(file, folder, os.environ.get("ARROCCO_DATABASE", ""))
    with opened(folder):  # views and what else is derived are made where they are asked for
        pass
    if out.is_json:
        out.json({"folder": str(folder), "rows": manifest.rows, "files": len(manifest.files)})
        return
    out.line(out.say("desk.cli.restored", folder=folder, files=len(manifest.files)))


@command.command()
@office_option
@output_options
def status(out: Output, folder: Path) -> None:
    """Show how an office stands: its lists, what waits, how much it holds."""
    from arrocco.wiring.office.status import status_of

    with opened_to_read(folder) as office:
        found = status_of(office.desk)
    if out.is_json:
        out.json(found)
        return
    names = (
        "office", "folder", "database", "accounts", "tournaments", "awaiting_approval",
        "reports_to_decide", "entries", "running_drafts", "set_aside", "open_to_others",
    )  # fmt: skip
    out.table(
        [Column(""), Column("")],
        [[out.say(f"desk.cli.{name}"), str(getattr(found, name))] for name in names],
    )
    if found.systems:
        heads = ("system", "lists", "latest", "players", "waiting")
        out.line()
        out.table(
            [Column(out.say(f"desk.cli.{h}"), right=h in ("lists", "players")) for h in heads],
            [
                [
                    one.system, str(one.lists), str(one.latest or "-"), str(one.players),
                    ", ".join(f"{day}: {count}" for day, count in one.waiting.items()) or "-",
                ]
                for one in found.systems
            ],
        )  # fmt: skip


@command.command()
@office_option
@output_options
def verify(out: Output, folder: Path) -> None:
    """Check everything an office holds: databases, ledger, audit, hall, reports, lists, files."""
    from arrocco.wiring.verify.opening import verify_folder

    found = verify_folder(folder)
    names = ("entries", "audited", "events", "games", "records", "blobs", "files")
    counts = {name: getattr(found, name) for name in names}
    if out.is_json:
        findings = [out.finding_record(finding) for finding in found.findings]
        out.json({"good": found.is_good, **counts, "findings": findings})
    else:
        out.findings(found.findings)
        out.line(out.say(f"desk.cli.{'sound' if found.is_good else 'unsound'}", **counts))
    if not found.is_good:
        click.get_current_context().exit(1)


@command.command("set-aside")
@office_option
@output_options
def set_aside(out: Output, folder: Path) -> None:
    """Go on with a database that does not know some lists of the folder: these are kept aside.

    An older database that was put back does not know the lists published since. Nothing is
    deleted: they are moved into the folder set-aside of the office, with a note.
    """
    from arrocco.office.roles import Role
    from arrocco.wiring.office.desk import operator

    with opened(folder, with_unknown_lists_aside=True) as office:
        moved = office.moved_aside
        if moved:
            asker = operator(Role.SYSTEM_ADMINISTRATOR)
            with office.desk.acting(asker, "set_lists_aside") as act:
                act.details["moved"] = [one.path for one in moved]
    if out.is_json:
        out.json({"moved": [one._asdict() for one in moved]})
        return
    key = "set_aside_done" if moved else "nothing_aside"
    out.line(out.say(f"desk.cli.{key}", count=len(moved)))


@command.command()
@office_option
@click.option(
    "--to", "version", metavar="VERSION",
    help="A version of this program, such as 0.1.0, or a revision: the newest one by default.",
)  # fmt: skip
@output_options
def migrate(out: Output, folder: Path, version: str | None) -> None:
    """Bring the database to the shape of this program, or back to that of an older one."""
    from arrocco.wiring.office.migrating import migrate_office

    before, after = migrate_office(folder, version)
    if out.is_json:
        out.json({"before": before, "after": after})
        return
    out.line(out.say("desk.cli.migrated", before=before or "-", revision=after))
