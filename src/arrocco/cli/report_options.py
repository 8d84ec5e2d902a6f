"""The options of `report rate` and `report explain`, gathered into one `Request`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from arrocco.cli.options import LAWS, affiliated_option, day, reading_option
from arrocco.cli.period_options import interim_option
from arrocco.cli.waive_options import fact_option, suspended_option, waive_options
from arrocco.laws.systems import ENTRY_LISTS
from arrocco.records.told_facts import ToldFact

if TYPE_CHECKING:
    from arrocco.office.suspensions import Suspension

R = TypeVar("R")


@dataclass(frozen=True)
class Request:
    """What to rate, under which law, against which list, and how doubts are to be settled."""

    files: tuple[Path, ...]
    law: str
    list_file: Path | None = None
    list_kind: str | None = None
    time_control: str | None = None
    online: bool = False
    official: bool = False
    on: date | None = None
    unlisted: Literal["refuse", "unrated", "report"] = "refuse"
    entry_lists: Mapping[str, Path] = field(default_factory=dict)
    standard_list: Path | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    affiliated: tuple[int, ...] = ()
    one_event: bool = False
    facts: tuple[ToldFact, ...] = ()
    suspended: tuple[Suspension, ...] = ()
    interim: tuple[str, date] | None = None
    waive: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def inputs(self) -> list[Path]:
        """Every file that is read."""
        lists = (self.list_file, self.standard_list, *self.entry_lists.values())
        return [*self.files, *(file for file in lists if file is not None)]


def file_path() -> click.Path:
    """The type of an option that names a file; whether it can be read is seen on reading it."""
    return click.Path(path_type=Path)


def rating_options(command: Callable[..., R]) -> Callable[..., R]:
    """Gives a command the files and all options of a rating, as one argument `request`."""

    @click.argument("files", nargs=-1, required=True, type=file_path(), metavar="FILE...")
    @click.option("--law", required=True, help=LAWS)
    @click.option(
        "--list",
        "list_file",
        type=file_path(),
        help="The rating list in force at the start; without it the reports' own ratings count.",
    )
    @click.option(
        "--list-kind",
        type=click.Choice(["standard", "rapid", "blitz"]),
        help="Which rating of the list; without it the one that belongs to the law.",
    )
    @click.option(
        "--unlisted",
        type=click.Choice(["refuse", "unrated", "report"]),
        default="refuse",
        help="Players with a rating in the report who are not on the list: refuse the report, take"
        " them as unrated, or take the report's word.  [refuse]",
    )
    @click.option(
        "--entry-list",
        "entry_lists",
        multiple=True,
        metavar="KIND=FILE",
        callback=_entry_lists,
        help=f"RIO and UISP: a list that gives new players their rating; kinds in any order:"
        f" {', '.join(ENTRY_LISTS)}.",
    )
    @click.option(
        "--standard-list",
        type=file_path(),
        help="FIDE rapid and blitz: the list whose standard ratings stand in for missing ones"
        " (a combined file can be both).",
    )
    @click.option("--time-control", help="The time control, in place of the report's: 90'+30\".")
    @click.option("--online", is_flag=True, help="The tournaments were played online.")
    @click.option("--official", is_flag=True, help="The tournaments are official FIDE events.")
    @click.option("--on", type=day, metavar="DAY", help="The start of reports that do not tell it.")
    @click.option(
        "--one-event",
        is_flag=True,
        help="FIDE 2010, 6.2: the reports are the preliminaries and finals of one event.",
    )
    @interim_option
    @affiliated_option
    @fact_option
    @suspended_option
    @reading_option
    @waive_options
    @wraps(command)
    def with_request(**given: Any) -> R:
        asked = {name: given.pop(name) for name in Request.__dataclass_fields__}
        return command(request=Request(**asked), **given)

    return with_request


def _entry_lists(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> dict[str, Path]:
    lists: dict[str, Path] = {}
    for text in texts:
        kind, equals, file = (part.strip() for part in text.partition("="))
        if kind not in ENTRY_LISTS or not (equals and file):
            raise click.BadParameter(
                f"{text!r}: write it as KIND=FILE, KIND one of {', '.join(ENTRY_LISTS)}", ctx, param
            )
        if kind in lists:
            raise click.BadParameter(f"{kind} is given twice", ctx, param)
        lists[kind] = Path(file)
    return lists
