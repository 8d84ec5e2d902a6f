"""Whatever bytes a list file holds, it is read or refused; and every finding has its words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from arrocco.errors import Refusal
from arrocco.formats import lists
from arrocco.words import LANGUAGES, finding_advice, finding_text
from tests.formats.lists.samples import FORMATS, invented

PIECES = [
    b"",
    b" ",
    b"\n",
    b"\r",
    b"\r\n",
    b"\x00",
    b"\xff",
    b"\xc3",
    "é".encode(),
    b",",
    b'"',
    b"<",
    b">",
    b"&",
    b"&amp;",
    b"&x;",
    b"</player>",
    b"<player>",
    b"<!--",
    b"-->",
    b"<![CDATA[",
    b"x",
    b"<!DOCTYPE x>",
    b"-",
    b"99999999999999999999",
    b"\t",
    b"</playerslist>",
    b"<name>",
    b"\x1a",
]


def damaged(data: bytes, chance: random.Random) -> bytes:
    spoiled = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(spoiled) + 1)
        match chance.randint(0, 3):
            case 0:
                spoiled[at : at + chance.randint(0, 20)] = chance.choice(PIECES)
            case 1:
                spoiled[at:at] = chance.choice(PIECES)
            case 2:
                spoiled[at : at + 1] = bytes([chance.randrange(256)])
            case _:
                end = at + chance.randint(0, 300)
                del spoiled[at:end]
    return bytes(spoiled)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A list of 40 players in every format, combined where there is such a form."""
    path = tmp_path_factory.mktemp("lists") / "list"
    found = {}
    for format in FORMATS:
        lists.write_list(invented(40)["rapid"], path, format)
        found[format] = path.read_bytes()
    for format in ("fide_txt", "fide_xml"):
        lists.write_lists(invented(40), path, format)
        found[f"combined {format}"] = path.read_bytes()
    return found


@pytest.mark.parametrize(
    "form", ["fide_txt", "fide_xml", "csv", "combined fide_txt", "combined fide_xml"]
)
def test_damaged_list_is_read_or_refused(
    tmp_path: Path, whole: dict[str, bytes], form: str
) -> None:
    chance = random.Random(form)
    read = refused = told = 0
    for _ in range(150):
        path = tmp_path / "list"
        path.write_bytes(damaged(whole[form], chance))
        try:
            found, findings = lists.read_lists(path)
        except Refusal as refusal:
            refused += 1
            assert refusal.message  # noqa: PT017 - damage may also go through
            assert refusal.advice  # noqa: PT017
            continue
        read += 1
        assert all(len(each) <= 60 for each in found.values())
        for finding in findings:
            told += 1
            for language in LANGUAGES:
                assert finding_text(language, finding)
                assert finding_advice(language, finding)
    assert min(read, refused, told) > 0


@pytest.mark.parametrize("form", ["fide_txt", "fide_xml", "csv", "parquet"])
def test_every_cut_of_a_list_is_read_or_refused(
    tmp_path: Path, whole: dict[str, bytes], form: str
) -> None:
    path = tmp_path / "list"
    for end in range(0, len(whole[form]), len(whole[form]) // 60):
        path.write_bytes(whole[form][:end])
        try:
            found, _ = lists.read_list(path, "rapid")
        except Refusal:
            continue
        assert form not in ("fide_xml", "parquet")
        assert len(found) <= 40
