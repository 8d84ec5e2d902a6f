"""The few kinds of fault, each with what a person can do next.

`Refusal` is the common root: the program understood the request and declines it, with reasons. The
command line turns it into exit status 1; the web turns it into a page that says the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arrocco.findings import Finding


class Refusal(Exception):
    """What was asked cannot be done; `advice` says what to do next."""

    def __init__(self, message: str, advice: str = "", findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.findings = findings


class Malformed(Refusal, ValueError):
    """A file does not follow its format so badly that nothing can be taken from it."""


class Inconsistent(Refusal, ValueError):
    """The parts of what was given contradict each other."""


class Illegal(Refusal, ValueError):
    """The regulation forbids what was asked, or does not define it."""


class NoLawInForce(Refusal, LookupError):
    """No edition of that regulation is in force on that day."""
