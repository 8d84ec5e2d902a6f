"""Games sent with a report, matched with it game by game (FIDE 2024: 9.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from arrocco.findings import Finding, Findings, Severity
from arrocco.formats.pgn import PgnGame, read_games
from arrocco.laws.rating import RatingLaw
from arrocco.office.new_players import name_of
from arrocco.office.questions import article_of
from arrocco.records.report import EXCLUDED_KINDS, Game, GameKind, PlayerId, Report

NOT_SENT = "check.hybrid_games_file"
"""What is said of a report that should come with its games; no longer, once it does."""
_OURS = ("pgn.", "games_sent.")


def article_asking(law: RatingLaw, *, hybrid: bool) -> str:
    """The article by which a tournament sends its games; empty where nobody asks for them."""
    asks = getattr(law, "needs_games_file", None)
    if asks is None or not asks(hybrid=hybrid):
        return ""
    return article_of(law, "needs_games_file")


def games_findings(report: Report, data: bytes, name: str, article: str = "") -> list[Finding]:
    """What is missing of the games of a report or contradicts it; an article asks for them.

    What is wrong in their file stops no report: the report is what is rated. Raises `Malformed`
    where there is no game in it.
    """
    games, reading = read_games(data, name)
    findings = Findings()
    for finding in reading:
        severity = Severity.WARNING if finding.is_error else finding.severity
        findings.add(replace(finding, severity=severity, article=article))
    for finding in _Match(report, article).findings(games):
        findings.add(finding)
    return findings.all()


def with_games(findings: Iterable[Finding], games: Sequence[Finding] | None) -> list[Finding]:
    """The findings of a law on a report with or without its games."""
    return [finding for finding in findings if games is None or finding.key != NOT_SENT]


def is_of_games(key: str) -> bool:
    """Whether a finding is about the games sent with a report."""
    return key.startswith(_OURS)


class _Match:
    """Finds the game of a report for each that was sent: by players and round, then by players."""

    def __init__(self, report: Report, article: str) -> None:
        self.report, self.article = report, article
        self.names = {entry.number: entry.name for entry in report.entries}
        self.by_id: dict[PlayerId, int] = {}
        self.by_name: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for entry in report.entries:
            if entry.id is not None:
                self.by_id.setdefault(entry.id, entry.number)
            self.by_name[name_of(entry.name)].append(entry.number)
        self.open: dict[frozenset[int], list[Game]] = defaultdict(list)
        for game in report.games:
            self.open[frozenset((game.white, game.black))].append(game)

    def findings(self, games: Sequence[PgnGame]) -> Iterable[Finding]:
        waiting: list[tuple[PgnGame, int, int]] = []
        for sent in games:
            sides = self._entry(sent.white_id, sent.white), self._entry(sent.black_id, sent.black)
            if None in sides:
                stranger = sent.white if sides[0] is None else sent.black
                yield self._about(sent, "pgn.player_not_in_report", name=stranger[:80])
                continue
            white, black = sides
            assert white is not None
            assert black is not None
            same_round = [
                game for game in self.open[frozenset((white, black))] if game.round == sent.round
            ]
            if same_round:
                yield from self._compared(sent, white, same_round[0])
            else:
                waiting.append((sent, white, black))
        for sent, white, black in waiting:
            left = self.open[frozenset((white, black))]
            if left:
                # The one of the same colours, where there is one; else the first.
                game = next((candidate for candidate in left if candidate.white == white), left[0])
                yield from self._compared(sent, white, game)
            else:
                names = self.names[white], self.names[black]
                yield self._about(
                    sent, "pgn.not_in_report", white=names[0], black=names[1], round=sent.round or 0
                )
        yield from self._missing()

    def _entry(self, player: PlayerId | None, name: str) -> int | None:
        """The entry of a player: by number, or by a name that only one has."""
        if player is not None and player in self.by_id:
            return self.by_id[player]
        known = self.by_name.get(name_of(name), ()) if name else ()
        return known[0] if len(known) == 1 else None

    def _compared(self, sent: PgnGame, white: int, game: Game) -> Iterable[Finding]:
        self.open[frozenset((game.white, game.black))].remove(game)
        line = sent.place.line or 0
        if sent.round is not None and sent.round != game.round:
            yield self._of(game, "round_differs", line=line, sent=sent.round)
        if game.colours_known and white != game.white:
            yield self._of(game, "colours_differ", line=line)
        scores = sent.scores
        if scores is None or game.kind in EXCLUDED_KINDS:
            return  # that it has no result was said where it was read
        if white != game.white:
            scores = scores[1], scores[0]
        if scores != (game.white_score, game.black_score):
            yield self._of(
                game,
                "result_differs",
                line=line,
                sent=_result(*scores),
                reported=_result(game.white_score, game.black_score),
            )

    def _missing(self) -> Iterable[Finding]:
        for games in self.open.values():
            for game in games:
                if game.kind is GameKind.PLAYED:
                    # Where nobody asks for games, some of them are better than none.
                    severity = Severity.WARNING if self.article else Severity.NOTE
                    yield self._of(game, "missing", severity)

    def _of(
        self, game: Game, key: str, severity: Severity = Severity.WARNING, **details: object
    ) -> Finding:
        told = {
            "round": game.round,
            "white": self.names.get(game.white, str(game.white)),
            "black": self.names.get(game.black, str(game.black)),
        }
        return Finding(severity, f"games_sent.{key}", game.place, self.article, told | details)

    def _about(self, sent: PgnGame, key: str, **details: object) -> Finding:
        return Finding(Severity.WARNING, key, sent.place, self.article, dict(details))


def _result(white: int, black: int) -> str:
    halves = ("0", "½", "1")
    return f"{halves[white]}-{halves[black]}"
