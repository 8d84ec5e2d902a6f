"""A complaint and an appeal after the evening in the hall, until its results are official."""

from __future__ import annotations

from datetime import timedelta

from arrocco.desk import Office
from arrocco.hall import event as hall
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.closing import Validate
from arrocco.hall.event.acts.filing_decisions import CHIEF, COMMITTEE, DecideFiling, RecordPayment
from arrocco.hall.event.acts.filings import SubmitFiling
from arrocco.hall.event.acts.official import AnnounceResults, DeclareChecks
from arrocco.hall.event.filings import FilingOutcome, FilingWay, Ground, Paper, Payment
from arrocco.hall.event.prize_table import PrizeCategory, PrizeTable
from arrocco.laws.online.filings import FilingKind
from arrocco.store.sql import filing_papers

PRIZES = PrizeTable(
    categories=(
        PrizeCategory(name="Generale", cents=(20_000, 12_000, 8_000)),
        PrizeCategory(name="Sotto 1600", cents=(5_000,), rated_below=1600),
    )
)
RECEIPT = b"%PDF-1.4\n% A transfer that never was: 100 euro, for the demonstration.\n"

Step = tuple[timedelta, Command]


def after_the_last_round(
    office: Office, state: hall.State, chief: str, member: str, treasurer: str
) -> list[Step]:
    """What is asked of the event one after the other, each with the time that passes before."""
    receipt = Paper(
        name="bonifico.pdf",
        media_type="application/pdf",
        blob=office.desk.blobs.put(RECEIPT),
        size=len(RECEIPT),
    )
    board = state.rounds[-1].boards[0]
    by, other = (state.entries[number - 1].person.account for number in board.players)
    complaint = SubmitFiling(
        by=by,
        filer=by,
        kind=FilingKind.COMPLAINT,
        way=FilingWay.PAGE,
        round=len(state.rounds),
        text="Alla mossa 14 la connessione è caduta e l'orologio ha continuato a correre.",
        grounds=(Ground.TECHNICAL,),
        is_member=True,
        has_federation_id=True,
    )
    appeal = SubmitFiling(
        by=other,
        filer=other,
        kind=FilingKind.APPEAL,
        way=FilingWay.PAGE,
        text="La classifica convalidata conta un mio forfait che non c'è stato.",
        grounds=(Ground.RESULT,),
        is_member=True,
        has_federation_id=True,
        receipt=receipt,
        round=len(state.rounds),
    )
    on_complaint = DecideFiling(
        by=chief,
        number=1,
        capacity=CHIEF,
        outcome=FilingOutcome.REJECTED,
        reasons="Il registro della partita ha una disconnessione di due secondi: l'orologio resta "
        "com'è (7.4).",
    )
    on_appeal = DecideFiling(
        by=member,
        number=2,
        capacity=COMMITTEE,
        outcome=FilingOutcome.UPHELD,
        reasons="Il registro dà ragione al ricorrente; i punti in classifica sono già giusti.",
    )
    arrived, returned = (
        RecordPayment(by=treasurer, number=2, payment=payment, reason="CRO 0000 (demo)")
        for payment in (Payment.ARRIVED, Payment.RETURNED)
    )
    checks = DeclareChecks(by=chief, capacity=CHIEF, reason="Partite e segnalazioni riviste.")
    official = AnnounceResults(by=chief, open_matters=0, checks_complete=True)
    minutes = (
        (20, complaint),
        (25, on_complaint),
        (140, Validate(by=chief)),
        (30, appeal),
        (5, arrived),
        (40, on_appeal),
        (5, returned),
        (5, checks),
        (60, official),
    )
    return [(timedelta(minutes=passed), command) for passed, command in minutes]


def name_receipt(office: Office, event: str, account: int) -> None:
    """Names the file of the appeal, so that a backup has it."""
    blob = office.desk.blobs.put(RECEIPT)
    with office.desk.database.writing() as connection:
        filing_papers.add(
            connection,
            event=event,
            account=account,
            name="bonifico.pdf",
            media_type="application/pdf",
            blob=blob,
            size=len(RECEIPT),
            at=office.desk.now(),
        )
