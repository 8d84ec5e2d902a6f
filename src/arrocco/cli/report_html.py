"""A rated period as one HTML page: no scripts, no network, light and dark, fit for paper.

The page is a table with the columns players know from FIDE's calculation pages. Each name opens
the player's receipt: a line for each game, then the steps with their articles. Everything that
comes from a file is escaped; `_Html` marks what already is markup.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
from typing import Any, NewType

from arrocco import __version__
from arrocco.cli.report_receipt import closing_steps, event_steps
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
from arrocco.engine.explain import EventRow, GameRow, PlayerRows, Step
from arrocco.engine.wording import sentence
from arrocco.findings import Finding, Severity
from arrocco.laws.edition import Edition, Legal, Reading, article_order
from arrocco.laws.rating import Exclusion, RatingLaw
from arrocco.report import Report
from arrocco.units import decimal, points, signed
from arrocco.words import Language, finding_advice, finding_text, number, say, show

_Html = NewType("_Html", str)

_SECURITY_POLICY = (
    '<meta http-equiv="Content-Security-Policy"'
    " content=\"default-src 'none'; style-src 'unsafe-inline'\">"
)
_GAME_CLASSES = {"opponent": "", "why": "", "article": "art"}
_MINUS = re.compile(r"(?<![\w.])-(?=\d)")
_ICONS = {Severity.ERROR: "✕", Severity.WARNING: "▲", Severity.NOTE: "●"}


def page(language: Language, files: RatedFiles) -> str:
    """The whole page, ready to be written to a file."""
    return _Page(language, files).html()


def text(value: object) -> _Html:
    """Plain text made safe to stand in markup."""
    return _Html(escape(str(value), quote=True))


def name(value: str) -> _Html:
    """A name from a file: kept apart so that its writing direction disturbs nothing around it."""
    return _Html(f"<bdi>{escape(value, quote=True)}</bdi>")


def cells(values: Iterable[str], *, tag: str = "td", classes: Sequence[str] = ()) -> _Html:
    """A row of cells; `classes` are those of the columns, in order."""
    kinds = [*classes]
    return _Html(
        "".join(
            f'<{tag} class="{kinds[i]}">{value}</{tag}>' if i < len(kinds) and kinds[i]
            else f"<{tag}>{value}</{tag}>"
            for i, value in enumerate(values)
        )
    )  # fmt: skip


class _Page:
    """The parts of the page, from top to bottom."""

    PLAYER_HEADS = ("rank", "id", "name", "ro", "rc", "w", "n", "we", "chg", "k", "kchg", "new")
    NEWCOMER_HEADS = ("rank", "id", "name", "n", "w", "ra", "p", "dp", "ru", "state")
    GAME_HEADS = ("round", "opponent", "rating", "difference", "counted", "expected", "score",
                  "delta", "article")  # fmt: skip
    FIRST_GAME_HEADS = ("round", "opponent", "rating", "score", "why", "article")

    def __init__(self, language: Language, files: RatedFiles) -> None:
        self.language, self.files, self.rated = language, files, files.rated
        self.period, self.law = files.rated.period, files.rated.period.law
        self.cited: dict[tuple[str, str], RatingLaw] = {}
        self._known: dict[str, set[str]] = {}

    def say(self, key: str, **details: Any) -> _Html:
        return text(say(self.language, key, **details))

    def figure(self, plain: str) -> _Html:
        """A decimal of the language, with a true minus sign."""
        return text(number(self.language, plain).replace("-", "−"))

    def html(self) -> str:
        style = resources.files(__package__).joinpath("page.css").read_text("utf-8")
        body = [
            self.head(),
            self.players(),
            self.newcomers(),
            self.excluded(),
            self.findings(),
            self.articles(),
            self.foot(),
        ]
        title = ", ".join(report.name or report.source for report in self._reports)
        return "\n".join((
            "<!doctype html>",
            f'<html lang="{self.language}">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            _SECURITY_POLICY,
            f"<title>{text(title)} – {self.say('sheet.title')}</title>",
            f"<style>\n{style}</style>",
            "</head>",
            "<body>",
            "<main>",
            *(part for part in body if part),
            "</main>",
            "</body>",
            "</html>",
            "",
        ))  # fmt: skip

    @property
    def _reports(self) -> Sequence[Report]:
        return self.rated.assembled.reports

    # --- the head ---------------------------------------------------------------------------------

    def head(self) -> _Html:
        reports = self._reports
        title = name(reports[0].name or reports[0].source) if len(reports) == 1 else self.say(
            "sheet.several", count=len(reports)
        )  # fmt: skip
        law = self.law.title_it if self.language == "it" else self.law.title_en
        listed = self.files.listed
        facts: list[tuple[str, _Html]] = [("sheet.law", text(law))]
        if len(reports) == 1:
            facts += self._facts_of(reports[0])
        if listed is None:
            facts.append(("sheet.list", self.say("sheet.no_list")))
        else:
            dated = f", {show(self.language, listed.on)}" if listed.on else ""
            facts.append(("sheet.list", text(f"{listed.source}{dated}")))
        if self.files.next_list is not None:
            facts.append(("sheet.next", text(show(self.language, self.files.next_list))))
        rows = "".join(f"<div><dt>{self.say(key)}</dt><dd>{value}</dd></div>"
                       for key, value in facts)  # fmt: skip
        several = self._tournaments() if len(reports) > 1 else ""
        return _Html(
            f'<header><p class="kind">{self.say("sheet.title")}</p><h1>{title}</h1>'
            f'<dl class="facts">{rows}</dl>{several}</header>'
        )

    def _facts_of(self, report: Report) -> list[tuple[str, _Html]]:
        place = ", ".join(part for part in (report.city, report.federation) if part)
        facts = [
            ("sheet.place", name(place or "–")),
            ("sheet.days", self._days(report)),
            ("sheet.control", text(report.time_control or "–")),
            ("sheet.played", self.say("sheet.count", players=len(report.entries),
                                      games=len(report.games))),
        ]  # fmt: skip
        if report.chief_arbiter:
            facts.insert(2, ("sheet.arbiter", name(report.chief_arbiter)))
        return facts

    def _days(self, report: Report) -> _Html:
        return text(days_text(self.language, report))

    def _tournaments(self) -> _Html:
        heads = ("tournament", "days", "control", "edition", "played")
        rows = "".join(
            "<tr>" + cells((
                name(report.name or report.source), self._days(report),
                text(report.time_control or "–"), text(tournament.law.edition),
                self.say("sheet.count", players=len(report.entries), games=len(report.games)),
            )) + "</tr>"
            for report, tournament in zip(self._reports, self.period.tournaments, strict=True)
        )  # fmt: skip
        head = cells((self.say(f"sheet.{head}") for head in heads), tag="th")
        return _Html(
            f'<div class="scroll"><table class="small"><thead><tr>{head}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>"
        )

    # --- the players ------------------------------------------------------------------------------

    def players(self) -> _Html:
        players = self.rated.players()
        if not players:
            return _Html(f"<p>{self.say('report.nobody_rated')}</p>")
        rows = "\n".join(
            self._tbody(player, [
                text(rank), text(id_text(player.id)), self._opener(player),
                text(player.rating), text(average_of_opponents(player) or ""),
                *self._sums(player),
                self._new_rating(player),
            ], self._player_classes(), len(self.PLAYER_HEADS))
            for rank, player in enumerate(players, start=1)
        )  # fmt: skip
        head = self._heads(self.PLAYER_HEADS, self._player_classes())
        return _Html(
            f'<section><div class="over"><h2>{self.say("sheet.players")}</h2>'
            f'<label class="all"><input type="checkbox" id="all"> {self.say("sheet.show_all")}'
            "</label></div>"
            f'<div class="scroll"><table class="sheet"><thead>{head}</thead>\n{rows}\n</table>'
            f'</div><p class="legend">{self.say("sheet.legend")}</p></section>'
        )

    def _player_classes(self) -> list[str]:
        left, strong = {"name": "name"}, {"new": "num strong", "rank": "num dim", "id": "num dim"}
        return [left.get(head) or strong.get(head) or "num" for head in self.PLAYER_HEADS]

    def _sums(self, player: PlayerRows) -> list[_Html]:
        """w, n, We, chg, K and K*chg; blank where no game counts."""
        applied = coefficients_of(player, of_tournaments=self.law.K_FROM_TOURNAMENT)
        k = text("/".join(map(str, applied)))
        if not player.n:
            return [text(""), text("0"), text(""), text(""), k, text("")]
        return [
            self.figure(points(player.half_points)), text(player.n),
            self.figure(decimal(player.expected)), self.figure(signed(player.delta)),
            k, self.figure(signed(player.variation)),
        ]  # fmt: skip

    def _new_rating(self, player: PlayerRows) -> _Html:
        mark = f'<abbr title="{self.say("sheet.delisted")}">†</abbr>' if player.delisted else ""
        return _Html(f"{text(rating_after(player))}{mark}")

    def _opener(self, player: PlayerRows) -> _Html:
        return _Html(f"<details><summary>{name(self.rated.name(player.row))}</summary></details>")

    def _heads(self, heads: Sequence[str], classes: Sequence[str]) -> _Html:
        titles = (
            f'<abbr title="{self.say(f"sheet.column.{head}")}">'
            f"{self.say(f'report.heading.{head}')}</abbr>"
            for head in heads
        )
        return _Html("<tr>" + cells(titles, tag="th", classes=classes) + "</tr>")

    def _tbody(
        self, player: PlayerRows, row: Sequence[str], classes: Sequence[str], width: int
    ) -> _Html:
        """A player: the line of the table, and under it the receipt that the name opens."""
        receipt = self.receipt(player)
        return _Html(
            f"<tbody><tr>{cells(row, classes=classes)}</tr>"
            f'<tr class="games"><td colspan="{width}">{receipt}</td></tr></tbody>'
        )

    # --- the receipt ------------------------------------------------------------------------------

    def receipt(self, player: PlayerRows) -> _Html:
        """Every tournament of a player game by game, then the steps to the new rating."""
        events = "".join(self._event(player, event) for event in player.events)
        steps = self._steps(closing_steps(self.rated, player), self.law)
        return _Html(f'<div class="receipt">{events}{steps}</div>')

    def _event(self, player: PlayerRows, event: EventRow) -> _Html:
        """A tournament game by game; towards a first rating a game has no difference to show."""
        law = event.tournament.law
        caption = ""
        if len(self._reports) > 1:
            caption = f"<caption>{name(event.tournament.name or event.tournament.key)}</caption>"
        heads = self.GAME_HEADS if player.rating is not None else self.FIRST_GAME_HEADS
        kinds = [_GAME_CLASSES.get(head, "num") for head in heads]
        head = cells((self.say(f"explain.heading.{head}") for head in heads),
                     tag="th", classes=kinds)  # fmt: skip
        rows = "".join(
            f'<tr class="out">{row}</tr>' if self._is_out(game) else f"<tr>{row}</tr>"
            for game in event.games
            for row in (self._game(game, law, heads, kinds),)
        )
        return _Html(
            f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            + self._steps(event_steps(self.rated, player, event, self.language), law)
        )

    @staticmethod
    def _is_out(game: GameRow) -> bool:
        return game.exclusion not in (None, Exclusion.OWN_UNRATED)

    def _game(
        self, game: GameRow, law: RatingLaw, heads: Sequence[str], kinds: Sequence[str]
    ) -> _Html:
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
        return _Html(
            cells((values[head] for head in heads[:left]), classes=kinds)
            + f'<td colspan="{right - left}" class="why">{values["why"]}</td>'
            + cells((values.get(head, "") for head in heads[right:]), classes=kinds[right:])
        )

    def _steps(self, steps: Sequence[Step], law: RatingLaw) -> _Html:
        if not steps:
            return _Html("")
        items = "".join(
            f'<li><span class="art">{self.cite(step.article, law)}</span>'
            f" {text(_MINUS.sub('−', sentence(self.language, step)))}</li>"
            for step in steps
        )
        return _Html(f'<ol class="steps">{items}</ol>')

    def cite(self, article: str, law: RatingLaw) -> _Html:
        """An article, as a link to what it fixes where the page can tell."""
        if not article:
            return _Html("")
        if article in self._articles_of(law):
            self.cited[(law.edition, article)] = law
            return _Html(f'<a href="#{_anchor(law, article)}">{text(article)}</a>')
        return text(article)

    def _articles_of(self, law: RatingLaw) -> set[str]:
        if law.edition not in self._known:
            self._known[law.edition] = {value.article for _, value in law.values()}
        return self._known[law.edition]

    # --- those without a rating -------------------------------------------------------------------

    def newcomers(self) -> _Html:
        players = self.rated.newcomers()
        if not players:
            return _Html("")
        left = {"name": "name", "state": "", "rank": "num dim", "id": "num dim", "ru": "num strong"}
        classes = [left.get(head, "num") for head in self.NEWCOMER_HEADS]
        rows = "\n".join(
            self._tbody(player, self._newcomer(rank, player), classes, len(self.NEWCOMER_HEADS))
            for rank, player in enumerate(players, start=1)
        )
        head = self._heads(self.NEWCOMER_HEADS, classes)
        return _Html(
            f"<section><h2>{self.say('report.newcomers')}</h2>"
            f'<div class="scroll"><table class="sheet new"><thead>{head}</thead>\n{rows}\n</table>'
            "</div></section>"
        )

    def _newcomer(self, rank: int, player: PlayerRows) -> list[_Html]:
        row = [text(rank), text(id_text(player.id)), self._opener(player)]
        state = self.say(f"report.state.{state_of(player)}")
        if player.first_rating is None:
            return [*row, text("0"), *([text("")] * 5), state]
        found = player.first_rating.rating
        return [
            *row, text(found.games), self.figure(points(found.half_points)),
            self.figure(decimal(found.average_hundredths)), self.figure(decimal(found.percent)),
            self.figure(f"{found.dp:+d}"), text(found.rating), state,
        ]  # fmt: skip

    # --- what does not count, what was found ------------------------------------------------------

    def excluded(self) -> _Html:
        by_reason: dict[tuple[str, str], list[ExcludedGame]] = defaultdict(list)
        for game in excluded_games(self.rated):
            if not game.counts_elsewhere:
                by_reason[(game.reason.value, game.article)].append(game)
        if not by_reason:
            return _Html("")
        groups = "".join(
            f"<details><summary>{self.say(f'explain.exclusion.{reason}')}"
            f' <span class="dim">{text(article)}</span>'
            f' <span class="count">{len(games)}</span></summary><ul>'
            + "".join(f"<li>{self._excluded(game)}</li>" for game in games)
            + "</ul></details>"
            for (reason, article), games in by_reason.items()
        )
        return _Html(
            f'<section class="list"><h2>{self.say("report.excluded")}</h2>{groups}</section>'
        )

    def _excluded(self, excluded: ExcludedGame) -> _Html:
        white, black = self.rated.name(excluded.white), self.rated.name(excluded.black)
        line = self.say(
            "report.excluded_game", round=excluded.game.round, white=white, black=black,
            result=result_text(excluded.game),
        )  # fmt: skip
        if excluded.side == "both":
            return line
        player = white if excluded.side == "white" else black
        return _Html(f"{line} ({self.say('report.excluded_for', player=player)})")

    def findings(self) -> _Html:
        if not self.files.findings:
            return _Html("")
        items = "".join(self._finding(finding) for finding in self.files.findings)
        return _Html(
            f'<section class="list"><h2>{self.say("sheet.findings")}</h2>'
            f'<ul class="findings">{items}</ul></section>'
        )

    def _finding(self, finding: Finding) -> _Html:
        severity = self.say(f"cli.severity.{finding.severity}")
        advice = text(finding_advice(self.language, finding))
        return _Html(
            f'<li class="{finding.severity}"><strong><span aria-hidden="true">'
            f"{_ICONS[finding.severity]}</span> {severity}</strong>"
            f" {text(finding_text(self.language, finding))}"
            + (f' <span class="dim">{text(finding.place)}</span>' if finding.place.file else "")
            + (f"<br><em>{advice}</em>" if advice else "")
            + "</li>"
        )

    # --- the law ----------------------------------------------------------------------------------

    def articles(self) -> _Html:
        """What the cited articles fix, and the readings that are ours."""
        rows: list[_Html] = []
        for (_, article), law in sorted(self.cited.items(), key=_citation_order):
            values = [value for _, value in law.values() if value.article == article]
            first = f' id="{_anchor(law, article)}"'
            rows += [self._value(v, "" if i else first) for i, v in enumerate(values)]
        readings = [self._reading(reading) for reading in self.law.READINGS]
        fixed = f'<dl class="articles">{"".join(rows)}</dl>' if rows else ""
        ours = f'<ul class="readings">{"".join(readings)}</ul>' if readings else ""
        return _Html(
            f'<section class="list"><h2>{self.say("sheet.articles")}</h2>{fixed}'
            + (f"<h3>{self.say('sheet.readings')}</h3>{ours}" if ours else "")
            + "</section>"
        )

    def _value(self, value: Legal, anchor: str) -> _Html:
        words = value.it if self.language == "it" else value.en
        unit = self.say(f"law.unit.{value.unit}")
        return _Html(
            f"<div{anchor}><dt>{text(value.article)}</dt>"
            f"<dd><strong>{int(value)}</strong> {unit} – {text(words)}</dd></div>"
        )

    def _reading(self, reading: Reading) -> _Html:
        choice = reading.choice(self.law.readings[reading.name])
        question, answer = (
            (reading.it, choice.it) if self.language == "it" else (reading.en, choice.en)
        )
        basis = self.say(f"law.basis.{reading.basis}")
        return _Html(
            f'<li><span class="art">{text(reading.article)}</span> <span>{text(question)}:'
            f' <strong>{text(answer)}</strong> <span class="dim">({basis})</span></span></li>'
        )

    def foot(self) -> _Html:
        return _Html(f"<footer>{self.say('sheet.foot', version=__version__)}</footer>")


def _anchor(law: Edition, article: str) -> str:
    safe = "".join(char if char.isalnum() or char == "." else "-" for char in article)
    return f"art-{law.edition}-{safe}"


def _citation_order(cited: tuple[tuple[str, str], RatingLaw]) -> tuple[str, Any]:
    (edition, article), _ = cited
    return edition, article_order(article)
