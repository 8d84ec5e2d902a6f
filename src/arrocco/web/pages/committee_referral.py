"""13.4, 5.18 — the referral of a case to federal justice: a document, and the evidence with it."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.desk.cases import CaseViewer
from arrocco.errors import Illegal, NotFound
from arrocco.live.reader import EventReader
from arrocco.office.cases import CommitteeCase
from arrocco.office.roles import Permission
from arrocco.web.pages.committee_cases import case_context, event_of_case
from arrocco.web.pages.hall_common import hall_page
from arrocco.web.view import TheView, View

_TEMPLATE = "committee/referral.html"
_MAX_TOGETHER = 256 << 20
_DATED = (1980, 1, 1, 0, 0, 0)
"""No file of the archive has a date of its own, so that two of the same evidence are the same."""


@hall_page("/committee/cases/{case:int}/referral", permission=Permission.JUDGE_FAIR_PLAY)
async def referral(view: TheView, case: FromPath[int]) -> Response[str]:
    """The document, with its evidence by hash, to be printed."""
    room = await event_of_case(view, case)
    return await to_thread.run_sync(lambda: view.page(_TEMPLATE, **_referred(view, room, case)))


@hall_page("/committee/cases/{case:int}/referral/evidence", permission=Permission.JUDGE_FAIR_PLAY)
async def referred_evidence(view: TheView, case: FromPath[int]) -> Response[bytes]:
    """All files that go with the document; the audit log has each of them read."""
    room = await event_of_case(view, case)
    data = await to_thread.run_sync(lambda: _packed(view, room, case))
    headers = {"content-disposition": f'attachment; filename="case-{case}-evidence.zip"'}
    return Response(data, media_type="application/zip", headers=headers)


def _referred(view: View, room: EventReader, number: int) -> dict[str, Any]:
    """What a referred case shows to a member. Raises `NotFound`."""
    context = case_context(view, room, number)
    if context["viewer"] is not CaseViewer.MEMBER or not context["case"].referrals:
        raise NotFound.of("cases.refused.none", number=number)
    return context


def _packed(view: View, room: EventReader, number: int) -> bytes:
    case: CommitteeCase = _referred(view, room, number)["case"]
    if sum(evidence.size for evidence in case.evidence) > _MAX_TOGETHER:
        raise Illegal.of("cases.refused.evidence_large", megabytes=_MAX_TOGETHER >> 20)
    held, sums = io.BytesIO(), []
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for place in range(1, len(case.evidence) + 1):
            kept, data = view.office.cases.read_evidence(view.asker, number, room.state, place)
            name = f"{place:03d}-{kept.name}"
            archive.writestr(zipfile.ZipInfo(name, _DATED), data)
            sums.append(f"{kept.blob}  {name}\n")
        archive.writestr(zipfile.ZipInfo("SHA256SUMS", _DATED), "".join(sums))
    return held.getvalue()
