"""What real files do differently is understood, and said with its place."""

from __future__ import annotations

from datetime import date

import pytest

from arrocco.formats.trf.days import Form, read_birth, read_day, read_round_day
from arrocco.formats.trf.systems import from_code, from_words
from arrocco.records.report import Birth, ByeKind, GameKind, System
from arrocco.records.timecontrol import Period
from tests.formats.trf.reading import one, read, seen
from tests.formats.trf.samples import (
    at,
    cell,
    invented_name,
    match,
    player,
    report,
    round_dates,
    round_robin,
    swiss,
)

WIN = [player(1, [cell(2, "w", "1")]), player(2, [cell(1, "b", "0")])]
FIRST_PLAYER = 12
"""The line of the first player after the usual tournament records."""


def test_a_regular_report_gives_no_finding_and_its_whole_content() -> None:
    report_, findings = read(swiss(20, 7, version="trf26"))
    assert findings == []
    assert (report_.name, report_.city, report_.federation) == (
        "Torneo di Prova",
        "Borgo Inventato",
        "ITA",
    )
    assert (report_.start, report_.end) == (date(2024, 5, 1), date(2024, 5, 5))
    assert report_.system is System.SWISS
    assert report_.system_text == "Individual: Swiss-System"
    assert report_.chief_arbiter == "Arbitri, Ada (99000901)"
    assert report_.deputies == ("Vice, Vera (99000902)",)
    assert report_.time_control is not None
    assert report_.time_control.white == (Period(5400, 30),)
    assert report_.rounds == 7
    assert len(report_.round_dates) == 7
    assert report_.round_dates[0] == date(2024, 5, 1)
    assert len(report_.entries) == 20
    assert 2 * len(report_.games) + len(report_.byes) == 20 * 7


def test_an_entry_has_all_its_fields() -> None:
    lines = [
        player(1, [cell(2, "w", "1")], title="WIM", sex="w", birth="1987/00/00", points="1.0"),
        player(2, [cell(1, "b", "0")], rating="0", rank="2"),
    ]
    extra = [at({1: "ITA", 5: "   1", 49: "2201", 58: f"{501:>11}"})]
    report_, _ = read(report(lines, extra=extra))
    first, second = report_.entries
    assert (first.number, first.name, first.id) == (1, invented_name(1), 99000001)
    assert (first.rating, first.federation, first.sex, first.title) == (2399, "ITA", "w", "WIM")
    assert (first.birth, first.points, first.rank) == (Birth(1987), 10, 1)
    assert [(n.federation, n.rating, n.id) for n in first.national] == [("ITA", 2201, 501)]
    assert first.place.line == FIRST_PLAYER
    assert second.rating is None


def test_a_game_stands_with_white_black_scores_and_the_place_of_white() -> None:
    lines = [player(1, [cell(2, "b", "0")]), player(2, [cell(1, "w", "1")])]
    (game,) = read(report(lines))[0].games
    assert (game.round, game.white, game.black) == (1, 2, 1)
    assert (game.white_score, game.black_score) == (2, 0)
    assert game.kind is GameKind.PLAYED
    assert (game.place.line, game.place.column) == (FIRST_PLAYER + 1, 92)


@pytest.mark.parametrize(
    ("first", "second", "kind", "scores"),
    [
        ("1", "0", GameKind.PLAYED, (2, 0)),
        ("=", "=", GameKind.PLAYED, (1, 1)),
        ("0", "1", GameKind.PLAYED, (0, 2)),
        ("+", "-", GameKind.FORFEIT, (2, 0)),
        ("-", "+", GameKind.FORFEIT, (0, 2)),
        ("-", "-", GameKind.FORFEIT, (0, 0)),
        ("W", "L", GameKind.SHORT, (2, 0)),
        ("D", "D", GameKind.SHORT, (1, 1)),
        ("L", "W", GameKind.SHORT, (0, 2)),
    ],
)
def test_result_codes_tell_the_kind_of_game(
    first: str, second: str, kind: GameKind, scores: tuple[int, int]
) -> None:
    lines = [player(1, [cell(2, "w", first)]), player(2, [cell(1, "b", second)])]
    report_, findings = read(report(lines))
    assert findings == []
    (game,) = report_.games
    assert (game.kind, (game.white_score, game.black_score)) == (kind, scores)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("0000 - H", ByeKind.HALF_POINT),
        ("0000 - F", ByeKind.FULL_POINT),
        ("0000 - U", ByeKind.PAIRING_ALLOCATED),
        ("0000 - Z", ByeKind.ZERO_POINT),
        ("0000 -  ", ByeKind.ZERO_POINT),
        ("        ", ByeKind.ZERO_POINT),
        ("       H", ByeKind.HALF_POINT),
    ],
)
def test_byes_of_the_format(text: str, kind: ByeKind) -> None:
    lines = [*WIN, player(3, [text])]
    report_, findings = read(report(lines))
    assert [finding.key for finding in findings if finding.key != "trf.blanks_cut"] == []
    assert [(bye.round, bye.entry, bye.kind) for bye in report_.byes] == [(1, 3, kind)]


