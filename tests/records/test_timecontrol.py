"""Time controls: texts as people write them, codes, and the time for 60 moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.errors import Malformed
from arrocco.records.timecontrol import Period, TimeControl, parse, parse_code, parse_text

LONG = (
    "90 minutes for the first 40 moves followed by 30 minutes for the rest of the game "
    "with an addition of 30 seconds per move starting from move one"
)
TEXTS = [
    # text, code in seconds, minutes for 60 moves
    ("90 min/40 moves + 30 min + 30 sec/move", "40/5400+30:1800+30", 150),
    ("90'+30\"", "5400+30", 120),
    ("90+30", "5400+30", 120),
    ("5+3", "300+3", 8),
    ("3+2", "180+2", 5),
    ("3 + 2", "180+2", 5),
    ("10+0", "600", 10),
    ("1+0", "60", 1),
    ("0+1", "0+1", 1),
    ("15 min + 10 sec", "900+10", 25),
    ("100'x40+15'+30\"", "40/6000+30:900+30", 145),
    ("100' x 40 + 15' + 30\"", "40/6000+30:900+30", 145),
    (
        "100 min/40 moves + 50 min/20 moves + 15 min + 30 sec per move from move 1",
        "40/6000+30:20/3000+30:900+30",
        180,
    ),
    ("90 minutes + 10 sec from move 1", "5400+10", 100),
    ("40/120, 60", "40/7200:3600", 180),
    ("40/120, SD/60", "40/7200:3600", 180),
    ("40/90, 20/60, SD/30; +30", "40/5400+30:20/3600+30:1800+30", 180),
    ("90/40+30+30", "40/5400+30:1800+30", 150),
    ("90/40 + 30 + 30 sec", "40/5400+30:1800+30", 150),
    ("G/90;+30", "5400+30", 120),
    ("G/90;inc30", "5400+30", 120),
    ("Game in 60 minutes; inc 5", "3600+5", 65),
    ("G/25", "1500", 25),
    ("2h/40 + 1h", "40/7200:3600", 180),
    ("1h30 + 30s", "5400+30", 120),
    ("1h 30 min + 30 sec", "5400+30", 120),
    ("1 h 30' + 30\"", "5400+30", 120),
    ("1 hour and 30 minutes plus 30 seconds per move", "5400+30", 120),
    ("2 hours for 40 moves, 1 hour for 20 moves, then 30 min", "40/7200:20/3600:1800", 180),
    ("90 minuti + 30 secondi a mossa", "5400+30", 120),
    ("90 minuti più 30 secondi per mossa", "5400+30", 120),
    ("30' + 10\" a mossa", "1800+10", 40),
    ("15 minuti a testa + 10 secondi", "900+10", 25),
    ("90 minuti con incremento di 30 secondi", "5400+30", 120),
    ("2 ore per 40 mosse, poi 1 ora per finire", "40/7200:3600", 180),
    (
        "90 minuti per 40 mosse + 30 minuti per finire con 30 secondi a mossa dalla prima mossa",
        "40/5400+30:1800+30",
        150,
    ),
    ("90' per le prime 40 mosse e poi 30' + 30\" dalla mossa 41", "40/5400:1800+30", 130),
    ("1 ora", "3600", 60),
    ("60 minuti KO", "3600", 60),
    ("120'/40, 60'/20, 30' QPF", "40/7200:20/3600:1800", 180),
    ("10 min", "600", 10),
    ("10 min.", "600", 10),
    ("15'", "900", 15),
    ("45", "2700", 45),
    ("30 sec", "30", 0),
    ("90'/40 + 30' + 30\" from move 41", "40/5400:1800+30", 130),
    (
        "120 min/40 moves + 60 min/20 moves + 15 min + 30 sec from move 61",
        "40/7200:20/3600:900+30",
        180,
    ),
    ("120 min/40 moves + 60 min + 30 sec/move from the 41st move", "40/7200:3600+30", 190),
    ("5400+30", "5400+30", 120),
    ("600", "600", 10),
    ("599", "35940", 599),
    ("40/6000+30:900+30", "40/6000+30:900+30", 145),
    ("W300-B240", "W300-B240", 4),
    ("W 5' / B 4'", "W300-B240", 4),
    ("White: 5 min, Black: 4 min", "W300-B240", 4),
    (
        LONG,
        "40/5400+30:1800+30",
        150,
    ),
    ("40 moves in 90 min, then 30 min, +30 sec/move from move 1", "40/5400+30:1800+30", 150),
    ("90 min (40 moves) + 30 min + 30 sec per move (from move 1)", "40/5400+30:1800+30", 150),
    ("90 mins for 40 moves + 30 mins to finish + 30 secs per move", "40/5400+30:1800+30", 150),
    ("90min+30sec/move", "5400+30", 120),
    ("90 min. + 30 sec. per move.", "5400+30", 120),
    ("90' + 30''", "5400+30", 120),
    ("25′ + 10″", "1500+10", 35),
    ("90’ + 30”", "5400+30", 120),
    ("90 MIN + 30 SEC/MOVE", "5400+30", 120),
    ("3m+2s", "180+2", 5),
    ('3\'30"+2"', "210+2", 5),
    ("10|5", "600+5", 15),
    ("10 min (+5 sec)", "600+5", 15),
    ("10 min + 5 sec increment", "600+5", 15),
    ("Time control: 90 + 30", "5400+30", 120),
    ("90'/40 (+0\") + 30' (+30\")", "40/5400:1800+30", 130),
    ("90 min/40 moves + 30 sec/move + 30 min + 10 sec/move", "40/5400+30:1800+10", 143),
    ("1 min + 1 min per move", "60+60", 61),
    ("Standard: 90 minutes with 30 second increment from move 1", "5400+30", 120),
    ("Rapid: 15+10", "900+10", 25),
    ("Lampo 3+2", "180+2", 5),
    ("1:30 + 10 from move 1", "5400+10", 100),
    ("1:30 plus 15 per move", "5400+15", 105),
    ("2:00/40 + 1:00", "40/7200:3600", 180),
    ("90/40+30", "40/5400:1800", 120),
    ("90/40, 30", "40/5400:1800", 120),
    ("1:30:00 + 30", "5400+30", 120),
    ("2:00:00/40 + 1:00:00", "40/7200:3600", 180),
    ("G90+30", "5400+30", 120),
    ("Cadenza: 90 min + 30 sec", "5400+30", 120),
    ("FIDE rapid 10' + 5\"", "600+5", 15),
    ("90 minutes per player with 30 seconds cumulative increment", "5400+30", 120),
    ("90 minuti con incremento cumulativo di 30 secondi", "5400+30", 120),
]


@pytest.mark.parametrize(("text", "code", "minutes"), TEXTS, ids=[text for text, _, _ in TEXTS])
def test_text_is_read(text: str, code: str, minutes: int) -> None:
    control = parse_text(text)
    assert control.code == code
    assert control.seconds_for_60_moves // 60 == minutes
    assert parse(text) == control


def test_table_is_as_long_as_promised() -> None:
    assert len({text for text, _, _ in TEXTS}) >= 60


REFUSED = [
    ("", "empty"),
    ("   ", "empty"),
    ("-", "cannot read"),
    ("fast", "cannot read"),
    ("90 min + 30 bananas", "cannot read"),
    ("40/90+30", "minutes or seconds"),
    ("90+30+30", "second increment"),
    ("60 min + 30 min", "no number of moves"),
    ("90'30\"", "cannot read"),
    ("90' 30\"", "cannot read"),
    ("2 x 90'", "cannot read"),
    ("G/90;d5", "delay"),
    ("15 min + 10 sec Bronstein", "delay"),
    ("120/90", "which of"),
    ("61/15", "which of"),
    ("90 min/99", "too many"),
    ("90 min/0 moves + 30 min", "no number of moves"),
    ("0 min", "has no time"),
    ("90 min + 30 sec from move 41", "no period starts"),
    ("90 min/40 moves + 30 min + 30 sec from move 30", "no period starts"),
    ("90 min/40 moves + 30 min (+30 sec per move)", "which periods"),
    ("90 min/40 moves + 30 sec/move + 30 min", "which periods"),
    ("90'/40 + 30' from move 41", "cannot read"),
    ("(90 min", "bracket"),
    ("90 min)", "bracket"),
    ("((90 min))", "bracket"),
    ("40/90:30", "cannot read"),
    ("3:00 + 2", "cannot read"),
    ("1:30:15 + 30", "cannot read"),
    ("1:30:00 + 0:30", "cannot read"),
    ("0:45 + 10", "cannot read"),
    ("90 min/40 moves + 30", "minutes or seconds"),
    ("standard", "empty"),
    ("W5-B4", "minutes or seconds"),
    ("W 5'", "cannot read"),
    ("999999 min", "impossible time"),
    ("1.5 h", "cannot read"),
    ("90 min for the rest of the game/40 moves", "at once"),
    ("9" * 201, "longer"),
    ("99999999", "cannot read"),
    ("٩٠", "cannot read"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED, ids=[text[:40] for text, _ in REFUSED])
def test_unclear_text_is_refused_with_advice(text: str, reason: str) -> None:
    with pytest.raises(Malformed, match=reason) as refused:
        parse_text(text)
    assert refused.value.advice


def test_bare_pair_is_minutes_in_text_and_seconds_in_code() -> None:
    assert parse("5+3").code == "300+3"
    assert parse_code("5+3").code == "5+3"


seconds = st.integers(1, 100 * 3600)
increments = st.integers(0, 3600)
counts = st.integers(1, 99)
sides = st.builds(
    lambda counted, last: (*counted, last),
    st.lists(st.builds(Period, seconds, increments, counts), max_size=3).map(tuple),
    st.builds(Period, seconds, increments, st.none()),
)
controls = st.one_of(
    sides.map(lambda side: TimeControl(side, side)), st.builds(TimeControl, sides, sides)
)


@given(controls)
def test_code_written_is_code_read(control: TimeControl) -> None:
    assert parse_code(control.code) == control


@given(controls)
def test_text_written_is_text_read(control: TimeControl) -> None:
    assert parse_text(str(control)) == control


PIECES = st.sampled_from(
    [
        *"0123456789'\"+/,;:()|x- ",
        "90",
        "40",
        "min",
        " sec",
        "moves",
        "/move",
        " from move ",
        "W",
        "B",
        "G/",
        "h",
        " a mossa",
        " per ",
        "ora",
        "increment",
        "½",
        "\n",
        "\x00",
    ]
)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        control = parse_text(text)
    except Malformed:
        return
    assert parse_code(control.code) == control
    assert parse_text(str(control)) == control
