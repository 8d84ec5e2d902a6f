"""The two conversion tables, typed in their official shape; the fast forms are derived below.

FIDE 2024 8.1.1 and 8.1.2, FIDE 2010 8.1(a) and 8.1(b), RIO 15.4 and UISP II.4 print the same
figures. They are used exactly as printed (FIDE 2010, 12.2), never computed from a curve.
"""

from arrocco.units import Hundredths

# 8.1.1: fractional score p (in hundredths) and rating difference dp, printed in six column pairs.
SCORE_TO_DIFFERENCE_ROWS = """
100  800   83  273   66  117   49   -7   32 -133   15 -296
 99  677   82  262   65  110   48  -14   31 -141   14 -309
 98  589   81  251   64  102   47  -21   30 -149   13 -322
 97  538   80  240   63   95   46  -29   29 -158   12 -336
 96  501   79  230   62   87   45  -36   28 -166   11 -351
 95  470   78  220   61   80   44  -43   27 -175   10 -366
 94  444   77  211   60   72   43  -50   26 -184    9 -383
 93  422   76  202   59   65   42  -57   25 -193    8 -401
 92  401   75  193   58   57   41  -65   24 -202    7 -422
 91  383   74  184   57   50   40  -72   23 -211    6 -444
 90  366   73  175   56   43   39  -80   22 -220    5 -470
 89  351   72  166   55   36   38  -87   21 -230    4 -501
 88  336   71  158   54   29   37  -95   20 -240    3 -538
 87  322   70  149   53   21   36 -102   19 -251    2 -589
 86  309   69  141   52   14   35 -110   18 -262    1 -677
 85  296   68  133   51    7   34 -117   17 -273    0 -800
 84  284   67  125   50    0   33 -125   16 -284
"""

# 8.1.2: rating difference D and expected score PD (in hundredths) of the higher (H) and lower (L)
# rated player, printed in four column groups.
DIFFERENCE_TO_SCORE_ROWS = """
0-3    50 50    92-98   63 37   198-206 76 24   345-357 89 11
4-10   51 49    99-106  64 36   207-215 77 23   358-374 90 10
11-17  52 48    107-113 65 35   216-225 78 22   375-391 91  9
18-25  53 47    114-121 66 34   226-235 79 21   392-411 92  8
26-32  54 46    122-129 67 33   236-245 80 20   412-432 93  7
33-39  55 45    130-137 68 32   246-256 81 19   433-456 94  6
40-46  56 44    138-145 69 31   257-267 82 18   457-484 95  5
47-53  57 43    146-153 70 30   268-278 83 17   485-517 96  4
54-61  58 42    154-162 71 29   279-290 84 16   518-559 97  3
62-68  59 41    163-170 72 28   291-302 85 15   560-619 98  2
69-76  60 40    171-179 73 27   303-315 86 14   620-735 99  1
77-83  61 39    180-188 74 26   316-328 87 13   >735   100  0
84-91  62 38    189-197 75 25   329-344 88 12
"""

LAST_PRINTED_DIFFERENCE = 735
"""The last difference with a row of its own; above it FIDE and RIO print ``> 735``."""


def _read_score_rows() -> tuple[int, ...]:
    numbers = [int(cell) for cell in SCORE_TO_DIFFERENCE_ROWS.split()]
    pairs = dict(zip(numbers[::2], numbers[1::2], strict=True))
    return tuple(pairs[percent] for percent in range(101))


def _read_difference_rows() -> tuple[tuple[int, int, int, int], ...]:
    """The rows as (from, to, H, L), in the order of the difference; the last has no upper end."""
    rows = []
    cells = DIFFERENCE_TO_SCORE_ROWS.split()
    for span, high, low in zip(cells[::3], cells[1::3], cells[2::3], strict=True):
        if span.startswith(">"):
            first, last = int(span[1:]) + 1, UNBOUNDED
        else:
            first, last = (int(bound) for bound in span.split("-"))
        rows.append((first, last, int(high), int(low)))
    return tuple(sorted(rows))


UNBOUNDED = 1 << 30
SCORE_TO_DIFFERENCE = _read_score_rows()
"""dp by p in hundredths: index 0 to 100."""
DIFFERENCE_ROWS = _read_difference_rows()
_HIGHER = tuple(
    high
    for first, last, high, _ in DIFFERENCE_ROWS
    for _ in range(first, min(last, LAST_PRINTED_DIFFERENCE + 1) + 1)
)
_LOWER = tuple(
    low
    for first, last, _, low in DIFFERENCE_ROWS
    for _ in range(first, min(last, LAST_PRINTED_DIFFERENCE + 1) + 1)
)


def rating_difference(percent: int) -> int:
    """8.1.1 — dp for a fractional score p given in hundredths (0 to 100)."""
    if not 0 <= percent <= 100:
        raise ValueError(f"a fractional score lies between 0 and 1.00, not {percent} hundredths")
    return SCORE_TO_DIFFERENCE[percent]


def expected_score(difference: int) -> Hundredths:
    """8.1.2 — PD for a rating difference D, seen from the player: positive is the higher rated."""
    column = _HIGHER if difference >= 0 else _LOWER
    return Hundredths(column[min(abs(difference), LAST_PRINTED_DIFFERENCE + 1)])
