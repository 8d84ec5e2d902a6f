"""`arrocco office readings` and `choose-reading`: how the office reads open articles."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from arrocco.cli.office_options import office_option, opened, opened_to_read
from arrocco.cli.options import day
from arrocco.cli.output import Output, output_options


@click.command("readings")
@office_option
@output_options
def readings(out: Output, folder: Path) -> None:
    """Show how the office reads articles that can be read in more than one way."""
    with opened_to_read(folder) as office:
        chosen, offered = office.readings.all(), office.readings.offered()
    if out.is_json:
        out.json(
            {
                "chosen": [
                    {
                        "seq": made.seq,
                        "law": made.entry.law,
                        "reading": made.entry.reading,
                        "choice": made.entry.choice,
                        "from_list": made.entry.from_list,
                        "reason": made.entry.reason,
                    }
                    for made in reversed(chosen)
                ],
                "next_list": [
                    {
                        "law": open_article.law,
                        "edition": open_article.edition,
                        "reading": open_article.reading.name,
                        "article": open_article.reading.article,
                        "choice": open_article.choice.name,
                        "default": open_article.reading.default,
                        "first_list": open_article.first_list,
                    }
                    for open_article in offered
                ],
            }
        )
        return
    if not chosen:
        out.line(out.say("readings.cli.none"))
    for made in reversed(chosen):
        out.line(
            out.say(
                "readings.cli.chosen",
                law=made.entry.law,
                article=made.reading.article,
                reading=made.entry.reading,
                choice=made.entry.choice,
                day=made.entry.from_list,
            )
        )


@click.command("choose-reading")
@click.argument("law")
@click.argument("reading", metavar="READING=CHOICE")
@click.option("--from", "from_list", type=day, required=True, metavar="DATE", help="The list.")
@click.option("--reason", required=True, help="By whose decision, for the ledger.")
@office_option
@output_options
def choose_reading(
    out: Output, law: str, reading: str, from_list: date, reason: str, folder: Path
) -> None:
    """Choose how an article of LAW is read, from the list of a day on."""
    from arrocco.desk.desk import operator
    from arrocco.office.roles import Role

    name, _, choice = reading.partition("=")
    with opened(folder) as office:
        asker = operator(Role.HEAD_OF_OFFICE)
        seq = office.readings.choose(asker, law, name, choice, from_list, reason)
        entered = next(made for made in office.readings.all() if made.seq == seq)
    told = {
        "law": law,
        "article": entered.reading.article,
        "reading": name,
        "choice": choice,
        "day": from_list,
    }
    if out.is_json:
        out.json(told | {"seq": seq})
        return
    out.line(out.say("readings.cli.chosen", **told))
