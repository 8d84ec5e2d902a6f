"""`arrocco calc`: one change, one first rating, one performance, every step with its article."""

from __future__ import annotations

from datetime import date
from typing import Any

import click

from arrocco.cli.options import LAWS, day, reading_option, today
from arrocco.cli.output import Column, Output, output_options
from arrocco.errors import Illegal
from arrocco.laws import registry
from arrocco.laws.rating import RatingLaw
from arrocco.units import decimal, parse_score, points, signed
from arrocco.words import Phrase, number


@click.group()
def command() -> None:
    """Work out one change, one first rating or one performance, every step with its article.

    Games are given as OPPONENT:RESULT, for example 2319:0 2181:1 2246:0.5; an unrated opponent is
    written as a dash, -:1 (after two dashes, so that it is not taken for an option).
    """


def _law(out: Output, law: str, on: date | None, readings: dict[str, str]) -> RatingLaw:
    """The edition asked for; without a day, today's, and the answer says so."""
    edition = registry.edition_in_force(law, on or today())(**readings)
    if on is None:
        out.remark(out.say("law.today", on=today(), edition=edition.edition))
    return edition


_law_option = click.option("--law", required=True, help=LAWS)
_on_option = click.option("--on", type=day, metavar="DAY", help="The day; today if not given.")
_games_argument = click.argument("games", nargs=-1, required=True, metavar="OPPONENT:RESULT...")


@command.command()
@_law_option
@_on_option
@click.option("--rating", type=int, required=True, help="The player's rating.")
@click.option("--k", type=int, help="K; without it the law derives it from the options below.")
@click.option(
    "--games", "completed", type=int, help="Games completed so far; without it not a new player."
)
@click.option("--birth", help="Birth: 2008 or 2008-05-17.")
@click.option("--highest-published", type=int, default=0, help="The highest rating ever published.")
@click.option("--reached-2400", "highest_published", flag_value=2400, hidden=True)
@click.option("--reached-2300", "highest_published", flag_value=2300, hidden=True)
@click.option("--time-control", help="For example 30+10 or 90'+30\".")
@click.option("--online", is_flag=True, help="The tournament was played online.")
@reading_option
@_games_argument
@output_options
def change(
    out: Output,
    law: str,
    on: date | None,
    rating: int,
    k: int | None,
    completed: int | None,
    birth: str | None,
    highest_published: int,
    time_control: str | None,
    online: bool,
    readings: dict[str, str],
    games: tuple[str, ...],
) -> None:
    """The change of a rating by some games."""
    from arrocco.engine.calculator import calculate_change
    from arrocco.engine.players import assumed_games
    from arrocco.laws.rating import PlayerFacts
    from arrocco.records.timecontrol import parse_text

    edition = _law(out, law, on, readings)
    control = parse_text(time_control) if time_control else None
    played = _played(games)
    if control is not None:
        for game in played:
            reason = edition.excluded_by_time(control, rating, game.opponent)
            if reason is not None:
                raise Illegal.of(
                    "cli.refused.game_not_rated",
                    rating=rating,
                    opponent=game.opponent or "-",
                    control=str(control),
                    reason=Phrase(f"explain.exclusion.{reason}"),
                    article=edition.exclusion_article(reason),
                    law=law,
                    edition=edition.edition,
                )
    if completed is None:
        completed = assumed_games(edition)
    facts = PlayerFacts(completed, highest_published, _birth(birth))
    rows, steps = calculate_change(
        edition, on or today(), rating, played, k=k, facts=facts, control=control, online=online
    )
    event = rows.events[0]
    if out.is_json:
        record: dict[str, Any] = {
            "law": law,
            "edition": edition.edition,
            "on": on or today(),
            "rating": rating,
            "n": rows.n,
            "score": points(rows.half_points),
            "expected": decimal(rows.expected),
            "expected_unrounded": decimal(rows.expected_unrounded),
            "k": event.k if edition.K_FROM_TOURNAMENT else rows.k,
            "k_reason": event.tournament.k_reason or rows.k_reason,
            "k_applied": event.k if edition.K_FROM_TOURNAMENT else rows.k_applied,
            "variation": decimal(rows.variation),
            "change": rows.change,
            "new_rating": rating + rows.change,
            "delisted": rows.delisted,
            "readings": dict(edition.readings),
            "games": [game_record(game) for game in event.games],
        }
        out.json(record)
        return
    from arrocco.cli.report_text import print_event, print_steps
    from arrocco.engine.rated_steps import tournament_steps, without_repetition

    out.line(out.say("explain.heading.under", law=law, edition=edition.edition), bold=True)
    print_event(out, event, names={}, title=False)
    print_steps(out, tournament_steps(rows, event))
    print_steps(out, without_repetition(steps, rows))


