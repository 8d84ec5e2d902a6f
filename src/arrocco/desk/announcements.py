"""What a published list tells those who follow it, its players and its tournaments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date

from arrocco.desk.desk import Act
from arrocco.desk.mail import MailKind, queue
from arrocco.desk.webhooks import tell_programs
from arrocco.store.sql import follows, tournaments
from arrocco.store.sql.follows import Followed
from arrocco.words import Phrase


def tell_published(
    act: Act, system: str, list_date: date, rated: Iterable[int], names: Mapping[int, str]
) -> None:
    """Tells those who follow a list, a player it changes or a tournament it rates.

    `names` are those of the players who are followed.
    """
    connection, day = act.connection, list_date.isoformat()
    path = f"/lists/{system}/{day}"
    players: dict[int, list[int]] = defaultdict(list)
    rated_for: dict[int, list[int]] = defaultdict(list)
    name = Phrase(f"web.system.{system}")
    for account in follows.followers(connection, Followed.LIST, system):
        queue(
            connection,
            act.at,
            MailKind.LIST_PUBLISHED,
            account,
            path,
            system=name,
            day=list_date,
        )
    rated_on = Phrase("mail.news.rated", {"system": name, "day": list_date})
    for account, player in follows.of_players_on(connection, system, list_date):
        players[account].append(player)
        queue(
            connection,
            act.at,
            MailKind.FOLLOWED,
            account,
            f"/players/{player}/{system}/{day}",
            subject=names.get(player) or Phrase("mail.news.player", {"number": player}),
            news=rated_on,
        )
    for number in rated:
        readers = follows.followers(connection, Followed.TOURNAMENT, str(number))
        tournament = tournaments.get(connection, number) if readers else None
        if tournament is None:
            continue
        for account in readers:
            rated_for[account].append(number)
            queue(
                connection,
                act.at,
                MailKind.FOLLOWED,
                account,
                f"/tournaments/{number}",
                subject=tournament.registration.name,
                news=rated_on,
            )
    tell_programs(
        connection,
        act.at,
        "list_published",
        lambda account: {
            "players": players.get(account, []),
            "tournaments": rated_for.get(account, []),
        },
        system=system,
        list_date=list_date,
        path=path,
    )
