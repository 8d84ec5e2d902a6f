"""Arrocco: the chess rating office and the supervised online playing hall, also as a library.

>>> import arrocco
>>> from datetime import date
>>> law = arrocco.law("fide", date(2024, 6, 1))
>>> arrocco.change(law, 2205, [(2319, 0), (2181, 1), (2246, 0.5)], k=20).new_rating
2209

The names below are stable; `docs/library.md` shows each of them. Nothing is loaded before a name is
used: importing the package costs a program nothing.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from arrocco.library.laws import Law, editions, law
    from arrocco.library.lists import RatingList, read_list, write_list
    from arrocco.library.pairing import (
        Field,
        Past,
        Player,
        RoundPairing,
        Tournament,
        berger_table,
        check_pairings,
        explain_pairing,
        generate_tournament,
        pair_round,
        read_tournament,
    )
    from arrocco.library.positions import (
        Verdict,
        can_mate,
        is_dead,
        judge,
        result,
        result_on_time,
    )
    from arrocco.library.ratings import (
        Change,
        FirstRating,
        Performance,
        change,
        first_rating,
        performance,
    )
    from arrocco.library.reports import (
        Finding,
        RatedPlayer,
        RatedTournaments,
        Refusal,
        Report,
        check,
        rate,
        read_report,
        text_of,
    )

_MODULES = {
    "laws": ("Law", "editions", "law"),
    "lists": ("RatingList", "read_list", "write_list"),
    "pairing": tuple(
        """
        Field Past Player RoundPairing Tournament berger_table check_pairings explain_pairing
        generate_tournament pair_round read_tournament
    """.split()
    ),
    "positions": ("Verdict", "can_mate", "is_dead", "judge", "result", "result_on_time"),
    "ratings": tuple("Change FirstRating Performance change first_rating performance".split()),
    "reports": tuple(
        """
        Finding RatedPlayer RatedTournaments Refusal Report check rate read_report text_of
    """.split()
    ),
}
"""Where each name stands, under `arrocco.library`."""

__all__ = [
    "Change",
    "Field",
    "Finding",
    "FirstRating",
    "Law",
    "Past",
    "Performance",
    "Player",
    "RatedPlayer",
    "RatedTournaments",
    "RatingList",
    "Refusal",
    "Report",
    "RoundPairing",
    "Tournament",
    "Verdict",
    "berger_table",
    "can_mate",
    "change",
    "check",
    "check_pairings",
    "editions",
    "explain_pairing",
    "first_rating",
    "generate_tournament",
    "is_dead",
    "judge",
    "law",
    "pair_round",
    "performance",
    "rate",
    "read_list",
    "read_report",
    "read_tournament",
    "result",
    "result_on_time",
    "text_of",
    "write_list",
]


if not TYPE_CHECKING:  # a type checker sees the names above, and no others

    def __getattr__(name: str) -> object:
        from importlib import import_module

        for module, names in _MODULES.items():
            if name in names:
                value: object = getattr(import_module(f"arrocco.library.{module}"), name)
                globals()[name] = value
                return value
        raise AttributeError(f"module 'arrocco' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
