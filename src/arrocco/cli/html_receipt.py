"""A player's receipt on the page: a line for each game, then the steps with their articles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arrocco.cli.html_markup import Html, Sheet, cells, name, text
from arrocco.cli.report_receipt import closing_steps, event_steps
from arrocco.engine.explain import EventRow, GameRow, PlayerRows, Step
from arrocco.engine.wording import sentence
from arrocco.laws.rating import Exclusion, RatingLaw
from arrocco.units import decimal, points, signed

_HEADS = (
    "round", "opponent", "rating", "difference", "counted", "expected", "score", "delta", "article",
)  # fmt: skip
_FIRST_HEADS = ("round", "opponent", "rating", "score", "why", "article")
_CLASSES = {"opponent": "", "why": "", "article": "art"}
_MINUS = re.compile(r"(?<![\w.])-(?=\d)")


class Receipts(Sheet):
    """The part of the page under each name."""

    def receipt(self, player: PlayerRows) -> Html:
        """Every tournament of a player game by game, then the steps to the new rating."""
        events = "".join(self._event(player, event) for event in player.events)
        steps = self._steps(closing_steps(self.rated, player), self.law)
        return Html(f'<div class="receipt">{events}{steps}</div>')

    def _event(self, player: PlayerRows, event: EventRow) -> Html:
        """A tournament game by game; towards a first rating a game has no difference to show."""
        law = event.tournament.law
        caption = ""
        if len(self.reports) > 1:
            caption = f"<caption>{name(event.tournament.name or event.tournament.key)}</caption>"
        heads = _HEADS if player.rating is not None else _FIRST_HEADS
        kinds = [_CLASSES.get(head, "num") for head in heads]
        head = cells((self.say(f"explain.heading.{head}") for head in heads),
                     tag="th", classes=kinds)  # fmt: skip
        rows = "".join(
            f'<tr class="out">{row}</tr>' if self._is_out(game) else f"<tr>{row}</tr>"
            for game in event.games
            for row in (self._game(game, law, heads, kinds),)
        )
        return Html(
            f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            + self._steps(event_steps(self.rated, player, event, self.language), law)
        )

    @staticmethod
    def _is_out(game: GameRow) -> bool:
        return game.exclusion not in (None, Exclusion.OWN_UNRATED)

    def _game(
        self, game: GameRow, law: RatingLaw, heads: Sequence[str], kinds: Sequence[str]
    ) -> Html:
        star = "*" if game.is_capped else ""
        values = {
            "round": text(game.round),
            "opponent": name(self.rated.name(game.opponent)),
            "rating": text(f"{game.opponent_rating or '–'}{star}"),
            "score": self.figure(points(game.half_points)),
            "article": self.cite(game.article, law),
        }
        if game.exclusion is not None:
            values["why"] = self.say(f"explain.exclusion.{game.exclusion}")
        else:
            values |= {
                "difference": self.figure(f"{game.difference:+d}"),
                "counted": self.figure(f"{game.counted_difference:+d}"),
                "expected": self.figure(decimal(game.expected or 0)),
                "delta": self.figure(signed(game.delta or 0)),
            }
        if game.exclusion is None or "why" in heads:
            return cells((values.get(head, "") for head in heads), classes=kinds)
        left, right = heads.index("difference"), heads.index("score")
        return Html(
            cells((values[head] for head in heads[:left]), classes=kinds)
            + f'<td colspan="{right - left}" class="why">{values["why"]}</td>'
            + cells((values.get(head, "") for head in heads[right:]), classes=kinds[right:])
        )

    def _steps(self, steps: Sequence[Step], law: RatingLaw) -> Html:
        if not steps:
            return Html("")
        items = "".join(
            f'<li><span class="art">{self.cite(step.article, law)}</span>'
            f" {text(_MINUS.sub('−', sentence(self.language, step)))}</li>"
            for step in steps
        )
        return Html(f'<ol class="steps">{items}</ol>')
