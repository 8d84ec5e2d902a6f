"""Questions about a game of a receipt ("this is wrong"), from their player to the office."""

from __future__ import annotations

from datetime import date, timedelta

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.desk.desk import Act, Desk, account_of, subject_of, tournament_named
from arrocco.desk.mail import MailKind, queue
from arrocco.desk.people import People
from arrocco.errors import Illegal, Inconsistent, NotFound
from arrocco.office.ledger import Correction
from arrocco.office.records import Tournament
from arrocco.office.roles import Asker, Permission, Role, Scope, may, require
from arrocco.store.sql import accounts, ledger, questions, reports
from arrocco.store.sql.questions import Question, QuestionState

ANSWER_DAYS = 14
"""Within which the office says that it answers; the inbox shows what is late."""
MAX_OPEN = 10
"""Open questions of one account."""
MAX_TEXT = 2000
_MAX_TOLD = 50


class AskedGame(Struct, frozen=True, kw_only=True):
    """The game that a question is about, as the receipt has it."""

    tournament: int
    name: str
    round: int
    opponent: str


class Questions:
    """What players ask about receipts, and what the office answers."""

    def __init__(self, desk: Desk, people: People) -> None:
        self._desk, self._people = desk, people

    # --- asking -----------------------------------------------------------------------------------

    def game(self, player: int, system: str, on: date, tournament: int, round_: int) -> AskedGame:
        """A game of a receipt. Raises `NotFound` where the receipt has no such game."""
        try:
            explanation = self._people.period(system, player, on)
        except Inconsistent:
            raise NotFound.of("questions.refused.no_game") from None
        for event in explanation.rows.events:
            if number_of(event.tournament.key) != tournament:
                continue
            for game in event.games:
                if game.round == round_:
                    name = explanation.names.get(game.opponent, str(game.opponent))
                    return AskedGame(
                        tournament=tournament,
                        name=event.tournament.name or event.tournament.key,
                        round=round_,
                        opponent=name,
                    )
        raise NotFound.of("questions.refused.no_game")

    def ask(
        self,
        asker: Asker,
        player: int,
        system: str,
        on: date,
        tournament: int,
        round_: int,
        text: str,
    ) -> Question:
        """Asks about a game; the officers who may answer are told."""
        game = self.game(player, system, on, tournament, round_)
        with self._desk.acting(asker, "ask_question", f"player:{player}") as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            words = _text(text)
            if questions.count_open(act.connection, account_of(asker)) >= MAX_OPEN:
                raise Illegal.of("questions.refused.many_open", most=MAX_OPEN)
            target = tournament_named(act.connection, tournament)
            asked = questions.add(
                act.connection,
                account=account_of(asker),
                player=player,
                system=system,
                list_date=on,
                tournament=tournament,
                round_=round_,
                text=words,
                asked_at=act.at,
                due_at=act.at + timedelta(days=ANSWER_DAYS),
            )
            act.details |= {"question": asked.id, "tournament": tournament, "round": round_}
            _tell_officers(act, asker, target, asked, game)
            return asked

    def mine(self, asker: Asker) -> list[Question]:
        """The asker's own questions, the newest first."""
        with self._desk.looking(asker, "see_questions") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            return questions.of_account(connection, account_of(asker))

    def get(self, asker: Asker, question: int) -> tuple[Question, Tournament]:
        """A question with its tournament: for who asked it and who may answer it."""
        with self._desk.looking(asker, "see_question", f"question:{question}") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            asked, tournament = _named(connection, question)
            is_mine = asked.account == asker.account
            if not is_mine and not may(asker, Permission.ANSWER_QUESTION, subject_of(tournament)):
                raise NotFound.of("questions.refused.no_question", number=question)
            return asked, tournament

    # --- answering --------------------------------------------------------------------------------

    def waiting(
        self, asker: Asker, *, offset: int = 0, limit: int = 50
    ) -> tuple[int, list[Question]]:
        """How many questions wait for the asker, and a page of them: those that are due first."""
        with self._desk.looking(asker, "see_waiting_questions") as connection:
            require(asker, Permission.ANSWER_QUESTION)
            is_all = asker.scope_of(Permission.ANSWER_QUESTION) is Scope.ALL
            federation = "" if is_all else asker.federation or "-"
            return questions.waiting(connection, federation, offset=offset, limit=limit)

    def corrections(self, asker: Asker, tournament: int) -> list[tuple[int, Correction]]:
        """The corrections of a tournament's reports with their places, the newest first."""
        with self._desk.looking(asker, "see_corrections", f"tournament:{tournament}") as connection:
            row = tournament_named(connection, tournament)
            require(asker, Permission.ANSWER_QUESTION, subject_of(row))
            return _corrections(connection, tournament)

    def answer(
        self, asker: Asker, question: int, text: str, correction: int | None = None
    ) -> Question:
        """Answers a question, and names the correction that was made from it."""
        with self._desk.acting(asker, "answer_question", f"question:{question}") as act:
            asked, tournament = _named(act.connection, question)
            require(asker, Permission.ANSWER_QUESTION, subject_of(tournament))
            words = _text(text)
            if correction is not None and correction not in dict(
                _corrections(act.connection, tournament.id)
            ):
                raise Inconsistent.of("questions.refused.no_correction", number=correction)
            done = questions.answer(
                act.connection, question, words, asker.account, act.at, correction
            )
            if done is None:
                raise Illegal.of("questions.refused.answered", number=question)
            act.details |= {"account": asked.account, "correction": correction}
            queue(
                act.connection,
                act.at,
                MailKind.ANSWER,
                asked.account,
                f"/questions/{question}",
                tournament=tournament.registration.name,
                answer=words,
            )
            return done

    def of_corrections(self, seqs: list[int]) -> dict[int, int]:
        """By place of a correction in the ledger the question it was made from."""
        with self._desk.database.reading() as connection:
            return questions.by_corrections(connection, seqs)


