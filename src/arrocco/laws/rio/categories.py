"""RIO, articles 14.4 to 14.7: the online categories and the ratings that earn them."""

from __future__ import annotations

from dataclasses import replace
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

    MASTER_RATING = Legal(2200, "14.7a", "rating").means("Online Master", "Maestro Online")
    CANDIDATE_MASTER_RATING = Legal(2000, "14.7b", "rating").means(
        "Online Candidate Master", "Candidato Maestro Online"
    )
    FIRST_NATIONAL_RATING = Legal(1800, "14.7c", "rating").means(
        "Online First National", "1ª Nazionale Online"
    )
    SECOND_NATIONAL_RATING = Legal(1600, "14.7d", "rating").means(
        "Online Second National", "2ª Nazionale Online"
    )
    THIRD_NATIONAL_RATING = Legal(1500, "14.7e", "rating").means(
        "Online Third National", "3ª Nazionale Online"
    )
    AMATEUR_RATING = Legal(999, "14.7f", "rating").means("Online Amateur", "Amatore Online")

    CATEGORY_KEPT = Reading("category_kept", "14.6", "for_ever", "guess").means(
        "Whether a category once earned stays when the rating falls below its minimum",
        "Se una categoria conseguita resta quando il rating scende sotto il minimo",
        Choice("for_ever").means("it is kept for ever", "si conserva per sempre"),
        Choice("while_in_band").means(
            "it lasts while the rating is in its band", "dura finché il rating è nella sua fascia"
        ),
    )

    CATEGORY_LIST = replace(
        Reading("category_list", "14.6", "same_list", "text").means(
            "On which list a category is shown that a rating has earned",
            "In quale elenco compare la categoria che un rating ha fatto conseguire",
            Choice("same_list").means(
                "on the one that publishes the rating", "in quello che pubblica il rating"
            ),
            Choice("next_list").means("on the one after it", "in quello successivo"),
        ),
        before="next_list",
    )

    def categories_are_of_list(self) -> bool:
        """14.6 — a category is earned with the list that publishes its rating."""
        return self.reads("category_list", "same_list")

    def category_band(self, rating: int) -> Category:
        """14.7 — the category whose minimum a rating reaches; below {AMATEUR_RATING} it is still an
        amateur.
        """
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
