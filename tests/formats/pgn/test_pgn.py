"""Games in PGN: tags, moves, clocks, and the report made of them."""

from __future__ import annotations

import time
from datetime import date
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arrocco.errors import Inconsistent, Malformed
from arrocco.findings import MAX_OF_A_KIND, Finding, count_of
from arrocco.formats.pgn import MAX_BYTES, PgnGame, read_games, to_report
from arrocco.formats.pgn import reader as pgn_reader
from arrocco.records.report import GameKind
from arrocco.words import LANGUAGES, finding_advice, finding_text

TAGS = {
    "Event": "Invented Open",
    "Site": "Nowhere",
    "Date": "2026.10.03",
    "Round": "1.2",
    "White": "Invented, One",
    "Black": "Invented, Two",
    "Result": "1-0",
    "WhiteElo": "1801",
    "BlackElo": "1650",
    "WhiteFideId": "99000001",
    "BlackFideId": "99000002",
    "TimeControl": "5400+30",
    "Termination": "normal",
}
MOVES = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#"


def pgn(moves: str = MOVES, end: str | None = None, **tags: str | None) -> str:
    """One game; a tag that is `None` is left out."""
    told = {name: text for name, text in {**TAGS, **tags}.items() if text is not None}
    result = told.get("Result", "*") if end is None else end
    lines = "".join(f'[{name} "{text}"]\n' for name, text in told.items())
    return f"{lines}\n{moves} {result}\n\n"


def read(text: str | bytes) -> tuple[list[PgnGame], list[Finding]]:
    return read_games(text.encode() if isinstance(text, str) else text, "games.pgn")


def game(moves: str = MOVES, end: str | None = None, **tags: str | None) -> PgnGame:
    (only,), findings = read(pgn(moves, end, **tags))
    assert findings == []
    return only


def told(moves: str = MOVES, end: str | None = None, **tags: str | None) -> tuple[PgnGame, str]:
    """A game with one finding."""
    (only,), (finding,) = read(pgn(moves, end, **tags))
    for language in LANGUAGES:
        assert finding_text(language, finding)
        assert finding_advice(language, finding)
    return only, finding.key.removeprefix("pgn.")


class TestTags:
    def test_all_that_matter_are_read(self) -> None:
        only = game()
        assert (only.event, only.site, only.day) == ("Invented Open", "Nowhere", date(2026, 10, 3))
        assert (only.round, only.white, only.black) == (1, "Invented, One", "Invented, Two")
        assert (only.white_rating, only.black_rating) == (1801, 1650)
        assert (only.white_id, only.black_id) == (99000001, 99000002)
        assert only.time_control is not None
        assert only.time_control.code == "5400+30"
        assert (only.result, only.scores, only.termination) == ("1-0", (2, 0), "normal")
        assert (only.place.file, only.place.line) == ("games.pgn", 1)

    def test_what_is_not_told_is_unknown(self) -> None:
        only = game(
            Event="?",
            Site=None,
            Date="2026.??.??",
            WhiteElo="?",
            BlackElo="0",
            WhiteFideId="",
            BlackFideId=None,
            TimeControl="-",
            Termination=None,
        )
        assert (only.event, only.site, only.day, only.termination) == ("", "", None, "")
        assert (only.white_rating, only.black_rating) == (None, None)
        assert (only.white_id, only.black_id, only.time_control) == (None, None, None)

    def test_escaped_quotes(self) -> None:
        assert game(Event=r"The \"Big\" One \\").event == 'The "Big" One \\'

    @pytest.mark.parametrize(
        ("tags", "key"),
        [
            ({"Date": "2026.02.30"}, "bad_date"),
            ({"Date": "3 October"}, "bad_date"),
            ({"Round": "?"}, "no_round"),
            ({"Round": None}, "no_round"),
            ({"Round": "final"}, "no_round"),
            ({"WhiteFideId": "x1"}, "bad_id"),
            ({"BlackFideId": "9" * 30}, "bad_id"),
            ({"BlackElo": "strong"}, "bad_rating"),
            ({"BlackElo": "16500"}, "bad_rating"),
            ({"TimeControl": "*180"}, "bad_time_control"),
            ({"TimeControl": "90+30"}, "time_control_units"),
            ({"TimeControl": "3+2"}, "time_control_units"),
            ({"Result": "2-0"}, "bad_result"),
            ({"Result": "*"}, "unfinished"),
        ],
    )
    def test_wrong_tag_is_told(self, tags: dict[str, Any], key: str) -> None:
        assert told(end="", **tags)[1] == key

    @pytest.mark.parametrize(
        ("tag", "code"),
        [
            ("40/7200:3600", "40/7200:3600"),
            ("300+3", "300+3"),
            ("60+1", "60+1"),
            ("900", "900"),
            ("90'+30\"", "5400+30"),
            ("40 moves/90 min + 30 min", "40/5400:1800"),
        ],
    )
    def test_time_control_is_a_code_or_a_text(self, tag: str, code: str) -> None:
        control = game(TimeControl=tag).time_control
        assert control is not None
        assert control.code == code

    def test_line_like_a_tag_is_told(self) -> None:
        text = pgn().replace('[Site "Nowhere"]', "[Site Nowhere]")
        _, (finding,) = read(text)
        assert (finding.key, finding.place.line) == ("pgn.bad_tag", 2)

    def test_tag_twice_is_told_and_the_first_kept(self) -> None:
        (only,), (finding,) = read('[Event "Another"]\n' + pgn())
        assert (only.event, finding.key) == ("Another", "pgn.tag_twice")


