"""What contradicts itself is an error or a warning, and a doubtful game is never taken."""

from __future__ import annotations

import pytest

from arrocco.findings import Severity
from arrocco.records.report import ByeKind
from tests.formats.trf.reading import one, read, seen
from tests.formats.trf.samples import at, cell, player, report, round_dates, swiss

WIN = [player(1, [cell(2, "w", "1")]), player(2, [cell(1, "b", "0")])]


def games(data: bytes) -> list[tuple[int, int, int]]:
    return [(game.round, game.white, game.black) for game in read(data)[0].games]


def two(first: str, second: str) -> bytes:
    """A report of two lines with one round each, and a sound game beside them."""
    return report(
        [
            player(1, [first]),
            player(2, [second]),
            player(3, [cell(4, "w", "=")]),
            player(4, [cell(3, "b", "=")]),
        ]
    )


SOUND = [(1, 3, 4)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("1", "1"),
        ("1", "="),
        ("=", "1"),
        ("1", "-"),
        ("+", "0"),
        ("+", "+"),
        ("W", "0"),
        ("1", "L"),
        ("D", "="),
        ("W", "W"),
        ("-", "0"),
    ],
)
def test_results_that_do_not_mirror_are_errors_and_left_out(first: str, second: str) -> None:
    data = two(cell(2, "w", first), cell(1, "b", second))
    assert seen(data) == {"result_not_mirrored": "error 12:99"}
    assert games(data) == SOUND
    details = one(data, "result_not_mirrored").details
    assert (details["player"], details["opponent"], details["opponent_line"]) == (1, 2, 13)
    assert (details["result"], details["mirror"], details["round"]) == (first, second, 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [("0", "0"), ("=", "0"), ("0", "="), ("L", "L"), ("D", "L"), ("L", "D")],
)
def test_pairs_made_by_an_arbiter_are_taken_with_a_warning(first: str, second: str) -> None:
    data = two(cell(2, "w", first), cell(1, "b", second))
    assert seen(data) == {"unusual_score_pair": "warning 12:99"}
    assert games(data) == [(1, 1, 2), *SOUND]


@pytest.mark.parametrize("colour", ["w", "b"])
def test_equal_colours_are_an_error(colour: str) -> None:
    data = two(cell(2, colour, "1"), cell(1, colour, "0"))
    assert seen(data) == {"colours_equal": "error 12:97"}
    assert games(data) == SOUND


@pytest.mark.parametrize("second", ["0000 - U", "        ", "0000 - -"])
def test_a_game_that_the_opponent_does_not_have_is_an_error(second: str) -> None:
    data = two(cell(2, "w", "1"), second)
    assert seen(data)["mirror_missing"] == "error 12:92"
    assert games(data) == SOUND


def test_a_player_with_two_games_in_a_round_keeps_the_one_both_lines_give() -> None:
    data = two(cell(3, "b", "0"), "0000 - Z")
    assert seen(data) == {"two_games_in_round": "error 12:92"}
    assert one(data, "two_games_in_round").details["third"] == 4
    assert games(data) == SOUND


def test_a_circle_of_claims_yields_no_game() -> None:
    lines = [
        player(1, [cell(2, "w", "1")]),
        player(2, [cell(3, "w", "1")]),
        player(3, [cell(1, "w", "1")]),
    ]
    report_, findings = read(report(lines))
    assert report_.games == []
    assert [(f.key, f.place.line) for f in findings] == [
        ("trf.mirror_missing", 12),
        ("trf.mirror_missing", 13),
        ("trf.mirror_missing", 14),
    ]


def test_a_player_paired_with_himself_is_an_error() -> None:
    data = two(cell(1, "w", "1"), "0000 - Z")
    assert seen(data) == {"paired_with_self": "error 12:92"}
    assert games(data) == SOUND


