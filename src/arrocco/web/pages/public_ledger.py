"""The ledger's page: its head, the office's keys, and how anybody checks it all."""

from __future__ import annotations

from litestar import Response

from arrocco.desk.ledger_copy import LedgerCopy
from arrocco.office.roles import Permission
from arrocco.office.signatures import fingerprint
from arrocco.web.pages.public_asking import system_name
from arrocco.web.routes import page
from arrocco.web.view import TheView

_MAX_SHOWN = 50


@page("/ledger", permission=Permission.LOOK_UP)
def ledger_page(view: TheView) -> Response[str]:
    """The head, the keys and the heads that were signed."""
    heads = sorted(
        view.office.keys.signed_heads().values(), key=lambda head_signed: -head_signed.seq
    )
    shown = [(head, system_name(view.language, head.system)) for head in heads[:_MAX_SHOWN]]
    head = LedgerCopy(view.office.desk).head()
    return view.page(
        "public/ledger.html",
        head=head,
        keys=list(reversed(view.office.keys.known())),
        heads=shown,
        total=len(heads),
        address=str(view.request.base_url).rstrip("/"),
        fingerprint=fingerprint(head.key) if head.key else "",
    )
