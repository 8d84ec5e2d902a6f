"""Corrections in an office from the command line: what was rated and should not have been."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.office_options import office_option, opened
from arrocco.cli.output import Output, output_options
from arrocco.errors import Malformed

if TYPE_CHECKING:
    from arrocco.findings import Finding
    from arrocco.office.carrying import Impact
    from arrocco.office.ledger import GameExclusion
    from arrocco.office.roles import Asker

_EXCLUSION = re.compile(r"(\d{1,4}):(\d{1,4})-(\d{1,4})=(fair_play|force_majeure)(?:@(.{1,100}))?")
_reason = click.option(
    "--reason", default="", help="Why, for the ledger; without it only the effects are shown."
)


@click.command("correct")
@click.argument("report", type=click.IntRange(min=1))
@click.option(
    "--exclude",
    "exclusions",
    multiple=True,
    metavar="ROUND:WHITE-BLACK=GROUND[@ARTICLE]",
    help="A game that is not rated: fair_play or force_majeure, by 5.1 where no article is given.",
)
@click.option(
    "--waive",
    multiple=True,
    metavar="KEY",
    help="Let an error pass that the correction has or brings, for the same reason.",
)
@_reason
@office_option
@output_options
def correct(
    out: Output,
    report: int,
    exclusions: tuple[str, ...],
    waive: tuple[str, ...],
    reason: str,
    folder: Path,
) -> None:
    """Correct a rated report: by one sent since, or by games to be excluded.

    REPORT is the number of the report that was sent again or, with --exclude, of the rated one.
    """
    from arrocco.engine.admission import Waiver

    changes = [_exclusion(text) for text in exclusions]
    waivers = [Waiver(key.strip(), reason.strip()) for key in waive]
    with opened(folder) as office:
        asker = _administrator()
        if changes:
            preview = office.corrections.preview(asker, report, changes)
            if reason.strip():
                office.corrections.enter(asker, report, changes, reason, waivers)
        else:
            _, preview = office.replacements.preview(asker, report)
            if reason.strip():
                office.replacements.enter(asker, report, reason, waivers)
    _tell(out, preview.impacts, preview.next_lists, reason, preview.errors if changes else ())


@click.command("annul")
@click.argument("tournament", type=click.IntRange(min=1))
@_reason
@office_option
@output_options
def annul(out: Output, tournament: int, reason: str, folder: Path) -> None:
    """Annul a tournament that is on published lists; the next ones take it out."""
    with opened(folder) as office:
        asker = _administrator()
        preview = office.annulments.preview(asker, tournament)
        if reason.strip():
            office.annulments.enter(asker, tournament, reason)
    _tell(out, preview.impacts, preview.next_lists, reason)


@click.command("refuse")
@click.argument("tournament", type=click.IntRange(min=1))
@click.option("--reason", required=True, help="Why, for whoever registered it.")
@office_option
@output_options
def refuse(out: Output, tournament: int, reason: str, folder: Path) -> None:
    """Refuse to rate a tournament; its reports leave every list to come."""
    with opened(folder) as office:
        changed = office.tournaments.refuse(_administrator(), tournament, reason)
    told = {"tournament": tournament, "status": changed.status.value}
    if out.is_json:
        out.json(told | {"appeal_until": changed.appeal_until})
        return
    out.line(out.say("desk.cli.refused", name=changed.registration.name))


def _administrator() -> Asker:
    from arrocco.desk.desk import operator
    from arrocco.office.roles import Role

    return operator(Role.RATING_ADMINISTRATOR)


def _exclusion(text: str) -> GameExclusion:
    from arrocco.office.ledger import GameExclusion

    match = _EXCLUSION.fullmatch(text)
    if match is None:
        raise Malformed.of("desk.refused.exclusion", text=text[:60])
    round_, white, black = (int(part) for part in match.groups()[:3])
    return GameExclusion(
        round=round_,
        white=white,
        black=black,
        article=match[5] or "5.1",
        ground="fair_play" if match[4] == "fair_play" else "force_majeure",
    )


def _tell(
    out: Output,
    impacts: Mapping[str, Impact],
    next_lists: Mapping[str, date],
    reason: str,
    errors: Sequence[Finding] = (),
) -> None:
    entered = bool(reason.strip())
    if out.is_json:
        out.json(
            {
                "entered": entered,
                "lists": dict(next_lists),
                "players": {
                    key: [_player(player) for player in found.players]
                    for key, found in impacts.items()
                },
                "errors": [out.finding_record(error) for error in errors],
            }
        )
        return
    out.findings(errors)
    for system, impact in impacts.items():
        out.line(
            out.say(
                "desk.cli.correction_enters",
                system=system,
                list_date=next_lists[system],
                players=len(impact.players),
                points=impact.points,
            )
        )
        for player in impact.players:
            change = f"{player.base_before or '-'} → {player.base_after or '-'}"
            out.line(f"  {player.id}  {player.name}  {change}  {out.say(player.key)}")
    if not impacts:
        out.line(out.say("desk_pages.correct.not_rated_yet"))
    out.line(out.say(f"desk.cli.{'correction_entered' if entered else 'correction_shown'}"))


def _player(one: Any) -> dict[str, Any]:
    return {name: value for name, value in one._asdict().items() if name != "note"} | {
        "effect": one.note.value
    }