def test_an_opponent_who_does_not_exist_is_an_error() -> None:
    data = two(cell(77, "w", "1"), "0000 - Z")
    assert seen(data) == {"unknown_opponent": "error 12:92"}
    assert games(data) == SOUND


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("   2 w  ", "result_missing"),
        ("   2 w H", "bye_with_opponent"),
        ("   2 w ?", "result_unknown"),
        ("  z2 w 1", "opponent_not_a_number"),
        ("   2w  1", "round_not_aligned"),
        ("0000 w 1", "result_without_opponent"),
    ],
)
def test_a_cell_that_cannot_be_read_yields_no_game_and_one_error(text: str, key: str) -> None:
    data = two(text, cell(1, "b", "0"))
    assert [f.key for f in read(data)[1] if f.is_error] == [f"trf.{key}"]
    assert games(data) == SOUND


def test_a_repeated_starting_number_takes_its_games_away() -> None:
    lines = [*WIN, player(2, [cell(1, "b", "0")], id="99000003", rank="3")]
    data = report(lines)
    assert seen(data) == {"start_number_repeated": "error 14:5"}
    report_ = read(data)[0]
    assert report_.games == []
    assert [entry.number for entry in report_.entries] == [1, 2]
    byes = [*WIN, player(3, ["0000 - U"]), player(3, ["0000 - H"], id="99000004", rank="4")]
    assert read(report(byes))[0].byes == []


def test_a_line_without_starting_number_is_an_error() -> None:
    data = report([*WIN, "001   x1" + player(3)[8:]])
    assert seen(data)["start_number_missing"] == "error 14:5"
    assert len(read(data)[0].entries) == 2


def test_a_repeated_id_is_a_warning() -> None:
    data = report([*WIN, player(3, ["0000 - Z"], id="99000001")])
    assert seen(data) == {"id_repeated": "warning 14:58"}
    assert one(data, "id_repeated").details["other"] == 1


def test_points_that_do_not_add_up_are_a_warning() -> None:
    data = report([player(1, [cell(2, "w", "1")], points="0.5"), WIN[1]])
    assert seen(data) == {"points_differ": "warning 12:81"}
    assert one(data, "points_differ").details == {"player": 1, "given": "0.5", "expected": "1.0"}


ALL_CODES = [
    player(1, [cell(2, "w", "1"), cell(2, "b", "="), cell(2, "w", "+"), "0000 - H"]),
    player(2, [cell(1, "b", "0"), cell(1, "w", "="), cell(1, "b", "-"), "0000 - U"]),
    player(3, ["0000 - F", "0000 - Z", "        ", "0000 - H"]),
]


def with_points(*points: str) -> list[str]:
    """The same three lines with other points."""
    return [
        line[:80] + f"{given:>4}" + line[84:] for line, given in zip(ALL_CODES, points, strict=True)
    ]


SCORINGS = {
    "default": ([], ("3.0", "1.5", "1.5")),
    "162 three points": (
        [at({1: "162", 6: "W", 7: " 3.0", 15: "D", 16: " 1.0"})],
        ("8.0", "4.0", "4.0"),
    ),
    "162 absence and allocated bye": (
        [at({1: "162", 6: "A", 7: " 0.2", 15: "P", 16: " 0.7"})],
        ("3.0", "1.4", "1.9"),
    ),
    "XXS by colour": (["XXS WW=2 BD=0.7 FPB=0.9 FL=0.1 HPB=0.3"], ("4.0", "1.6", "1.2")),
    "XXS shortcuts": (["XXS W=3 D=1", "XXS PAB=3 ZPB=0.1"], ("8.0", "4.0", "4.2")),
    "BB": (["BBW  3.0", "BBD  1.0", "BBZ  0.1", "BBF  0.2", "BBU  2.0"], ("8.0", "3.2", "4.2")),
    "299 for one round and player": (
        [at({1: "299", 5: "W", 14: " 5.0", 20: "  1", 24: "   1"})],
        ("7.0", "1.5", "1.5"),
    ),
    "299 for everybody": ([at({1: "299", 5: "H", 14: " 0.0"})], ("2.5", "1.5", "1.0")),
    "299 penalty": ([at({1: "299", 13: " -0.5", 24: "   2"})], ("3.0", "1.0", "1.5")),
    "299 penalty of nobody": ([at({1: "299", 13: " -0.5"})], ("3.0", "1.5", "1.5")),
    "299 of another round": (
        [at({1: "299", 5: "W", 14: " 5.0", 20: "  2", 24: "   1"})],
        ("3.0", "1.5", "1.5"),
    ),
    "240 names a blank round": (
        [at({1: "240", 5: "F", 7: "  3", 11: "   3"})],
        ("3.0", "1.5", "2.5"),
    ),
}


