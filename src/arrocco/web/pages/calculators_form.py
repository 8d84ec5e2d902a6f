"""What a calculator was asked: the query of its address, read like a form.

A calculation has an address: ``/calculator?law=fide&on=2024-05-01&rating=2000&o=2100&r=1``. Games
are pairs of ``o``, the opponent's rating, and ``r``, the result; rows are added and taken away by
buttons that lead to the address with those rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import zip_longest
from typing import Any
from urllib.parse import urlencode

from litestar.response import Redirect

from arrocco.dates import parse_day
from arrocco.engine.calculator import Played
from arrocco.engine.kernel import MAX_RATING
from arrocco.engine.players import assumed_games
from arrocco.lawbook import meaning
from arrocco.laws import registry
from arrocco.laws.edition import Reading
from arrocco.laws.rating import PlayerFacts, RatingLaw
from arrocco.records.report import Birth
from arrocco.records.timecontrol import TimeControl, parse_text
from arrocco.units import parse_score
from arrocco.web.forms import Form, whole_number
from arrocco.web.receipt import MAX_GAMES
from arrocco.web.view import View

_FIELDS = frozenset(
    (
        "law",
        "on",
        "rating",
        "opponent",
        "k",
        "n",
        "games",
        "born",
        "control",
        "highest",
        "online",
        "a",
        "b",
        "what",
    )
)
"""What a calculation's address says besides its games and readings; anything else is left out."""
_LONGEST_FIELD = 300
_LONGEST_OF_GAME = 20
_SHOWN, _MORE = 4, 4
"""Rows shown at least, and rows that a button adds."""
_UNRATED = {"", "-", "–"}


@dataclass(frozen=True)
class Row:
    """A row of games as it was written."""

    opponent: str = ""
    result: str = ""


@dataclass(frozen=True)
class Asked:
    """The fields of a calculation, and the law it asks for."""

    view: View
    form: Form
    on: date
    law_name: str
    rows: tuple[Row, ...]
    games_given: int = 0

    @property
    def is_asked(self) -> bool:
        """Whether there is something to work out, or only an empty form to show."""
        return "law" in self.query

    @property
    def query(self) -> dict[str, list[str]]:
        return _query(self.view)

    def law(self) -> RatingLaw:
        """The edition in force on the day, read as asked, else as the office reads it.

        Raises `Refusal` where there is none.
        """
        as_read = self._as_read
        chosen = {
            reading.name: self.form.text(field_of(reading)) or as_read.readings[reading.name]
            for reading in as_read.READINGS
        }
        return type(as_read)(**chosen)

    @cached_property
    def _as_read(self) -> RatingLaw:
        return self.view.office.readings.law_on(self.law_name, self.on)

    def readings(self) -> tuple[Reading, ...]:
        """The readings of the edition in force, none where there is no edition."""
        try:
            return registry.edition_in_force(self.law_name, self.on).READINGS
        except ValueError:
            return ()

    def games(self) -> list[Played]:
        """The games that were written; faults are told under their fields."""
        played = []
        if self.games_given > MAX_GAMES:
            details = {"given": self.games_given, "most": MAX_GAMES}
            self.form.wrong(f"o-{MAX_GAMES}", "calc_pages.too_many_games", **details)
        for number, row in enumerate(self.rows, start=1):
            if not row.result:
                if row.opponent:
                    self.form.wrong(f"r-{number}", "calc_pages.no_result")
                continue
            rating = row.opponent.strip()
            opponent = None if rating in _UNRATED else whole_number(rating) or 0
            if opponent is not None and not 0 < opponent <= MAX_RATING:
                self.form.wrong(f"o-{number}", "web.field.not_a_number", least=1, most=MAX_RATING)
                continue
            try:
                played.append(Played(opponent, parse_score(row.result)))
            except ValueError:
                self.form.wrong(f"r-{number}", "web.field.not_a_choice")
        if not played and self.form.ok:
            self.form.wrong("o-1", "calc_pages.no_games")
        return played

    def rating(self, name: str = "rating") -> int | None:
        return self.form.integer(name, needed=True, least=1, most=MAX_RATING)

    def k(self) -> int | None:
        return self.form.integer("k", least=1, most=200)

    def facts(self, law: RatingLaw, rating: int) -> PlayerFacts:
        """What K depends on under a law; a rating tells what it has reached itself."""
        completed = self.form.integer("games", most=100_000)
        return PlayerFacts(
            assumed_games(law) if completed is None else completed,
            max(rating, self.form.integer("highest", most=MAX_RATING) or 0),
            self._birth(),
        )

    def _birth(self) -> Birth | None:
        text = self.form.text("born")
        if not text:
            return None
        if len(text) == 4 and text.isascii() and text.isdigit():
            return Birth(int(text))
        try:
            born = parse_day(text)
        except ValueError:
            self.form.wrong("born", "calc_pages.no_birth")
            return None
        return Birth(born.year, born.month, born.day)

    def control(self) -> TimeControl | None:
        """The time control. Raises `Malformed` with advice."""
        text = self.form.text("control", longest=60)
        return parse_text(text) if text else None

    def address(self, **changes: Any) -> str:
        """This calculation with some of its fields changed; `None` takes a field away."""
        return self.view.url(self.view.path) + _written(self._fields | changes)

    @cached_property
    def _fields(self) -> dict[str, Any]:
        """The query without what no calculator reads: links repeat only what they need."""
        readings = {field_of(reading) for reading in self.readings()}
        fields: dict[str, Any] = {
            name: values[-1]
            for name, values in self.query.items()
            if name in _FIELDS | readings and len(values[-1]) <= _LONGEST_FIELD
        }
        opponents, results = [r.opponent for r in self.rows], [r.result for r in self.rows]
        return fields | {"o": opponents, "r": results}

    def context(self) -> dict[str, Any]:
        """What the templates of all calculators show."""
        language = self.view.language
        padded = (*self.rows, *(Row() for _ in range(_SHOWN - len(self.rows))))
        return {
            "form": self.form,
            "asked": self,
            "rows": padded,
            "today": self.on,
            "law_name": self.law_name,
            "law_choices": [(law, self.view.t(f"law_pages.law.{law}")) for law in registry.LAWS],
            "reading_fields": [
                (
                    field_of(reading),
                    meaning(language, reading),
                    self._as_read.readings[reading.name],
                    [(c.name, meaning(language, c)) for c in reading.choices],
                )
                for reading in self.readings()
            ],
            "reading_chosen": any(self.form.value(field_of(r)) for r in self.readings()),
        }


