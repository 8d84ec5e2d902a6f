"""How `arrocco law` shows editions and their differences: records for JSON, tables for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import date
from typing import Any, TypeVar

from arrocco.cli.output import Column, Output
from arrocco.lawbook import in_force, last_day, meaning, rule_words, source, title
from arrocco.laws.compare import Comparison, RuleBody
from arrocco.laws.edition import Choice, Edition, Legal, Reading, Rule, edition_name
from arrocco.words import show as shown

T = TypeVar("T")
Names = tuple[str, str]
"""The names of the two editions compared."""


# --- records for JSON -----------------------------------------------------------------------------


def edition_record(out: Output, edition: type[Edition]) -> dict[str, Any]:
    """What identifies an edition; `last_day` is in force too, and empty while it has no end."""
    return {
        "law": edition.law,
        "edition": edition_name(edition),
        "first_day": edition.in_force.start,
        "last_day": last_day(edition),
        "title": title(out.language, edition),
        "source": source(out.language, edition),
    }


def content(out: Output, edition: type[Edition]) -> dict[str, Any]:
    """All that an edition says."""
    return {
        "values": [
            {**value_record(out, name, value), "basis": edition.basis_of(name)}
            for name, value in edition.values()
        ],
        "readings": [reading_record(out, reading) for reading in edition.READINGS],
        "rules": [rule_record(out, edition, rule) for rule in edition.rules()],
    }


def value_record(out: Output, name: str, value: Legal) -> dict[str, Any]:
    """A value with its unit, its article and its words."""
    return {
        "name": name,
        "value": int(value),
        "unit": value.unit,
        "article": value.article,
        "words": meaning(out.language, value),
    }


def reading_record(out: Output, reading: Reading) -> dict[str, Any]:
    """A reading with its choices; `is_ours` where the default rests on no source."""
    return {
        "name": reading.name,
        "article": reading.article,
        "words": meaning(out.language, reading),
        "choices": [
            {"name": choice.name, "words": meaning(out.language, choice)}
            for choice in reading.choices
        ],
        "default": reading.default,
        "basis": reading.basis,
        "is_ours": _is_ours(reading),
    }


def rule_record(out: Output, edition: type[Edition], rule: Rule) -> dict[str, Any]:
    """A rule in the language of the answer."""
    return {**asdict(rule), "words": rule_words(out.language, edition, rule)}


def body_record(out: Output, body: RuleBody) -> dict[str, Any]:
    """A rule and the class that carries it out."""
    return {**rule_record(out, body.edition, body.rule), "code": body.owner}


def comparison_record(
    comparison: Comparison[T], record: Callable[[str, T], dict[str, Any]]
) -> dict[str, Any]:
    """The four parts of a comparison; pairs as first and second."""

    def pairs(items: dict[str, tuple[T, T]]) -> list[dict[str, Any]]:
        return [
            {"name": name, "first": record(name, first), "second": record(name, other)}
            for name, (first, other) in items.items()
        ]

    return {
        "only_first": [record(name, item) for name, item in comparison.only_first.items()],
        "only_second": [record(name, item) for name, item in comparison.only_second.items()],
        "differ": pairs(comparison.differ),
        "same": pairs(comparison.same),
    }


# --- text for people: one edition -----------------------------------------------------------------


def print_editions(out: Output, editions: Iterable[type[Edition]]) -> None:
    """All editions, a row each; an edition's name is the day it came into force."""
    out.table(
        _heads(out, "law", "edition", "last", "title"),
        [
            (
                edition.law,
                edition_name(edition),
                _shown(out, last_day(edition)),
                f"{title(out.language, edition)}\n{source(out.language, edition)}",
            )
            for edition in editions
        ],
    )


def print_head(out: Output, edition: type[Edition]) -> None:
    """Title, name, days in force and source."""
    name = edition_name(edition)
    out.line(title(out.language, edition), bold=True)
    out.line(
        out.say(
            "law.edition", law=edition.law, edition=name, in_force=in_force(out.language, edition)
        )
    )
    out.line(source(out.language, edition), dim=True)


def print_values(out: Output, edition: type[Edition]) -> None:
    """Every number with its article, its unit and its words."""
    _section(out, "law.values")
    out.table(
        [
            *_heads(out, "article"),
            Column(out.say("law.column.value"), right=True),
            *_heads(out, "unit", "meaning"),
            _dim(out, "name"),
        ],
        [
            (
                value.article,
                str(int(value)),
                _unit(out, value),
                meaning(out.language, value) + _unless_text(out, edition.basis_of(name)),
                name,
            )
            for name, value in edition.values()
        ],
    )


def _unless_text(out: Output, basis: str) -> str:
    """What a value rests on, where that is not the text itself."""
    return "" if basis == "text" else f" [{out.say(f'law.basis.{basis}')}]"


