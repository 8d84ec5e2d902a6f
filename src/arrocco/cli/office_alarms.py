"""The part of `arrocco office status` that tells whether anything is the matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.output import Column, Output

if TYPE_CHECKING:
    from arrocco.operation.office_alarms import OfficeAlarms


def alarm_records(out: Output, office_alarms: OfficeAlarms) -> dict[str, Any]:
    """Server and alarms as JSON has them."""
    return {
        "server": office_alarms.server,
        "alarms": [
            {
                "key": alarm.key,
                "since": alarm.since,
                "text": alarm.text(out.language),
                "do": alarm.advice(out.language),
            }
            for alarm in office_alarms.alarms
        ],
    }


def print_alarms(out: Output, office_alarms: OfficeAlarms) -> None:
    """Whether a server runs, and each alarm with what to do about it."""
    if office_alarms.server is None:
        server = out.say("operation.cli.not_running")
    else:
        server = out.say("operation.cli.running", pid=office_alarms.server)
    out.line()
    out.table([Column(""), Column("")], [[out.say("operation.cli.server"), server]])
    if not office_alarms.alarms:
        out.line(out.say("operation.cli.none"))
    for alarm in office_alarms.alarms:
        label = click.style(out.say("operation.cli.alarm"), fg="red", bold=True)
        since = f"{alarm.since:%Y-%m-%d %H:%M} UTC"
        out.line(f"{label} ({alarm.key}, {since}): {alarm.text(out.language)}")
        out.line(f"    {alarm.advice(out.language)}")