def field_of(reading: Reading) -> str:
    """The name of the field of a reading."""
    return f"read.{reading.name}"


def asked(view: View) -> Asked:
    """Reads the query of a calculator's address."""
    query = _query(view)
    form = Form({name: _one(values) for name, values in query.items()}, view.language)
    on = form.day("on") or view.office.desk.now().date()
    law = form.text("law")
    if law and law not in registry.LAWS:
        form.wrong("law", "web.field.not_a_choice")
    opponents, results = query.get("o", []), query.get("r", [])
    pairs = zip_longest(opponents[:MAX_GAMES], results[:MAX_GAMES], fillvalue="")
    rows = tuple(
        Row(opponent.strip()[:_LONGEST_OF_GAME], result.strip()[:_LONGEST_OF_GAME])
        for opponent, result in pairs
    )
    given = max(len(opponents), len(results))
    return Asked(view, form, on, law if law in registry.LAWS else registry.LAWS[0], rows, given)


def turned(request: Asked) -> Redirect | None:
    """The same address with a row more or less, where such a button was pressed."""
    rows, query = list(request.rows), request.query
    if "remove" in query:
        number = whole_number(query["remove"][-1]) or 0
        if 1 <= number <= len(rows):
            del rows[number - 1]
    elif "add" in query:
        blank = max(_SHOWN - len(rows), 0) + _MORE
        rows = (rows + [Row()] * blank)[:MAX_GAMES]
    else:
        return None
    changed = {"o": [row.opponent for row in rows], "r": [row.result for row in rows]}
    return Redirect(request.address(**changed, what=None), status_code=303)


def _query(view: View) -> dict[str, list[str]]:
    return view.request.query_params.dict()


def _one(values: Sequence[str]) -> Any:
    return values[0] if len(values) == 1 else list(values)


def _written(query: Mapping[str, Any]) -> str:
    kept = {name: value for name, value in query.items() if value not in (None, "", [""])}
    return f"?{urlencode(kept, doseq=True)}" if kept else ""