def print_readings(out: Output, edition: type[Edition]) -> None:
    """Every reading with its choices, the default marked with what it rests on."""
    _section(out, "law.readings")
    if not edition.READINGS:
        out.line(out.say("law.no_readings"))
    for reading in edition.READINGS:
        out.line(f"{reading.article}  {reading.name}: {meaning(out.language, reading)}", indent=7)
        for choice in reading.choices:
            _print_choice(out, reading, choice)


def print_rules(out: Output, edition: type[Edition]) -> None:
    """Every rule with its article."""
    _section(out, "law.rules")
    out.table(
        [*_heads(out, "article", "words"), _dim(out, "name")],
        [
            (rule.article, rule_words(out.language, edition, rule), rule.name)
            for rule in edition.rules()
        ],
    )


def _print_choice(out: Output, reading: Reading, choice: Choice) -> None:
    is_default = choice.name == reading.default
    line = f"  {'*' if is_default else '-'} {choice.name}: {meaning(out.language, choice)}"
    if is_default:
        basis = out.say(f"law.basis.{reading.basis}")
        line += f"  [{out.say('law.by_default')}; {basis}]"
    out.line(line, indent=4, bold=is_default and _is_ours(reading))


# --- text for people: two editions ----------------------------------------------------------------


def print_value_differences(out: Output, values: Comparison[Legal], names: Names) -> None:
    """The values that differ or stand in one edition only; the same ones by name."""
    _section(out, "law.values")
    if values.is_empty:
        out.line(out.say("law.no_difference"))
    else:
        rows = [
            (name, _cell(first), _cell(other), _unit(out, other), meaning(out.language, other))
            for name, (first, other) in values.differ.items()
        ]
        rows += [
            (name, _cell(value), "", _unit(out, value), meaning(out.language, value))
            for name, value in values.only_first.items()
        ]
        rows += [
            (name, "", _cell(value), _unit(out, value), meaning(out.language, value))
            for name, value in values.only_second.items()
        ]
        out.table([*_heads(out, "name"), *names, *_heads(out, "unit", "meaning")], rows)
    if values.same:
        same = ", ".join(f"{name} {int(value)}" for name, (value, _) in values.same.items())
        sentence = out.say("law.same_values", count=len(values.same), names=same)
        out.line(sentence, indent=2, dim=True)


def print_reading_differences(out: Output, readings: Comparison[Reading], names: Names) -> None:
    """The readings that differ, with the default and the other choices of each edition."""
    _section(out, "law.readings")
    if readings.is_empty:
        out.line(out.say("law.no_difference"))
        return
    rows = [
        (name, _choices(first), _choices(other), meaning(out.language, other))
        for name, (first, other) in readings.differ.items()
    ]
    rows += [
        (name, _choices(r), "", meaning(out.language, r)) for name, r in readings.only_first.items()
    ]
    rows += [
        (name, "", _choices(r), meaning(out.language, r))
        for name, r in readings.only_second.items()
    ]
    out.table([*_heads(out, "name"), *names, *_heads(out, "meaning")], rows)


def print_rule_differences(out: Output, rules: Comparison[RuleBody], names: Names) -> None:
    """The rules that differ, a row for each edition that has them."""
    _section(out, "law.rules")
    if rules.is_empty:
        out.line(out.say("law.no_difference"))
        return

    def words_of(body: RuleBody) -> str:
        return rule_words(out.language, body.edition, body.rule)

    rows = []
    for name, (first, other) in rules.differ.items():
        if first.rule.words == other.rule.words:
            edition = out.say("law.both")
            words = f"{words_of(first)} [{out.say('law.code_differs')}]"
            articles = dict.fromkeys((first.rule.article, other.rule.article))
            rows.append((name, edition, ", ".join(articles), words))
        else:
            rows.append((name, names[0], first.rule.article, words_of(first)))
            rows.append(("", names[1], other.rule.article, words_of(other)))
    for edition, bodies in zip(names, (rules.only_first, rules.only_second), strict=True):
        rows += [(name, edition, b.rule.article, words_of(b)) for name, b in bodies.items()]
    out.table(_heads(out, "name", "edition", "article", "words"), rows)


# --- small pieces ---------------------------------------------------------------------------------


def _section(out: Output, key: str) -> None:
    out.line()
    out.line(out.say(key), bold=True)


def _heads(out: Output, *names: str) -> list[Column]:
    return [Column(out.say(f"law.column.{name}")) for name in names]


def _dim(out: Output, name: str) -> Column:
    return Column(out.say(f"law.column.{name}"), dim=True)


def _unit(out: Output, value: Legal) -> str:
    return out.say(f"law.unit.{value.unit}")


def _cell(value: Legal) -> str:
    return f"{int(value)} [{value.article}]"


def _choices(reading: Reading) -> str:
    others = ", ".join(c.name for c in reading.choices if c.name != reading.default)
    return f"{reading.default} ({others})"


def _is_ours(reading: Reading) -> bool:
    return reading.basis == "guess"


def _shown(out: Output, day: date | None) -> str:
    return "" if day is None else shown(out.language, day)
