"""`arrocco recording`: recordings of supervised events, verified and erased."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arrocco.cli.office_options import office_option, opened, opened_to_read
from arrocco.cli.output import Output, output_options

if TYPE_CHECKING:
    from arrocco.desk import Office
    from arrocco.hall.presence import RecordingHead
    from arrocco.video.verification import Checked

_MAX_REASON = 500


@click.group()
def command() -> None:
    """Recordings of supervised events (12.3)."""


@command.command()
@click.argument("event", required=False, default="")
@office_option
@output_options
def verify(out: Output, folder: Path, event: str) -> None:
    """Check that the recordings of EVENT, or of all events, are as they were made.

    Every slice must fit its hash, and the last one the hall's log. Exit status 1 where one does
    not; the slice is named.
    """
    from arrocco.video.event_check import verify_event
    from arrocco.video.recordings import FOLDER

    kept = folder / FOLDER
    with opened_to_read(folder) as office:
        events = [event] if event else _events_in(kept)
        checkeds: list[Checked] = []
        for name in events:
            checkeds += verify_event(kept, name, _heads_of(office, name)).checked
    _tell(out, checkeds)
    if any(checked.fault is not None for checked in checkeds):
        raise SystemExit(1)


@command.command()
@click.argument("event")
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the files.",
)
@click.option("--reason", required=True, help="Why, and for whom; the audit log has it.")
@office_option
@output_options
def export(out: Output, folder: Path, event: str, target: Path, reason: str) -> None:
    """Write the recordings of EVENT as WebM files, with picture and sound together.

    For the chief arbiter and the Fair Play Committee only (12.3). What Janus recorded is kept as
    packets and joined here; the recordings themselves stay as they are.
    """
    from arrocco.desk.desk import operator
    from arrocco.errors import Malformed
    from arrocco.office.roles import Role
    from arrocco.video.export import export as export_recordings
    from arrocco.video.recordings import FOLDER, recordings_of

    if not reason.strip():
        raise Malformed.of("recording.no_reason")
    kept = folder / FOLDER
    with opened(folder) as office:
        # Before the first file is written: who looks leaves a trace, whatever comes of it.
        asker = operator(Role.SYSTEM_ADMINISTRATOR)
        with office.desk.acting(asker, "export_recordings", event) as act:
            act.details |= {
                "reason": reason.strip()[:_MAX_REASON],
                "recordings": recordings_of(kept, event),
                "user": getpass.getuser(),
            }
    written = export_recordings(kept, event, target)
    if out.is_json:
        out.json({"event": event, "files": [exported._asdict() for exported in written]})
        return
    for exported in written:
        out.line(out.say("recording.exported", recording=exported.recording, bytes=exported.bytes))
    if not written:
        out.line(out.say("recording.none"))


@command.command()
@click.argument("event")
@click.option("--reason", required=True, help="Why: the official announcement of the results.")
@office_option
@output_options
def erase(out: Output, folder: Path, event: str, reason: str) -> None:
    """Erase the recordings of EVENT after the official announcement of its results (12.3).

    Refused before that announcement, which is itself refused while the hours of appeal run or
    something is open, and while a case is open after it. A certificate of what was erased stays
    in its folder.
    """
    from arrocco.desk.open_matters import open_matters
    from arrocco.errors import Illegal
    from arrocco.hall import event as ev
    from arrocco.live.opening import log_reader
    from arrocco.video.erasure import erase as erase_recordings
    from arrocco.video.recordings import FOLDER

    with opened_to_read(folder) as office:
        now = office.desk.now()
        with closing(log_reader(office.folder, office.desk.database)) as logs:
            lines = logs.read(f"event:{event}")
        if not lines:
            raise Illegal.of("hall_live.no_such_event")
        state = ev.fold(ev.decode(line) for line in lines)
        until = ev.appeals_until(state, state.laws)
        if until is None:
            raise Illegal.of("recording.not_validated", event=event)
        if not state.laws.online.recording_must_be_erased(
            results_announced=state.announced is not None, retention_over=True
        ):
            raise Illegal.of("recording.not_announced", event=event)
        if open_matters(office.desk, state):  # opened after the announcement, against its results
            raise Illegal.of("recording.held", event=event)
    at = f"{now:%Y-%m-%dT%H:%M:%SZ}"
    certificate = erase_recordings(folder / FOLDER, event, at, getpass.getuser(), reason)
    if out.is_json:
        out.json({"event": event, "erased": len(certificate.recordings)})
    else:
        out.line(out.say("recording.erased", event=event, count=len(certificate.recordings)))


def _heads_of(office: Office, event: str) -> list[RecordingHead]:
    """The last slices that the hall's log has of an event's recordings."""
    import msgspec

    from arrocco.hall.chain import recordings_of_event
    from arrocco.hall.presence import HeadsKept
    from arrocco.live.opening import log_reader

    with closing(log_reader(office.folder, office.desk.database)) as logs:
        lines = logs.read(recordings_of_event(event))
    return [head for line in lines for head in msgspec.json.decode(line, type=HeadsKept).heads]


def _events_in(kept: Path) -> list[str]:
    return sorted(path.name for path in kept.iterdir() if path.is_dir()) if kept.is_dir() else []


def _tell(out: Output, checkeds: Sequence[Checked]) -> None:
    if out.is_json:
        out.json({"recordings": [_record(checked) for checked in checkeds]})
        return
    for checked in checkeds:
        fault = checked.fault
        if fault is None:
            out.line(
                out.say(
                    "recording.whole",
                    recording=f"{checked.event}/{checked.recording}",
                    slices=checked.slices,
                    bytes=checked.bytes,
                )
            )
            if checked.rest:
                out.line(out.say("recording.unfinished", bytes=checked.rest))
        else:
            key = f"recording.damage.{fault.damage}"
            out.line(
                out.say(key, recording=f"{checked.event}/{checked.recording}", slice=fault.slice)
            )
    if not checkeds:
        out.line(out.say("recording.none"))


def _record(checked: Checked) -> dict[str, object]:
    fault = checked.fault
    return {
        "event": checked.event,
        "recording": checked.recording,
        "slices": checked.slices,
        "bytes": checked.bytes,
        "unfinished": checked.rest,
        "damage": None if fault is None else fault.damage.value,
        "slice": None if fault is None else fault.slice,
        "at": None if fault is None else fault.at,
    }
