"""The catalogues say the same in both languages, and say all that the program asks of them."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from datetime import date
from functools import cache
from itertools import product
from pathlib import Path
from string import Formatter

import pytest

from arrocco.findings import Finding, Severity
from arrocco.words import (
    LANGUAGES,
    PARTS_WITH_ACTS,
    Language,
    catalogue,
    finding_advice,
    finding_text,
    number,
    say,
    sentences_of_file,
    show,
)
from tests.refusals import SOURCE, by_key, in_plain_words, modules, parsed

PARTS = sorted({path.stem for path in SOURCE.glob("words/*/*.toml")})
KEY = re.compile(rf"(?:{'|'.join(PARTS)})(?:\.[A-Za-z0-9_]+)+")
PREFIX = re.compile(rf"(?:{'|'.join(PARTS)})(?:\.[A-Za-z0-9_]+)*\.")
FILE = re.compile(r".*\.(?:csv|html|json|parquet|txt|xml)")
"""Names of files, which may look like keys: ``list.csv``."""
TEMPLATES = sorted(SOURCE.glob("web/templates/**/*.html"))
IN_TEMPLATE = re.compile(rf"'({PREFIX.pattern}(?:[A-Za-z0-9_-]+)?)'(\s*~)?")
"""A key in a template, and whether more is put behind it."""
ENGLISH = re.compile(
    r"\b(?:the|is|are|has|have|not|cannot|must|of|and|with|from|there|this|which|it|as"
    r"|give|choose|write|put|correct|check)\b",
    re.IGNORECASE,
)
"""Words that no Italian sentence has."""
FORMAL_VERBS = """
    abbini acceda accetti accorci acquisisca affidi aggiunga annunci apponga apra aspetti
    assicuri attenda aumenti avverta avvii cambi carichi cerchi chiami chiarisca chieda chiuda
    clicchi compili completi concluda confermi confronti connetta consenta consulti contatti
    continui controlli convalidi copi corregga crei decida dia dica dichiari digiti dimentichi
    disattivi divida effettui elimini esamini esporti estragga eviti faccia firmi fornisca
    giochi giudichi guardi imposti indichi inserisca installi invii lanci lasci legga mandi
    metta modifichi offra ordini prema prenda preveda proceda prosegua provi pubblichi revochi
    riapra ricarichi richieda riduca rientri rifaccia riferisca rifiuti riguardi rimandi rimuova
    rinunci ripeta ripristini riprovi ripubblichi riservi risponda ritiri rivolga salvi sappia
    scarichi scelga scriva segua selezioni senta sorteggi sostituisca specifichi spunti
    stabilisca stia tenga tocchi tolga torni tralasci trovi unisca usi vada veda venga verifichi
    voglia
"""
"""What one asks of somebody addressed with *Lei*."""
COURTESY = re.compile(r"\b(?:Lei|Suoi?|Sua|Sue|La prego)\b|\b(?:a|da|per|con) lei\b")
FORMAL = re.compile(
    # An imperative begins its clause, with its pronoun before it: "Lo indichi", "o ne scelga uno".
    r"(?:^|[:;,] |\b(?:o|e|oppure|prima|altrimenti) )(?:(?:lo|la|li|le|ne|gliene|si) )?"
    rf"(?:{'|'.join(FORMAL_VERBS.split())})\b|^(?:può|deve|vuole|ha già) (?!essere|aver)\w",
    re.IGNORECASE,
)
INFINITIVE = re.compile(
    r"(?:^|[.;] |[;,:] (?:o|oppure|poi|prima|altrimenti) )"
    r"(?!alfiere|torre|compare|scacchiere)[a-zàèéìòù]+"
    r"(?:are|ere|ire|[aei]r(?:lo|la|li|le|ne))\b(?! [^.;]*\?)",
    re.IGNORECASE,
)
"""An instruction in the impersonal infinitive: the pages say *tu*."""
ONE_TERM = {
    "cadenz": "tempo di riflessione",
    "verbale": "rapporto",
    "verbali": "rapporti",
    "manifestazion": "evento",
    "base di dati": "database",
    "base dati": "database",
    "utenza": "account",
    "utenze": "account",
    "appello": "ricorso",
    "turno libero": "bye",
    "semilampo": "rapid",
    "primo rating": "rating iniziale",
    "previsti": "attesi",
    "ratific": "valutare",
    "copia di sicurezza": "backup",
}
"""Italian words that had a second name for a thing, with the one that is used."""
STRANGE = re.compile(
    r"\bwhich there is not\b|\bthere is (?:no|not a) (?:such|\w+ (?:number|called|named))\b"
    r"|\b(?:is|are) (?:there|out) already\b|(?<!there )\bis no (?!longer)|\bwish|\bthe same again\b"
    r"|\btaken over from\b|\btakes? (?:it )?back\b|\bnobody of that\b",
    re.IGNORECASE,
)
"""English that nobody in an office says: "Page not found", not "which there is not"."""
MANY = re.compile(r"\{(count)\} (?!file\b)[a-zàèéìòù]+[ie]\b")
"""Italian that counts something and says it in the plural whatever the number is."""
ALWAYS_MANY = frozenset(
    """
    check.all_games_too_fast.text desk_pages.grouped.id_missing
    desk_pages.grouped.birth_implausible hall_live.alarm.draw_offers hall_pages.control.minutes
    hall_pages.control.seconds pgn.refused.several_events.text
