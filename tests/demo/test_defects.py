"""Mistakes on purpose: each is found where it was put, and nowhere else."""

from __future__ import annotations

from collections import Counter

import pytest

from arrocco.demo.generate import Federation, GeneratedBatch, federation, reports, trf_files
from arrocco.demo.generate.defects import IN_FACTS, IN_FILES, KINDS
from arrocco.formats.trf import read_report

HARMLESS = {"trf.id_missing", "trf.match_length_from_rounds"}
SHOWS = {
    "id_repeated": "trf.id_repeated",
    "result_not_mirrored": "trf.result_not_mirrored",
    "points_differ": "trf.points_differ",
    "start_missing": "trf.mandatory_missing",
    "line_shifted": "trf.round_not_aligned",
    "file_cut": "trf.mirror_missing",
}
"""What the reader says of each; a wrong id and a wrong rating only a list can tell."""


@pytest.fixture(scope="module")
def made() -> Federation:
    return federation(3000, 31)


@pytest.fixture(scope="module")
def spoiled(made: Federation) -> GeneratedBatch:
    (only,) = reports(made, 6000, tournaments=120, defects=4000)
    return only


def test_about_the_share_asked_for_has_a_defect_and_all_kinds_occur(
    spoiled: GeneratedBatch,
) -> None:
    assert 0.3 < len(spoiled.defects) / len(spoiled.tournaments) < 0.5
    assert set(Counter(spoiled.defects.values())) == set(KINDS)


def test_the_reader_finds_each_defect_in_its_report_and_none_in_the_others(
    spoiled: GeneratedBatch,
) -> None:
    for index, (name, data) in enumerate(trf_files(spoiled)):
        found = {finding.key for finding in read_report(data, name)[1]} - HARMLESS
        defect = spoiled.defects.get(index)
        if defect in SHOWS:
            assert SHOWS[defect] in found
        else:
            assert found == set()


def test_without_defects_the_same_reports_are_sound(
    made: Federation, spoiled: GeneratedBatch
) -> None:
    (sound,) = reports(made, 6000, tournaments=120)
    assert sound.defects == {}
    assert sound.games.white_half.tolist() == spoiled.games.white_half.tolist()
    for index, (mine, yours) in enumerate(zip(trf_files(sound), trf_files(spoiled), strict=True)):
        assert (mine == yours) is (index not in spoiled.defects)


def test_defects_in_facts_stand_in_the_columns_and_defects_in_files_do_not(
    made: Federation, spoiled: GeneratedBatch
) -> None:
    (sound,) = reports(made, 6000, tournaments=120)
    offsets = sound.entry_offsets()
    for index, defect in spoiled.defects.items():
        rows = slice(offsets[index], offsets[index + 1])
        same_ids = (sound.entries.id[rows] == spoiled.entries.id[rows]).all()
        same_ratings = (sound.entries.rating[rows] == spoiled.entries.rating[rows]).all()
        assert same_ratings == (defect != "rating_differs")
        assert same_ids == (defect in (*IN_FILES, "rating_differs"))
        assert (same_ids and same_ratings) == (defect not in IN_FACTS)


def test_a_wrong_number_is_one_that_no_list_has(made: Federation, spoiled: GeneratedBatch) -> None:
    listed = made.rating_list()
    offsets = spoiled.entry_offsets()
    for index, defect in spoiled.defects.items():
        if defect == "id_wrong":
            rows = range(offsets[index], offsets[index + 1])
            lost = [
                row
                for row in rows
                if spoiled.entries.rating[row] and listed.row(int(spoiled.entries.id[row])) is None
            ]
            assert len(lost) == 1
