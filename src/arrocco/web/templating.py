"""The templates: strict about names, escaping everything, writing values as the language does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from arrocco.findings import Finding, Severity
from arrocco.web import writing
from arrocco.web.status import status_of
from arrocco.words import Language, finding_advice, finding_text

STATUS_ICONS = {
    "done": "✓", "running": "…", "waiting": "○", "warning": "!", "error": "✕", "note": "i",
    "off": "–",
}  # fmt: skip
"""A status is a sign and a word, never a colour alone."""

SEVERITY_STATUS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


@cache
def environment() -> Environment:
    """The one environment of all templates."""
    made = Environment(
        loader=PackageLoader("arrocco.web"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    for name in (
        "day", "days", "long_day", "month", "moment", "count", "hundredths", "change", "score",
    ):  # fmt: skip
        made.filters[name] = _in_language(getattr(writing, name))
    made.filters["rating"] = writing.rating
    made.filters["change_points"] = writing.change_points
    made.filters["day_time"] = _day_time
    made.filters["finding_text"] = _in_language(finding_text)
    made.filters["finding_advice"] = _in_language(finding_advice)
    made.globals["STATUS_ICONS"] = STATUS_ICONS
    made.globals["severity_status"] = _severity_status
    made.globals["is_fault"] = lambda refusal: status_of(refusal) >= 500
    return made


def _in_language(write: Callable[..., str]) -> Callable[..., str]:
    """A filter that writes a value in the language of the page."""

    @pass_context
    def written(context: Context, value: Any, *args: Any) -> str:
        language: Language = context["language"]
        return write(language, value, *args)

    return written


@pass_context
def _day_time(context: Context, value: date | None) -> Markup | str:
    """A day that programs can read as well."""
    if value is None:
        return writing.NOTHING
    shown = escape(writing.day(context["language"], value))
    return Markup('<time datetime="{}">{}</time>').format(value.isoformat(), shown)


def _severity_status(finding: Finding) -> str:
    return SEVERITY_STATUS[finding.severity]