def number_of(key: str) -> int:
    """The number of a tournament by its key in the calculations of a list; 0 without one."""
    part = key.split(":")[1:2]
    return int(part[0]) if part and part[0].isdecimal() else 0


def _named(connection: Connection, question: int) -> tuple[Question, Tournament]:
    row = questions.get(connection, question)
    if row is None:
        raise NotFound.of("questions.refused.no_question", number=question)
    return row, tournament_named(connection, row.tournament)


def _corrections(connection: Connection, tournament: int) -> list[tuple[int, Correction]]:
    numbers = {report.id for report in reports.of_tournament(connection, tournament)}
    return [
        (ledger_entry.seq, ledger_entry.entry)
        for ledger_entry in reversed(list(ledger.of_kind(connection, Correction)))
        if isinstance(ledger_entry.entry, Correction) and ledger_entry.entry.report in numbers
    ]


def _text(text: str) -> str:
    words = text.strip()
    if not words or len(words) > MAX_TEXT:
        raise Inconsistent.of("questions.refused.text", longest=MAX_TEXT)
    return words


def _tell_officers(
    act: Act, asker: Asker, tournament: Tournament, question: Question, game: AskedGame
) -> None:
    subject, told = subject_of(tournament), 0
    for account in accounts.every(act.connection):
        if account.role in (Role.PUBLIC, Role.PLAYER) or told >= _MAX_TOLD:
            continue
        officer = Asker(account=account.id, role=account.role, federation=account.federation)
        if may(officer, Permission.ANSWER_QUESTION, subject):
            told += queue(
                act.connection,
                act.at,
                MailKind.QUESTION,
                account,
                f"/questions/{question.id}",
                player=asker.name or str(question.player),
                tournament=game.name,
            )


__all__ = ["AskedGame", "Question", "QuestionState", "Questions"]
