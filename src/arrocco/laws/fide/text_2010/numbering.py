"""How this text numbers its articles: 8.21 is the first article under 8.2, not the twenty-first."""

from __future__ import annotations

from collections.abc import Iterator

from arrocco.laws.edition import Edition, Legal, Rule


class DecimalNumbering(Edition):
    """Values and rules in the order of a text that puts 8.21 to 8.25 between 8.2 and 8.3."""

    @classmethod
    def values(cls) -> Iterator[tuple[str, Legal]]:
        """Every number the text fixes, with its name, in the order of the text."""
        yield from sorted(super().values(), key=lambda pair: text_order(pair[1].article))

    @classmethod
    def rules(cls) -> Iterator[Rule]:
        """Every rule with its name, its article and its words, in the order of the text."""
        yield from sorted(super().rules(), key=lambda rule: text_order(rule.article))


def text_order(article: str) -> tuple[int, str]:
    """A sort key that puts 8.21 after 8.2 and before 8.3, and chapter 12 after chapter 8."""
    chapter, _, rest = article.partition(".")
    return int(chapter), rest
