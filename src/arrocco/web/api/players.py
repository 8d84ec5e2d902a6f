"""Players: found, their ratings, their history, and how each list came to a rating."""

from __future__ import annotations

from typing import Annotated

from litestar.params import FromPath, QueryParameter

from arrocco.engine.explain import EventRow, GameRow
from arrocco.errors import Inconsistent
from arrocco.office.roles import Permission
from arrocco.store.explanation import EventFacts, Explanation
from arrocco.store.explanation_steps import closing_steps, event_steps, opening_steps, result_key
from arrocco.units import decimal, points
from arrocco.web.api.records import (
    EntryRecord,
    EventRecord,
    FoundPlayer,
    GameRecord,
    HistoryRecord,
    PeriodRecord,
    PlayerHistory,
    PlayerRecord,
    RatingRecord,
    refusals,
    step_record,
)
from arrocco.web.pages.public_asking import NotThere, lookup_of, player_number, publication_of
from arrocco.web.pages.public_players import search, systems_of
from arrocco.web.routes import api
from arrocco.web.view import TheView
from arrocco.words import Language

Query = Annotated[
    str, QueryParameter(min_length=1, max_length=80, description="Words of a name, or a number.")
]
Limit = Annotated[int, QueryParameter(ge=1, le=50)]


@api("/players", permission=Permission.LOOK_UP, responses=refusals())
def players(view: TheView, q: Query, limit: Limit = 20) -> list[FoundPlayer]:
    """Players of the newest lists of all systems, by words of the name or by number."""
    found, _ = search(view, q.strip(), limit)
    return [
        FoundPlayer(
            id=one.player.id, name=one.player.name, federation=one.player.federation,
            title=one.player.title, ratings=one.ratings,
            birth_year=one.player.birth.year if one.player.birth else None,
        )
        for one in found
    ]  # fmt: skip


@api("/players/{player:int}", permission=Permission.LOOK_UP, responses=refusals(404))
def player(view: TheView, player: FromPath[int]) -> PlayerRecord:
    """A player: who they are and their ratings by system."""
    player_number(player)
    systems = [one for one in systems_of(view, player, charts=False) if one.row]
    if not systems or systems[0].row is None:
        raise NotThere.of("public.refused.no_player", player=player)
    known = systems[0].row
    ratings = {}
    for one in systems:
        assert one.row is not None
        assert one.latest is not None
        ratings[one.system] = RatingRecord(
            list_date=one.latest.list_date, rating=one.row.rating, games=one.row.games,
            k=one.row.k, active=not one.row.is_inactive,
            rank=one.rank.world if one.rank else None,
            federation_rank=one.rank.federation if one.rank else None,
        )  # fmt: skip
    return PlayerRecord(
        id=player, name=known.name, federation=known.federation, sex=known.sex,
        title=known.title, birth_year=known.birth.year if known.birth else None, ratings=ratings,
    )  # fmt: skip


@api("/players/{player:int}/history", permission=Permission.LOOK_UP, responses=refusals(404))
def player_history(view: TheView, player: FromPath[int]) -> PlayerHistory:
    """The ratings of a player list by list, and what the ledger says of them besides."""
    player_number(player)
    history = view.office.people.history(player)
    entries = lookup_of(view).entries(player)
    if not history and not entries:
        raise NotThere.of("public.refused.no_player", player=player)
    return PlayerHistory(
        id=player,
        systems={
            system: [
                HistoryRecord(
                    list_date=row.list_date, player=row.player, rating=row.rating,
                    change=row.change, games=row.games, k=row.k, note=row.note,
                )
                for row in rows
            ]
            for system, rows in history.items()
        },
        entries=[
            EntryRecord(
                seq=one.seq, at=one.at, kind=one.kind, other=one.other, tournament=one.tournament,
                fields=list(one.fields), lists=dict(one.lists),
            )
            for one in entries
        ],
    )  # fmt: skip


@api(
    "/players/{player:int}/{system:str}/{on:str}",
    permission=Permission.LOOK_UP, responses=refusals(404),
)  # fmt: skip
def player_period(
    view: TheView, player: FromPath[int], system: FromPath[str], on: FromPath[str]
) -> PeriodRecord:
    """How one list came to a player's rating: every game, every step, every article."""
    player_number(player)
    publication = publication_of(view, system, on)
    try:
        found = view.office.people.period(system, player, publication.list_date)
    except Inconsistent:
        raise NotThere.of(
            "public.refused.not_on_list", player=player, system=system, on=publication.list_date
        ) from None
    return period_record(view.language, system, found)


def period_record(language: Language, system: str, found: Explanation) -> PeriodRecord:
    """A stored explanation as a record."""
    rows = found.rows
    has_step = rows.rating is not None and found.counts and not found.law.K_FROM_TOURNAMENT
    return PeriodRecord(
        id=rows.id, name=found.listed.name, system=system, law=found.law.law,
        edition=found.law.edition, readings=dict(found.law.readings), opened_on=found.opened_on,
        list_date=found.list_date, rating=rows.rating, n=rows.n, score=points(rows.half_points),
        expected=decimal(rows.expected), delta=decimal(rows.delta),
        k=rows.k if has_step else None, k_reason=rows.k_reason if has_step else None,
        k_applied=rows.k_applied if has_step else None, variation=decimal(rows.variation),
        change=rows.change, new_rating=rows.new_rating, result=result_key(found),
        tournaments=[
            _event(language, found, event, facts)
            for event, facts in zip(rows.events, found.facts, strict=True)
        ],
        steps=[
            step_record(language, step) for step in (*opening_steps(found), *closing_steps(found))
        ],
    )  # fmt: skip


def _event(
    language: Language, found: Explanation, event: EventRow, facts: EventFacts
) -> EventRecord:
    told = event.tournament
    games = [game_record(game, found.names) for game in event.games]
    return EventRecord(
        key=told.key, name=told.name, start=told.start, end=told.end, edition=told.law.edition,
        rating=event.own_rating, n=event.n, score=points(event.half_points),
        expected=decimal(event.expected), delta=decimal(event.delta), k=event.k or None,
        variation=decimal(event.variation), games=games if found.has_games else None,
        steps=[step_record(language, one) for one in event_steps(found, event, facts, language)],
    )  # fmt: skip


def game_record(game: GameRow, names: object = None) -> GameRecord:
    """A game from the player's side."""
    known = names if isinstance(names, dict) else {}
    return GameRecord(
        round=game.round, opponent=game.opponent if known and game.opponent > 0 else None,
        opponent_name=known.get(game.opponent, ""), opponent_rating=game.opponent_rating,
        score=points(game.half_points), difference=game.difference,
        counted_difference=game.counted_difference,
        expected=None if game.expected is None else decimal(game.expected),
        delta=None if game.delta is None else decimal(game.delta),
        excluded=None if game.exclusion is None else game.exclusion.value, article=game.article,
    )  # fmt: skip
