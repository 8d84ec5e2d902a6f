"""Mail: what each person gets, refusing it from a mail, and the spool as administrators see it."""

from __future__ import annotations

from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from arrocco.desk.mail import CHOSEN, MailKind
from arrocco.desk.mail_delivery import MailDelivery
from arrocco.desk.mailbox import PAGE
from arrocco.errors import NotFound
from arrocco.office.roles import Permission
from arrocco.web.paging import page_number
from arrocco.web.routes import ANONYMOUS, BODY_LIMIT, FORM_BYTES, PERMISSION, act, page
from arrocco.web.view import TheForm, TheView, View

_ONLY_FOR = {
    MailKind.QUESTION: Permission.ANSWER_QUESTION,
    MailKind.REPORT_RETURNED: Permission.SEND_REPORT,
    MailKind.DECISION: Permission.REGISTER_TOURNAMENT,
}
"""What only some get: others are not asked about it, and what they chose stays for later."""


def _offered(view: View) -> list[MailKind]:
    return [kind for kind in CHOSEN if kind not in _ONLY_FOR or view.may(_ONLY_FOR[kind])]


@page("/account/mail", permission=Permission.SEE_OWN_ACCOUNT)
def choices(view: TheView) -> Response[str]:
    """What one gets by mail."""
    kinds = [(kind.value, view.t(f"mail.{kind.value}.name")) for kind in _offered(view)]
    wanted = [kind.value for kind in view.office.mail.wanted(view.asker)]
    return view.page("mail/choices.html", kinds=kinds, wanted=wanted)


@act("/account/mail", permission=Permission.SEE_OWN_ACCOUNT)
def choose(view: TheView, form: TheForm) -> Response[Any]:
    """Keeps what one wants to get."""
    given, offered = form.values("kind"), _offered(view)
    before = view.office.mail.wanted(view.asker)
    kept = [kind for kind in CHOSEN if (kind.value in given if kind in offered else kind in before)]
    view.office.mail.choose(view.asker, kept)
    return view.go("/account/mail", "mail.page.chosen")


@page("/unsubscribe/{token:str}/{kind:str}", permission=Permission.LOOK_UP)
def ask_to_stop(view: TheView, token: FromPath[str], kind: FromPath[str]) -> Response[str]:
    """Asks whether to stop a kind of mail: programs that look at links stop nothing."""
    address = view.office.mail.whose(token)
    return view.page("mail/unsubscribe.html", token=token, kind=_kind(kind), address=address)


@post(
    "/unsubscribe/{token:str}/{kind:str}",
    opt={PERMISSION: Permission.LOOK_UP, ANONYMOUS: True, BODY_LIMIT: FORM_BYTES},
    include_in_schema=False,
    sync_to_thread=True,
    status_code=200,
)
def stop(view: TheView, token: FromPath[str], kind: FromPath[str]) -> Response[str]:
    """RFC 8058 — stops a kind of mail by one request, which a mail program may send by itself.

    It needs no session and no token of a form: whoever has the mail has its token.
    """
    refused = _kind(kind)
    client = view.request.client
    view.office.mail.refuse(token, refused, client.host if client else "")
    return view.page("mail/unsubscribed.html", kind=refused)


def _kind(text: str) -> MailKind:
    if text not in [kind.value for kind in CHOSEN]:
        raise NotFound.of("mail.refused.no_token")
    return MailKind(text)


@page("/mail", permission=Permission.MANAGE_ACCOUNTS)
def spool(view: TheView) -> Response[str]:
    """The mails of the office: what waits, what went, what was refused."""
    number = page_number(view.request.query_params)
    counts, shown = view.office.mail.spool(view.asker, offset=(number - 1) * PAGE)
    return view.page(
        "mail/spool.html",
        counts=counts,
        mails=shown,
        number=number,
        size=PAGE,
        total=sum(counts.values()),
        server=_server(view),
    )


@page("/mail/{mail:int}", permission=Permission.MANAGE_ACCOUNTS)
def one_mail(view: TheView, mail: FromPath[int]) -> Response[str]:
    """One mail as its reader gets it."""
    shown = view.office.mail.read(view.asker, mail)
    site = str(view.request.base_url).rstrip("/")
    return view.page("mail/mail.html", shown=shown, site=site, server=_server(view))


def _server(view: View) -> MailDelivery | None:
    delivery: MailDelivery | None = view.request.app.state.mail
    return delivery if delivery is not None and delivery.settings is not None else None