@pytest.mark.parametrize(
    ("line", "key", "expected", "value"),
    [
        (player(3, title="g"), "title_legacy", "note 14:11", "GM"),
        (player(3, title="m"), "title_legacy", "note 14:11", "IM"),
        (player(3, title="f"), "title_legacy", "note 14:11", "FM"),
        (player(3, title="c"), "title_legacy", "note 14:11", "CM"),
        (player(3, title="wg"), "title_legacy", "note 14:11", "WGM"),
        (player(3, title="wm"), "title_legacy", "note 14:11", "WIM"),
        (player(3, title="wf"), "title_legacy", "note 14:11", "WFM"),
        (player(3, title="wc"), "title_legacy", "note 14:11", "WCM"),
        (player(3, title="XYZ"), "title_unknown", "note 14:11", "XYZ"),
    ],
)
def test_old_titles_become_todays(line: str, key: str, expected: str, value: str) -> None:
    data = report([*WIN, line])
    assert seen(data)[key] == expected
    assert read(data)[0].entries[2].title == value


@pytest.mark.parametrize(
    ("letter", "sex", "key"),
    [
        ("f", "w", "sex_form"),
        ("W", "w", "sex_form"),
        ("M", "m", "sex_form"),
        ("x", "", "sex_unknown"),
    ],
)
def test_sex_in_other_letters(letter: str, sex: str, key: str) -> None:
    data = report([*WIN, player(3, sex=letter)])
    assert seen(data)[key] == "note 14:10"
    assert read(data)[0].entries[2].sex == sex


@pytest.mark.parametrize(
    ("text", "tenths"), [("4,5", 45), ("4½", 45), ("½", 5), (".5", 5), ("4", 40), ("10.0", 100)]
)
def test_points_in_other_forms(text: str, tenths: int) -> None:
    data = report([*WIN, player(3, points=text)])
    assert read(data)[0].entries[2].points == tenths
    assert ("points_form" in seen(data)) == ("," in text or "½" in text)


@pytest.mark.parametrize(
    ("text", "day", "form"),
    [
        ("2005/07/28", date(2005, 7, 28), Form.REGULAR),
        ("2005.07.28", date(2005, 7, 28), Form.OTHER),
        ("2005-7-8", date(2005, 7, 8), Form.OTHER),
        ("20050728", date(2005, 7, 28), Form.OTHER),
        ("28. 07. 2005", date(2005, 7, 28), Form.OTHER),
        ("01.02.2005", date(2005, 2, 1), Form.OTHER),
        ("30/09/2011", date(2011, 9, 30), Form.OTHER),
        ("09/30/2011", date(2011, 9, 30), Form.OTHER),
        ("02/10/2011", date(2011, 10, 2), Form.ASSUMED),
        ("10/10/2011", date(2011, 10, 10), Form.OTHER),
        ("May 29, 2020", date(2020, 5, 29), Form.OTHER),
        ("Dec 10, 2020", date(2020, 12, 10), Form.OTHER),
        ("29 maggio 2020", date(2020, 5, 29), Form.OTHER),
        ("10-set-2020", date(2020, 9, 10), Form.OTHER),
        ("", None, Form.BLANK),
        ("2005/02/30", None, Form.WRONG),
        ("05/07/28", None, Form.WRONG),
        ("28.07.05", None, Form.WRONG),
        ("2005", None, Form.WRONG),
        ("May 2020", None, Form.WRONG),
        ("0000/00/00", None, Form.WRONG),
        ("2024/01/01 - 2024/01/14", None, Form.WRONG),
        ("٢٠٠٥/٠٧/٢٨", None, Form.WRONG),
    ],
)
def test_days_in_the_forms_of_real_files(text: str, day: date | None, form: Form) -> None:
    assert read_day(text) == (day, form)


