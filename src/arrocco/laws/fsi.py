"""What the FSI lists print for a player without a rating, and whether it is taken for one."""

from __future__ import annotations

from dataclasses import replace

from arrocco.laws.edition import Choice, Edition, Reading

_UNTIL_2024, _SINCE_2024 = 999, 1399
NAME = "fsi_printed_default"


def printed_default(article: str, default: str, basis: str, before: str = "") -> Reading:
    """The reading of an article that asks the lists of the FSI about a new player."""
    reading = Reading(NAME, article, default, basis).means(
        "Whether the values that the FSI prints for players without a rating are ratings",
        "Se valgono come Elo i valori che la FSI stampa per chi non ne ha",
        Choice("is_absence").means(
            "they are not: neither 999 nor, since March 2024, 1399",
            "no: né 999 né, da marzo 2024, 1399",
        ),
        Choice("counts").means(
            "who is on the list has its value, 1399 too; 999 is no rating",
            "chi è in lista ha il suo valore, anche 1399; 999 non è un Elo",
        ),
        Choice("as_printed").means(
            "every value on the list, 999 too", "ogni valore in lista, anche 999"
        ),
    )
    return replace(reading, before=before)


def is_rating(law: Edition, value: int) -> bool:
    """Whether a value on a list of the FSI is a rating, as the law reads it."""
    if law.reads(NAME, "as_printed"):
        return True
    return value != _UNTIL_2024 and (law.reads(NAME, "counts") or value != _SINCE_2024)