class TestMoves:
    @pytest.mark.parametrize(
        ("moves", "white", "black", "kind"),
        [
            (MOVES, 4, 3, GameKind.PLAYED),
            ("1. e4 e5", 1, 1, GameKind.PLAYED),
            ("1. e4", 1, 0, GameKind.SHORT),
        ],
    )
    def test_kind_is_told_by_the_moves(
        self, moves: str, white: int, black: int, kind: GameKind
    ) -> None:
        only = game(moves)
        assert (only.white_moves, only.black_moves, only.kind) == (white, black, kind)

    def test_result_without_moves_is_taken_as_forfeit_and_said(self) -> None:
        only, key = told("")
        assert (only.kind, key) == (GameKind.FORFEIT, "no_moves")

    @pytest.mark.parametrize(
        ("result", "scores"), [("+/-", (2, 0)), ("-/+", (0, 2)), ("0-0", (0, 0))]
    )
    def test_forfeit_by_its_result(self, result: str, scores: tuple[int, int]) -> None:
        only, key = told("", end="*", Result=result)
        assert (only.kind, only.scores, key) == (GameKind.FORFEIT, scores, "no_moves")

    @pytest.mark.parametrize(
        ("result", "scores"), [("1-0", (2, 0)), ("0-1", (0, 2)), ("1/2-1/2", (1, 1))]
    )
    def test_results(self, result: str, scores: tuple[int, int]) -> None:
        assert game(Result=result).scores == scores

    def test_result_at_the_end_serves_where_the_tag_has_none(self) -> None:
        assert game(Result="*", end="0-1").result == "0-1"
        assert game(Result=None, end="0-1").result == "0-1"

    def test_two_results_are_told(self) -> None:
        only, key = told(Result="1-0", end="0-1")
        assert (only.result, key) == ("1-0", "results_differ")

    @pytest.mark.parametrize(
        ("moves", "counted", "key"),
        [
            ("1. e4 e5 2. Ke3 Nc6", 2, "bad_move"),
            ("1. e4 e5 2. Ke3) 2. Nf3 Nc6", 2, "bad_move"),
            ("1. e4 -- 2. d4", 1, "null_move"),
        ],
    )
    def test_moves_after_a_wrong_one_are_not_counted(
        self, moves: str, counted: int, key: str
    ) -> None:
        only, seen = told(moves)
        assert (only.white_moves + only.black_moves, seen) == (counted, key)
        assert not only.is_whole

    def test_variations_and_remarks_are_passed_over(self) -> None:
        only = game("1. e4 (1. d4 d5 (1... Nf6 2. c4)) e5 $1 {a remark} 2. Nf3! ; the end\n")
        assert (only.white_moves, only.black_moves) == (2, 1)

    def test_position_at_the_start(self) -> None:
        only = game("1... Kd7 2. Kd2", FEN="4k3/8/8/8/8/8/8/4K3 b - - 0 1", SetUp="1")
        assert (only.white_moves, only.black_moves) == (1, 1)

    @pytest.mark.parametrize("tags", [{"FEN": "nonsense"}, {"Variant": "Bughouse Deluxe"}])
    def test_unknown_start_is_told(self, tags: dict[str, Any]) -> None:
        _, findings = read(pgn(**tags))
        assert "pgn.bad_move" in [finding.key for finding in findings]

    def test_too_many_moves_are_not_counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pgn_reader, "MAX_MOVES", 10)
        only, key = told("Nf3 Nf6 Ng1 Ng8 " * 5)
        assert (only.white_moves, only.black_moves, key) == (5, 5, "too_many_moves")


