"""`arrocco law`: which regulations there are, what an edition says, how two editions differ."""

from __future__ import annotations

from datetime import date

import click

from arrocco.cli import law_view as view
from arrocco.cli.options import day, today
from arrocco.cli.output import Output, output_options
from arrocco.laws import registry
from arrocco.laws.compare import compare_readings, compare_rules, compare_values
from arrocco.laws.edition import edition_name


@click.group()
def command() -> None:
    """The regulations: their editions, values, readings, rules, and how they differ."""


@command.command("list")
@output_options
def list_(out: Output) -> None:
    """List all regulations and their editions, with dates and sources."""
    editions = [edition for law in registry.REGULATIONS for edition in registry.texts(law)]
    if out.is_json:
        out.json({"editions": [view.edition_record(out, edition) for edition in editions]})
    else:
        view.print_editions(out, editions)


@command.command(short_help="Show an edition: its values, readings and rules.")
@click.argument("law")
@click.option("--on", type=day, metavar="DAY", help="The day, as 2024-05-01; today if not given.")
@output_options
def show(out: Output, law: str, on: date | None) -> None:
    """Show the edition of LAW in force on a day: its values, its readings, its rules."""
    on_day = on or today()
    edition = registry.text_in_force(law, on_day)
    if out.is_json:
        out.json({"on": on_day, **view.edition_record(out, edition), **view.content(out, edition)})
        return
    if on is None:
        out.remark(out.say("law.today", on=on_day, edition=edition_name(edition)))
    view.print_head(out, edition)
    view.print_values(out, edition)
    view.print_readings(out, edition)
    view.print_rules(out, edition)


@command.command(short_help="Compare two editions of a regulation.")
@click.argument("law")
@click.argument("first")
@click.argument("second")
@output_options
def diff(out: Output, law: str, first: str, second: str) -> None:
    """Compare two editions of LAW, each named by the day it came into force.

    For example: arrocco law diff fide 2024-03-01 2025-10-01
    """
    one, other = registry.text_named(law, first), registry.text_named(law, second)
    values, readings = compare_values(one, other), compare_readings(one, other)
    rules = compare_rules(one, other)
    if out.is_json:
        out.json(
            {
                "law": law,
                "first": view.edition_record(out, one),
                "second": view.edition_record(out, other),
                "values": view.comparison_record(
                    values, lambda name, value: view.value_record(out, name, value)
                ),
                "readings": view.comparison_record(
                    readings, lambda _, reading: view.reading_record(out, reading)
                ),
                "rules": view.comparison_record(rules, lambda _, body: view.body_record(out, body)),
            }
        )
        return
    names = (first, second)
    out.line(out.say("law.compared", law=law, first=first, second=second), bold=True)
    view.print_value_differences(out, values, names)
    view.print_reading_differences(out, readings, names)
    view.print_rule_differences(out, rules, names)