@command.command()
@_law_option
@_on_option
@reading_option
@_games_argument
@output_options
def initial(
    out: Output, law: str, on: date | None, readings: dict[str, str], games: tuple[str, ...]
) -> None:
    """The first rating of an unrated player from games against rated opponents."""
    from arrocco.engine.calculator import KEPT_BACK, calculate_initial

    edition = _law(out, law, on, readings)
    result, reasons = calculate_initial(edition, _played(games))
    publishable = not KEPT_BACK & set(reasons)
    if out.is_json:
        out.json(
            {
                "law": law,
                "edition": edition.edition,
                "on": on or today(),
                "n": result.games,
                "score": points(result.half_points),
                "average": decimal(result.average_hundredths),
                "p": decimal(result.percent),
                "dp": result.dp,
                "initial": result.rating,
                "publishable": publishable,
                "reasons": reasons,
            }
        )
        return
    from arrocco.cli.report_text import print_steps
    from arrocco.engine.explain import initial_steps

    out.line(out.say("explain.heading.under", law=law, edition=edition.edition), bold=True)
    print_steps(out, initial_steps(edition, result, reasons, publishable=publishable))


@command.command()
@_law_option
@_on_option
@_games_argument
@output_options
def performance(out: Output, law: str, on: date | None, games: tuple[str, ...]) -> None:
    """The performance of a result: the opponents' average plus dp of the fractional score."""
    from arrocco.engine.calculator import calculate_performance

    edition = _law(out, law, on, {})
    result = calculate_performance(_played(games))
    if out.is_json:
        out.json(
            {
                "law": law,
                "edition": edition.edition,
                "on": on or today(),
                "n": result.games,
                "score": points(result.half_points),
                "average": decimal(result.average),
                "p": decimal(result.percent),
                "dp": result.dp,
                "performance": result.rating,
            }
        )
        return
    out.table(
        [
            "n",
            "W",
            Column("Ra", right=True),
            "p",
            Column("dp", right=True),
            Column("Rp", right=True),
        ],
        [
            [
                str(result.games),
                number(out.language, points(result.half_points)),
                number(out.language, decimal(result.average)),
                number(out.language, decimal(result.percent)),
                f"{result.dp:+d}",
                str(result.rating),
            ]
        ],
    )


def game_record(game: Any) -> dict[str, Any]:
    """A game as JSON has it, from the player's side."""
    record: dict[str, Any] = {
        "round": game.round,
        "opponent": game.opponent_rating,
        "score": points(game.half_points),
        "difference": game.difference,
        "counted_difference": game.counted_difference,
        "expected": None if game.expected is None else decimal(game.expected),
        "delta": None if game.delta is None else signed(game.delta).removeprefix("+"),
        "article": game.article,
    }
    if game.exclusion is not None:
        record["excluded"] = game.exclusion.value
    return record


def _played(texts: tuple[str, ...]) -> list[Any]:
    from arrocco.engine.calculator import Played

    games = []
    for text in texts:
        rating, colon, score = text.partition(":")
        try:
            if not colon:
                raise ValueError("write a game as OPPONENT:RESULT, for example 2319:0.5")
            opponent = None if rating.strip() in {"-", ""} else int(rating)
            if opponent is not None and opponent <= 0:
                raise ValueError("a rating is above zero; an unrated opponent is a dash")
            games.append(Played(opponent, parse_score(score)))
        except ValueError as error:
            raise click.BadParameter(f"{text!r}: {error}", param_hint="OPPONENT:RESULT") from None
    return games


def _birth(text: str | None) -> Any:
    from arrocco.dates import parse_day
    from arrocco.records.report import Birth

    if text is None:
        return None
    if len(text) == 4 and text.isdigit():
        return Birth(int(text))
    try:
        born = parse_day(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--birth") from None
    return Birth(born.year, born.month, born.day)
