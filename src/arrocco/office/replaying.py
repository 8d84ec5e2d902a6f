"""Under which regulations the history of a rating system can be rated once more.

An edition is offered where it rates the games the system's lists are made of: at their times, and
where they are played. Each can also be read in another way, one ambiguous article at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct, field

from arrocco.engine.checks.case import Case
from arrocco.engine.checks.events import where_it_was_played
from arrocco.errors import Illegal
from arrocco.laws.edition import Choice, Reading, edition_name
from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import LAWS, editions
from arrocco.laws.systems import RatingSystem, kind_to_tell
from arrocco.records.report import Facts, Report
from arrocco.records.timecontrol import TimeControl, parse_text

_SLOW, _RAPID, _BLITZ, _BULLET = "90'+30\"", "15'+10\"", "3'+2\"", "1'+0\""
_TIMES: Mapping[str, tuple[str, ...]] = {
    "standard": (_SLOW,),
    "rapid": (_RAPID,),
    "blitz": (_BLITZ,),
    "bullet": (_BULLET,),
    "uisp": (_SLOW, _RAPID, _BLITZ),
}
"""By kind of list: times of play that are usual on it."""
_USUAL = 1500
"""A rating that no article treats apart."""


class Other(Struct, frozen=True, kw_only=True):
    """Another way to rate a history: an edition, or those in force, as they are read."""

    law: str
    edition: str = ""
    """Empty: at every time the edition in force."""
    readings: dict[str, str] = field(default_factory=dict)
    kind: str = ""

    @property
    def key(self) -> str:
        """How a form names it: ``fide``, ``fide@2012-07-01``, ``uisp@undated:decimals=carried``."""
        named = f"{self.law}@{self.edition}" if self.edition else self.law
        read = ",".join(f"{name}={choice}" for name, choice in self.readings.items())
        return f"{named}:{read}" if read else named


class Offered(Struct, frozen=True):
    """One edition that can rate a system, and its readings by default and otherwise."""

    other: Other
    edition: type[RatingLaw] | None
    """`None` for the editions in force, whichever they were."""
    readings: tuple[tuple[Other, Reading, Choice], ...] = ()


@cache
def offers(system: RatingSystem) -> tuple[Offered, ...]:
    """All that the history of a system can be rated under: what was in force, then by edition."""
    in_force = Offered(Other(law=system.law, kind=kind_to_tell(system.law, system.kind)), None)
    return (in_force, *_by_edition(system))


def other_named(system: RatingSystem, key: str) -> Other:
    """What a form names. Raises `Illegal` for what cannot rate the system."""
    for offered in offers(system):
        for other in (offered.other, *(one for one, _, _ in offered.readings)):
            if other.key == key:
                return other
    known = tuple(offered.other.key for offered in offers(system))
    raise Illegal.of(
        "replay_pages.refused.cannot_rate", system=system.key, other=key[:80], known=known
    )


def _by_edition(system: RatingSystem) -> Iterator[Offered]:
    # The system's own regulation comes first; the newest edition is the likeliest to be asked for.
    for law in sorted(LAWS, key=lambda law: law != system.law):
        kind = kind_to_tell(law, system.kind)
        for edition in reversed(editions(law)):
            if _can_rate(edition(), kind or system.kind, system):
                name = edition_name(edition)
                yield Offered(
                    Other(law=law, edition=name, kind=kind),
                    edition,
                    tuple(_otherwise(edition, name, kind)),
                )


def _otherwise(
    edition: type[RatingLaw], name: str, kind: str
) -> Iterator[tuple[Other, Reading, Choice]]:
    for reading in edition.READINGS:
        for choice in reading.choices:
            if choice.name != reading.default:
                readings = {reading.name: choice.name}
                other = Other(law=edition.law, edition=name, readings=readings, kind=kind)
                yield other, reading, choice


def _can_rate(law: RatingLaw, kind: str, system: RatingSystem) -> bool:
    if kind not in _TIMES:
        return False
    controls = [parse_text(text) for text in _TIMES[system.kind]]
    return all(control is not None and _rates(law, control, kind, system) for control in controls)


def _rates(law: RatingLaw, control: TimeControl, kind: str, system: RatingSystem) -> bool:
    online = system.is_online
    report = Report(time_control=control, facts=Facts(online=online))
    if any(where_it_was_played(Case(report, law))):
        return False
    try:
        if law.K_FROM_TOURNAMENT:
            law.tournament_coefficient(control, online=online)
        of_kind = law.is_of_kind(control, kind)
    except (Illegal, ValueError):
        return False
    return of_kind and law.excluded_by_time(control, _USUAL, _USUAL) is None
