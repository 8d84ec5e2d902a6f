"""The end of the page: games that do not count, remarks, what the cited articles fix."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from arrocco.cli.html_markup import Html, Sheet, anchor, text
from arrocco.cli.report_view import ExcludedGame, excluded_games, result_text
from arrocco.findings import Finding, Severity
from arrocco.laws.edition import Legal, Reading, article_order
from arrocco.laws.rating import RatingLaw
from arrocco.words import finding_advice, finding_text

_ICONS = {Severity.ERROR: "✕", Severity.WARNING: "▲", Severity.NOTE: "●"}


class Notes(Sheet):
    """What stands below the tables."""

    def excluded(self) -> Html:
        by_reason: dict[tuple[str, str], list[ExcludedGame]] = defaultdict(list)
        for game in excluded_games(self.rated):
            if not game.counts_elsewhere:
                by_reason[(game.reason.value, game.article)].append(game)
        if not by_reason:
            return Html("")
        groups = "".join(
            f"<details><summary>{self.say(f'explain.exclusion.{reason}')}"
            f' <span class="dim">{text(article)}</span>'
            f' <span class="count">{len(games)}</span></summary><ul>'
            + "".join(f"<li>{self._excluded(game)}</li>" for game in games)
            + "</ul></details>"
            for (reason, article), games in by_reason.items()
        )
        return Html(
            f'<section class="list"><h2>{self.say("report.excluded")}</h2>{groups}</section>'
        )

    def _excluded(self, excluded: ExcludedGame) -> Html:
        white, black = self.rated.name(excluded.white), self.rated.name(excluded.black)
        line = self.say(
            "report.excluded_game", round=excluded.game.round, white=white, black=black,
            result=result_text(excluded.game),
        )  # fmt: skip
        if excluded.side == "both":
            return line
        player = white if excluded.side == "white" else black
        return Html(f"{line} ({self.say('report.excluded_for', player=player)})")

    def findings(self) -> Html:
        if not self.files.findings:
            return Html("")
        items = "".join(self._finding(finding) for finding in self.files.findings)
        return Html(
            f'<section class="list"><h2>{self.say("sheet.findings")}</h2>'
            f'<ul class="findings">{items}</ul></section>'
        )

    def _finding(self, finding: Finding) -> Html:
        severity = self.say(f"cli.severity.{finding.severity}")
        advice = text(finding_advice(self.language, finding))
        return Html(
            f'<li class="{finding.severity}"><strong><span aria-hidden="true">'
            f"{_ICONS[finding.severity]}</span> {severity}</strong>"
            f" {text(finding_text(self.language, finding))}"
            + (f' <span class="dim">{text(finding.place)}</span>' if finding.place.file else "")
            + (f"<br><em>{advice}</em>" if advice else "")
            + "</li>"
        )

    def articles(self) -> Html:
        """What the cited articles fix, and the readings that are ours."""
        rows: list[Html] = []
        for (_, article), law in sorted(self.cited.items(), key=_citation_order):
            values = [value for _, value in law.values() if value.article == article]
            first = f' id="{anchor(law, article)}"'
            rows += [self._value(v, "" if i else first) for i, v in enumerate(values)]
        readings = [self._reading(reading) for reading in self.law.READINGS]
        fixed = f'<dl class="articles">{"".join(rows)}</dl>' if rows else ""
        ours = f'<ul class="readings">{"".join(readings)}</ul>' if readings else ""
        return Html(
            f'<section class="list"><h2>{self.say("sheet.articles")}</h2>{fixed}'
            + (f"<h3>{self.say('sheet.readings')}</h3>{ours}" if ours else "")
            + "</section>"
        )

    def _value(self, value: Legal, anchor: str) -> Html:
        words = value.it if self.language == "it" else value.en
        unit = self.say(f"law.unit.{value.unit}")
        return Html(
            f"<div{anchor}><dt>{text(value.article)}</dt>"
            f"<dd><strong>{int(value)}</strong> {unit} – {text(words)}</dd></div>"
        )

    def _reading(self, reading: Reading) -> Html:
        choice = reading.choice(self.law.readings[reading.name])
        question, answer = (
            (reading.it, choice.it) if self.language == "it" else (reading.en, choice.en)
        )
        basis = self.say(f"law.basis.{reading.basis}")
        return Html(
            f'<li><span class="art">{text(reading.article)}</span> <span>{text(question)}:'
            f' <strong>{text(answer)}</strong> <span class="dim">({basis})</span></span></li>'
        )


def _citation_order(cited: tuple[tuple[str, str], RatingLaw]) -> tuple[str, Any]:
    (edition, article), _ = cited
    return edition, article_order(article)
