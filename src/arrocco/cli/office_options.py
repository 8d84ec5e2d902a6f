"""What commands share that work with the office of a folder: the option, and opening it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arrocco.cli.output import Output

if TYPE_CHECKING:
    from arrocco.desk import Office


def office_option(command: Any) -> Any:
    """Gives a command ``--office DIR``, as `folder`."""
    return click.option(
        "--office",
        "folder",
        type=click.Path(path_type=Path, file_okay=False),
        default="office",
        envvar="ARROCCO_OFFICE",
        show_default=True,
        metavar="DIR",
        help="The folder of the office.",
    )(command)


@contextmanager
def opened(
    folder: Path, *, create: bool = False, with_unknown_lists_aside: bool = False
) -> Iterator[Office]:
    """The office of a folder to work in, closed at the end; what was moved aside is told."""
    from arrocco.desk import Office

    office = Office.open(folder, create=create, with_unknown_lists_aside=with_unknown_lists_aside)
    try:
        tell_moved_aside(Output.of(click.get_current_context()), office)
        yield office
    finally:
        office.close()


@contextmanager
def opened_to_read(folder: Path) -> Iterator[Office]:
    """The office of a folder to look at; nothing in it is changed."""
    from arrocco.desk import Office

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