""".split()
)
"""What is said only of two or more."""
NOT_YET: tuple[str, ...] = ()
"""Packages that still refuse in plain words; one that no longer does is to be taken out."""


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def is_formal(sentence: str) -> bool:
    """Whether Italian words address their reader with *Lei*, which the pages never do."""
    clauses = sentence.split(". ")
    return any(COURTESY.search(clause) or FORMAL.search(clause) for clause in clauses)


@pytest.mark.parametrize(
    ("sentence", "formal"),
    [
        ("Lo indichi in secondi.", True),
        ("Indicalo in secondi.", False),
        ("Sono già usati. Ne scelga altri.", True),
        ("Cercarlo, o scegliere altro.", False),
        ("Li abbini ad altri, o lasci così.", True),
        ("Abbinali, o lascia così.", False),
        ("Non tocca a Lei.", True),
        ("Non tocca a te.", False),
        ("Il Suo orologio cammina.", True),
        ("Ognuno ha il suo orologio.", False),
        ("Può chiederlo per sé.", True),
        ("Puoi chiederlo per te.", False),
        ("La partita può essere persa.", False),
        ("La prego di attendere.", True),
    ],
)
def test_the_courtesy_form_is_told_from_the_plain_one(sentence: str, formal: bool) -> None:
    assert is_formal(sentence) is formal


@pytest.mark.parametrize(
    ("sentence", "infinitive"),
    [
        ("Correggere il file e riprovare.", True),
        ("Correggi il file e riprova.", False),
        ("non vale; respingerlo", True),
        ("non vale; respingilo", False),
        ("Vuoi lasciare l'evento?", False),
        ("non cambiare nulla", False),
        ("alfiere", False),
        ("un torneo può finire e iniziare oggi", False),
    ],
)
def test_an_instruction_in_the_infinitive_is_seen(sentence: str, infinitive: bool) -> None:
    assert bool(INFINITIVE.search(sentence)) is infinitive


OF_THE_DESK = ("audit_pages", "desk", "desk_pages", "office", "privacy", "replay_pages")
ANNULLING = ("desk.refused.rated_already.do", "office.refused.changed_whole.text")
"""A tournament on a published list is annulled (*annullato*); a registration is withdrawn
(*ritirata*), a decision taken back (*revocata*), work stopped (*fermato*)."""


@cache
def keys() -> frozenset[str]:
    return frozenset(key for part in PARTS for key in catalogue("en", part))


@pytest.mark.parametrize("part", PARTS)
class TestCatalogue:
    def test_stands_in_every_language(self, part: str) -> None:
        for language in LANGUAGES:
            assert (SOURCE / "words" / language / f"{part}.toml").is_file()

    def test_has_the_same_keys_in_every_language(self, part: str) -> None:
        english, italian = catalogue("en", part), catalogue("it", part)
        assert english
        assert sorted(english) == sorted(italian)

    def test_says_one_of_one(self, part: str) -> None:
        for key, sentence in catalogue("it", part).items():
            counted = MANY.search(sentence)
            is_said = counted is None or f"{{{counted[1]}:" in sentence or key in ALWAYS_MANY
            assert is_said, f"{key}: '1 partite' is what it would say of one"

    def test_has_the_same_placeholders_in_every_language(self, part: str) -> None:
        english, italian = catalogue("en", part), catalogue("it", part)
        for key, sentence in english.items():
            assert placeholders(sentence) == placeholders(italian[key]), key

    def test_has_only_named_placeholders(self, part: str) -> None:
        for language in LANGUAGES:
            for key, sentence in catalogue(language, part).items():
                assert all(name.isidentifier() for name in placeholders(sentence)), key

    def test_leaves_no_sentence_empty_or_untrimmed(self, part: str) -> None:
        for language in LANGUAGES:
            for key, sentence in catalogue(language, part).items():
                assert sentence == sentence.strip(), key
                assert sentence or key.endswith(".do"), key

    def test_has_no_english_in_its_italian(self, part: str) -> None:
        for key, sentence in catalogue("it", part).items():
            # What stands between such marks is a command, the same in every language.
            words = re.sub(r"`[^`]*`|\{[^}]*\}", "", sentence)
            assert not ENGLISH.search(words), f"{key}: {sentence}"

    def test_addresses_its_italian_reader_with_tu_or_not_at_all(self, part: str) -> None:
        for key, sentence in catalogue("it", part).items():
            assert not is_formal(sentence), f"{key}: {sentence}"

    def test_instructs_its_italian_reader_in_one_voice(self, part: str) -> None:
        for key, sentence in catalogue("it", part).items():
            assert not INFINITIVE.search(sentence), f"{key}: {sentence}"

    def test_has_one_italian_term_for_one_thing(self, part: str) -> None:
        for key, sentence in catalogue("it", part).items():
            for other, term in ONE_TERM.items():
                assert not re.search(rf"\b{other}", sentence, re.I), f"{key}: {term}, not {other}"

    def test_annuls_in_italian_only_what_is_annulled(self, part: str) -> None:
        for key, sentence in catalogue("it", part).items() if part in OF_THE_DESK else ():
            is_said = re.search("annull", sentence, re.I)
            assert not is_said or "annul" in key or key in ANNULLING, f"{key}: {sentence}"

    def test_says_it_in_the_usual_words(self, part: str) -> None:
        for key, sentence in catalogue("en", part).items():
            assert not STRANGE.search(sentence), f"{key}: {sentence}"

    def test_gives_every_finding_its_words_and_its_advice(self, part: str) -> None:
        found = catalogue("en", part)
        for key in found:
            if key.endswith(".do"):
                assert f"{key.removesuffix('.do')}.text" in found, key


def test_the_words_of_an_act_stand_in_one_file_named_like_its_module() -> None:
    """And nowhere else: what another file says of the same key would be lost without a word."""
    seen = {key for part in PARTS for key in sentences_of_file("en", part)}
    for path in sorted(SOURCE.glob("words/acts/*/*.toml")):
        kind, act = path.parent.name, path.stem
        assert (SOURCE / "hall" / kind / "acts" / f"{act}.py").is_file(), path
        for key, said in tomllib.loads(path.read_text("utf-8")).items():
            assert sorted(said) == sorted(LANGUAGES), f"{path}: {key}"
            assert key.partition(".")[0] in PARTS_WITH_ACTS, f"{path}: {key} is never read"
            assert key not in seen, f"{path}: {key} stands elsewhere too"
            seen.add(key)
    assert {"hall_pages.js.do.warn", "hall_pages.record.closed"} <= seen


# --- the keys the program uses --------------------------------------------------------------------


def rooms() -> dict[str, list[Path]]:
    """The modules of each folder: thousands of tests, one a module, would cost half a minute."""
    gathered: dict[str, list[Path]] = {}
    for path in modules():
        gathered.setdefault(path.relative_to(SOURCE).parts[0], []).append(path)
    return gathered


ROOMS = rooms()


def literals(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Line, text and whether more follows, of every string that could begin a key.

    Docstrings are left out; of a string with values in it the part before the first value counts.
    """
    tree = parsed(path)
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            skipped.update(part for part in node.values if isinstance(part, ast.Constant))
            first = node.values[0] if node.values else None
            if isinstance(first, ast.Constant) and len(node.values) > 1:
                yield node.lineno, str(first.value), True
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
            yield node.lineno, node.value, False


