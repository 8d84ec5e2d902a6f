"""A refusal says the same in every language, wherever it has travelled."""

from __future__ import annotations

import errno
import os
import pickle
import sys
from datetime import date
from typing import Any

import pytest

from arrocco.errors import Illegal, Inconsistent, Malformed, NoLawInForce, Refusal
from arrocco.findings import Finding, Severity
from arrocco.words import Phrase, catalogue, show, system

INVENTED = {
    "en": {
        "trf.seen.text": "{count} seen on {day}: {names}",
        "trf.seen.do": "look at {count}",
        "trf.none": "none of {count}",
    },
    "it": {
        "trf.seen.text": "visti {count} il {day}: {names}",
        "trf.seen.do": "guardare {count}",
        "trf.none": "nessuno di {count}",
    },
}
DETAILS: dict[str, Any] = {"count": 3, "day": date(2024, 3, 1), "names": ("a", "b")}


@pytest.fixture(autouse=True)
def _invented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arrocco.words.catalogue", lambda language, _: INVENTED[language])


@pytest.mark.parametrize("kind", [Refusal, Malformed, Inconsistent, Illegal, NoLawInForce])
def test_a_refusal_is_made_of_its_key_and_details(kind: type[Refusal]) -> None:
    finding = Finding(Severity.ERROR, "trf.seen")
    refusal = kind.of("trf.seen", findings=(finding,), **DETAILS)
    assert type(refusal) is kind
    assert str(refusal) == refusal.message == "3 seen on 2024-03-01: a, b"
    assert refusal.advice == "look at 3"
    assert (refusal.key, refusal.details, refusal.findings) == ("trf.seen", DETAILS, (finding,))


def test_a_refusal_speaks_both_languages() -> None:
    refusal = Refusal.of("trf.seen", **DETAILS)
    assert refusal.said("en") == (refusal.message, refusal.advice)
    assert refusal.said("it") == ("visti 3 il 01/03/2024: a, b", "guardare 3")


def test_a_refusal_in_plain_words_has_only_those() -> None:
    refusal = Malformed("that cannot be", "do this instead")
    assert refusal.said("it") == refusal.said("en") == ("that cannot be", "do this instead")
    assert (refusal.key, refusal.details) == ("", {})


def test_a_refusal_speaks_both_languages_also_after_it_came_from_another_process() -> None:
    refusal = Inconsistent.of("trf.seen", **DETAILS | {"names": Phrase("trf.none", {"count": 2})})
    travelled = pickle.loads(pickle.dumps(refusal))
    assert type(travelled) is Inconsistent
    assert str(travelled) == str(refusal) == "3 seen on 2024-03-01: none of 2"
    assert travelled.said("it") == ("visti 3 il 01/03/2024: nessuno di 2", "guardare 3")


def test_phrases_and_rows_of_values_are_said_in_each_language() -> None:
    none = Phrase("trf.none", {"count": 0})
    assert show("it", none) == "nessuno di 0"
    assert show("it", (date(2024, 3, 1), "b")) == "01/03/2024, b"
    assert show("en", (none, none)) == "none of 0; none of 0"
    assert show("en", ()) == ""


class TestSystemFaults:
    @pytest.fixture(autouse=True)
    def _real(self, _invented: None, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("arrocco.words.catalogue", catalogue)

    def test_common_ones_are_said_in_each_language(self) -> None:
        words = system(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "x"))
        assert show("en", words) == "No such file or directory"
        assert show("it", words) == "file o cartella inesistente"

    def test_rare_ones_stay_as_they_come(self) -> None:
        assert system(OSError(errno.EXDEV, "Invalid cross-device link")) == (
            "Invalid cross-device link"
        )
        assert system(OSError("something else")) == "something else"

    def test_a_missing_file_is_missing_whoever_says_it(self) -> None:
        assert show("en", system(FileNotFoundError("x.parquet"))) == "No such file or directory"

    def test_a_library_that_says_much_is_cut_short(self) -> None:
        assert system(ValueError("too bad\nin detail")) == "too bad"
        assert len(str(system(ValueError("x" * 300)))) == 200

    @pytest.mark.skipif(sys.platform != "linux", reason="other systems have other words")
    def test_english_ones_are_the_words_of_the_system(self) -> None:
        for key, words in catalogue("en", "system").items():
            assert words == os.strerror(getattr(errno, key.removeprefix("system.")))
