"""What tournaments and lists look like under each regulation: list, ratings, time controls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from arrocco.dates import Month
from arrocco.demo.generate.draws import Spread
from arrocco.errors import Illegal
from arrocco.laws.classes import TimeClass
from arrocco.laws.registry import editions
from arrocco.laws.systems import has_kinds
from arrocco.records.timecontrol import TimeControl, parse_code


@dataclass(frozen=True)
class Profile:
    """How one kind of rating is played for.

    `controls` are time controls by their code with a weight; some of them are too fast for strong
    players, or for the list altogether, as they are in real reports.
    """

    list_kind: str
    period: Month
    """Which period is generated when none is asked for."""
    rated_share: int
    """How many of a large list are rated, in parts of `WHOLE`."""
    floor: int
    """The lowest rating, where the regulation itself names none."""
    rounds_per_day: tuple[int, ...]
    controls: dict[str, int]
    online: bool = False

    @cached_property
    def time_controls(self) -> list[TimeControl]:
        return [parse_code(code) for code in self.controls]


_MAY_2024: Final = Month(2024, 5)
_MAY_2025: Final = Month(2025, 5)

_BLITZ: Final = {"180+2": 50, "300": 15, "300+3": 20, "600": 10}
_RAPID: Final = {"900+10": 40, "600+5": 25, "1500+10": 10, "1500": 10, "1200+5": 8, "720+3": 5}

_PROFILES: Final = {
    "fide": Profile(
        "standard",
        _MAY_2024,
        2600,
        1400,
        (1, 1, 2),
        {
            "5400+30": 45,
            "40/5400+30:1800+30": 18,
            "3600+30": 14,
            "4500+30": 5,
            "40/6000+30:20/3000+30:900+30": 4,
            "40/7200:3600": 3,
            "5400": 3,
            "3600": 3,
            "3000+10": 3,
            "900+10": 2,
        },
    ),
    "fide-rapid": Profile(
        "rapid", _MAY_2024, 2600, 1400, (5, 7, 9), _RAPID | {"3600+30": 1, "600": 1}
    ),
    "fide-blitz": Profile(
        "blitz", _MAY_2024, 2600, 1400, (11,), _BLITZ | {"180": 2, "W300-B240": 1}
    ),
    "rio-rapid": Profile("rapid", _MAY_2025, 10_000, 1000, (5, 7), _RAPID, online=True),
    "rio-blitz": Profile("blitz", _MAY_2025, 10_000, 1000, (11,), _BLITZ, online=True),
    "rio-bullet": Profile(
        "bullet",
        _MAY_2025,
        10_000,
        1000,
        (11,),
        {"60": 40, "60+1": 30, "120+1": 30},
        online=True,
    ),
    "uisp": Profile(
        "uisp",
        _MAY_2024,
        10_000,
        1000,
        (2, 3),
        {
            "1800+10": 25,
            "3600+30": 15,
            "5400+30": 10,
            "900+10": 25,
            "1800": 10,
            "180+2": 10,
            "300": 5,
        },
    ),
}

RIO_CLASSES: Final = (TimeClass.RAPID, TimeClass.BLITZ, TimeClass.BULLET)


def profile_of(law: str, time_class: TimeClass | str = TimeClass.BLITZ) -> Profile:
    """The profile of a regulation; RIO has one for each of its ratings.

    Raises `Illegal` for a regulation there is not, or a rating RIO does not have.
    """
    editions(law)
    name = f"{law}-{time_class}" if has_kinds(law) else law
    if name not in _PROFILES:
        raise Illegal.of("laws.refused.rio_kind", kind=time_class, kinds=tuple(RIO_CLASSES))
    return _PROFILES[name]


RATINGS: Final = Spread(
    (0, 0),
    (1500, 80),
    (3500, 180),
    (5000, 260),
    (7000, 390),
    (8500, 540),
    (9500, 730),
    (9900, 940),
    (9970, 1030),
    (9995, 1170),
    (9999, 1290),
    (10_000, 1440),
)
"""The rated players of a federation: points above the lowest rating where that is 1400."""

STRETCHED_UNTIL: Final = 2200
"""Below this rating a lower floor stretches the distribution; above it all lists look alike."""

UNRATED_STRENGTH: Final = Spread((0, 700), (5000, 1250), (9000, 1600), (10_000, 2000))
AGES: Final = Spread(
    (0, 6), (1500, 13), (3500, 20), (5500, 32), (7500, 47), (9000, 63), (10_000, 92)
)
AGES_UNRATED: Final = Spread((0, 5), (4000, 11), (7000, 18), (9000, 40), (10_000, 85))
AGES_STRONG: Final = Spread((0, 14), (2000, 20), (6000, 33), (9000, 52), (10_000, 75))

_SHARES: Final = (
    "IND:120 RUS:95 ESP:75 GER:70 FRA:68 ITA:40 POL:38 IRI:36 TUR:34 HUN:28 CZE:24 USA:24 "
    "UKR:24 BRA:22 SRI:22 GRE:20 KAZ:20 ENG:18 NED:18 ROU:18 ARG:16 SRB:16 AUT:16 UZB:16 "
    "CHN:15 COL:15 MEX:14 PHI:14 SVK:14 SUI:13 CRO:13 AZE:13 VIE:12 MGL:12 BUL:11 SLO:11 "
    "PER:11 NOR:11 SWE:11 DEN:11 BEL:10 POR:10 INA:10 ISR:10 ARM:9 GEO:9 EGY:9 ALG:8 AUS:8 "
    "BAN:8 MAS:8 KEN:8 RSA:8 NGR:7 CUB:7 CHI:7 ECU:7 FIN:6 LAT:6 LTU:6 IRL:6 BIH:6 CAN:6 "
    "KGZ:5 TKM:5 BLR:5 NEP:5 SCO:5 EST:5 MKD:5 MNE:4 ISL:4 TUN:4 MAR:4 UGA:4 ZAM:4 IRQ:4 "
    "SGP:4 THA:4 VEN:4 BOL:4 URU:3 PAR:3 CRC:3 PAN:3 DOM:3 GUA:3 ESA:3 MDA:3 ALB:3 KOS:3 "
    "CYP:3 LUX:2 MLT:2 AND:1 WLS:2 JAM:2 TTO:2 BAR:1 NZL:2 HKG:2 JPN:2 KOR:2 TPE:2 UAE:3 "
    "KSA:2 JOR:2 LBN:2 SYR:2 YEM:1 SUD:1 ETH:2 GHA:2 ANG:2 MOZ:1 BOT:2 ZIM:2 NAM:1 MAD:1"
)
FEDERATIONS: Final = {
    code: int(weight) for code, weight in (share.split(":") for share in _SHARES.split())
}
"""The codes of federations, each with its share of the players."""
