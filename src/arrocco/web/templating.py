"""The templates: strict about names, escaping everything, writing values as the language does."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from arrocco.errors import Refusal
from arrocco.findings import Finding, Severity
from arrocco.office.records import ReportStatus
from arrocco.web import writing
from arrocco.web.status import status_of
from arrocco.words import Language, finding_advice, finding_text, say

REPORT_SIGNS = {
    ReportStatus.RETURNED: "error",
    ReportStatus.NEEDS_ANSWERS: "warning",
    ReportStatus.SENT: "waiting",
    ReportStatus.ACCEPTED: "done",
    ReportStatus.REJECTED: "error",
    ReportStatus.SUPERSEDED: "off",
    ReportStatus.RATED: "done",
    ReportStatus.WITHDRAWN: "off",
    ReportStatus.CORRECTION: "done",
    ReportStatus.ANNULLED: "off",
}
"""The kind of sign of each status of a report."""
STATUS_ICONS = {
    "done": "✓",
    "running": "…",
    "waiting": "○",
    "warning": "!",
    "error": "✕",
    "note": "i",
    "off": "–",
}
"""A status is a sign and a word, never a colour alone."""

SEVERITY_STATUS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


GROUPED = frozenset(
    {
        "check.id_missing",
        "check.rating_below_floor",
        "check.rating_too_high",
        "check.birth_implausible",
    }
)
"""Kinds of findings that have a sentence of their own for many of them."""

_TYPED = re.compile(r"`([^`<>]+)`")
"""What sentences mark as typed: the command line prints the marks, a page shows it."""


@cache
def environment() -> Environment:
    """The one environment of all templates."""
    made = Environment(
        loader=PackageLoader("arrocco.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in (
        "day",
        "days",
        "long_day",
        "edition_day",
        "month",
        "moment",
        "count",
        "hundredths",
        "change",
        "score",
        "tenths",
    ):
        made.filters[name] = _in_language(getattr(writing, name))
    made.filters["rating"] = writing.rating
    made.filters["change_points"] = writing.change_points
    made.filters["day_time"] = _day_time
    made.filters["finding_text"] = _in_language(_of_finding(finding_text))
    made.filters["finding_advice"] = _in_language(_of_finding(finding_advice))
    made.filters["marked"] = marked
    made.globals["said_of"] = _said_of
    made.globals["grouped_text"] = _grouped_text
    made.globals["STATUS_ICONS"] = STATUS_ICONS
    made.globals["REPORT_SIGNS"] = REPORT_SIGNS
    made.globals["severity_status"] = _severity_status
    made.globals["is_fault"] = lambda refusal: status_of(refusal) >= 500
    made.globals["is_not_found"] = lambda refusal: status_of(refusal) == 404
    return made


def _in_language(write: Callable[..., str]) -> Callable[..., str]:
    """A filter that writes a value in the language of the page."""

    @pass_context
    def written(context: Context, value: Any, *args: Any) -> str:
        language: Language = context["language"]
        return write(language, value, *args)

    return written


def marked(text: str) -> Markup:
    """A sentence in which what is typed to a program stands as such, without its marks."""
    return Markup(_TYPED.sub(r"<code>\1</code>", str(escape(text))))


def _of_finding(write: Callable[[Language, Finding], str]) -> Callable[[Language, Finding], str]:
    """Writes a finding with its days as pages write them."""

    def written(language: Language, finding: Finding) -> str:
        return write(language, replace(finding, details=writing.details(language, finding.details)))

    return written


@pass_context
def _said_of(context: Context, refusal: Refusal) -> tuple[str, str]:
    """Why something is refused and what to do, with days as pages write them."""
    language: Language = context["language"]
    if not refusal.key:
        return refusal.said(language)
    details = writing.details(language, refusal.details)
    text, advice = (say(language, f"{refusal.key}.{part}", **details) for part in ("text", "do"))
    return text, advice


@pass_context
def _day_time(context: Context, value: date | None) -> Markup | str:
    """A day that programs can read as well."""
    if value is None:
        return writing.NOTHING
    shown = escape(writing.day(context["language"], value))
    return Markup('<time datetime="{}">{}</time>').format(value.isoformat(), shown)


def _severity_status(finding: Finding) -> str:
    return SEVERITY_STATUS[finding.severity]


@pass_context
def _grouped_text(context: Context, finding: Finding, count: int) -> str:
    """What several findings of one kind say together: how many there are of them."""
    language: Language = context["language"]
    if finding.key in GROUPED:
        return say(language, f"desk_pages.grouped.{finding.key.partition('.')[2]}", count=count)
    first = finding_text(language, replace(finding, more=0))
    return say(language, "desk_pages.grouped.other", count=count, first=first)
