"""Reports that nobody would send in good faith: many lines of one record, wrong in many ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from arrocco.formats.trf.decode import _DECODERS
from tests.formats.trf import samples

WIDTH = 160
RECORDS = ("001", *_DECODERS, "ITA", "999", "XXQ", "###", "???", "   ")
"""Every record that the format knows, federations' records, unknown ones, comments and blanks."""


def _ids(tag: str, index: int) -> str:
    """Numbers in columns of five, as most lists have them."""
    return f"{tag} " + " ".join(f"{1 + (index + at) % 97:>4}" for at in range(WIDTH // 5))


def _garbage(tag: str, index: int) -> str:
    return f"{tag} {index:>4} " + "x½ 9,,w" * (WIDTH // 8)


def _digits(tag: str, index: int) -> str:
    return f"{tag} {index:>4}" + "9" * WIDTH


def _plausible(tag: str, index: int) -> str:
    """Lines that are nearly right, each a little different."""
    of_tag = {
        "001": f"001 {1 + index:>4} m    Nome, Cognome {index}".ljust(91) + "   1 w 1  9998 b x",
        "240": f"240 {'FHZ'[index % 3]}   1 " + _ids("", index)[1:],
        "250": f"250  1.0  1.0   1   9 {1 + index:>4} 9999",
        "299": f"299 W   1.0   1.0   1 {1 + index:>4}",
        "300": f"300   1 {1 + index % 999:>3}   2 " + _ids("", index)[1:],
        "310": f"310 {1 + index % 999:>3} Squadra".ljust(73) + _ids("", index)[1:],
        "013": "013 Squadra".ljust(36) + _ids("", index)[1:],
        "132": "132".ljust(91) + "24/05/01  " * 12,
        "XXS": "XXS WW=1.0 BW=0,5 ??=1 " + f"W={index}",
        "ITA": "".join(chr(65 + index // 26**k % 26) for k in range(3)) + "    1",
    }
    return of_tag.get(tag, f"{tag} {index}")


PAYLOADS: dict[str, Callable[[str, int], str]] = {
    "ids": _ids,
    "garbage": _garbage,
    "digits": _digits,
    "plausible": _plausible,
}


def report(tag: str, payload: str, size: int) -> bytes:
    """A report of `size` players with as many hostile lines of one record."""
    players = [
        samples.player(number, [samples.cell(0, "-", " ")] * 3) for number in range(1, size + 1)
    ]
    made = [PAYLOADS[payload](tag, index) for index in range(size)]
    header = [f"{key} {text}" for key, text in samples.HEADER.items()]
    return "\r\n".join([*header, *players, *made, ""]).encode()


def every_report(size: int) -> Iterator[tuple[str, bytes]]:
    """Every record with every payload, by name."""
    for tag in RECORDS:
        for payload in PAYLOADS:
            yield f"{tag} {payload}", report(tag, payload, size)
