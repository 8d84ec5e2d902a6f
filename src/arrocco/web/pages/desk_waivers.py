"""Errors that somebody of the office may let pass, each with a reason, as forms have them."""

from __future__ import annotations

from collections.abc import Iterable

from arrocco.engine.admission import NEVER_WAIVED, Waiver, waiver_key
from arrocco.findings import Finding
from arrocco.web.forms import Form
from arrocco.web.view import View
from arrocco.words import finding_text

_LONGEST = 2000

Waivable = list[tuple[str, str]]
"""Keys of errors, each with what it says."""


def errors_by_key(view: View, errors: Iterable[Finding]) -> Waivable:
    """Errors, each key once with the first that has it."""
    by_key: dict[str, str] = {}
    for error in errors:
        by_key.setdefault(waiver_key(error), finding_text(view.language, error))
    return sorted(by_key.items())


def waivable(view: View, errors: Iterable[Finding]) -> Waivable:
    """The same where all may be waived; none where one never can be."""
    told = errors_by_key(view, errors)
    return [] if {key for key, _ in told} & NEVER_WAIVED else told


def waivers_in(form: Form, errors: Waivable) -> list[Waiver]:
    """What a form gives as reasons; the fields are named by the places of the errors."""
    return [
        Waiver(key, form.text(f"waive_{index}", needed=True, longest=_LONGEST))
        for index, (key, _) in enumerate(errors)
    ]