@pytest.mark.parametrize("name", SCORINGS)
def test_points_are_counted_as_the_file_says(name: str) -> None:
    extra, points = SCORINGS[name]
    assert "points_differ" not in seen(report(with_points(*points), extra=extra))
    wrong = with_points(points[0], "9.9", points[2])
    assert seen(report(wrong, extra=extra))["points_differ"] == "warning 13:81"


def test_record_240_names_a_blank_bye_and_is_compared_with_the_others() -> None:
    record = at({1: "240", 5: "H", 7: "  1", 11: "   3"})
    blank = report([*WIN, player(3, [], points="0.5")], extra=[record])
    assert [bye.kind for bye in read(blank)[0].byes] == [ByeKind.HALF_POINT]
    agreeing = report([*WIN, player(3, ["0000 - H"])], extra=[record])
    assert "bye_contradicts_240" not in seen(agreeing)
    contradicting = report([*WIN, player(3, ["0000 - F"])], extra=[record])
    assert seen(contradicting)["bye_contradicts_240"] == "warning 15:11"
    assert [bye.kind for bye in read(contradicting)[0].byes] == [ByeKind.FULL_POINT]
    playing = report(WIN, extra=[at({1: "240", 5: "H", 7: "  1", 11: "   2"})])
    assert seen(playing)["bye_contradicts_240"] == "warning 14:11"


def test_a_forfeited_game_is_no_bye_of_record_240() -> None:
    lines = [player(1, [cell(2, "w", "-")]), player(2, [cell(1, "b", "+")])]
    record = at({1: "240", 5: "Z", 7: "  1", 11: "   1"})
    assert seen(report(lines, extra=[record]))["bye_contradicts_240"] == "warning 14:11"


def test_record_299_of_a_team_event_speaks_of_teams() -> None:
    record = at({1: "299", 5: "W", 14: " 5.0"})
    days = {"132": round_dates(["24/05/01"])}
    assert seen(report(WIN, {**days, "092": "Team: Swiss"}, [record])) == {}
    assert "points_differ" in seen(report(WIN, days, [record]))


def test_record_240_of_a_team_event_speaks_of_teams() -> None:
    team = at({1: "310", 5: "  3", 9: "Squadra", 74: "   1", 79: "   2"})
    extra = [team, at({1: "240", 5: "H", 7: "  1", 11: "   2"})]
    assert "bye_contradicts_240" not in seen(report(WIN, {"092": "Team: Swiss"}, extra))


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("062", ("players_miscounted", "warning 6:5")),
        ("072", ("rated_miscounted", "note 7:5")),
    ],
)
def test_wrong_counts_are_reported(tag: str, expected: tuple[str, str]) -> None:
    assert list(seen(report(WIN, {tag: "5"})).items()) == [expected]


def test_end_before_start_is_a_warning() -> None:
    found = seen(report(WIN, {"042": "2024/05/06"}))
    assert found == {"end_before_start": "warning 5:5"}


def test_round_dates_outside_the_tournament_are_warnings() -> None:
    data = report(WIN, {"132": round_dates(["24/04/30"])})
    assert seen(data) == {"round_date_outside": "warning 12:92"}
    assert seen(report(WIN, {"132": round_dates(["24/05/06"])})) != {}
    assert seen(report(WIN, {"132": round_dates(["24/05/05"])})) == {}


def test_more_dates_than_rounds_are_noted_and_cut() -> None:
    data = report(WIN, {"132": round_dates(["24/05/01", "24/05/02"])})
    assert seen(data) == {"round_dates_miscounted": "note 12:92"}
    assert len(read(data)[0].round_dates) == 1


