"""The registration of a tournament as its arbiter and the office see it, and amending it."""

from __future__ import annotations

from datetime import date, datetime

from anyio import to_thread
from litestar.params import FromPath, JSONBody
from msgspec import UNSET, Struct, UnsetType, structs

from arrocco.office.amendments import changed_fields, spread_rounds
from arrocco.office.announcement import MAX_ROUNDS
from arrocco.office.records import Registration, RoundTime, Tournament
from arrocco.office.roles import Permission
from arrocco.records.report import Facts
from arrocco.web import heavy
from arrocco.web.api.records import refusals
from arrocco.web.pages.public_tournaments import public_tournament
from arrocco.web.report_work import amend_registration
from arrocco.web.routes import api, heavy_api_act
from arrocco.web.view import TheView

_REFUSED = refusals(401, 403, 404, 409, 422, 429, 503)
_PLAIN = (
    "name",
    "city",
    "start",
    "end",
    "chief_arbiter",
    "time_control",
    "expected_players",
    "top_rating",
    "top_woman",
    "remarks",
)
_FACTS = ("official", "match_waiver", "league", "women_only", "national_championship")


class RoundRecord(Struct, frozen=True):
    """A round of the schedule."""

    day: date
    hour: str = ""


class AmendmentRecord(Struct, frozen=True, kw_only=True):
    """An amendment: when, why, and the fields it changed."""

    at: datetime
    reason: str
    changed: list[str]


class RegistrationRecord(Struct, frozen=True, kw_only=True):
    """A registration as it stands, and how it came to be."""

    tournament: int
    status: str
    name: str
    city: str
    federation: str
    systems: list[str]
    start: date
    end: date
    rounds: list[RoundRecord]
    time_control: str
    pairing: str
    chief_arbiter: str
    expected_players: int | None
    top_rating: int | None
    top_woman: int | None
    official: bool
    match_waiver: bool
    approvals_waiting: list[str]
    amendments: list[AmendmentRecord]


class AmendRecord(Struct, kw_only=True):
    """What is to change, and why; what is left out stays.

    `rounds` is how many, spread evenly over the days; `schedule` says each of them.
    """

    reason: str
    name: str | UnsetType = UNSET
    city: str | UnsetType = UNSET
    start: date | UnsetType = UNSET
    end: date | UnsetType = UNSET
    rounds: int | UnsetType = UNSET
    schedule: list[RoundRecord] | UnsetType = UNSET
    chief_arbiter: str | UnsetType = UNSET
    time_control: str | UnsetType = UNSET
    expected_players: int | UnsetType | None = UNSET
    top_rating: int | UnsetType | None = UNSET
    top_woman: int | UnsetType | None = UNSET
    remarks: str | UnsetType = UNSET
    official: bool | UnsetType = UNSET
    match_waiver: bool | UnsetType = UNSET
    league: bool | UnsetType = UNSET
    women_only: bool | UnsetType = UNSET
    national_championship: bool | UnsetType = UNSET


@api(
    "/tournaments/{tournament:int}/registration",
    permission=Permission.SEE_TOURNAMENT_FILE,
    responses=refusals(401, 403, 404),
)
def registration(view: TheView, tournament: FromPath[int]) -> RegistrationRecord:
    """The registration of one's own tournament, with its amendments."""
    public_tournament(view, tournament, every=True)
    return _record(view.office.tournaments.get(view.asker, tournament))


@heavy_api_act(
    "/tournaments/{tournament:int}/amend",
    permission=Permission.REGISTER_TOURNAMENT,
    responses=_REFUSED,
)
async def amend(
    view: TheView, tournament: FromPath[int], data: JSONBody[AmendRecord]
) -> RegistrationRecord:
    """Amends a registration, until its report is accepted; reports that wait are checked again."""

    def asked() -> Registration:
        public_tournament(view, tournament, every=True)
        registration = view.office.tournaments.get(view.asker, tournament)
        return _amended(registration.registration, data)

    new = await to_thread.run_sync(asked)
    changed: Tournament = await heavy.result_in_office(
        view, amend_registration, view.asker, tournament, new, data.reason
    )
    return _record(changed)


def _amended(before: Registration, asked: AmendRecord) -> Registration:
    given = {name: value for name in _PLAIN if (value := getattr(asked, name)) is not UNSET}
    facts = structs.asdict(asked)
    kept = {name: getattr(before.facts, name) for name in Facts.__dataclass_fields__}
    kept |= {name: facts[name] for name in _FACTS if facts[name] is not UNSET}
    new: Registration = structs.replace(before, **given, facts=Facts(**kept))
    if asked.schedule is not UNSET:
        rounds = tuple(
            RoundTime(round_record.day, round_record.hour) for round_record in asked.schedule
        )
        return structs.replace(new, schedule=rounds)
    if asked.rounds is not UNSET:
        # A number out of bounds is refused with the field's own words, and is not counted up to.
        count = max(0, min(asked.rounds, MAX_ROUNDS + 1))
        days = spread_rounds(new.start, max(new.start, new.end), count)
        return structs.replace(new, schedule=tuple(RoundTime(day) for day in days))
    return new


def _record(tournament: Tournament) -> RegistrationRecord:
    told = tournament.registration
    after, history = told, list[AmendmentRecord]()
    for amendment in reversed(tournament.amendments):
        changed = [name for name, _, _ in changed_fields(amendment.before, after)]
        history.append(AmendmentRecord(at=amendment.at, reason=amendment.reason, changed=changed))
        after = amendment.before
    return RegistrationRecord(
        tournament=tournament.id,
        status=tournament.status.value,
        name=told.name,
        city=told.city,
        federation=told.federation,
        systems=list(told.systems),
        start=told.start,
        end=told.end,
        rounds=[RoundRecord(round_time.day, round_time.hour) for round_time in told.schedule],
        time_control=told.time_control,
        pairing=told.pairing.value,
        chief_arbiter=told.chief_arbiter,
        expected_players=told.expected_players,
        top_rating=told.top_rating,
        top_woman=told.top_woman,
        official=told.facts.official,
        match_waiver=told.facts.match_waiver,
        approvals_waiting=[
            approval.needed for approval in tournament.approvals if approval.granted_on is None
        ],
        amendments=history,
    )
