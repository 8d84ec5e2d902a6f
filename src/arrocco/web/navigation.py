"""What the heads of the pages lead to, for whom; a page nobody has written yet is not named."""

from __future__ import annotations

from dataclasses import dataclass

from arrocco.office.roles import Asker, Permission, Role, may

P = Permission


@dataclass(frozen=True)
class Place:
    """A page one can go to: its path, its words (``web.place.<key>``), and who is told of it."""

    key: str
    path: str
    permission: Permission
    roles: frozenset[Role] = frozenset(Role)
    """Whose task it is: others who may go there are not told of it at the desk."""


MENU = (
    Place("lists", "/lists", P.LOOK_UP),
    Place("players", "/players", P.LOOK_UP),
    Place("tournaments", "/tournaments", P.LOOK_UP),
    Place("calculator", "/calculator", P.LOOK_UP),
    Place("law", "/law", P.LOOK_UP),
    Place("statistics", "/statistics", P.LOOK_UP),
    Place("hall", "/hall", P.LOOK_UP),
)
"""For everybody, in the head of every page."""

TASKS = (
    Place("my_rating", "/my-rating", P.SEE_OWN_ACCOUNT, frozenset({Role.PLAYER})),
    Place("register", "/desk/tournaments/new", P.REGISTER_TOURNAMENT),
    Place("my_tournaments", "/desk/tournaments", P.SEE_TOURNAMENT_FILE),
    Place("registrations", "/desk/registrations", P.APPROVE_REGISTRATION),
    Place("reports", "/desk/reports", P.DECIDE_REPORT),
    Place("drafts", "/desk/lists", P.BUILD_LIST),
    Place("corrections", "/desk/corrections", P.CORRECT),
    Place("people", "/desk/people", P.CHANGE_PLAYER),
    Place("questions", "/desk/questions", P.ANSWER_QUESTION),
    Place("accounts", "/accounts", P.MANAGE_ACCOUNTS),
    Place("claims", "/desk/claims", P.DECIDE_CLAIM),
    Place("committee_cases", "/committee/cases", P.JUDGE_FAIR_PLAY),
    Place("committee_members", "/committee/members", P.NAME_COMMITTEE),
    Place("settings", "/settings", P.MANAGE_OFFICE),
    Place("mail", "/mail", P.MANAGE_ACCOUNTS),
    Place("audit", "/audit", P.READ_AUDIT),
    Place("operation", "/operation", P.SEE_OPERATION),
    Place("my_questions", "/questions", P.SEE_OWN_ACCOUNT),
    Place("following", "/following", P.SEE_OWN_ACCOUNT),
    Place("account", "/account", P.SEE_OWN_ACCOUNT),
)
"""For those with an account: cards on the start page of the desk, behind what waits there."""


def places(menu: tuple[Place, ...], asker: Asker, known: frozenset[str]) -> list[Place]:
    """The places of a menu that exist and that the asker may enter."""
    return [
        place
        for place in menu
        if place.path in known and may(asker, place.permission) and asker.role in place.roles
    ]


def is_page(path: str, known: frozenset[str]) -> bool:
    """Whether an address is that of a page; parts in braces stand for anything."""
    parts = path.split("/")
    for pattern in known:
        named = pattern.split("/")
        if len(named) == len(parts) and all(
            part == name or name.startswith("{") for part, name in zip(parts, named, strict=True)
        ):
            return True
    return False
