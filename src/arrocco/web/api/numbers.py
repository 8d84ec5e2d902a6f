"""Numbers for people: who an entry without one may be, deciding it, and giving a new number."""

from __future__ import annotations

from typing import Annotated

from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Struct

from arrocco.desk.entry_numbers import NEW
from arrocco.office.ledger import PlayerCreated
from arrocco.office.new_players import Candidate, EntrySuggestion
from arrocco.office.records import SentReport
from arrocco.office.roles import Permission
from arrocco.web import heavy
from arrocco.web.api.records import refusals
from arrocco.web.report_work import give_numbers, number_suggestions
from arrocco.web.routes import api, api_act, heavy_api, heavy_api_act
from arrocco.web.view import TheView

_REFUSED = refusals(401, 403, 404, 409, 422, 429, 503)
Name = Annotated[str, QueryParameter(min_length=1, max_length=200)]
Birth = Annotated[str, QueryParameter(max_length=10)]


class NumbersRecord(Struct, kw_only=True):
    """By entry of the report: the number of a player, 0 for a new one."""

    numbers: dict[int, int]


class GivenRecord(Struct, frozen=True, kw_only=True):
    """A report with the numbers that were decided."""

    report: int
    status: str
    numbers: dict[int, int]


class NewPlayer(Struct, kw_only=True):
    """A person who gets a number; without `player` the next one of the office.

    `birth` is a year or a date; the date serves to compare, the public ledger keeps only the year.
    """

    name: str
    federation: str
    sex: str = ""
    title: str = ""
    birth: str = ""
    player: int = NEW
    reason: str
    another: bool = False
    """Whether it was looked up that nobody known by this name is meant."""


class CreatedRecord(Struct, frozen=True, kw_only=True):
    """The number that was given."""

    player: int


@heavy_api("/reports/{report:int}/numbers", permission=Permission.SEND_REPORT, responses=_REFUSED)
async def entries_without_number(view: TheView, report: FromPath[int]) -> list[EntrySuggestion]:
    """The entries of a report that have no number, with whom they may be."""
    entry_suggestions: list[EntrySuggestion] = await heavy.result_in_office(
        view, number_suggestions, view.asker, report
    )
    return entry_suggestions


@heavy_api_act(
    "/reports/{report:int}/numbers", permission=Permission.SEND_REPORT, responses=_REFUSED
)
async def give_entry_numbers(
    view: TheView, report: FromPath[int], data: JSONBody[NumbersRecord]
) -> GivenRecord:
    """Says who entries without a number are; the report is checked again.

    The public ledger keeps their names and, of a birth, only the year.
    """
    sent: SentReport = await heavy.result_in_office(
        view, give_numbers, view.asker, report, data.numbers
    )
    return GivenRecord(report=sent.id, status=sent.status.value, numbers=sent.numbers)


@api("/people/candidates", permission=Permission.CHANGE_PLAYER, responses=refusals(401, 403))
def candidates(view: TheView, name: Name, birth: Birth = "") -> list[Candidate]:
    """Those of the same name whom somebody may be, of the same birth first."""
    return view.office.numbers.candidates(name, birth)


@api_act("/people", permission=Permission.CHANGE_PLAYER, responses=_REFUSED)
def create_player(view: TheView, data: JSONBody[NewPlayer]) -> CreatedRecord:
    """Gives a person a number; refused where somebody of that name is known, unless `another`.

    The ledger is public: of a birth it keeps only the year.
    """
    new = PlayerCreated(
        player=data.player,
        name=data.name.strip(),
        federation=data.federation.upper(),
        sex=data.sex,
        title=data.title,
        birth=data.birth,
        reason=data.reason,
    )
    player = view.office.numbers.create(view.asker, new, confirmed=data.another)
    return CreatedRecord(player=player)
