"""Who is written to about a case of the committee: the player, and the chief arbiter who signs."""

from __future__ import annotations

from arrocco.desk.desk import Act
from arrocco.desk.mail import MailKind, queue
from arrocco.office.cases import CommitteeCase
from arrocco.words import Phrase


def tell_account(act: Act, case: CommitteeCase, account: str, news: str) -> None:
    """Writes to an account of the hall, where it is one of the office."""
    if not account.isdecimal():
        return
    queue(
        act.connection,
        act.at,
        MailKind.CASE,
        int(account),
        f"/committee/cases/{case.number}",
        event=case.opened.event_name,
        news=Phrase(f"cases.news.{news}"),
    )
