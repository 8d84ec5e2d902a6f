"""The regulations edition by edition, and the calculators that apply them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from litestar.params import FromPath, QueryParameter

from arrocco.engine.calculator import (
    KEPT_BACK,
    Played,
    calculate_change,
    calculate_initial,
    calculate_performance,
)
from arrocco.engine.explain import initial_steps
from arrocco.engine.players import assumed_games
from arrocco.engine.receipt_steps import tournament_steps, without_repetition
from arrocco.errors import Illegal, Malformed, NotFound
from arrocco.lawbook import meaning, rule_words, source, title
from arrocco.laws.edition import Edition, edition_name
from arrocco.laws.rating import PlayerFacts, RatingLaw
from arrocco.laws.registry import LAWS, REGULATIONS, text_named, texts
from arrocco.office.roles import Permission
from arrocco.units import decimal, parse_score, points
from arrocco.web.api.law_records import (
    ChangeRecord,
    ChosenRecord,
    EditionRecord,
    InitialRecord,
    LawRecord,
    PerformanceRecord,
    ReadingRecord,
    RuleRecord,
    ValueRecord,
)
from arrocco.web.api.player_records import step_record
from arrocco.web.api.players import game_record
from arrocco.web.api.records import refusals
from arrocco.web.routes import api
from arrocco.web.view import TheView, View
from arrocco.words import Language

MAX_GAMES = 200
Law = Annotated[str, QueryParameter(max_length=20, description=", ".join(LAWS))]
Day = Annotated[date | None, QueryParameter(description="The day; today if it is not given.")]
Games = Annotated[
    str, QueryParameter(max_length=2000, description="Opponent:result, as 2319:1,2181:0.5,-:0.")
]
Rating = Annotated[int, QueryParameter(ge=1, le=4000)]
K = Annotated[int | None, QueryParameter(ge=1, le=200)]
Completed = Annotated[
    int | None,
    QueryParameter(ge=0, le=100_000, description="Without it the player is not new to the list."),
]
Highest = Annotated[
    int, QueryParameter(ge=0, le=4000, description="The highest rating ever published.")
]


@api("/law", permission=Permission.LOOK_UP, responses=refusals())
def law(view: TheView) -> list[EditionRecord]:
    """Every edition of every regulation, the oldest of each first."""
    return [_edition(view.language, text) for name in REGULATIONS for text in texts(name)]


@api("/law/{law:str}/{edition:str}", permission=Permission.LOOK_UP, responses=refusals(404))
def law_edition(view: TheView, law: FromPath[str], edition: FromPath[str]) -> LawRecord:
    """All that an edition says: its numbers, its rules, and where its text leaves room."""
    if law not in REGULATIONS or edition not in {edition_name(text) for text in texts(law)}:
        raise NotFound.of("public.refused.no_law", law=f"{law[:40]} {edition[:40]}", known=LAWS)
    edition_class, language = text_named(law, edition), view.language
    chosen = view.office.readings.all()
    return LawRecord(
        edition=_edition(language, edition_class),
        values=[
            ValueRecord(
                name=name,
                value=int(value),
                unit=value.unit,
                article=value.article,
                words=meaning(language, value),
                basis=edition_class.basis_of(name),
            )
            for name, value in edition_class.values()
        ],
        readings=[
            ReadingRecord(
                name=reading.name,
                article=reading.article,
                words=meaning(language, reading),
                choices={choice.name: meaning(language, choice) for choice in reading.choices},
                default=reading.default,
                basis=reading.basis,
                chosen=[
                    ChosenRecord(
                        choice=one.entry.choice,
                        from_list=one.entry.from_list,
                        reason=one.entry.reason,
                        seq=one.seq,
                    )
                    for one in reversed(chosen)
                    if (one.entry.law, one.entry.reading) == (law, reading.name)
                ],
            )
            for reading in edition_class.READINGS
        ],
        rules=[
            RuleRecord(
                name=rule.name,
                article=rule.article,
                words=rule_words(language, edition_class, rule),
            )
            for rule in edition_class.rules()
        ],
    )


def _edition(language: Language, edition: type[Edition]) -> EditionRecord:
    end = edition.in_force.end
    return EditionRecord(
        law=edition.law,
        edition=edition_name(edition),
        first_day=edition.in_force.start,
        title=title(language, edition),
        last_day=None if end is None else end - timedelta(days=1),
        source=source(language, edition),
    )


# --- calculators ----------------------------------------------------------------------------------


@api("/calculators/change", permission=Permission.LOOK_UP, responses=refusals(422))
def change(
    view: TheView,
    law: Law,
    rating: Rating,
    games: Games,
    on: Day = None,
    k: K = None,
    completed_games: Completed = None,
    highest_published: Highest = 0,
) -> ChangeRecord:
    """The change of a rating by some games, with every step and its article."""
    edition, day = _in_force(view, law, on)
    completed = assumed_games(edition) if completed_games is None else completed_games
    facts = PlayerFacts(completed, highest_published)
    rows, steps = calculate_change(edition, day, rating, _played(games), k=k, facts=facts)
    event, own = rows.events[0], edition.K_FROM_TOURNAMENT
    every = [*tournament_steps(rows, event), *without_repetition(steps, rows)]
    return ChangeRecord(
        law=law,
        edition=edition.edition,
        on=day,
        rating=rating,
        n=rows.n,
        score=points(rows.half_points),
        expected=decimal(rows.expected),
        delta=decimal(rows.delta),
        k=event.k if own else rows.k,
        k_reason=event.tournament.k_reason or rows.k_reason,
        k_applied=event.k if own else rows.k_applied,
        variation=decimal(rows.variation),
        change=rows.change,
        new_rating=rating + rows.change,
        games=[game_record(game) for game in event.games],
        steps=[step_record(view.language, step) for step in every],
    )


@api("/calculators/initial", permission=Permission.LOOK_UP, responses=refusals(422))
def initial(view: TheView, law: Law, games: Games, on: Day = None) -> InitialRecord:
    """The first rating of an unrated player from games against rated opponents."""
    edition, day = _in_force(view, law, on)
    result, reasons = calculate_initial(edition, _played(games))
    publishable = not KEPT_BACK & set(reasons)
    steps = initial_steps(edition, result, reasons, publishable=publishable)
    return InitialRecord(
        law=law,
        edition=edition.edition,
        on=day,
        n=result.games,
        score=points(result.half_points),
        average=decimal(result.average_hundredths),
        p=decimal(result.percent),
        dp=result.dp,
        initial=result.rating,
        publishable=publishable,
        reasons=reasons,
        steps=[step_record(view.language, step) for step in steps],
    )


@api("/calculators/performance", permission=Permission.LOOK_UP, responses=refusals(422))
def performance(games: Games) -> PerformanceRecord:
    """The performance of a result: the opponents' average plus dp of the fractional score."""
    result = calculate_performance(_played(games))
    return PerformanceRecord(
        n=result.games,
        score=points(result.half_points),
        average=decimal(result.average),
        p=decimal(result.percent),
        dp=result.dp,
        performance=result.rating,
    )


def _in_force(view: View, law: str, on: date | None) -> tuple[RatingLaw, date]:
    day = on or view.office.desk.now().date()
    if law not in LAWS:
        raise Illegal.of("laws.refused.no_regulation", law=law[:40], laws=LAWS)
    return view.office.readings.law_on(law, day), day


def _played(text: str) -> list[Played]:
    """Games as they are written in an address. Raises `Malformed`."""
    games = []
    for part in text.split(","):
        opponent, colon, result = part.strip().rpartition(":")
        rating = None if opponent.strip() == "-" else _rating(opponent.strip())
        half = _half(result.strip())
        if not colon or half is None or rating == 0:
            raise Malformed.of("public.refused.no_games", games=text[:200])
        games.append(Played(rating, half))
    if len(games) > MAX_GAMES:
        raise Malformed.of("public.refused.no_games", games=text[:200])
    return games


def _rating(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else 0


def _half(text: str) -> int | None:
    try:
        half = int(parse_score(text))
    except ValueError:
        return None
    return half if half in (0, 1, 2) else None
