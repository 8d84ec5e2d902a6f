"""Numbers for entries that have none: suggested by name and birth, decided by a person."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace
from sqlalchemy import Connection

from arrocco.desk.book import IMPORTABLE
from arrocco.desk.desk import (
    Act,
    Desk,
    account_of,
    merged_numbers,
    report_named,
    require_for,
)
from arrocco.desk.lists import Lists
from arrocco.desk.report_checks import Checker, kept_games, stored_findings
from arrocco.errors import Illegal, Inconsistent
from arrocco.office.amendments import rechecked
from arrocco.office.ledger import PlayerCreated, PlayerMatched
from arrocco.office.new_players import (
    Candidate,
    EntrySuggestion,
    Memory,
    birth_text,
    births_agree,
    births_differ,
    checked_numbers,
    name_of,
    next_number,
    numbered,
    require_nobody_alike,
    validated_new,
    without_number,
)
from arrocco.office.player_changes import birth_year
from arrocco.office.records import ReportStatus, SentReport
from arrocco.office.roles import Asker, Permission, Subject, require
from arrocco.records.report import Entry, Report
from arrocco.store.sql import history, ledger, reports
from arrocco.words import Phrase

NEW = 0
"""Asked for in the place of a number: a new one."""
MAX_SHOWN = 300
_MAX_CANDIDATES = 5
_S = ReportStatus
_OPEN = (_S.RETURNED, _S.NEEDS_ANSWERS, _S.SENT)


class EntryNumbers:
    """Who the people without numbers are."""

    def __init__(self, desk: Desk, lists: Lists) -> None:
        self._desk, self._lists = desk, lists
        self._checker = Checker(desk)

    # --- who somebody may be ----------------------------------------------------------------------

    def candidates(self, name: str, birth: str = "") -> list[Candidate]:
        """Those of the same name whom somebody may be, of the same birth first."""
        with self._desk.database.reading() as connection:
            return self._candidates(self._memory(connection), name, birth)

    def _candidates(self, memory: Memory, name: str, birth: str) -> list[Candidate]:
        wanted, candidates = name_of(name), dict[int, Candidate]()
        if not wanted:
            return []
        for player_created in memory.created_alike(name):
            candidates[player_created.player] = Candidate(
                player=player_created.player,
                name=player_created.name,
                federation=player_created.federation,
                birth=player_created.birth,
                same_birth=births_agree(player_created.birth, birth),
            )
        for system in IMPORTABLE:
            if self._lists.latest(system) is None:
                continue
            for row in self._lists.view(system).search(" ".join(wanted), 20):
                if name_of(row.name) == wanted and row.id not in candidates:
                    known = birth_text(row.birth)
                    candidates[row.id] = Candidate(
                        player=row.id,
                        name=row.name,
                        federation=row.federation,
                        birth=known,
                        rating=row.rating,
                        same_birth=births_agree(known, birth),
                    )
        likely = [
            candidate
            for candidate in candidates.values()
            if not births_differ(candidate.birth, birth)
        ]
        return sorted(likely, key=lambda candidate: (not candidate.same_birth, candidate.player))[
            :_MAX_CANDIDATES
        ]

    def _memory(self, connection: Connection) -> Memory:
        entered = ledger.of_kind(connection, PlayerCreated, PlayerMatched)
        entries = [
            ledger_entry.entry
            for ledger_entry in entered
            if isinstance(ledger_entry.entry, PlayerCreated | PlayerMatched)
        ]
        return Memory(entries, merged_numbers(connection))

    def created(self, player: int) -> PlayerCreated | None:
        """How a number was given here; `None` for one from elsewhere."""
        with self._desk.database.reading() as connection:
            return self._memory(connection).created.get(player)

    def suggestions(self, asker: Asker, report: int) -> list[EntrySuggestion]:
        """The entries of a report without a number, and whom they may be."""
        with self._desk.looking(asker, "see_report", f"report:{report}") as connection:
            sent, tournament = report_named(connection, report)
            require_for(asker, Permission.SEND_REPORT, tournament)
            memory = self._memory(connection)
        read = self._read(sent)
        return [self._suggestion(memory, sent, entry) for entry in without_number(read)[:MAX_SHOWN]]

    def _suggestion(self, memory: Memory, sent: SentReport, entry: Entry) -> EntrySuggestion:
        birth = birth_text(entry.birth)
        players = memory.players(entry.name, birth)
        return EntrySuggestion(
            entry=entry.number,
            name=entry.name,
            federation=entry.federation,
            sex=entry.sex,
            title=entry.title,
            birth=birth,
            rating=entry.rating,
            given=sent.numbers.get(entry.number),
            remembered=memory.player(entry.name, birth),
            candidates=tuple(self._candidates(memory, entry.name, birth)),
            decided=players if len(players) > 1 else (),
        )

    def _read(self, sent: SentReport) -> Report:
        return self._desk.parsed.read(self._desk.blobs.get(sent.blob), sent.file_name)[0]

    # --- deciding ---------------------------------------------------------------------------------

    def create(self, asker: Asker, new: PlayerCreated, *, confirmed: bool = False) -> int:
        """Gives a person a number: the next of our own where `new.player` is 0.

        Raises `Illegal` where somebody of that name is known, unless it is `confirmed` that this is
        another person.
        """
        with self._desk.acting(asker, "create_player") as act:
            known = self._candidates(self._memory(act.connection), new.name, new.birth)
            require_nobody_alike(known, confirmed=confirmed)
            return self._create(act, asker, new)

    def _create(self, act: Act, asker: Asker, new: PlayerCreated) -> int:
        require(asker, Permission.CHANGE_PLAYER, Subject(federation=new.federation))
        memory = self._memory(act.connection)
        if new.player == NEW:
            number = next_number(memory.created)
            while self._is_taken(act.connection, number):
                number += 1
            new = _with_number(new, number)
        elif new.player in memory.created or self._is_taken(act.connection, new.player):
            raise Inconsistent.of("office.refused.number_taken", player=new.player)
        new = validated_new(new)
        ledger.append(act.connection, act.at, account_of(asker), new)
        act.subject = f"player:{new.player}"
        act.details["created"] = [*_list(act, "created"), new.player]
        return new.player

    def _is_taken(self, connection: Connection, number: int) -> bool:
        on_list = any(
            self._lists.latest(system) is not None
            and self._lists.view(system).player(number) is not None
            for system in IMPORTABLE
        )
        return on_list or bool(history.of_player(connection, number))

    def give(self, asker: Asker, report: int, numbers: Mapping[int, int]) -> SentReport:
        """Says who entries without a number are, `NEW` for somebody new; checks the report again.

        What is said takes the place of what was said before; it is remembered.
        """
        # Read and checked before the transaction, as far as it can be: reports may be large.
        with self._desk.looking(asker, "give_numbers", f"report:{report}") as connection:
            sent, tournament = report_named(connection, report)
            require_for(asker, Permission.SEND_REPORT, tournament)
            _require_open(sent)
            read, reading = self._desk.parsed.read(self._desk.blobs.get(sent.blob), sent.file_name)
            entries = {entry.number: entry for entry in without_number(read)}
            checked_numbers(read, {n: player for n, player in numbers.items() if player != NEW})
        with self._desk.acting(asker, "give_numbers", f"report:{report}") as act:
            given = dict(numbers)
            for number, player in numbers.items():
                if number not in entries:
                    raise Inconsistent.of("office.refused.no_such_entry", entry=number)
                if player == NEW:
                    given[number] = self._create(act, asker, _new(sent, entries[number]))
            act.subject = f"report:{report}"
            given = checked_numbers(read, given)
            for number, player in given.items():
                if numbers[number] != NEW and sent.numbers.get(number) != player:
                    entry = entries[number]
                    matched = PlayerMatched(
                        report=sent.id,
                        entry=number,
                        player=player,
                        name=entry.name,
                        birth=birth_year(birth_text(entry.birth)),
                    )
                    ledger.append(act.connection, act.at, account_of(asker), matched)
            checked = self._checker.check_read(
                act.connection,
                tournament,
                numbered(read, given),
                reading,
                sent.sent_at.date(),
                games=kept_games(sent),
            )
            changed = rechecked(sent, stored_findings(checked.findings), numbers=given)
            act.details |= {"numbers": len(given), "status": changed.status.value}
            return reports.change(act.connection, sent, changed)


def _new(sent: SentReport, entry: Entry) -> PlayerCreated:
    return PlayerCreated(
        player=NEW,
        name=entry.name.strip(),
        federation=entry.federation.strip().upper(),
        sex={"w": "F", "f": "F", "m": "M"}.get(entry.sex.strip().lower(), ""),
        title=entry.title.strip(),
        birth=birth_text(entry.birth),
        report=sent.id,
        entry=entry.number,
        reason="entry of a report without a number",
    )


def _with_number(new: PlayerCreated, number: int) -> PlayerCreated:
    return replace(new, player=number)


def _list(act: Act, name: str) -> list[object]:
    numbers = act.details.get(name, [])
    return numbers if isinstance(numbers, list) else []


def _require_open(sent: SentReport) -> None:
    if sent.status not in _OPEN:
        raise Illegal.of(
            "office.refused.report_state",
            act=Phrase("office.act.give_numbers"),
            status=Phrase(f"office.report.{sent.status.value}"),
            possible=tuple(
                Phrase(f"office.report.{report_status.value}") for report_status in _OPEN
            ),
        )
