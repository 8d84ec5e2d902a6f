"""A draft's own receipts: how it would change a rating, before anything is published."""

from __future__ import annotations

from litestar import Response

from arrocco.errors import Inconsistent, NotFound
from arrocco.office.roles import Permission
from arrocco.store.explanation import explain_player
from arrocco.web.pages.desk_lists import folder_of
from arrocco.web.pages.desk_numbers import Number
from arrocco.web.pages.public_players import listed_rating
from arrocco.web.pages.public_receipt import period_of
from arrocco.web.routes import page
from arrocco.web.view import TheView


@page("/desk/drafts/{draft:int}/receipts/{player:int}", permission=Permission.BUILD_LIST)
def draft_receipt(view: TheView, draft: Number, player: Number) -> Response[str]:
    """How a draft comes to a player's rating, out of the draft's own calculations."""
    row = view.office.lists.draft(view.asker, draft)
    try:
        explained = explain_player(folder_of(view, row), player)
    except Inconsistent:
        raise NotFound.of("desk_pages.refused.not_in_draft", player=player, draft=draft) from None
    listed = listed_rating(view, row.system, player, explained.opened_on)
    period = period_of(view.language, explained, listed)
    return view.page(
        "desk/draft_receipt.html",
        draft=row,
        id=player,
        period=period,
        system=row.system,
        list_date=row.list_date,
        on=row.list_date.isoformat(),
        in_system=view.t(f"web.system.{row.system}"),
    )
