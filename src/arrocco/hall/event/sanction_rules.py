"""6.9, 13.5 — which sanctions an event imposes, by whom, and what each of them asks for."""

from __future__ import annotations

from arrocco.laws.hall import Laws
from arrocco.laws.online.sanctions import ArbiterSanction, CommitteeSanction, Scope

ARTICLES: dict[str, ArbiterSanction | CommitteeSanction] = {
    one.article: one for kind in (ArbiterSanction, CommitteeSanction) for one in kind
}
OF_THE_GAME = (ArbiterSanction.MORE_TIME_FOR_OPPONENT, ArbiterSanction.LESS_TIME)
ON_POINTS = (
    ArbiterSanction.MORE_POINTS_FOR_OPPONENT,
    ArbiterSanction.FEWER_POINTS,
    ArbiterSanction.GAME_LOST,
    CommitteeSanction.SCORE_CHANGE,
)
BY_ASSISTANTS = (ArbiterSanction.WARNING, ArbiterSanction.CHAT_BLOCK)
"""What an assistant who watches a player (6.3) can impose alone."""

IMPOSED = tuple(sanction.article for sanction in ArbiterSanction if sanction not in OF_THE_GAME)
"""What arbiters impose in an event; time belongs to a game, 13.5 to cases of the committee."""
IMPOSED_BY_ASSISTANTS = tuple(sanction.article for sanction in BY_ASSISTANTS)


def scopes_of_articles(laws: Laws) -> dict[Scope, tuple[str, ...]]:
    """How far an exclusion can reach, and by which articles, where these leave a choice."""
    reach = {article: laws.online.scopes(ARTICLES[article]) for article in IMPOSED}
    open_ = {article: scopes for article, scopes in reach.items() if len(scopes) > 1}
    found = {scope: tuple(one for one in open_ if scope in open_[one]) for scope in Scope}
    return {scope: articles for scope, articles in found.items() if articles}


def fields_of_articles(laws: Laws) -> dict[str, tuple[str, ...]]:
    """The articles that ask for each field; player and reason are asked for by all."""
    reach = {article: laws.online.scopes(ARTICLES[article]) for article in IMPOSED}
    return {
        "points": tuple(article for article in IMPOSED if ARTICLES[article] in ON_POINTS),
        "scope": tuple(article for article in IMPOSED if len(reach[article]) > 1),
        "rounds": tuple(article for article in IMPOSED if Scope.ROUNDS in reach[article]),
        "fine": (ArbiterSanction.FINE.article,),
    }
