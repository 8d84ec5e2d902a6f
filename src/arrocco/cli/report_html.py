"""A rated period as one HTML page: no scripts, no network, light and dark, fit for paper.

The page is a table with the columns players know from FIDE's calculation pages. Each name opens the
player's receipt, which is that of the site. ``web/templates/sheet.html`` has the markup; Jinja
escapes everything that comes from a file.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from msgspec.structs import replace

from arrocco import __version__
from arrocco.cli.report_text import state_of
from arrocco.cli.report_view import (
    ExcludedGame,
    RatedFiles,
    average_of_opponents,
    coefficients_of,
    days_text,
    excluded_games,
    id_text,
    rating_after,
    result_text,
)
from arrocco.engine.explain import EventRow, PlayerRows
from arrocco.engine.rated_steps import closing_steps, event_steps
from arrocco.lawbook import meaning, title
from arrocco.laws.edition import article_order
from arrocco.laws.rating import RatingLaw
from arrocco.web.receipt import EventReceipt, Receipt, cited, event_receipt
from arrocco.web.speaker import Speaker
from arrocco.web.templating import environment
from arrocco.words import Language, show


def page(language: Language, files: RatedFiles) -> str:
    """The whole page, ready to be written to a file."""
    sheet = _Sheet(language, files)
    return (
        environment()
        .get_template("sheet.html")
        .render(
            language=language,
            t=sheet.t,
            view=sheet,
            files=files,
            rated=files.rated,
            law=files.rated.period.law,
            version=__version__,
        )
    )


class _Sheet(Speaker):
    """What the template asks of a rated period."""

    id_text = staticmethod(id_text)
    rating_after = staticmethod(rating_after)
    result_text = staticmethod(result_text)
    state_of = staticmethod(state_of)
    average_of_opponents = staticmethod(average_of_opponents)

    def __init__(self, language: Language, files: RatedFiles) -> None:
        super().__init__(language)
        self._files, self._rated = files, files.rated
        self._editions = {(t.law.law, t.law.edition): t.law for t in files.rated.period.tournaments}
        law = files.rated.period.law
        self._editions.setdefault((law.law, law.edition), law)
        self._cited: set[tuple[str, str, str]] = set()

    def article_link(self, law: str, edition: str, article: str) -> str:
        """The place on the page that tells what an article fixes; empty where none does."""
        known = self._editions.get((law, edition))
        if known is None or all(value.article != article for _, value in known.values()):
            return ""
        self._cited.add((law, edition, article))
        return f"#{_anchor(edition, article)}"

    def has(self, path: str) -> bool:
        """The page stands alone: there is no other to link to."""
        return False

    def days(self, report: Any) -> str:
        return days_text(self.language, report)

    def day(self, value: Any) -> str:
        return show(self.language, value)

    def title(self, law: RatingLaw) -> str:
        return title(self.language, type(law))

    def meaning(self, item: Any) -> str:
        return meaning(self.language, item)

    def coefficients(self, player: PlayerRows) -> str:
        """K as it was applied."""
        of_tournaments = self._rated.period.law.K_FROM_TOURNAMENT
        return "/".join(map(str, coefficients_of(player, of_tournaments=of_tournaments)))

    def receipt(self, player: PlayerRows) -> Receipt:
        """Every tournament of a player game by game, then the steps to the new rating."""
        law = self._rated.period.law
        closing = closing_steps(self._rated, player)
        return Receipt(
            events=tuple(self._event(player, event) for event in player.events),
            closing=cited(self.language, closing, law.law, law.edition),
            result="",
        )

    def _event(self, player: PlayerRows, event: EventRow) -> EventReceipt:
        made = event_receipt(
            self.language,
            event,
            event_steps(self._rated, player, event, self.language),
            lambda row: (self._rated.name(row), None),
            is_rated=player.rating is not None,
        )
        several = len(self._rated.assembled.reports) > 1
        name = event.tournament.name or event.tournament.key
        return replace(made, title=name if several else "")

    def excluded(self) -> dict[tuple[str, str], list[ExcludedGame]]:
        """The games that count for nobody, by reason and article."""
        by_reason: dict[tuple[str, str], list[ExcludedGame]] = defaultdict(list)
        for game in excluded_games(self._rated):
            if not game.counts_elsewhere:
                by_reason[(game.reason.value, game.article)].append(game)
        return by_reason

    def cited_values(self) -> list[tuple[str, list[Any]]]:
        """What the articles cited so far fix, each under the name of its place on the page."""
        ordered = sorted(self._cited, key=lambda cited: (cited[1], article_order(cited[2])))
        return [
            (
                _anchor(edition, article),
                [v for _, v in self._editions[law, edition].values() if v.article == article],
            )
            for law, edition, article in ordered
        ]


def _anchor(edition: str, article: str) -> str:
    safe = "".join(char if char.isalnum() or char == "." else "-" for char in article)
    return f"art-{edition}-{safe}"