def test_ranks_may_repeat_only_in_trf26() -> None:
    lines = [player(1, [cell(2, "w", "=")], rank="1"), player(2, [cell(1, "b", "=")], rank="1")]
    assert seen(report(lines)) == {"rank_repeated": "note 13:86"}
    days = round_dates(["24/05/01"])
    assert seen(report(lines, {"142": "1", "132": days})) == {}


def test_a_second_allocated_bye_is_noted() -> None:
    lines = [
        player(1, ["0000 - U", "0000 - U", cell(2, "w", "1")]),
        player(2, ["0000 - U", "0000 - Z", cell(1, "b", "0")]),
    ]
    assert seen(report(lines)) == {
        "second_bye_in_round": "note 13:92",
        "second_bye_of_player": "note 12:102",
    }


def test_a_repeated_record_is_a_warning_and_the_first_is_taken() -> None:
    data = report(WIN, extra=["012 Un altro torneo"])
    assert seen(data) == {"record_repeated": "warning 14:1"}
    assert read(data)[0].name == "Torneo di Prova"
    assert seen(report(WIN, extra=["012 Torneo di Prova", "022"])) == {}
    blank_first = report(WIN, {"012": ""}, ["012 Un altro torneo"])
    assert seen(blank_first) == {}
    assert read(blank_first)[0].name == "Un altro torneo"


@pytest.mark.parametrize("tag", ["012", "022", "032", "042", "052", "102"])
def test_what_is_mandatory_for_rating_is_asked_for(tag: str) -> None:
    assert one(report(WIN, {tag: None}), "mandatory_missing").details == {"record": tag}
    finding = one(report(WIN, {tag: ""}), "mandatory_missing")
    assert finding.severity is Severity.WARNING
    assert finding.place.line is not None


def test_round_dates_are_mandatory_in_trf26_alone() -> None:
    assert "mandatory_missing" not in seen(report(WIN))
    assert one(report(WIN, {"142": "1"}), "mandatory_missing").details == {"record": "132"}


def test_national_ratings_need_their_player_and_stand_once() -> None:
    record = {1: "ITA", 49: "1801", 58: f"{501:>11}"}
    data = report(
        WIN,
        {"132": round_dates(["24/05/01"])},
        [at({**record, 5: "   1"}), at({**record, 5: "   1"}), at({**record, 5: "   9"})],
    )
    assert seen(data) == {
        "national_repeated": "warning 16:5",
        "national_without_player": "warning 17:5",
    }


def test_a_national_number_with_letters_is_not_taken_and_noted() -> None:
    days = {"132": round_dates(["24/05/01"])}
    data = report(WIN, days, [at({1: "ITA", 5: "   1", 49: "1801", 58: f"{'L01854':>11}"})])
    assert seen(data) == {"national_id_form": "note 15:58"}
    assert read(data)[0].entries[0].national[0].id is None


def test_members_who_are_no_players_are_noted() -> None:
    found = seen(report(WIN, extra=[at({1: "013", 5: "Squadra", 37: "   1", 42: "   8"})]))
    assert found == {"member_unknown": "note 14:42"}


def test_a_report_without_games_is_warned() -> None:
    assert seen(report([player(1), player(2)])) == {"no_games": "warning None:None"}


def test_every_result_changed_on_one_line_alone_is_found() -> None:
    """Whatever single result is exchanged, the game is left out or its unusual pair is warned."""
    data = swiss(10, 5, seed=3)
    lines = data.decode().split("\r\n")
    whole = len(read(data)[0].games)
    changed = 0
    for index, line in enumerate(lines):
        if not line.startswith("001"):
            continue
        for column in range(98, len(line), 10):
            if line[column] not in "10=":
                continue
            for other in {"1", "0", "="} - {line[column]}:
                spoilt = [*lines]
                spoilt[index] = line[:column] + other + line[column + 1 :]
                report_, findings = read("\r\n".join(spoilt).encode())
                keys = {finding.key for finding in findings}
                assert "trf.points_differ" in keys
                if "trf.unusual_score_pair" in keys:
                    assert len(report_.games) == whole
                else:
                    assert "trf.result_not_mirrored" in keys
                    assert len(report_.games) == whole - 1
                changed += 1
    assert changed > 50