class TestClocks:
    def test_time_left_after_each_move(self) -> None:
        only = game(
            "1. e4 {[%clk 1:30:26]} e5 { [%eval 0.3] [%clk 0:00:59.25] } 2. d4 d5 {[%clk 0:0:1.5]}"
        )
        assert only.clocks == (5_426_000, 59_250, None, 1_500)

    def test_clocks_of_variations_do_not_count(self) -> None:
        only = game("1. e4 {[%clk 1:00:00]} (1. d4 {[%clk 0:50:00]}) e5 {[%clk 0:40:00]}")
        assert only.clocks == (3_600_000, 2_400_000)

    @pytest.mark.parametrize("text", ["[%clk x]", "[%clk 1:99:00]", "[%clk 10]", "[%emt 0:00:01]"])
    def test_what_is_no_clock_is_none(self, text: str) -> None:
        assert game(f"1. e4 {{{text}}} e5").clocks == (None, None)

    def test_comment_before_the_first_move(self) -> None:
        assert game("{[%clk 1:00:00]} 1. e4 e5").clocks == (None, None)

    def test_one_line_with_many_comments_is_quick(self) -> None:
        moves = " ".join(
            f"{move} {{[%clk 0:10:00]}}"
            for _ in range(600)
            for move in ("Nf3", "Nf6", "Ng1", "Ng8")
        )
        many = "{} " * 200_000
        start = time.process_time()
        only = game(moves + many)
        assert len(only.clocks) == 2400
        assert time.process_time() - start < 10


class TestFiles:
    def test_many_games_with_their_lines(self) -> None:
        games, findings = read(pgn() + "\n\n" + pgn(Round="2") + pgn("", Round="x"))
        assert [each.round for each in games] == [1, 2, None]
        assert [each.place.line for each in games] == [1, 19, 35]
        assert [(f.key, f.place.line) for f in findings] == [
            ("pgn.no_round", 35),
            ("pgn.no_moves", 35),
        ]

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_any_end_of_line(self, end: str) -> None:
        games, findings = read((pgn() + pgn(Round="2")).replace("\n", end))
        assert len(games) == 2
        assert findings == []

    def test_latin_1_is_read_and_said(self) -> None:
        (only,), (finding,) = read(pgn(White="Ünreal, Öne").encode("latin-1"))
        assert (only.white, finding.key) == ("Ünreal, Öne", "pgn.latin_1")

    def test_byte_order_mark(self) -> None:
        (only,), findings = read(b"\xef\xbb\xbf" + pgn().encode())
        assert (only.event, findings) == ("Invented Open", [])

    @pytest.mark.parametrize("data", [b"", b"\n\n", b"hello, world\n", b"\x00\xff" * 50])
    def test_file_without_games_is_refused(self, data: bytes) -> None:
        with pytest.raises(Malformed, match="no game") as refused:
            read(data)
        assert refused.value.advice

    def test_words_between_games_are_told(self) -> None:
        games, findings = read(pgn() + "some words\n\n" + pgn())
        assert len(games) == 2
        assert [finding.key for finding in findings] == ["pgn.no_game"]

    def test_too_large_a_file_is_refused(self) -> None:
        with pytest.raises(Malformed, match="bytes"):
            read(b" " * (MAX_BYTES + 1))

    def test_too_many_games_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pgn_reader, "MAX_GAMES", 2)
        with pytest.raises(Malformed, match="more than 2 games"):
            read(pgn() * 3)

    def test_after_many_findings_of_a_kind_the_rest_are_counted(self) -> None:
        """Thousands of one defect do not hide the one of another kind that follows them."""
        _, findings = read(pgn(Round="x") * 1200 + "some words\n\n" + pgn())
        kinds = [finding.key for finding in findings]
        assert kinds == ["pgn.no_round"] * MAX_OF_A_KIND + ["pgn.no_game"]
        assert count_of(findings[:-1]) == 1200

    PIECES = st.sampled_from(
        [
            "[",
            "]",
            '"',
            "{",
            "}",
            "(",
            ")",
            ";",
            "%",
            "\n",
            "\n\n",
            *"1. e4 e5 Nf3 O-O $".split(),
            "$" + "9" * 5000,
            "--",
            "*",
            "1-0",
            " ",
            '[Event "x"]\n',
            '[FEN "8/8 w"]\n',
            '[Result "1-0"]\n',
            "[%clk 1:00:00]",
            "é",
            "\x00",
            "\r",
            '[Variant "crazyhouse"]\n',
        ]
    )

    @given(st.lists(PIECES, max_size=30).map("".join))
    @example('[Event "x"]\n\n1. e4 $' + "9" * 5000)
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        try:
            games, findings = read(text)
        except Malformed:
            return
        assert games
        assert all(each.kind in GameKind for each in games)
        assert all(finding_text("en", finding) for finding in findings)


