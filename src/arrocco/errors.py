"""The few kinds of fault, each with what a person can do next.

`Refusal` is the common root: the program understood the request and declines it, with reasons. The
command line turns it into exit status 1; the web turns it into a page that says the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from arrocco.findings import Finding
    from arrocco.words import Language


class Refusal(Exception):
    """What was asked cannot be done; `advice` says what to do next.

    `message` and `advice` are in English; `said` gives them in any language. `key` names the
    sentences in the catalogues and `details` are what they mention, for programs to compare.
    """

    def __init__(self, message: str, advice: str = "", findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.findings = findings
        self.key = ""
        self.details: dict[str, Any] = {}

    @classmethod
    def of(cls, key: str, /, *, findings: tuple[Finding, ...] = (), **details: Any) -> Self:
        """A refusal whose sentences stand in the catalogues, as ``key.text`` and ``key.do``."""
        # The catalogues are read when something is refused, not whenever the program starts.
        from arrocco.words import say

        message, advice = (say("en", f"{key}.{part}", **details) for part in ("text", "do"))
        refusal = cls(message, advice, findings)
        refusal.key, refusal.details = key, details
        return refusal

    def said(self, language: Language) -> tuple[str, str]:
        """The message and the advice in a language; English where only that was given."""
        if not self.key:
            return self.message, self.advice
        from arrocco.words import say

        return (
            say(language, f"{self.key}.text", **self.details),
            say(language, f"{self.key}.do", **self.details),
        )


class Malformed(Refusal, ValueError):
    """A file does not follow its format so badly that nothing can be taken from it."""


class Inconsistent(Refusal, ValueError):
    """The parts of what was given contradict each other."""


class Illegal(Refusal, ValueError):
    """The regulation forbids what was asked, or does not define it."""


class NoLawInForce(Refusal, LookupError):
    """No edition of that regulation is in force on that day."""


class NotFound(Refusal, LookupError):
    """What was asked for by its name or address is not there, or not for the asker to see."""

    http_status = 404


class Unavailable(Refusal):
    """The server cannot do it now by a fault of its own, and can later.

    `cause` is for those who run the server: it may name files and addresses, and is shown on no
    page and in no answer.
    """

    RETRY_AFTER = 5
    """Seconds after which it is worth asking again."""

    cause: str = ""
