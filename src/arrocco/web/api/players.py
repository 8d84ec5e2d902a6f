"""Players: found, their ratings, their history, and how each list came to a rating."""

from __future__ import annotations

from typing import Annotated

from litestar.params import FromPath, QueryParameter

from arrocco.desk.departed import Departed
from arrocco.desk.lookup import PlayerEntry
from arrocco.engine.explain import EventRow, GameRow
from arrocco.errors import Inconsistent, NotFound
from arrocco.office.roles import Permission
from arrocco.store.explanation import EventFacts, Explanation
from arrocco.store.explanation_steps import closing_steps, event_steps, opening_steps, result_key
from arrocco.units import decimal, points
from arrocco.web.api.player_records import (
    DepartedRecord,
    EntryRecord,
    EventRecord,
    FoundPlayer,
    GameRecord,
    HistoryRecord,
    PeriodRecord,
    PlayerHistory,
    PlayerRecord,
    RatingRecord,
    step_record,
)
from arrocco.web.api.records import refusals
from arrocco.web.pages.public_asking import lookup_of, player_number, publication_of
from arrocco.web.pages.public_players import entered_with, listed_rating, search, systems_of
from arrocco.web.routes import api
from arrocco.web.view import TheView, View
from arrocco.words import Language

Query = Annotated[
    str, QueryParameter(min_length=1, max_length=80, description="Words of a name, or a number.")
]
Limit = Annotated[int, QueryParameter(ge=1, le=50)]


@api("/players", permission=Permission.LOOK_UP, responses=refusals())
def players(view: TheView, q: Query, limit: Limit = 20) -> list[FoundPlayer]:
    """Players of the newest lists of all systems, by words of the name or by number."""
    matching, _ = search(view, q.strip(), limit)
    gone = view.office.departed.all()
    return [
        FoundPlayer(
            id=one.player.id,
            name=one.player.name,
            federation=one.player.federation,
            title=one.player.title,
            ratings=one.ratings,
            birth_year=one.player.birth.year if one.player.birth else None,
            departed=departed_record(gone[one.player.id]) if one.player.id in gone else None,
        )
        for one in matching
    ] + _departed_among(view, q, {one.player.id for one in matching}, limit - len(matching))


def _departed_among(view: View, text: str, there: set[int], limit: int) -> list[FoundPlayer]:
    """Those who died or whose number was merged, and who are on no newest list any more."""
    gone = [
        departed
        for departed in view.office.departed.search(text.strip())
        if departed.player not in there
    ]
    return [
        FoundPlayer(
            id=departed.player,
            name=departed.name,
            federation=departed.federation,
            title=departed.title,
            ratings={},
            birth_year=departed.birth_year,
            departed=departed_record(departed),
        )
        for departed in gone[: max(limit, 0)]
    ]


def departed_record(departed: Departed) -> DepartedRecord:
    """What everybody may know of somebody who left."""
    return DepartedRecord(
        successor=departed.successor,
        died=departed.died is not None,
        last_lists=departed.last_lists,
        left_with=departed.left_with,
    )


@api("/players/{player:int}", permission=Permission.LOOK_UP, responses=refusals(404))
def player(view: TheView, player: FromPath[int]) -> PlayerRecord:
    """A player: who they are and their ratings by system."""
    player_number(player)
    systems = [in_system for in_system in systems_of(view, player, charts=False) if in_system.row]
    departed = view.office.departed.get(player)
    if not systems or systems[0].row is None:
        if departed is None:
            raise NotFound.of("public.refused.no_player", player=player)
        return PlayerRecord(
            id=player,
            name=departed.name,
            federation=departed.federation,
            sex="",
            title=departed.title,
            birth_year=departed.birth_year,
            ratings={},
            departed=departed_record(departed),
        )
    known = systems[0].row
    ratings = {}
    for system in systems:
        assert system.row is not None
        assert system.latest is not None
        ratings[system.system] = RatingRecord(
            list_date=system.latest.list_date,
            rating=system.row.rating,
            games=system.row.games,
            k=system.row.k,
            active=not system.row.is_inactive,
            rank=system.rank.world if system.rank else None,
            federation_rank=system.rank.federation if system.rank else None,
        )
    return PlayerRecord(
        id=player,
        name=known.name,
        federation=known.federation,
        sex=known.sex,
        title=known.title,
        birth_year=known.birth.year if known.birth else None,
        ratings=ratings,
        departed=departed_record(departed) if departed else None,
    )


