"""Two regulations side by side on the same results: what each makes of every player, and how.

The results are one tournament, or the games of one player (`games_report`). Either law may be an
edition that was not in force then, if it is named.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np

from arrocco.engine.admission import (
    Waived,
    Waivers,
    edition_for,
    judged,
    waiver_key,
)
from arrocco.engine.batch import law_on
from arrocco.engine.entering import rating_to_begin_with
from arrocco.engine.explain import PlayerRows, Step, rows_of_player, steps_of_player
from arrocco.engine.outcome import coefficients
from arrocco.engine.players import players_of_list
from arrocco.engine.printed_k import past_told_by_k
from arrocco.engine.rate_reports import RatedReports, rate_reports
from arrocco.errors import Illegal, Inconsistent, NoLawInForce
from arrocco.findings import Finding
from arrocco.laws.rating import RatingLaw
from arrocco.laws.systems import STANDARD
from arrocco.records.ratinglist import UNKNOWN, RatingList
from arrocco.records.report import Entry, Game, Report
from arrocco.records.timecontrol import TimeControl
from arrocco.units import HalfPoints, Rating


@dataclass(frozen=True)
class LawChoice:
    """A regulation, the edition in force or one that is named, and how it is read."""

    law: str
    edition: str = ""
    readings: Mapping[str, str] = field(default_factory=dict)

    def on(self, day: date) -> RatingLaw:
        """The edition for a day. Raises `NoLawInForce` where none is and none is named."""
        return law_on(self.law, day, dict(self.readings), self.edition)


@dataclass(frozen=True)
class BothLaws:
    """One player under both laws."""

    id: int
    """Below zero for a player whom the report gives no id."""
    name: str
    a: PlayerRows
    b: PlayerRows
    steps_a: tuple[Step, ...]
    steps_b: tuple[Step, ...]

    @property
    def difference(self) -> int | None:
        """The change under B less the change under A; `None` where either law knows no rating."""
        if self.a.rating is None or self.b.rating is None:
            return None
        return self.b.change - self.a.change


@dataclass(frozen=True)
class SideBySide:
    """The same results under both laws, the players by their rating under A."""

    a: RatedReports
    b: RatedReports
    rows: tuple[BothLaws, ...]
    waived: tuple[Waived, ...] = ()
    """Errors for which either law would refuse the report, let pass for this comparison."""


def two_laws(
    report: Report,
    law_a: LawChoice,
    law_b: LawChoice,
    lists: Mapping[str, RatingList],
    *,
    players: Collection[int] | None = None,
    with_steps: bool = True,
    reading: Sequence[Finding] = (),
    reason: str = "",
) -> SideBySide:
    """Rates a report under two laws.

    `lists` holds the list in force at the start by the name of its regulation (``fide``,
    ``fide-rapid``, ``fsi``, ``uisp`` ...): each law takes its own, and what it asks of the others
    for entry or to stand in. Without its own list a law takes the ratings of the report. `players`
    restricts the rows to some ids. Without steps the rows have no games and no steps either.

    A report that either law would refuse is compared only for a `reason`, which waives its errors.
    """
    waived = tuple(
        waiver
        for choice, read in ((law_a, reading), (law_b, ()))
        for waiver in _admitted(report, choice, lists, read, reason)
    )
    a, b = (_rated(report, choice, lists) for choice in (law_a, law_b))
    row_of = [{int(id_): row for row, id_ in enumerate(r.period.players.id)} for r in (a, b)]
    entered = {int(a.period.players.id[row]) for row in a.period.entries.player.tolist()}
    rows = []
    for id_ in entered if players is None else entered & set(players):
        player_rows = rows_of_player(a.period, row_of[0][id_], with_events=with_steps)
        other = rows_of_player(b.period, row_of[1][id_], with_events=with_steps)
        steps_a = steps_of_player(a.period, player_rows) if with_steps else ()
        steps_b = steps_of_player(b.period, other) if with_steps else ()
        rows.append(
            BothLaws(
                id_, a.name(player_rows.row), player_rows, other, tuple(steps_a), tuple(steps_b)
            )
        )
    in_order = tuple(sorted(rows, key=lambda row: (-(row.a.rating or 0), row.id)))
    return SideBySide(a, b, in_order, waived)


def _admitted(
    report: Report,
    choice: LawChoice,
    lists: Mapping[str, RatingList],
    reading: Sequence[Finding],
    reason: str,
) -> tuple[Waived, ...]:
    """The errors a law finds in a report, waived for a reason. Raises `Illegal` without one."""
    if not report.source:  # games that somebody typed in are no tournament
        return ()
    law = edition_for(choice.law, report, dict(choice.readings), choice.edition)
    if isinstance(law, Finding):
        return ()  # `_rated` says which editions there are
    standard = lists.get(STANDARD)
    findings = judged(
        report, law, lists.get(choice.law), reading=reading, standard=standard, suggests=False
    )
    errors = Waivers().admit(findings).refused
    if errors and not reason.strip():
        keys = tuple(dict.fromkeys(map(waiver_key, errors)))
        raise Illegal.of("engine.refused.not_admitted", findings=errors, law=choice.law, keys=keys)
    return tuple(Waived(error, reason.strip()) for error in errors)


def _rated(report: Report, choice: LawChoice, lists: Mapping[str, RatingList]) -> RatedReports:
    if report.start is None or report.law_day is None:
        raise Inconsistent.of("engine.refused.no_start", file=report.source)
    law = choice.on(report.law_day)
    listed = lists.get(choice.law)
    return rate_reports(
        choice.law,
        [report],
        None if listed is None else with_own_k(listed, law, report.start),
        readings=dict(choice.readings),
        unlisted="report",
        entry_ratings=None if law.HAS_UNRATED else _entry_ratings(law, report, lists),
        standard=lists.get(STANDARD) if law.STANDARD_STANDS_IN else None,
        edition=choice.edition,
    )


def with_own_k(listed: RatingList, law: RatingLaw, on: date) -> RatingList:
    """A list with the K that a law gives its players, where another law has printed its own.

    The printed K tells a player's past under the law in force on that day; this law then answers
    from the same past. Where it would answer so from the list alone, no K is printed.
    """
    try:
        own = law_on(law.law, on, {})
    except NoLawInForce:
        return listed
    if type(own) is type(law) or law.K_FROM_TOURNAMENT:
        return listed
    players = players_of_list(listed)
    unknown = np.full(len(players), UNKNOWN, dtype=np.int64)
    past = past_told_by_k(own, players, on)
    k, _, _ = coefficients(law, replace(past, k=unknown), on)
    plain, _, _ = coefficients(law, replace(players, k=unknown), on)
    printed = np.where((k != plain) & (k > 0), k, UNKNOWN)
    return replace(listed, k=printed.astype(np.int32))


def _entry_ratings(
    law: RatingLaw, report: Report, lists: Mapping[str, RatingList]
) -> dict[int, tuple[int, str]]:
    """The ratings on entry of everybody who plays, for those whom the law's list does not have."""
    ratings: dict[int, tuple[int, str]] = {}
    for entry in report.entries:
        if entry.id is None:
            continue
        if law.law not in lists and entry.rating is not None:
            ratings[entry.id] = entry.rating, "report"
        else:
            held = {name: _rating(listed, entry.id) for name, listed in lists.items()}
            kind = _kind(law, report.time_control)
            ratings[entry.id] = rating_to_begin_with(law, kind, None, held)
    return ratings


