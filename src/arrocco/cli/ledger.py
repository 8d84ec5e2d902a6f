"""`arrocco ledger`: check an office from outside, and write its ledger and lists for others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.office_options import office_option, opened_to_read
from arrocco.cli.output import Output, output_options

if TYPE_CHECKING:
    from arrocco.desk.ledger_verification import CheckedLedger, CheckedList

_HEAD = re.compile(r"([1-9]\d{0,11}):([0-9a-f]{64})", re.ASCII)


@click.group()
def command() -> None:
    """Check an office from outside, without an account."""


class _KnownHead(click.ParamType[tuple[int, str]]):
    """A head as `ledger verify` prints it."""

    name = "head"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, str]:
        match = _HEAD.fullmatch(str(value))
        if match is None:
            self.fail(f"{value!r} is no head: it is a place and a hash, 12:ab34…", param, ctx)
        return int(match[1]), match[2]


@command.command()
@click.argument("source", metavar="URL|DIR")
@click.option(
    "--save",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep what was downloaded in a folder, to be checked again.",
)
@click.option(
    "--head",
    "known",
    type=_KnownHead(),
    metavar="SEQ:HASH",
    help="A head that another reader was shown: it must be in this ledger.",
)
@click.option("--no-files", is_flag=True, help="Check ledger and signatures only.")
@output_options
def verify(
    out: Output, source: str, save: Path | None, known: tuple[int, str] | None, no_files: bool
) -> None:
    """Check the ledger, the signatures and the lists of an office at URL, or those in a folder.

    Exit status 1 where something is not as it was published. Two readers who see the same head
    were told the same.
    """
    from arrocco.desk.ledger_sources import source_of
    from arrocco.desk.ledger_verification import LedgerCheck

    if save is not None and save.exists() and any(save.iterdir()):
        raise click.UsageError(f"{save} is not empty.")
    check = LedgerCheck(source_of(source), with_files=not no_files, save=save)
    checked = check.run(
        known, (lambda _: None) if out.is_json else (lambda checked_list: _told(out, checked_list))
    )
    if out.is_json:
        out.json(_record(out, checked))
    else:
        _summed_up(out, checked)
    if not checked.is_good:
        click.get_current_context().exit(1)


def _told(out: Output, checked_list: CheckedList) -> None:
    key = "list_good" if checked_list.is_good else "list_bad"
    signature = out.say(f"outside.signature.{checked_list.signature}")
    details = {
        "system": checked_list.system,
        "list_date": checked_list.list_date,
        "files": checked_list.files,
    }
    out.line(out.say(f"outside.cli.{key}", **details, signature=signature))


def _summed_up(out: Output, checked: CheckedLedger) -> None:
    from arrocco.office.signatures import fingerprint

    out.findings(checked.findings)
    out.line(out.say("outside.cli.head", head=f"{checked.entries}:{checked.head}"), bold=True)
    if checked.key:
        out.line(out.say("outside.cli.key", fingerprint=fingerprint(checked.key)), bold=True)
    key = "good" if checked.is_good else "bad"
    out.line(out.say(f"outside.cli.{key}", entries=checked.entries, lists=len(checked.lists)))


def _record(out: Output, checked: CheckedLedger) -> dict[str, Any]:
    return {
        "good": checked.is_good,
        "office": checked.office,
        "entries": checked.entries,
        "head": checked.head,
        "key": checked.key,
        "lists": [
            {
                "system": checked_list.system,
                "list": checked_list.list_date,
                "seq": checked_list.seq,
                "files": checked_list.files,
                "signature": checked_list.signature,
                "good": checked_list.is_good,
            }
            for checked_list in checked.lists
        ],
        "findings": [out.finding_record(finding) for finding in checked.findings],
    }


@command.command()
@click.argument("target", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@office_option
@output_options
def export(out: Output, target: Path, folder: Path) -> None:
    """Write ledger, head and lists of the office into a folder that anybody can check."""
    from arrocco.desk.ledger_copy import LedgerCopy

    with opened_to_read(folder) as office:
        head = LedgerCopy(office.desk).write(target)
    if out.is_json:
        out.json({"folder": str(target), "entries": head.seq, "head": head.hash})
        return
    out.line(out.say("outside.cli.exported", folder=target, entries=head.seq))