@api("/players/{player:int}/history", permission=Permission.LOOK_UP, responses=refusals(404))
def player_history(view: TheView, player: FromPath[int]) -> PlayerHistory:
    """The ratings of a player list by list, and what the ledger says of them besides."""
    player_number(player)
    history = view.office.people.history(player)
    entries = lookup_of(view).entries(player)
    if not history and not entries:
        raise NotFound.of("public.refused.no_player", player=player)
    return PlayerHistory(
        id=player,
        systems={
            system: [
                HistoryRecord(
                    list_date=row.list_date,
                    player=row.player,
                    rating=row.rating,
                    change=row.change,
                    games=row.games,
                    k=row.k,
                    note=row.note,
                )
                for row in rows
            ]
            for system, rows in history.items()
        },
        entries=[_entry(entry) for entry in entries],
    )


def _entry(entry: PlayerEntry) -> EntryRecord:
    return EntryRecord(
        seq=entry.seq,
        at=entry.at,
        kind=entry.kind,
        other=entry.other,
        tournament=entry.tournament,
        fields=list(entry.fields),
        lists=dict(entry.lists),
    )


@api(
    "/players/{player:int}/{system:str}/{on:str}",
    permission=Permission.LOOK_UP,
    responses=refusals(404),
)
def player_period(
    view: TheView, player: FromPath[int], system: FromPath[str], on: FromPath[str]
) -> PeriodRecord:
    """How one list came to a player's rating: every game, every step, every article."""
    player_number(player)
    publication = publication_of(view, system, on)
    try:
        explanation = view.office.people.period(system, player, publication.list_date)
    except Inconsistent:
        raise NotFound.of(
            "public.refused.not_on_list", player=player, system=system, on=publication.list_date
        ) from None
    return period_record(
        view.language,
        system,
        explanation,
        listed_rating(view, system, player, explanation.opened_on),
        entered_with(view, system, player, publication.list_date),
    )


def period_record(
    language: Language,
    system: str,
    explanation: Explanation,
    listed: int | None,
    entered: list[PlayerEntry],
) -> PeriodRecord:
    """A stored explanation as a record."""
    rows = explanation.rows
    has_step = (
        rows.rating is not None and explanation.counts and not explanation.law.K_FROM_TOURNAMENT
    )
    return PeriodRecord(
        id=rows.id,
        name=explanation.listed.name,
        system=system,
        law=explanation.law.law,
        edition=explanation.law.edition,
        readings=dict(explanation.law.readings),
        opened_on=explanation.opened_on,
        list_date=explanation.list_date,
        listed=listed,
        entered=[_entry(entry) for entry in entered],
        rating=rows.rating,
        n=rows.n,
        score=points(rows.half_points),
        expected=decimal(rows.expected),
        delta=decimal(rows.delta),
        k=rows.k if has_step else None,
        k_reason=rows.k_reason if has_step else None,
        k_applied=rows.k_applied if has_step else None,
        variation=decimal(rows.variation),
        change=rows.change,
        new_rating=rows.new_rating,
        result=result_key(explanation),
        tournaments=[
            _event(language, explanation, event, facts)
            for event, facts in zip(rows.events, explanation.facts, strict=True)
        ],
        steps=[
            step_record(language, step)
            for step in (*opening_steps(explanation), *closing_steps(explanation))
        ],
    )


def _event(
    language: Language, explanation: Explanation, event: EventRow, facts: EventFacts
) -> EventRecord:
    told = event.tournament
    games = [game_record(game, explanation.names) for game in event.games]
    return EventRecord(
        key=told.key,
        name=told.name,
        start=told.start,
        end=told.end,
        edition=told.law.edition,
        rating=event.own_rating,
        n=event.n,
        score=points(event.half_points),
        expected=decimal(event.expected),
        delta=decimal(event.delta),
        k=event.k or None,
        variation=decimal(event.variation),
        games=games if explanation.has_games else None,
        steps=[
            step_record(language, event_step)
            for event_step in event_steps(explanation, event, facts, language)
        ],
    )


def game_record(game: GameRow, names: object = None) -> GameRecord:
    """A game from the player's side."""
    known = names if isinstance(names, dict) else {}
    return GameRecord(
        round=game.round,
        opponent=game.opponent if known and game.opponent > 0 else None,
        opponent_name=known.get(game.opponent, ""),
        opponent_rating=game.opponent_rating,
        score=points(game.half_points),
        difference=game.difference,
        counted_difference=game.counted_difference,
        expected=None if game.expected is None else decimal(game.expected),
        delta=None if game.delta is None else decimal(game.delta),
        excluded=None if game.exclusion is None else game.exclusion.value,
        article=game.article,
    )