def _kind(law: RatingLaw, control: TimeControl | None) -> str:
    """The kind of rating a time control belongs to, where a regulation has several."""
    kinds = ("rapid", "blitz", "bullet")
    if control is None:
        return kinds[0]
    return next((kind for kind in kinds if law.is_of_kind(control, kind)), kinds[0])


def _rating(listed: RatingList, player: int) -> int | None:
    row = listed.player(player)
    return None if row is None else row.rating


PLAYER = 1
"""The id of the player whose games `games_report` holds."""


def games_report(
    rating: int | None,
    games: Sequence[tuple[int | None, HalfPoints]],
    start: date,
    control: TimeControl | None = None,
) -> Report:
    """One player's games as a report: the player has the id 1, the opponents 2, 3 ... in order.

    Each game is the opponent's rating (`None` unrated) and the player's half points.
    """
    ratings = [rating, *(opponent for opponent, _ in games)]
    return Report(
        start=start,
        end=start,
        time_control=control,
        rounds=len(games),
        entries=[
            Entry(number, "", number, None if rated is None else Rating(rated))
            for number, rated in enumerate(ratings, start=PLAYER)
        ],
        games=[
            Game(round_, PLAYER, PLAYER + round_, half, HalfPoints(2 - half))
            for round_, (_, half) in enumerate(games, start=1)
        ],
    )
