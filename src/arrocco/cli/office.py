"""`arrocco office`: make an office and look after it, at the machine it stands on."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arrocco.cli.office_alarms import alarm_records, print_alarms
from arrocco.cli.office_backup import backup, restore
from arrocco.cli.office_options import office_option, opened, opened_to_read
from arrocco.cli.options import day
from arrocco.cli.output import Column, Output, output_options

if TYPE_CHECKING:
    from arrocco.wiring.office import Office
    from arrocco.wiring.office.status import Status

_OLD_BACKUP_HOURS = 26
"""A backup a day, and two hours to make it: who makes them less often is reminded."""
ROLES = ("player", "arbiter", "federation_officer", "rating_administrator", "system_administrator")


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
@office_option
@output_options
def status(out: Output, folder: Path) -> None:
    """Show how an office stands: its lists, what waits, how much it holds, its alarms."""
    import msgspec

    from arrocco.wiring.office.status import status_of
    from arrocco.wiring.operation.office_alarms import office_alarms
    from arrocco.wiring.operation.settings import settings_from

    with opened_to_read(folder) as office:
        found = status_of(office.desk)
        alarms = office_alarms(office.desk, settings_from())
    if out.is_json:
        out.json(msgspec.to_builtins(found) | alarm_records(out, alarms))
        return
    names = (
        "office", "folder", "database", "accounts", "tournaments", "awaiting_approval",
        "reports_to_decide", "entries", "running_drafts", "set_aside", "open_to_others",
    )  # fmt: skip
    out.table(
        [Column(""), Column("")],
        [
            *([out.say(f"desk.cli.{name}"), str(getattr(found, name))] for name in names),
            [out.say("desk.cli.last_backup"), _last_backup(out, found)],
        ],
    )
    _warn_of_backups(out, found)
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
    print_alarms(out, alarms)


def _last_backup(out: Output, found: Status) -> str:
    last = found.last_backup
    if last is None:
        return out.say("desk.cli.no_backup")
    return out.say("desk.cli.backup_of", at=f"{last.at:%Y-%m-%d %H:%M} UTC", file=last.file)


def _warn_of_backups(out: Output, found: Status) -> None:
    """Says on standard error that backups fail or have become old."""
    from datetime import UTC, datetime

    last, failed = found.last_backup, found.failed_backup
    if failed is not None:
        at = f"{failed.at:%Y-%m-%d %H:%M} UTC"
        said = out.say("desk.cli.backup_failed", at=at, text=failed.text)
        click.secho(said, err=True, fg="yellow")
    hours = 0 if last is None else int(last.age(datetime.now(UTC)) / 3600)
    if hours > _OLD_BACKUP_HOURS:
        click.secho(out.say("desk.cli.backup_old", hours=hours), err=True, fg="yellow")


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


command.add_command(backup)
command.add_command(restore)
