"""RIO, articles 14.4 to 14.7: the online categories and the ratings that earn them."""

from __future__ import annotations

from enum import StrEnum

from arrocco.laws.edition import Choice, Edition, Legal, Reading


class Category(StrEnum):
    """14.4 — the online categories, from the highest."""

    MASTER = "OM"
    CANDIDATE_MASTER = "OCM"
    FIRST_NATIONAL = "1O"
    SECOND_NATIONAL = "2O"
    THIRD_NATIONAL = "3O"
    AMATEUR = "OA"

    @property
    def rank(self) -> int:
        """1 for the highest category."""
        return list(Category).index(self) + 1


class Categories(Edition):
    """Categories are held for each type of rating on its own (14.4)."""

    MASTER_RATING = Legal(2200, "14.7a", "rating", "Online Master", "Maestro Online")
    CANDIDATE_MASTER_RATING = Legal(
        2000, "14.7b", "rating", "Online Candidate Master", "Candidato Maestro Online"
    )
    FIRST_NATIONAL_RATING = Legal(
        1800, "14.7c", "rating", "Online First National", "1ª Nazionale Online"
    )
    SECOND_NATIONAL_RATING = Legal(
        1600, "14.7d", "rating", "Online Second National", "2ª Nazionale Online"
    )
    THIRD_NATIONAL_RATING = Legal(
        1500, "14.7e", "rating", "Online Third National", "3ª Nazionale Online"
    )
    AMATEUR_RATING = Legal(999, "14.7f", "rating", "Online Amateur", "Amatore Online")

    CATEGORY_KEPT = Reading(
        "category_kept", "14.6",
        "Whether a category once earned stays when the rating falls below its minimum",
        "Se una categoria conseguita resta quando il rating scende sotto il minimo",
        (
            Choice("for_ever", "it is kept for ever", "si conserva per sempre"),
            Choice("while_in_band", "it lasts while the rating is in its band",
                   "dura finché il rating è nella sua fascia"),
        ),
        "for_ever", "guess",
    )  # fmt: skip

    def category_band(self, rating: int) -> Category:
        """14.7 — the category whose minimum a rating reaches; below 999 it is still an amateur."""
        minimums = (
            (self.MASTER_RATING, Category.MASTER),
            (self.CANDIDATE_MASTER_RATING, Category.CANDIDATE_MASTER),
            (self.FIRST_NATIONAL_RATING, Category.FIRST_NATIONAL),
            (self.SECOND_NATIONAL_RATING, Category.SECOND_NATIONAL),
            (self.THIRD_NATIONAL_RATING, Category.THIRD_NATIONAL),
        )
        for minimum, category in minimums:
            if rating >= minimum:
                return category
        return Category.AMATEUR

    def category_held(self, held: Category | None, rating: int) -> Category:
        """14.6 — the category a player holds once this rating is published."""
        band = self.category_band(rating)
        if held is None or self.reads("category_kept", "while_in_band"):
            return band
        return min(held, band, key=lambda category: category.rank)

    def titles_usable(self, category: Category, international: str = "") -> tuple[str, ...]:
        """14.5 — an international title may be used beside the online category."""
        return (international, category.value) if international else (category.value,)
