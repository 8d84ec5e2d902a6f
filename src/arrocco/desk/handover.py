"""Where the hall and the office meet: an event that is over becomes a report like any other.

What is sent is the TRF file that an arbiter would have uploaded; from there on nobody can tell the
difference. The event's page asks this, and so does whoever plays an event from a script.
"""

from __future__ import annotations

from collections.abc import Iterable

from arrocco.desk import Office
from arrocco.desk.uploads import MAX_BYTES, File
from arrocco.errors import Illegal, Inconsistent
from arrocco.formats.trf import from_report
from arrocco.hall import event as ev
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import rules_of
from arrocco.hall.file_standings import stated_of
from arrocco.hall.game import State as GameState
from arrocco.laws.hall import OnlineRating
from arrocco.office.records import (
    Registration,
    RoundTime,
    SentReport,
    Tournament,
    TournamentStatus,
)
from arrocco.office.roles import Asker, Forbidden
from arrocco.records.report import Facts, Report

_OFFICIALS = (EventRole.CHIEF, EventRole.ORGANISER)
_ALIVE = (TournamentStatus.REGISTERED, TournamentStatus.AWAITING_APPROVAL)
_PAGE = 200
_MAX_GAMES = 1000
"""Games that are sent with a report: each is read again when the report is checked."""


def hand_over(
    office: Office,
    asker: Asker,
    state: ev.State,
    games: Iterable[GameState],
) -> SentReport:
    """Sends the report of an event whose standings are validated; the report as the office has it.

    `games` are all games that were played in the hall: each must have ended, and the event must
    have taken what it came to. Scores are those the rating takes (12.13), as the
    office reads it. The tournament is
    registered as an online one, unless the asker has registered one of the same name and days.
    Raises `Forbidden` for who is no official of the event, `Illegal` for an event that is not
    validated or not rated, `Inconsistent` where games are missing.
    """
    _require_official(asker, state)
    games = list(games)
    _require_finished(state, games)
    rio = office.readings.rio_on(state.created.start)
    report = ev.to_report(state, rio=rio)
    tournament = tournament_of(office, asker, state) or office.tournaments.register(
        asker, registration_of(state, report, rio)
    )
    data = from_report(report, "trf26", *stated_of(rules_of(state), state.created.start))
    name = state.created.event
    return office.reports.send(
        asker, tournament.id, f"{name}.trf", data, games=_games_file(name, games)
    )


def _games_file(name: str, games: list[GameState]) -> File | None:
    """The games as they go with the report; none where there are too many to be read with it."""
    played = [game for game in games if game.moves]
    pgn = ev.to_event_pgn(played).encode() if 0 < len(played) <= _MAX_GAMES else b""
    return File(f"{name}.pgn", pgn) if 0 < len(pgn) <= MAX_BYTES else None


def registration_of(state: ev.State, report: Report, rio: OnlineRating) -> Registration:
    """The announcement of an event's tournament, for the list of its time control (14.3).

    Raises `Illegal` for an event that is not rated.
    """
    rules = rules_of(state)
    kind = rules.time_class(rio)
    if not rules.rated or kind is None:
        raise Illegal.of("handover.not_rated", event=state.created.name)
    created = state.created
    return Registration(
        name=created.name,
        city=created.site or "online",
        federation=created.federation,
        systems=(f"rio-{kind.value}",),
        start=created.start,
        end=created.end,
        schedule=tuple(
            RoundTime(round_.opened.date(), f"{round_.opened:%H:%M}")
            for round_ in state.rounds
            if round_.opened is not None
        ),
        time_control=str(rules.control),
        pairing=report.system,
        chief_arbiter=report.chief_arbiter,
        expected_players=len(report.entries),
        top_rating=max((entry.rating or 0 for entry in report.entries), default=0) or None,
        facts=Facts(online=True),
    )


def tournament_of(office: Office, asker: Asker, state: ev.State) -> Tournament | None:
    """The asker's tournament of the event's name and days; the newest where there are several."""
    created = state.created
    _, tournaments = office.tournaments.mine(asker, text=created.name, status=_ALIVE, limit=_PAGE)
    same = [
        tournament
        for tournament in tournaments
        if (
            tournament.registration.name,
            tournament.registration.start,
            tournament.registration.end,
        )
        == (created.name, created.start, created.end)
        and tournament.registration.facts.online
    ]
    return max(same, key=lambda tournament: tournament.id, default=None)


def _require_official(asker: Asker, state: ev.State) -> None:
    account = "" if asker.account is None else str(asker.account)
    if not account or state.role(account) not in _OFFICIALS:
        raise Forbidden.of("handover.not_official", event=state.created.name)


def _require_finished(state: ev.State, games: Iterable[GameState]) -> None:
    """12.9 — validated, and every result is the one that its game came to, or was made of it."""
    if state.validated is None:
        raise Illegal.of("handover.not_validated", event=state.created.name)
    known = {(game.created.round, game.created.board): game for game in games}
    for round_ in state.rounds:
        for number, board in enumerate(round_.boards, start=1):
            if not board.game:  # forfeited before it could begin, or taken by hand
                continue
            game = known.get((round_.number, number))
            if game is None:
                raise Inconsistent.of("handover.game_missing", round=round_.number, board=number)
            taken = ev.result_of(game, round_.number, number)
            if taken is None or taken.result not in [one.result for one in board.settled]:
                raise Inconsistent.of(
                    "handover.result_not_taken", round=round_.number, board=number
                )