@pytest.mark.parametrize(
    ("text", "birth", "form"),
    [
        ("1987/05/31", Birth(1987, 5, 31), Form.REGULAR),
        ("1987/00/00", Birth(1987), Form.REGULAR),
        ("1969.12.06", Birth(1969, 12, 6), Form.OTHER),
        ("1975.  .  ", Birth(1975), Form.OTHER),
        ("1975      ", Birth(1975), Form.OTHER),
        ("1987/05/00", Birth(1987), Form.OTHER),
        ("28.07.2005", Birth(2005, 7, 28), Form.OTHER),
        ("    .  .  ", None, Form.BLANK),
        ("0000/00/00", None, Form.BLANK),
        ("          ", None, Form.BLANK),
        ("1987/02/30", None, Form.WRONG),
        ("1987/13/00", None, Form.WRONG),
        ("9999/00/00", None, Form.WRONG),
        ("?", None, Form.WRONG),
        ("unknown", None, Form.WRONG),
    ],
)
def test_births_in_the_forms_of_real_files(text: str, birth: Birth | None, form: Form) -> None:
    assert read_birth(text) == (birth, form)


@pytest.mark.parametrize(
    ("text", "day", "form"),
    [
        ("24/05/01", date(2024, 5, 1), Form.REGULAR),
        ("99/12/31", date(1999, 12, 31), Form.REGULAR),
        ("70/01/01", date(1970, 1, 1), Form.REGULAR),
        ("69/12/31", date(2069, 12, 31), Form.REGULAR),
        ("01.09.30", date(2001, 9, 30), Form.OTHER),
        ("2024/05/01", date(2024, 5, 1), Form.REGULAR),
        ("24/02/30", None, Form.WRONG),
        ("240501", None, Form.WRONG),
    ],
)
def test_round_days_have_two_digits_for_the_year(text: str, day: date | None, form: Form) -> None:
    assert read_round_day(text) == (day, form)


def test_days_in_other_forms_are_noted_and_doubtful_ones_warned() -> None:
    found = seen(report(WIN, {"042": "28. 04. 2024", "052": "02/05/2024"}))
    assert found["day_form"] == "note 4:5"
    assert found["day_order_assumed"] == "warning 5:5"


def test_round_dates_with_four_digits_of_the_year_are_read() -> None:
    lines = [player(1, [cell(2, "w", "1")] * 2), player(2, [cell(1, "b", "0")] * 2)]
    data = report(lines, {"132": "".ljust(87) + "2024/05/012024/05/02"})
    assert seen(data) == {}
    assert read(data)[0].round_dates == (date(2024, 5, 1), date(2024, 5, 2))


@pytest.mark.parametrize("ending", ["\n", "\r", "\r\n"])
def test_any_line_ending_is_read_alike(ending: str) -> None:
    report_, findings = read(swiss(ending=ending))
    assert findings == []
    assert len(report_.entries) == 12


def test_mixed_line_endings_are_read_and_noted() -> None:
    data = swiss().replace(b"\r\n", b"\n", 5)
    assert seen(data) == {"line_endings_mixed": "note None:None"}


@pytest.mark.parametrize(
    ("codec", "key"),
    [("utf-8", None), ("utf-8-sig", None), ("cp1252", "encoding_not_utf8")],
)
def test_utf8_with_and_without_mark_and_western_code_page(codec: str, key: str | None) -> None:
    data = report([*WIN, player(3, name="Niccolò, Žužel")]).decode().encode(codec)
    report_, findings = read(data)
    assert report_.entries[2].name == "Niccolò, Žužel"
    found = {f.key: (f.place.line, f.place.column) for f in findings if f.key != "trf.blanks_cut"}
    assert found == ({f"trf.{key}": (14, 21)} if key else {})


def test_two_encodings_in_one_file_are_warned() -> None:
    data = report(WIN).replace(b"Borgo", "Città ".encode() + "già".encode("latin-1"))
    assert seen(data)["encoding_mixed"].startswith("warning 2:")


