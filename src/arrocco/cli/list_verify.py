"""`arrocco list verify`: a published list built again from the ledger, compared byte by byte."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.office_options import opened_to_read
from arrocco.cli.output import Output

if TYPE_CHECKING:
    from arrocco.desk.list_verification import Verification


def verify_lists(
    out: Output, folder: Path, system: str | None, list_date: date | None, *, every: bool
) -> None:
    """Verifies one list or all of them; exit status 1 where one is not as it should be."""
    if every == (list_date is not None) or (system is None) != (list_date is None):
        raise click.UsageError("Give a system and a date, or --all.")
    with opened_to_read(folder) as office:
        if system is not None and list_date is not None:
            verifications = [office.lists.verify(system, list_date)]
        else:
            verifications = office.lists.verify_all()
    if out.is_json:
        out.json({"lists": [_record(out, verification) for verification in verifications]})
    else:
        for verification in verifications:
            out.findings(verification.findings)
            key = "verified" if verification.is_good else "not_verified"
            details = {"system": verification.system, "list_date": verification.list_date}
            counts = {"files": verification.files, "entries": verification.entries}
            out.line(out.say(f"desk.cli.{key}", **details, **counts))
    if not all(verification.is_good for verification in verifications):
        click.get_current_context().exit(1)


def _record(out: Output, verification: Verification) -> dict[str, Any]:
    return {
        "system": verification.system,
        "list": verification.list_date,
        "good": verification.is_good,
        "entries": verification.entries,
        "files": verification.files,
        "findings": [out.finding_record(finding) for finding in verification.findings],
    }
