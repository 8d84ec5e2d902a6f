"""`arrocco list verify`: a published list built again from the ledger, compared byte by byte."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.office_options import opened_to_read
from arrocco.cli.output import Output

if TYPE_CHECKING:
    from arrocco.wiring.office.verifying import Verification


def verify_lists(
    out: Output, folder: Path, system: str | None, list_date: date | None, *, every: bool
) -> None:
    """Verifies one list or all of them; exit status 1 where one is not as it should be."""
    if every == (list_date is not None) or (system is None) != (list_date is None):
        raise click.UsageError("Give a system and a date, or --all.")
    with opened_to_read(folder) as office:
        if system is not None and list_date is not None:
            found = [office.lists.verify(system, list_date)]
        else:
            found = office.lists.verify_all()
    if out.is_json:
        out.json({"lists": [_record(out, one) for one in found]})
    else:
        for one in found:
            out.findings(one.findings)
            key = "verified" if one.is_good else "not_verified"
            details = {"system": one.system, "list_date": one.list_date}
            counts = {"files": one.files, "entries": one.entries}
            out.line(out.say(f"desk.cli.{key}", **details, **counts))
    if not all(one.is_good for one in found):
        click.get_current_context().exit(1)


def _record(out: Output, one: Verification) -> dict[str, Any]:
    return {
        "system": one.system,
        "list": one.list_date,
        "good": one.is_good,
        "entries": one.entries,
        "files": one.files,
        "findings": [out.finding_record(finding) for finding in one.findings],
    }