def test_a_wrong_byte_after_the_mark_is_found_at_its_place() -> None:
    data = b"\xef\xbb\xbf" + report(WIN).replace(b"Borgo", b"B\xf4rgo")
    assert seen(data)["encoding_mixed"] == "warning 2:6"


def test_the_end_mark_of_old_systems_is_only_noted() -> None:
    assert seen(report(WIN) + b"\x1a") == {"unknown_text": "note 14:1"}


def test_control_characters_are_warned_where_they_stand() -> None:
    assert seen(report(WIN, {"022": "Borgo\tNuovo"}))["control_character"] == "warning 2:10"


def test_missing_ranks_points_and_ids() -> None:
    data = report([*WIN, player(3, rank="", points="", id="")])
    found = seen(data)
    assert found["rank_missing"] == "note 14:86"
    assert found["points_missing"] == "note 14:81"
    assert found["id_missing"] == "warning 14:58"
    assert read(data)[0].entries[2].id is None


def test_rank_and_id_of_zero_are_missing_ones() -> None:
    entry = read(report([*WIN, player(3, rank="0", id="0")]))[0].entries[2]
    assert (entry.rank, entry.id) == (None, None)


def test_lower_case_results_and_capital_colours() -> None:
    lines = [
        player(1, ["   2 W w", "0000 - h"]),
        player(2, ["   1 B l", "0000 - U"]),
    ]
    data = report(lines)
    assert seen(data) == {"result_form": "note 12:99", "colour_form": "note 12:97"}
    report_ = read(data)[0]
    assert [game.kind for game in report_.games] == [GameKind.SHORT]
    assert [bye.kind for bye in report_.byes] == [ByeKind.HALF_POINT, ByeKind.PAIRING_ALLOCATED]


def test_a_note_is_given_once_with_how_often_and_where() -> None:
    finding = one(report([*WIN, *(player(n, title="g") for n in range(3, 20))]), "title_legacy")
    assert finding.place.line == 14
    assert finding.details["count"] == 17
    assert finding.details["lines"] == "14, 15, 16, 17, 18, 19, 20, 21, …"


def test_a_forfeit_without_opponent_is_a_bye() -> None:
    data = report([*WIN, player(3, ["0000 - -"]), player(4, ["0000 - +"])])
    assert seen(data) == {"forfeit_without_opponent": "note 14:92"}
    assert [bye.kind for bye in read(data)[0].byes] == [ByeKind.ZERO_POINT, ByeKind.FULL_POINT]


def test_an_old_bye_written_as_a_result_is_taken_with_a_warning() -> None:
    lines = [player(3, ["0000 - 1"]), player(4, ["0000 - ="]), player(5, ["0000 - 0"])]
    data = report([*WIN, *lines])
    assert seen(data) == {"bye_as_result": "warning 14:99"}
    assert [bye.kind for bye in read(data)[0].byes] == [
        ByeKind.FULL_POINT,
        ByeKind.HALF_POINT,
        ByeKind.ZERO_POINT,
    ]


def test_games_without_colours_stand_with_the_lower_number_as_white() -> None:
    lines = [player(1, [cell(2, "-", "0")]), player(2, [cell(1, "-", "1")])]
    data = report(lines)
    assert seen(data) == {"colour_missing": "note 12:97"}
    (game,) = read(data)[0].games
    assert (game.white, game.white_score, game.colours_known) == (1, 0, False)


def test_a_forfeit_has_no_colours_and_needs_none() -> None:
    data = report([player(1, [cell(2, "-", "-")]), player(2, [cell(1, "-", "+")])])
    assert seen(data) == {}
    (game,) = read(data)[0].games
    assert (game.white, game.black_score, game.colours_known) == (1, 2, False)


@pytest.mark.parametrize(
    ("first", "second", "white"), [("w", "-", 1), ("-", "w", 2), ("-", "b", 1), ("b", " ", 2)]
)
def test_a_colour_on_one_line_alone_is_taken_and_noted(first: str, second: str, white: int) -> None:
    data = report([player(1, [cell(2, first, "1")]), player(2, [cell(1, second, "0")])])
    assert seen(data) == {"colour_one_sided": "note 12:97"}
    (game,) = read(data)[0].games
    assert (game.white, game.colours_known) == (white, True)


