"""Players: found on the lists, changed, merged, and what the lists brought them."""

from __future__ import annotations

from datetime import date

from sqlalchemy import Connection

from arrocco.desk.book import IMPORTABLE
from arrocco.desk.desk import Desk, account_of, merged_numbers, mergers
from arrocco.desk.lists import Lists
from arrocco.desk.reasons import check_reason
from arrocco.errors import Inconsistent
from arrocco.office.ledger import PlayerChanged, PlayerCreated, PlayersMerged
from arrocco.office.player_changes import NOT_AFFILIATED, renamed_ids, validated_change
from arrocco.office.roles import Asker, Permission, Subject, require
from arrocco.store.explanation import Explanation, explain_player
from arrocco.store.list_view import ViewedPlayer
from arrocco.store.sql import history, ledger
from arrocco.store.sql.history import HistoryRow


class People:
    """Everybody on the lists."""

    def __init__(self, desk: Desk, lists: Lists) -> None:
        self._desk, self._lists = desk, lists

    # --- looking ----------------------------------------------------------------------------------

    def find(self, system: str, text: str, limit: int = 20) -> list[ViewedPlayer]:
        """Players of the newest list of a system, by number or by words of the name."""
        if self._lists.latest(system) is None:
            return []
        return self._lists.view(system).search(text, limit)

    def on_lists(self, player: int) -> dict[str, ViewedPlayer]:
        """A player on the newest list of each system that has them."""
        players = {}
        for system in IMPORTABLE:
            if self._lists.latest(system) is not None:
                row = self._lists.view(system).player(player)
                if row is not None:
                    players[system] = row
        return players

    def listed_name(self, player: int | None) -> str:
        """The name of a player on the newest list that has them; empty where none has."""
        listed = self.on_lists(player) if player is not None else {}
        return next((row.name for row in listed.values()), "")

    def history(self, player: int) -> dict[str, list[HistoryRow]]:
        """What the lists brought a player, by system, the oldest first; numbers left included."""
        with self._desk.database.reading() as connection:
            numbers = [player, *self._left_for(connection, player)]
            rows = [row for number in numbers for row in history.of_player(connection, number)]
        by_system: dict[str, list[HistoryRow]] = {}
        for row in sorted(
            rows, key=lambda history_row: (history_row.system, history_row.list_date)
        ):
            by_system.setdefault(row.system, []).append(row)
        return by_system

    def affiliation(self, player: int) -> str:
        """The body of FIDE 2010, 7.14g that a player was last entered for; empty for none."""
        last = ""
        with self._desk.database.reading() as connection:
            for entered in ledger.of_kind(connection, PlayerChanged):
                change = entered.entry
                if isinstance(change, PlayerChanged) and change.player == player:
                    last = change.affiliated or last
        return "" if last == NOT_AFFILIATED else last

    def kept_number(self, player: int) -> int:
        """The number a player has now: another one where this was left."""
        with self._desk.database.reading() as connection:
            return merged_numbers(connection).get(player, player)

    def _left_for(self, connection: Connection, player: int) -> list[int]:
        merged = merged_numbers(connection)
        return sorted(left for left, kept in merged.items() if kept == player)

    def period(self, system: str, player: int, list_date: date) -> Explanation:
        """How a list came to a player's rating, out of the calculations kept with it."""
        return explain_player(self._lists.folder(system, list_date), player)

    # --- changing ---------------------------------------------------------------------------------

    def merge(self, asker: Asker, kept: int, left: int, reason: str) -> int:
        """Enters that two numbers are one person; the place in the ledger."""
        with self._desk.acting(asker, "merge_players", f"player:{kept}") as act:
            for player in (kept, left):
                require(asker, Permission.CHANGE_PLAYER, self._subject(player))
            check_reason(reason)
            entry = PlayersMerged(kept=kept, left=left, reason=reason.strip())
            renamed_ids([*mergers(act.connection), entry])
            self._check_known(act.connection, kept, left)
            seq = ledger.append(act.connection, act.at, account_of(asker), entry).seq
            act.details |= {"seq": seq, "left": left}
            return seq

    def change(self, asker: Asker, change: PlayerChanged) -> int:
        """Enters a change of a player's particulars; the place in the ledger."""
        with self._desk.acting(asker, "change_player", f"player:{change.player}") as act:
            require(asker, Permission.CHANGE_PLAYER, self._subject(change.player))
            change = validated_change(change)
            self._check_known(act.connection, change.player)
            seq = ledger.append(act.connection, act.at, account_of(asker), change).seq
            act.details["seq"] = seq
            return seq

    def _subject(self, player: int) -> Subject:
        """Whose a player is: the federation that the first list which has them says."""
        for row in self.on_lists(player).values():
            return Subject(federation=row.federation, player=player)
        with self._desk.database.reading() as connection:
            created = self.created(connection, player)
        return Subject(federation=created.federation if created else "", player=player)

    def created(self, connection: Connection, player: int) -> PlayerCreated | None:
        """How a number was given here; `None` for one from elsewhere."""
        for entered in ledger.of_kind(connection, PlayerCreated):
            if isinstance(entered.entry, PlayerCreated) and entered.entry.player == player:
                return entered.entry
        return None

    def _check_known(self, connection: Connection, *players: int) -> None:
        for player in players:
            known = (
                self.on_lists(player)
                or history.of_player(connection, player)
                or self.created(connection, player)
            )
            if not known:
                raise Inconsistent.of("desk.refused.no_player", player=player)
