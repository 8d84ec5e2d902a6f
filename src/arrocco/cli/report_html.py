"""A rated period as one HTML page: no scripts, no network, light and dark, fit for paper.

The page is a table with the columns players know from FIDE's calculation pages. Each name opens
the player's receipt: a line for each game, then the steps with their articles. Everything that
comes from a file is escaped; `Html` marks what already is markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from arrocco import __version__
from arrocco.cli.html_markup import Html, cells, name, text
from arrocco.cli.html_notes import Notes
from arrocco.cli.html_receipt import Receipts
from arrocco.cli.report_text import state_of
from arrocco.cli.report_view import (
    RatedFiles,
    average_of_opponents,
    coefficients_of,
    days_text,
    id_text,
    rating_after,
)
from arrocco.engine.explain import PlayerRows
from arrocco.report import Report
from arrocco.units import decimal, points, signed
from arrocco.words import Language, show

_SECURITY_POLICY = (
    '<meta http-equiv="Content-Security-Policy"'
    " content=\"default-src 'none'; style-src 'unsafe-inline'\">"
)


def page(language: Language, files: RatedFiles) -> str:
    """The whole page, ready to be written to a file."""
    return _Page(language, files).html()


class _Page(Receipts, Notes):
    """The parts of the page, from top to bottom."""

    PLAYER_HEADS = ("rank", "id", "name", "ro", "rc", "w", "n", "we", "chg", "k", "kchg", "new")
    NEWCOMER_HEADS = ("rank", "id", "name", "n", "w", "ra", "p", "dp", "ru", "state")

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
        title = ", ".join(report.name or report.source for report in self.reports)
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

    # --- the head ---------------------------------------------------------------------------------

    def head(self) -> Html:
        reports = self.reports
        title = name(reports[0].name or reports[0].source) if len(reports) == 1 else self.say(
            "sheet.several", count=len(reports)
        )  # fmt: skip
        law = self.law.title_it if self.language == "it" else self.law.title_en
        listed = self.files.listed
        facts: list[tuple[str, Html]] = [("sheet.law", text(law))]
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
        return Html(
            f'<header><p class="kind">{self.say("sheet.title")}</p><h1>{title}</h1>'
            f'<dl class="facts">{rows}</dl>{several}</header>'
        )

    def _facts_of(self, report: Report) -> list[tuple[str, Html]]:
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

    def _days(self, report: Report) -> Html:
        return text(days_text(self.language, report))

    def _tournaments(self) -> Html:
        heads = ("tournament", "days", "control", "edition", "played")
        rows = "".join(
            "<tr>" + cells((
                name(report.name or report.source), self._days(report),
                text(report.time_control or "–"), text(tournament.law.edition),
                self.say("sheet.count", players=len(report.entries), games=len(report.games)),
            )) + "</tr>"
            for report, tournament in zip(self.reports, self.period.tournaments, strict=True)
        )  # fmt: skip
        head = cells((self.say(f"sheet.{head}") for head in heads), tag="th")
        return Html(
            f'<div class="scroll"><table class="small"><thead><tr>{head}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>"
        )

    # --- the players ------------------------------------------------------------------------------

    def players(self) -> Html:
        players = self.files.players
        if not players:
            return Html(f"<p>{self.say('report.nobody_rated')}</p>")
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
        return Html(
            f'<section><div class="over"><h2>{self.say("sheet.players")}</h2>'
            f'<label class="all"><input type="checkbox" id="all"> {self.say("sheet.show_all")}'
            "</label></div>"
            f'<div class="scroll"><table class="sheet"><thead>{head}</thead>\n{rows}\n</table>'
            f'</div><p class="legend">{self.say("sheet.legend")}</p></section>'
        )

    def _player_classes(self) -> list[str]:
        left, strong = {"name": "name"}, {"new": "num strong", "rank": "num dim", "id": "num dim"}
        return [left.get(head) or strong.get(head) or "num" for head in self.PLAYER_HEADS]

    def _sums(self, player: PlayerRows) -> list[Html]:
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

    def _new_rating(self, player: PlayerRows) -> Html:
        mark = f'<abbr title="{self.say("sheet.delisted")}">†</abbr>' if player.delisted else ""
        return Html(f"{text(rating_after(player))}{mark}")

    def _opener(self, player: PlayerRows) -> Html:
        return Html(f"<details><summary>{name(self.rated.name(player.row))}</summary></details>")

    def _heads(self, heads: Sequence[str], classes: Sequence[str]) -> Html:
        titles = (
            f'<abbr title="{self.say(f"sheet.column.{head}")}">'
            f"{self.say(f'report.heading.{head}')}</abbr>"
            for head in heads
        )
        return Html("<tr>" + cells(titles, tag="th", classes=classes) + "</tr>")

    def _tbody(
        self, player: PlayerRows, row: Sequence[str], classes: Sequence[str], width: int
    ) -> Html:
        """A player: the line of the table, and under it the receipt that the name opens."""
        receipt = self.receipt(player)
        return Html(
            f"<tbody><tr>{cells(row, classes=classes)}</tr>"
            f'<tr class="games"><td colspan="{width}">{receipt}</td></tr></tbody>'
        )

    # --- those without a rating -------------------------------------------------------------------

    def newcomers(self) -> Html:
        players = self.files.newcomers
        if not players:
            return Html("")
        left = {"name": "name", "state": "", "rank": "num dim", "id": "num dim", "ru": "num strong"}
        classes = [left.get(head, "num") for head in self.NEWCOMER_HEADS]
        rows = "\n".join(
            self._tbody(player, self._newcomer(rank, player), classes, len(self.NEWCOMER_HEADS))
            for rank, player in enumerate(players, start=1)
        )
        head = self._heads(self.NEWCOMER_HEADS, classes)
        return Html(
            f"<section><h2>{self.say('report.newcomers')}</h2>"
            f'<div class="scroll"><table class="sheet new"><thead>{head}</thead>\n{rows}\n</table>'
            "</div></section>"
        )

    def _newcomer(self, rank: int, player: PlayerRows) -> list[Html]:
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

    def foot(self) -> Html:
        return Html(f"<footer>{self.say('sheet.foot', version=__version__)}</footer>")