def test_a_round_too_many_without_games_is_passed_over() -> None:
    lines = [player(1, [cell(2, "w", "1"), "       -"]), player(2, [cell(1, "b", "0"), "0000 -"])]
    data = report(lines)
    assert seen(data)["empty_rounds"] == "note 12:102"
    report_ = read(data)[0]
    assert (report_.rounds, report_.byes) == (1, [])


def test_an_empty_round_that_is_declared_counts() -> None:
    lines = [player(1, [cell(2, "w", "1"), "0000 - Z"]), player(2, [cell(1, "b", "0"), "0000 - Z"])]
    report_ = read(report(lines, {"142": "2"}))[0]
    assert (report_.rounds, len(report_.byes)) == (2, 2)


@pytest.mark.parametrize(
    ("header", "key"),
    [({"142": "3"}, "rounds_missing"), ({"142": "1"}, "rounds_undeclared")],
)
def test_a_declared_number_of_rounds_is_compared(header: dict[str, str], key: str) -> None:
    lines = [
        player(1, [cell(2, "w", "1"), cell(2, "b", "1")]),
        player(2, [cell(1, "b", "0"), cell(1, "w", "0")]),
    ]
    data = report(lines, {**header, "132": round_dates(["24/05/01", "24/05/02"])})
    assert seen(data) == {key: "warning 13:5"}
    assert read(data)[0].rounds == 2


def test_xxr_declares_rounds_too() -> None:
    assert seen(report(WIN, extra=["XXR 5"])) == {"rounds_missing": "warning 14:5"}


def test_lines_cut_after_their_last_game_are_read_and_noted() -> None:
    lines = [
        player(1, [cell(2, "w", "1"), cell(2, "b", "1")]),
        player(2, [cell(1, "b", "0"), cell(1, "w", "0")]),
        player(3, ["0000 - H"]),
    ]
    data = report(lines)
    assert seen(data) == {"blanks_cut": "note 14:100"}
    assert [(bye.round, bye.kind) for bye in read(data)[0].byes] == [
        (1, ByeKind.HALF_POINT),
        (2, ByeKind.ZERO_POINT),
    ]


def test_a_line_cut_before_its_points_is_noted() -> None:
    found = seen(report([*WIN, player(3)[:56]]))
    assert found["line_short"] == "note 14:57"
    assert found["id_missing"] == "warning 14:58"


def test_unsorted_starting_numbers_keep_the_order_of_lines() -> None:
    data = report(WIN[::-1])
    assert seen(data) == {"numbers_unsorted": "note 13:5"}
    assert [entry.number for entry in read(data)[0].entries] == [2, 1]


def test_the_code_of_the_time_control_wins_over_the_words() -> None:
    report_, findings = read(report(WIN, {"122": "as agreed", "222": "40/6000+30:900+30"}))
    assert report_.time_control is not None
    assert report_.time_control.code == "40/6000+30:900+30"
    assert [f.key for f in findings] == ["trf.mandatory_missing"]  # 132 in TRF26


def test_without_a_code_the_words_are_read() -> None:
    report_ = read(report(WIN, {"122": "90'+30\""}))[0]
    assert report_.time_control is not None
    assert report_.time_control.code == "5400+30"


@pytest.mark.parametrize(
    ("header", "key", "line"),
    [
        ({"122": "as agreed"}, "time_control_not_understood", 11),
        ({"122": None}, "time_control_missing", None),
        ({"222": "5400 + 30"}, "time_control_code_wrong", 12),
        ({"222": "300+2"}, "time_controls_differ", 12),
    ],
)
def test_doubts_about_the_time_control(
    header: dict[str, str | None], key: str, line: int | None
) -> None:
    finding = one(report(WIN, header), key)
    assert (finding.severity, finding.place.line) == ("warning", line)


