"""A number of a regulation stands in its edition and nowhere else."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from string import Formatter

import pytest

import arrocco
from arrocco.engine.players import assumed_games
from arrocco.lawbook import italian_rules, rule_words
from arrocco.laws import registry
from arrocco.laws.edition import Edition
from arrocco.laws.rating import RatingLaw
from arrocco.words import LANGUAGES, Language, catalogue

ROOT = Path(arrocco.__file__).parent
UNITS = {"rating", "points"}
LEAST = 300
"""Smaller numbers are everywhere: days of a month, columns of a file."""

MEANING_SOMETHING_ELSE = {
    "cli/calc.py": {2300, 2400},  # options of old scripts that are still understood
    "store/list_folder.py": {2300, 2400},  # columns of folders that older versions wrote
    "hall/pairing/generator.py": {1400, 2600},  # invented fields for trials of pairings
    "web/pages/player_record.py": {1400, 1600, 1800, 2000, 2200, 2400},  # bands of a chart
    "fairplay/decisions.py": {400},  # when a guess from one kind of rating is far off
    "formats/trf/cells.py": {999},  # rounds
    "formats/trf/writer.py": {999},  # points in their three columns
    "formats/trf/days.py": {1800},  # a year
    "office/player_changes.py": {1800},  # a year
    "hall/event/prize_table.py": {2200},  # a year
    "engine/checks/case.py": {2200},  # a year
    "engine/statistics/distribution.py": {1000},  # ranks of a list
    "office/announcement.py": {999},  # rounds
    "office/cases/rules.py": {1000},  # records of a case
    "office/reports.py": {2000},  # letters of a reason
    "office/replaying.py": {1500},  # a rating that no article treats apart
    "office/settings.py": {400},  # letters of a postal address
    "runs/batches.py": {400, 600},  # how large files are, roughly
    "records/timecontrol/text.py": {600},  # from so many on a time is in seconds
}
"""By module: the same digits with another meaning, each for its reason."""

BOUNDS = {400, 600, 700, 735, 1000, 1200, 1400, 1440, 1500, 1800, 2000, 2500}
"""Round numbers that bound bytes, lines and seconds all over the program."""


def _numbers() -> set[int]:
    return {
        int(value)
        for law in registry.REGULATIONS
        for edition in registry.texts(law)
        for _, value in edition.values()
        if value.unit in UNITS and value >= LEAST
    }


def _constants(path: Path) -> set[int]:
    """The whole numbers of a module."""
    return {
        node.value
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and type(node.value) is int
    }


def _modules() -> list[str]:
    return [
        str(path.relative_to(ROOT))
        for path in sorted(ROOT.rglob("*.py"))
        if path.relative_to(ROOT).parts[0] not in ("laws", "demo")
        and "migrations" not in path.parts
    ]


def _elsewhere(modules: list[str], numbers: set[int]) -> dict[str, set[int]]:
    found = {
        module: (_constants(ROOT / module) & numbers) - MEANING_SOMETHING_ELSE.get(module, set())
        for module in modules
    }
    return {module: kept for module, kept in found.items() if kept}


def test_ratings_of_a_regulation_stand_in_its_edition_only() -> None:
    assert _elsewhere(_modules(), _numbers() - BOUNDS) == {}


@pytest.mark.parametrize("room", ["engine", "office", "runs", "records", "library"])
def test_what_computes_ratings_has_not_even_round_numbers_of_a_regulation(room: str) -> None:
    assert _elsewhere([m for m in _modules() if m.split("/")[0] == room], _numbers()) == {}


# --- what is said ---------------------------------------------------------------------------------

NUMBER = re.compile(r"(?<![\w.,])\d+(?![\w.]*\d)")
CITED = re.compile(r"\{[^}]*\}|\b[IVX]+\.\d+|\d+(?:\.\d+)+[a-z]*|\([1-9]\)")
"""What a sentence takes from elsewhere: details, and articles of a text."""
SAID = ("check", "explain", "laws", "player", "report")
"""The catalogues that say what a regulation asks for and how a figure came about."""
NO_LAW = re.compile(
    r"60 mo(?:ves|sse)|(?:columns|colonne) \d+-\d+|n/\(n\+1\)|(?:counted from|da) 1\b"
    r"|\d{4}-\d\d-\d\d\S*"
)
"""What a time is asked for, places in a file, a formula, how one counts, examples of days."""
RATINGS_OF_SOMETHING_ELSE = (
    "demo.",  # invented tournaments are told as they are
    "web.failure.",
    "video_pages.",  # kbit/s
    "championship.form.points_wrong",
    "prizes.hint",  # an example
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_about_a_regulation_are_given_its_numbers(language: Language) -> None:
    said = {
        key: NUMBER.findall(NO_LAW.sub("", CITED.sub("", sentence)))
        for part in SAID
        for key, sentence in catalogue(language, part).items()
    }
    assert {key: numbers for key, numbers in said.items() if numbers} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_has_a_rating_of_a_regulation(language: Language) -> None:
    folder = ROOT / "words" / language
    ratings = {str(number) for number in _numbers()}
    said = {
        key: set(NUMBER.findall(CITED.sub("", sentence))) & ratings
        for part in sorted(path.stem for path in folder.glob("*.toml"))
        for key, sentence in catalogue(language, part).items()
        if not key.startswith(RATINGS_OF_SOMETHING_ELSE)
    }
    assert {key: numbers for key, numbers in said.items() if numbers} == {}


def _editions() -> list[type[Edition]]:
    return [edition for law in registry.REGULATIONS for edition in registry.texts(law)]


def test_the_sentence_of_a_rule_names_its_numbers() -> None:
    """An edition that amends a number does not go on showing the old one in a sentence."""
    written = {
        f"{edition.__name__}.{rule.name}": " ".join(
            (inspect.getdoc(getattr(edition, rule.name)) or "").partition("\n\n")[0].split()
        ).partition(" — ")[2]
        for edition in _editions()
        for rule in edition.rules()
    }
    written |= {".".join(key): sentence for key, sentence in italian_rules().items()}
    fixed = re.compile(r"[.,]\d+|60 mo(?:ves|sse)|1 March 2024|50 %|n/\(n\+1\)")
    numbers = {
        name: NUMBER.findall(fixed.sub("", CITED.sub("", sentence)))
        for name, sentence in written.items()
    }
    assert {name: some for name, some in numbers.items() if some} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_amended_number_is_in_the_sentences_of_the_amendment(language: Language) -> None:
    """Each number that a rule names in its sentence, changed in a trial edition."""
    named = 0
    for edition in _editions():
        for name, value in edition.values():
            trial: type[Edition] = type(
                "Trial", (edition,), {name: 7654, "__module__": edition.__module__}
            )
            before = [rule_words(language, edition, rule) for rule in edition.rules()]
            changed = [
                (old, new)
                for old, rule in zip(before, trial.rules(), strict=True)
                if (new := rule_words(language, trial, rule)) != old
            ]
            assert all(new.count("7654") > old.count("7654") for old, new in changed), name
            assert all(str(int(value)) in old for old, _ in changed), name
            named += bool(changed)
    assert named > 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_that_the_words_of_a_step_ask_for_is_given(language: Language) -> None:
    """By the editions that know the reason; the engine gives K, ratings and numbers of games."""
    asked = {
        key.rpartition(".")[2]: {field for _, field, _, _ in Formatter().parse(sentence) if field}
        for part in ("explain", "player")
        for key, sentence in catalogue(language, part).items()
        if key.startswith(("explain.k.", "explain.first.")) or part == "player"
    }
    given: dict[str, set[str]] = {}
    for edition in _editions():
        if issubclass(edition, RatingLaw):
            for reason in edition.NUMBERS_OF:
                named = set(edition().numbers_of(reason))
                assert given.setdefault(reason, named) == named, (edition, reason)
    of_the_law = {"games", "enough", "draws", "against", "minutes", "seconds", "months"}
    assert {reason: names for reason, names in given.items() if names} == {
        reason: fields & of_the_law for reason, fields in asked.items() if fields & of_the_law
    }


def test_who_is_taken_to_be_past_the_first_games_is_so_in_every_edition() -> None:
    new = [
        (edition, int(value))
        for law in registry.REGULATIONS
        for edition in registry.texts(law)
        for name, value in edition.values()
        if name == "K_NEW_GAMES"
    ]
    assert new
    for edition, games in new:
        assert issubclass(edition, RatingLaw)
        assert assumed_games(edition()) >= games