def finding_keys(path: Path) -> Iterator[tuple[int, str]]:
    """Line and key of every `Finding(...)` whose key is written out."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if name != "Finding":
                continue
            named = [keyword.value for keyword in node.keywords if keyword.arg == "key"]
            for key in named or node.args[1:2]:
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield node.lineno, key.value


@pytest.mark.parametrize("room", sorted(ROOMS))
class TestKeysInUse:
    def test_every_finding_has_words_and_advice(self, room: str) -> None:
        for path in ROOMS[room]:
            for line, key in finding_keys(path):
                assert f"{key}.text" in keys(), f"{path.name}:{line}: {key} has no words"
                assert f"{key}.do" in keys(), f"{path.name}:{line}: {key} has no advice"

    def test_every_refusal_has_words_and_advice_made_of_its_details(self, room: str) -> None:
        for path in ROOMS[room]:
            for made in by_key(path):
                where = f"{path.name}:{made.line}: {made.key}"
                if made.is_beginning:
                    assert any(key.startswith(made.key) for key in keys()), f"{where} begins no key"
                    continue
                for language, part in product(LANGUAGES, ("text", "do")):
                    words = catalogue(language, made.key.partition(".")[0])
                    sentence = words.get(f"{made.key}.{part}")
                    assert sentence is not None, f"{where} has no {part} in {language}"
                    if made.details is not None:
                        assert placeholders(sentence) <= made.details, f"{where} lacks details"

    def test_no_refusal_speaks_one_language_only(self, room: str) -> None:
        for path in ROOMS[room]:
            if room not in NOT_YET:
                lines = list(in_plain_words(path))
                assert not lines, f"{path}: say it by key, with .of(...), on lines {lines}"

    def test_every_key_written_out_is_in_the_catalogues(self, room: str) -> None:
        for path in ROOMS[room]:
            for line, text, goes_on in literals(path):
                where = f"{path.name}:{line}: {text!r}"
                if goes_on and PREFIX.match(text):
                    assert any(key.startswith(text) for key in keys()), f"{where} begins no key"
                elif not goes_on and KEY.fullmatch(text) and not FILE.fullmatch(text):
                    assert text in keys() or f"{text}.text" in keys(), f"{where} is no key"


def test_packages_that_refuse_by_key_are_no_longer_let_off() -> None:
    for package in NOT_YET:
        found = [line for path in (SOURCE / package).rglob("*.py") for line in in_plain_words(path)]
        assert found, f"{package} refuses by key throughout: take it out of NOT_YET"


def test_every_sentence_is_asked_for_somewhere() -> None:
    """Dead sentences are found by the literals: whole keys, beginnings, or their last words."""
    texts = [(text, goes_on) for path in modules() for _, text, goes_on in literals(path)]
    whole = {text for text, goes_on in texts if not goes_on}
    shown = {key for path in TEMPLATES for key in IN_TEMPLATE.findall(path.read_text("utf-8"))}
    whole |= {key for key, goes_on in shown if not goes_on}
    texts += [(key, True) for key, goes_on in shown if goes_on]
    beginnings = tuple({text for text, goes_on in texts if goes_on and PREFIX.match(text)})
    for key in sorted(keys()):
        stem = key.removesuffix(".text").removesuffix(".do")
        # A key put together from its part and a name has the name as a literal of its own.
        names = {key, stem, stem.partition(".")[2], stem.rpartition(".")[2]}
        assert names & whole or key.startswith(beginnings), f"{key} is never said"


# --- saying ---------------------------------------------------------------------------------------


def test_a_sentence_is_said_with_its_details_in_each_language() -> None:
    on = date(2024, 3, 1)
    english = say("en", "law.in_force_open", first=on)
    italian = say("it", "law.in_force_open", first=on)
    assert "2024-03-01" in english
    assert "01/03/2024" in italian
    assert english.replace("2024-03-01", "") != italian.replace("01/03/2024", "")


def test_an_unknown_key_is_a_defect() -> None:
    with pytest.raises(KeyError):
        say("en", "law.no_such_sentence")


def test_days_and_decimals_as_each_language_writes_them() -> None:
    assert show("en", date(2024, 3, 9)) == "2024-03-09"
    assert show("it", date(2024, 3, 9)) == "09/03/2024"
    assert show("it", 12) == show("en", 12) == "12"
    assert number("en", "-2.50") == "-2.50"
    assert number("it", "-2.50") == "-2,50"


def test_a_sentence_takes_the_word_for_one_or_for_many(monkeypatch: pytest.MonkeyPatch) -> None:
    invented = {"trf.won": "{n} {n:game|games}, {points:number} points, {name!r}"}
    monkeypatch.setattr("arrocco.words.catalogue", lambda *_: invented)
    assert say("en", "trf.won", n=1, points="1.50", name="x") == "1 game, 1.50 points, 'x'"
    assert say("it", "trf.won", n=0, points="-1.50", name="x") == "0 games, -1,50 points, 'x'"
    assert say("en", "trf.won", n=21, points=2, name="x") == "21 games, 2 points, 'x'"


def test_every_form_that_sentences_ask_for_is_one_of_those_there_are() -> None:
    for part, language in product(PARTS, LANGUAGES):
        for key, sentence in catalogue(language, part).items():
            for _, _, form, _ in Formatter().parse(sentence):
                one, parted, many = (form or "").partition("|")
                if parted:
                    assert one, f"{key} has no word for one"
                    assert many not in ("", one), f"{key} has no word for many"
                else:
                    assert form in (None, "", "number"), f"{key}: {form}"


FIGURES = {
    "player": 99000001,
    "opponent": 99000002,
    "rating": 1800,
    "k": 20,
    "tournament": "Torneo Finto",
    "average": 1700,
    "entries": 12,
    "points": "+96",
    "change": "+41",
}


@pytest.mark.parametrize(
    ("kind", "figures", "italian", "english"),
    [
        ("jump", {"games": 1}, "+41 in 1 partita, K 20", "+41 in 1 game, K 20"),
        ("jump", {"games": 9}, "in 9 partite", "in 9 games"),
        ("first_rating", {"games": 1}, "da 1 partita contro", "from 1 game against"),
        ("same_pair", {"games": 1}, "1 partita fra loro", "1 game with each other"),
        ("many_games", {"games": 21, "days": 1}, "21 partite in 1 giorno", "within 1 day"),
        ("everyone_gains", {"gainers": 1}, "1 di loro guadagna", "1 of them gains"),
        ("everyone_gains", {"gainers": 9}, "9 di loro guadagnano", "9 of them gain"),
        (
            "far_above_expected",
            {"games": 7, "score": "6.00", "expected": "2.35"},
            "6,00 punti in 7 partite, attesi 2,35",
            "6.00 points from 7 games, 2.35 expected",
        ),
    ],
)
def test_anomalies_count_as_each_language_does(
    kind: str, figures: dict[str, object], italian: str, english: str
) -> None:
    assert italian in say("it", f"office.unusual.{kind}", **FIGURES | figures)
    assert english in say("en", f"office.unusual.{kind}", **FIGURES | figures)


@pytest.mark.parametrize(
    ("key", "details", "italian"),
    [
        ("trf.points_differ.text", {"player": 3, "given": "4.5", "expected": "5.5"}, "5,5"),
        ("trf.line_short.text", {"record": "001", "count": 1, "lines": "7"}, "(1 volta, riga 7)"),
        ("desk_pages.control.minutes", {"minutes": 1}, "1 minuto"),
    ],
)
def test_findings_count_in_italian(key: str, details: dict[str, object], italian: str) -> None:
    assert italian in say("it", key, **details)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finding_speaks(language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    invented = {"trf.seen.text": "{count} seen", "trf.seen.do": "look at {count}"}
    monkeypatch.setattr("arrocco.words.catalogue", lambda *_: invented)
    finding = Finding(Severity.NOTE, "trf.seen", details={"count": 3})
    assert finding_text(language, finding) == "3 seen"
    assert finding_advice(language, finding) == "look at 3"