@pytest.mark.parametrize(
    ("code", "system"),
    [
        ("FIDE_DUTCH", System.SWISS),
        ("FIDE_DUTCH_2026_BAKU", System.SWISS),
        ("FIDE_DUBOV", System.SWISS),
        ("FIDE_BURSTEIN", System.SWISS),
        ("CUSTOM_SWISS", System.SWISS),
        ("FIDE_DOUBLESWISS_BAKU", System.SWISS),
        ("BERGER_ROUNDROBIN", System.ROUND_ROBIN),
        ("BERGER_ROUNDROBIN_G1", System.ROUND_ROBIN),
        ("BERGER_ROUNDROBIN_G2", System.DOUBLE_ROUND_ROBIN),
        ("BERGER_ROUNDROBIN_G4", System.UNKNOWN),
        ("FIDE_ROUNDROBIN", System.ROUND_ROBIN),
        ("FIDE_DOUBLEROUNDROBIN", System.DOUBLE_ROUND_ROBIN),
        ("FIDE_TEAM_TYPEA_MP_GP", System.TEAM),
        ("CUSTOM_TEAM_SWISS", System.TEAM),
        ("CUSTOM_KNOCKOUT", System.KNOCKOUT),
        ("NEW_FASHION", System.UNKNOWN),
    ],
)
def test_codes_of_tournament_types(code: str, system: System) -> None:
    assert from_code(code) is system


@pytest.mark.parametrize(
    ("words", "system"),
    [
        ("Individual: Swiss-System (Standard)", System.SWISS),
        ("Sistema svizzero olandese", System.SWISS),
        ("Schweizer System", System.SWISS),
        ("FIDE_DUTCH_2025", System.SWISS),
        ("Individual: Round-Robin", System.ROUND_ROBIN),
        ("roundrobin", System.ROUND_ROBIN),
        ("Girone all'italiana", System.ROUND_ROBIN),
        ("Individuale, girone all’italiana, andata e ritorno", System.DOUBLE_ROUND_ROBIN),
        ("Double round robin", System.DOUBLE_ROUND_ROBIN),
        ("Team: Swiss-System", System.TEAM),
        ("Team Round Robin", System.TEAM),
        ("Campionato a squadre", System.TEAM),
        ("FIDE-TEAM-BAKU", System.TEAM),
        ("Match over 8 games", System.MATCH),
        ("Individual: Knock-out", System.KNOCKOUT),
        ("Eliminazione diretta", System.KNOCKOUT),
        ("Swiss, then round robin", System.UNKNOWN),
        ("Open", System.UNKNOWN),
        ("", System.UNKNOWN),
    ],
)
def test_words_of_tournament_types(words: str, system: System) -> None:
    assert from_words(words) is system


def test_the_code_192_wins_over_the_words_092() -> None:
    assert read(report(WIN, {"192": "FIDE_ROUNDROBIN"}))[0].system is System.ROUND_ROBIN


def test_a_type_not_understood_is_warned_and_unknown() -> None:
    report_, findings = read(report(WIN, {"092": "Festival"}))
    assert report_.system is System.UNKNOWN
    assert [f.key for f in findings] == ["trf.type_not_understood"]


def test_a_round_robin_is_never_guessed_from_the_games_but_noted() -> None:
    data = round_robin(header={"092": None})
    assert read(data)[0].system is System.UNKNOWN
    assert list(seen(data)) == ["looks_like_round_robin"]
    assert read(round_robin())[0].system is System.ROUND_ROBIN


def test_a_match_is_as_long_as_declared_or_as_its_rounds() -> None:
    days = round_dates(["24/05/01"] * 3)
    assert read(match("1=0=", {"142": "6", "132": days}))[0].facts.match_games == 6
    assert read(match("1=0="))[0].facts.match_games == 4
    assert list(seen(match("1=0="))) == ["match_length_from_rounds"]
    assert read(swiss())[0].facts.match_games is None
    unnamed = match("1=0=", {"092": None})
    assert list(seen(unnamed)) == ["looks_like_match"]
    assert read(unnamed)[0].facts.match_games is None


def test_records_of_pairing_programs_are_known() -> None:
    extra = ["XXR 1", "XXC white1", "XXP 1 2", "XXZ 2", "XXS W=1.0", "BBW  1.0", "### end"]
    extra.append(at({1: "XXA", 5: "   1", 10: " 1.0"}))
    assert seen(report(WIN, extra=extra)) == {}


def test_unknown_records_are_never_dropped_in_silence() -> None:
    found = seen(report(WIN, extra=["999 something", "        1         2"]))
    assert found == {"unknown_record": "warning 14:1", "unknown_text": "note 15:1"}
