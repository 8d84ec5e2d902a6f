"""`arrocco office`: make an office and look after it, at the machine it stands on."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arrocco.cli.office_alarms import alarm_records, print_alarms
from arrocco.cli.office_backup import backup, restore
from arrocco.cli.office_corrections import annul, correct, refuse
from arrocco.cli.office_key import key, rotate_key
from arrocco.cli.office_options import office_option, opened, opened_to_read
from arrocco.cli.office_readings import choose_reading, readings
from arrocco.cli.options import day
from arrocco.cli.output import Column, Output, output_options

if TYPE_CHECKING:
    from arrocco.desk import Office
    from arrocco.desk.status import Status

ROLES = tuple(
    """
    player arbiter federation_officer rating_administrator system_administrator head_of_office
    committee
""".split()
)
HERE = "http://localhost"
PORT, LAST_PORT = 8000, 65535
_site = click.option(
    "--site",
    default=f"{HERE}:{PORT}",
    envvar="ARROCCO_SITE",
    show_default=True,
    metavar="URL",
    help="Where browsers reach the office: links begin with it.",
)


@click.group()
def command() -> None:
    """Make an office and look after it.

    What is done here is done by whoever works at the machine: it needs no account, and the audit
    log has it without one. The database is a file in the folder, or the one ARROCCO_DATABASE names.
    """


@command.command()
@office_option
@click.option("--email", required=True, help="Who is invited as the head of the office.")
@_site
@click.option("--serve", "is_served", is_flag=True, help="Serve it at once, until Ctrl+C.")
@click.option(
    "--port",
    type=click.IntRange(1, LAST_PORT),
    default=PORT,
    show_default=True,
    help="With --serve: the port to answer at.",
)
@output_options
def init(out: Output, folder: Path, email: str, site: str, *, is_served: bool, port: int) -> None:
    """Make an office and print the link by which its head opens it in a browser."""
    from arrocco.desk.desk import operator
    from arrocco.office.roles import Role

    if is_served:
        from arrocco.cli.serving import run

        run.listening_at("127.0.0.1", port).close()  # refused before anything is made
        site = site if site != f"{HERE}:{PORT}" else f"{HERE}:{port}"
    with opened(folder, create=True) as office:
        token = office.accounts.invite_first(email, Role.HEAD_OF_OFFICE)
        office.keys.make(operator(Role.SYSTEM_ADMINISTRATOR))
        _print_invitation(out, office, email, token, site)
    if is_served:
        from arrocco.cli import serve

        given = ["--office", str(folder), "--port", str(port), "--lang", out.language]
        serve.command.main([*given, *(["--json"] * out.is_json)], "serve", standalone_mode=False)
    elif not out.is_json:
        out.line(out.say("desk.cli.serve_first", folder=folder))


@command.command("reset-password")
@click.argument("email")
@office_option
@_site
@output_options
def reset_password(out: Output, email: str, folder: Path, site: str) -> None:
    """Print a link to choose a new password, for whoever cannot get in; it serves once.

    A closed account is reopened first. Second factors stay: a recovery code opens the account
    without them, and `office reset-factors` takes them away.
    """
    from arrocco.desk.desk import operator
    from arrocco.desk.own_account import LINK_MINUTES
    from arrocco.office.roles import Role

    with opened(folder) as office:
        asker = operator(Role.SYSTEM_ADMINISTRATOR)
        account = office.accounts.by_email(asker, email)
        if account.disabled:
            office.accounts.enable(asker, account.id)
        token = office.own_account.reset_link(asker, account.id)
    link = f"{site.rstrip('/')}/{out.language}/reset?token={token}"
    if out.is_json:
        out.json({"email": account.email, "link": link, "minutes": LINK_MINUTES})
        return
    out.line(out.say("desk.cli.reset", email=account.email, minutes=LINK_MINUTES))
    out.line(link, bold=True)


@command.command("reset-factors")
@click.argument("email")
@office_option
@output_options
def reset_factors(out: Output, email: str, folder: Path) -> None:
    """Take the second factors of an account away, for whoever lost them and the recovery codes."""
    from arrocco.desk.desk import operator
    from arrocco.office.roles import Role

    with opened(folder) as office:
        asker = operator(Role.SYSTEM_ADMINISTRATOR)
        account = office.accounts.by_email(asker, email)
        office.second_factors.reset(asker, account.id)
    if out.is_json:
        out.json({"email": account.email})
        return
    out.line(out.say("desk.cli.factors_reset", email=account.email))


@command.command()
@click.argument("email")
@click.argument("role", type=click.Choice(ROLES))
@office_option
@click.option("--federation", default="", metavar="FED", help="The federation of an officer.")
@click.option("--player", type=click.IntRange(1), help="The number of a player on the lists.")
@_site
@output_options
def invite(
    out: Output,
    email: str,
    role: str,
    folder: Path,
    federation: str,
    player: int | None,
    site: str,
) -> None:
    """Invite somebody to open an account."""
    from arrocco.desk.desk import operator
    from arrocco.office.roles import Role

    with opened(folder) as office:
        asker = operator(Role.SYSTEM_ADMINISTRATOR)
        name = office.people.listed_name(player)
        token = office.accounts.invite(asker, email, Role(role), federation.upper(), player, name)
        _print_invitation(out, office, email, token, site)


def _print_invitation(out: Output, office: Office, email: str, token: str, site: str) -> None:
    invitation = office.accounts.invitation(token)
    expires = invitation.expires_at.date()
    link = f"{site.rstrip('/')}/{out.language}/invitation?token={token}"
    if out.is_json:
        told = {"email": invitation.email, "token": token, "link": link, "expires": expires}
        out.json(told)
        return
    out.line(out.say("desk.cli.invited", email=email, expires=expires))
    out.line(link, bold=True)


@command.command("import-list")
@click.argument("system")
@click.argument("list_date", type=day, metavar="DATE")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@office_option
@output_options
def import_list(out: Output, system: str, list_date: date, file: Path, folder: Path) -> None:
    """Take over a list from elsewhere: one to start with, or one that entry ratings come from."""
    from arrocco.desk.desk import operator
    from arrocco.office.roles import Role

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
@click.argument("system")
@click.argument("list_date", type=day, metavar="DATE")
@click.option("--reason", required=True, help="By whose decision, for the ledger.")
@office_option
@output_options
def adjust(out: Output, system: str, list_date: date, reason: str, folder: Path) -> None:
    """Adjust the newest list of a system once, as its edition provides."""
    from arrocco.desk.desk import operator
    from arrocco.office.roles import Role

    with opened(folder) as office:
        asker = operator(Role.RATING_ADMINISTRATOR)
        moved = office.adjustments.preview(asker, system, list_date)
        seq = office.adjustments.enter(asker, system, list_date, reason)
    told = {
        "system": system,
        "list_date": list_date,
        "seq": seq,
        "players": len(moved.player),
        "points": moved.points,
    }
    if out.is_json:
        out.json(told)
        return
    out.line(out.say("desk.cli.adjusted", **told))


@command.command()
@office_option
@output_options
def status(out: Output, folder: Path) -> None:
    """Show how an office stands: its lists, what waits, how much it holds, its alarms."""
    import msgspec

    from arrocco.desk.status import status_of
    from arrocco.operation.office_alarms import office_alarms
    from arrocco.operation.settings import settings_from

    with opened_to_read(folder) as office:
        status_now = status_of(office.desk)
        alarms = office_alarms(office.desk, settings_from())
    if out.is_json:
        out.json(msgspec.to_builtins(status_now) | alarm_records(out, alarms))
        return
    names = tuple(
        """
        office folder database accounts tournaments awaiting_approval reports_to_decide entries
        running_drafts set_aside open_to_others
    """.split()
    )
    out.table(
        [Column(""), Column("")],
        [
            *([out.say(f"desk.cli.{name}"), str(getattr(status_now, name))] for name in names),
            [out.say("desk.cli.last_backup"), _last_backup(out, status_now)],
        ],
    )
    if status_now.systems:
        heads = ("system", "lists", "latest", "players", "waiting")
        out.line()
        out.table(
            [Column(out.say(f"desk.cli.{h}"), right=h in ("lists", "players")) for h in heads],
            [
                [
                    system.system,
                    str(system.lists),
                    str(system.latest or "-"),
                    str(system.players),
                    ", ".join(f"{day}: {count}" for day, count in system.waiting.items()) or "-",
                ]
                for system in status_now.systems
            ],
        )
    print_alarms(out, alarms)


def _last_backup(out: Output, found: Status) -> str:
    last = found.last_backup
    if last is None:
        return out.say("desk.cli.no_backup")
    return out.say("desk.cli.backup_of", at=f"{last.at:%Y-%m-%d %H:%M} UTC", file=last.file)


@command.command()
@office_option
@output_options
def verify(out: Output, folder: Path) -> None:
    """Check everything an office holds: databases, ledger, audit, hall, reports, lists, files."""
    from arrocco.operation.verify.opening import verify_folder

    soundness = verify_folder(folder)
    names = ("entries", "audited", "events", "games", "records", "blobs", "files")
    counts = {name: getattr(soundness, name) for name in names}
    if out.is_json:
        findings = [out.finding_record(finding) for finding in soundness.findings]
        out.json({"good": soundness.is_good, **counts, "findings": findings})
    else:
        out.findings(soundness.findings)
        out.line(out.say(f"desk.cli.{'sound' if soundness.is_good else 'unsound'}", **counts))
    if not soundness.is_good:
        click.get_current_context().exit(1)


@command.command("set-aside")
@office_option
@output_options
def set_aside(out: Output, folder: Path) -> None:
    """Go on with a database that does not know some lists of the folder: these are kept aside.

    An older database that was put back does not know the lists published since. Nothing is
    deleted: they are moved into the folder set-aside of the office, with a note.
    """
    from arrocco.desk.desk import operator
    from arrocco.office.roles import Role

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
    "--to",
    "version",
    metavar="VERSION",
    help="A version of this program, such as 0.1.0, or a revision: the newest one by default.",
)
@click.option(
    "--anyway",
    is_flag=True,
    help="Go back although rows are lost, or entries cannot be read by the older version.",
)
@output_options
def migrate(out: Output, folder: Path, version: str | None, anyway: bool) -> None:
    """Bring the database to the shape of this program, or back to that of an older one."""
    from arrocco.desk.migration import migrate_office

    before, after = migrate_office(folder, version, anyway=anyway)
    if out.is_json:
        out.json({"before": before, "after": after})
        return
    out.line(out.say("desk.cli.migrated", before=before or "-", revision=after))


command.add_command(key)
command.add_command(rotate_key)
command.add_command(backup)
command.add_command(restore)
command.add_command(correct)
command.add_command(annul)
command.add_command(refuse)
command.add_command(readings)
command.add_command(choose_reading)
