"""Results under two regulations, made ready to be shown; for a file in a process for heavy work."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from arrocco.engine.admission import waived_findings
from arrocco.engine.explain import PlayerRows, Step
from arrocco.engine.receipt_steps import tournament_steps, without_repetition
from arrocco.engine.side_by_side import BothLaws, LawChoice, SideBySide, two_laws
from arrocco.errors import Illegal
from arrocco.findings import Finding, capped, count_of
from arrocco.formats.trf import read_report
from arrocco.laws.rating import RatingLaw
from arrocco.web import writing
from arrocco.web.receipt import Receipt, cited, event_receipt, outcome, under
from arrocco.web.speaker import Speaker
from arrocco.words import Language

MAX_PLAYERS = 1500
MAX_WITH_STEPS = 250
MAX_GAMES_WITH_STEPS = 3000
"""Players and games up to which every step is shown; a larger tournament has the table alone."""
_FINDINGS_OF_A_KIND = 10

NameOf = Callable[[int], tuple[str, int | None]]


class Compared(Struct, frozen=True, kw_only=True):
    """A player under both laws, as shown; without receipts in a large tournament."""

    name: str
    rating_a: str
    rating_b: str
    change_a: str
    change_b: str
    difference: str
    a: Receipt | None
    b: Receipt | None


class Comparison(Struct, frozen=True, kw_only=True):
    """What two laws make of the same results, in words."""

    caption: str
    laws: tuple[str, ...]
    players: tuple[Compared, ...]
    findings: tuple[Finding, ...] = ()
    found: int = 0
    """How many things were found in the file, those included that are only counted."""


def compare_file(
    data: bytes,
    name: str,
    law_a: LawChoice,
    law_b: LawChoice,
    language: Language,
    reason: str = "",
) -> Comparison:
    """A report under two laws, with errors only for a reason. Raises `Refusal`."""
    report, findings = read_report(data, name)
    if len(report.entries) > MAX_PLAYERS:
        raise Illegal.of("calc_pages.refused.too_many", most=MAX_PLAYERS)
    few = len(report.entries) <= MAX_WITH_STEPS and len(report.games) <= MAX_GAMES_WITH_STEPS
    both = two_laws(report, law_a, law_b, {}, with_steps=few, reading=findings, reason=reason)
    findings = [*waived_findings(both.waived), *findings]
    made = comparison(Speaker(language), both, caption=report.name or name, with_steps=few)
    shown = tuple(capped(findings, _FINDINGS_OF_A_KIND))
    return replace(made, findings=shown, found=count_of(findings))


def comparison(
    speaker: Speaker,
    both: SideBySide,
    *,
    caption: str,
    with_steps: bool = True,
    by_hand: bool = False,
) -> Comparison:
    """What was worked out, in the words of a language; `by_hand` names opponents by number."""
    return Comparison(
        caption=caption,
        laws=tuple(under(speaker, rated.period.law) for rated in (both.a, both.b)),
        players=tuple(
            _compared(speaker, both, row, by_hand=by_hand, steps=with_steps) for row in both.rows
        ),
    )


def _compared(
    speaker: Speaker, both: SideBySide, row: BothLaws, *, by_hand: bool, steps: bool
) -> Compared:
    def name_of(side: str) -> NameOf:
        rated = getattr(both, side)
        if by_hand:
            return lambda number: (speaker.t("calc_pages.opponent", number=number), None)
        return lambda number: (rated.name(number), None)

    difference = row.difference
    receipts: list[Receipt | None] = [None, None]
    if steps:
        receipts = [
            _receipt(speaker, both.a.period.law, row.a, list(row.steps_a), name_of("a")),
            _receipt(speaker, both.b.period.law, row.b, list(row.steps_b), name_of("b")),
        ]
    return Compared(
        name=speaker.t("calc_pages.you") if by_hand else row.name or str(row.id),
        rating_a=writing.rating(row.a.rating),
        rating_b=writing.rating(row.b.rating),
        change_a=_change(row.a),
        change_b=_change(row.b),
        difference=writing.NOTHING if difference is None else writing.change_points(difference),
        a=receipts[0],
        b=receipts[1],
    )


def _change(rows: PlayerRows) -> str:
    if rows.rating is None:
        first = rows.first_rating
        return writing.NOTHING if first is None else f"→ {first.rating.rating}"
    return writing.change_points(rows.change)


def _receipt(
    speaker: Speaker, law: RatingLaw, rows: PlayerRows, steps: list[Step], name_of: NameOf
) -> Receipt:
    is_rated = rows.rating is not None
    events = tuple(
        event_receipt(
            speaker.language, event, tournament_steps(rows, event), name_of, is_rated=is_rated
        )
        for event in rows.events
    )
    if not any(event.tournament.name for event in rows.events):
        events = tuple(replace(event, title=speaker.t("calc_pages.games")) for event in events)
    return Receipt(
        events=events,
        closing=cited(speaker.language, without_repetition(steps, rows), law.law, law.edition),
        result=outcome(speaker, rows) if is_rated else _change(rows),
    )