class TestReport:
    def report_of(self, *texts: str) -> list[PgnGame]:
        return read("".join(texts))[0]

    def test_entries_are_numbered_as_they_appear(self) -> None:
        three = {"Black": "Invented, Three", "BlackFideId": "99000003", "BlackElo": "?"}
        report = to_report(
            self.report_of(
                pgn(Round="1"),
                pgn(Round="2", Date="2026.10.05", Result="1/2-1/2", **three),
                pgn(Round="3", Result="*"),
            )
        )
        assert [(each.number, each.id, each.name, each.rating) for each in report.entries] == [
            (1, 99000001, "Invented, One", 1801),
            (2, 99000002, "Invented, Two", 1650),
            (3, 99000003, "Invented, Three", None),
        ]
        assert [
            (each.round, each.white, each.black, each.white_score, each.black_score, each.kind)
            for each in report.games
        ] == [(1, 1, 2, 2, 0, GameKind.PLAYED), (2, 1, 3, 1, 1, GameKind.PLAYED)]
        assert (report.name, report.city, report.rounds) == ("Invented Open", "Nowhere", 2)
        assert (report.start, report.end) == (date(2026, 10, 3), date(2026, 10, 5))
        assert report.time_control is not None
        assert (report.time_control.code, report.time_control_text) == ("5400+30", "5400+30")
        assert report.source == "games.pgn"
        assert report.games[1].place.line == 17

    def test_short_and_forfeited_games_keep_their_kind(self) -> None:
        report = to_report(self.report_of(pgn("1. e4", Round="1"), pgn("", Round="2")))
        assert [each.kind for each in report.games] == [GameKind.SHORT, GameKind.FORFEIT]

    def test_games_without_round_follow_one_another(self) -> None:
        other = {"Black": "Invented, Three", "BlackFideId": "99000003"}
        third = {"White": "Invented, Two", "WhiteFideId": "99000002", **other}
        report = to_report(
            self.report_of(pgn(Round="?"), pgn(Round="?", **other), pgn(Round="?", **third))
        )
        assert [each.round for each in report.games] == [1, 2, 3]

    def test_several_time_controls_leave_none(self) -> None:
        report = to_report(self.report_of(pgn(), pgn(Round="2", TimeControl="900+10")))
        assert (report.time_control, report.time_control_text) == (None, "")

    @pytest.mark.parametrize(
        ("texts", "reason"),
        [
            ([pgn(WhiteFideId=None)], "Invented, One has no ID"),
            ([pgn(BlackFideId="99000001")], "both sides"),
            ([pgn(), pgn(Event="Another")], "2 events"),
        ],
    )
    def test_contradictions_are_refused(self, texts: list[str], reason: str) -> None:
        with pytest.raises(Inconsistent, match=reason) as refused:
            to_report(self.report_of(*texts))
        assert refused.value.advice

    def test_no_games_no_report(self) -> None:
        with pytest.raises(Inconsistent, match="no games"):
            to_report([])
