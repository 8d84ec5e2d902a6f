"""Titles that fit the highest rating a player ever had."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arrocco.demo.generate.draws import Ints, Mask, Rng, below, chance

TITLES: Final = ("", "CM", "FM", "IM", "GM", "WCM", "WFM", "WIM", "WGM")
TITLE_BYTES: Final = np.array([title.encode() for title in TITLES], dtype="S3")

# Title, from which rating, and how many of those who reach it hold it, in parts of 10,000.
_OPEN: Final = (("CM", 2220, 2500), ("FM", 2320, 7000), ("IM", 2430, 9000), ("GM", 2550, 9500))
_WOMEN: Final = (
    ("WCM", 2030, 3000),
    ("WFM", 2130, 6500),
    ("WIM", 2240, 9000),
    ("WGM", 2350, 9500),
)


def title_codes(rng: Rng, peak: Ints, is_woman: Mask) -> NDArray[np.int8]:
    """The title of each player as an index into `TITLES`; a higher one takes the place of a lower.

    A player may hold a title for a result a little above any rating the lists have shown.
    """
    size = len(peak)
    reached = peak + below(rng, 50, size)
    codes = np.zeros(size, dtype=np.int8)
    for who, ladder in ((is_woman, _WOMEN), (np.ones(size, dtype=np.bool_), _OPEN)):
        for title, rating, share in ladder:
            codes[who & (reached >= rating) & chance(rng, size, share)] = TITLES.index(title)
    return codes
