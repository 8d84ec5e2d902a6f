"""`arrocco player`: one player's period, explained from the calculations that were stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arrocco.cli.output import Output, output_options
from arrocco.dates import Month
from arrocco.errors import Inconsistent

_NEAREST = 5


@click.group()
def command() -> None:
    """One player's games and ratings, explained."""


def _month(ctx: click.Context, param: click.Parameter, text: str | None) -> Month | None:
    if text is None:
        return None
    try:
        return Month.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def _folder() -> click.Path:
    return click.Path(path_type=Path, exists=True, file_okay=False)


@command.command()
@click.argument("player", metavar="PLAYER")
@click.option(
    "--period",
    callback=_month,
    metavar="MONTH",
    help="The month the opening list is in force, as 2024-05; with --lists.",
)
@click.option("--lists", type=_folder(), help="Folder of lists that `period rate` has written.")
@click.option("--folder", type=_folder(), help="The folder of one list, in place of both.")
@output_options
def explain(
    out: Output, player: str, period: Month | None, lists: Path | None, folder: Path | None
) -> None:
    """Explain a player's period: every tournament, every step, as it was computed.

    PLAYER is an id or part of a name. Nothing is computed again: what was stored is shown.
    """
    from arrocco.store.explanation import explain_player, period_folder

    if (folder is None) == (period is None or lists is None):
        raise click.UsageError("give --period and --lists, or --folder")
    if folder is None:
        assert lists is not None
        assert period is not None
        folder = period_folder(lists, period)
    explanation = explain_player(folder, _player_id(folder, player))
    if out.is_json:
        from arrocco.cli.player_text import explanation_record

        out.json(_head(folder, explanation) | explanation_record(out, explanation))
        return
    from arrocco.cli.player_text import print_explanation

    print_explanation(out, explanation)


def _head(folder: Path, found: Any) -> dict[str, Any]:
    return {
        "folder": str(folder),
        "law": found.law.law,
        "edition": found.law.edition,
        "readings": dict(found.law.readings),
        "opened_on": found.opened_on,
        "list": found.list_date,
    }


def _player_id(folder: Path, asked: str) -> int:
    """The id that was given, or that of the only player with this in the name."""
    from arrocco.store.explanation import players_named

    text = asked.strip()
    if text.isdecimal() and len(text) <= 15:
        return int(text)
    named = players_named(folder, text) if text else []
    if len(named) == 1:
        return named[0][0]
    key = "player.several" if named else "player.unknown"
    near = "; ".join(f"{name} ({id_})" for id_, name in named[:_NEAREST])
    raise Inconsistent.of(key, asked=asked, near=near)
