"""What kind of event it is (online, hybrid, round robin, match), and which games do not count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arrocco.engine.checks.case import Case, some
from arrocco.engine.checks.questions import HybridEvents, RoundRobinField
from arrocco.findings import Finding, Severity
from arrocco.laws.rating import Exclusion
from arrocco.records.report import GameKind, System


def where_it_was_played(case: Case) -> Iterator[Finding]:
    """FIDE rates games over the board, RIO online ones."""
    rated, online = case.law.PLAY_RATED, case.report.facts.online
    if rated is None or rated.online is online:
        return
    key = "online_not_rated" if online else "not_online"
    yield case.finding(Severity.ERROR, key, article=rated.article)


def hybrid(case: Case) -> Iterator[Finding]:
    """A hybrid tournament needs an approval of its own and sends its games."""
    law, is_hybrid = case.law, case.report.facts.hybrid
    if not isinstance(law, HybridEvents):
        return
    if law.needs_individual_approval(hybrid=is_hybrid):
        yield case.finding(
            Severity.WARNING, "hybrid_approval", article=case.article("needs_individual_approval")
        )
    if law.needs_games_file(hybrid=is_hybrid):
        yield case.finding(
            Severity.WARNING, "hybrid_games_file", article=case.article("needs_games_file")
        )


def rated_in_round_robin(case: Case) -> Iterator[Finding]:
    """A round robin has enough rated players."""
    law, report, facts = case.law, case.report, case.report.facts
    if not is_round_robin(case) or not isinstance(law, RoundRobinField):
        return
    if not law.is_rated_as_round_robin(report.system, unplayed_in_round_robin(case)):
        return  # 6.43: as a Swiss, which 6.3 to 6.32 do not speak of
    rated = [entry for entry in report.entries if case.ratings[entry.number]]
    refusal = law.round_robin_refusal(
        len(report.entries),
        len(rated),
        double=report.system is System.DOUBLE_ROUND_ROBIN,
        national_championship=facts.national_championship,
        women_only=facts.women_only,
        rated_men=sum(not case.is_woman(entry) for entry in rated),
    )
    if refusal is not None:
        numbers: dict[str, Any] = dict(case.law.named(law.ROUND_ROBIN_NUMBERS[refusal]))
        yield case.finding(
            Severity.ERROR,
            f"round_robin.{refusal}",
            article=law.ROUND_ROBIN_ARTICLES[refusal],
            players=len(report.entries),
            rated=len(rated),
            **numbers,
        )


def round_robin_as_swiss(case: Case) -> Iterator[Finding]:
    """A round robin in which a game was not played is rated as a Swiss."""
    law, missing = case.law, unplayed_in_round_robin(case)
    if not missing or not isinstance(law, RoundRobinField):
        return
    if not law.is_rated_as_round_robin(case.report.system, missing):
        yield case.finding(
            Severity.NOTE,
            "rated_as_swiss",
            article=case.article("is_rated_as_round_robin"),
            missing=missing,
        )


def is_round_robin(case: Case) -> bool:
    return case.system in (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN)


def unplayed_in_round_robin(case: Case) -> int:
    """How many games of a round robin were not played, those never paired included."""
    if not is_round_robin(case):
        return 0
    players = len(case.report.entries)
    cycles = 2 if case.report.system is System.DOUBLE_ROUND_ROBIN else 1
    return max(0, cycles * players * (players - 1) // 2 - len(case.played))


def match_of_rated(case: Case) -> Iterator[Finding]:
    """A match with an unrated player is not rated."""
    law = case.law
    playing = {number for game in case.report.games for number in (game.white, game.black)}
    ratings = {
        number: rating
        for number, rating in case.ratings.items()
        if number in playing or not playing
    }
    if case.system is not System.MATCH or law.match_is_rated(*ratings.values()):
        return
    unrated = [number for number, rating in ratings.items() if not rating]
    yield case.finding(
        Severity.ERROR,
        "match_unrated",
        article=law.exclusion_article(Exclusion.MATCH_UNRATED),
        players=some(case.name(number) for number in unrated),
    )


def match_decided(case: Case) -> Iterator[Finding]:
    """Games after a match was decided are not rated."""
    games = case.excluded(Exclusion.MATCH_DECIDED)
    if games:
        yield case.finding(
            Severity.WARNING,
            "match_decided",
            games[0].place,
            article=case.law.exclusion_article(Exclusion.MATCH_DECIDED),
            count=len(games),
            length=case.report.facts.match_games,
            games=some(case.game(game) for game in games),
        )


def unplayed(case: Case) -> Iterator[Finding]:
    """Games that were not played are not rated, whatever points they gave."""
    forfeits, short = (
        sum(game.kind is kind for game in case.report.games)
        for kind in (GameKind.FORFEIT, GameKind.SHORT)
    )
    if forfeits or short:
        yield case.finding(
            Severity.NOTE,
            "unplayed",
            article=case.law.exclusion_article(Exclusion.UNPLAYED),
            count=forfeits + short,
            forfeits=forfeits,
            short=short,
        )


def rating_gap(case: Case) -> Iterator[Finding]:
    """Games between players too far apart are not rated, where the edition says so."""
    law, games = case.law, []
    for game, why in zip(case.report.games, case.exclusions, strict=True):
        white, black = case.ratings.get(game.white), case.ratings.get(game.black)
        if why is None and white and black and law.gap_is_excluded(white, black):
            games.append(game)
    if games:
        yield case.finding(
            Severity.NOTE,
            "rating_gap",
            games[0].place,
            article=law.exclusion_article(Exclusion.RATING_GAP),
            count=len(games),
            games=some(case.game(game) for game in games),
        )
