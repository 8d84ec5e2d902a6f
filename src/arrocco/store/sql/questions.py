"""Questions of players about a game of a receipt, until their answer."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum

from msgspec import Struct
from sqlalchemy import Connection, Row, func, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import questions, tournaments


class QuestionState(StrEnum):
    """Where a question stands."""

    OPEN = "open"
    ANSWERED = "answered"


class Question(Struct, frozen=True, kw_only=True):
    """A question and its answer."""

    id: int
    account: int
    player: int
    system: str
    list_date: date
    tournament: int
    round: int
    text: str
    state: QuestionState
    asked_at: datetime
    due_at: datetime
    answer: str
    answered_by: int | None
    answered_at: datetime | None
    correction: int | None


def add(
    connection: Connection,
    *,
    account: int,
    player: int,
    system: str,
    list_date: date,
    tournament: int,
    round_: int,
    text: str,
    asked_at: datetime,
    due_at: datetime,
) -> Question:
    values = {
        "account": account,
        "player": player,
        "system": system,
        "list_date": list_date,
        "tournament": tournament,
        "round": round_,
        "text": text,
        "state": QuestionState.OPEN.value,
        "asked_at": moments.written(asked_at),
        "due_at": moments.written(due_at),
        "answer": "",
    }
    return _read(seals.insert(connection, questions, values)[0])


def get(connection: Connection, question: int) -> Question | None:
    row = connection.execute(select(questions).where(questions.c.id == question)).one_or_none()
    return None if row is None else _read(row)


def of_account(connection: Connection, account: int, limit: int = 200) -> list[Question]:
    """The questions of an account, the newest first."""
    mine = select(questions).where(questions.c.account == account)
    rows = mine.order_by(questions.c.id.desc()).limit(limit)
    return [_read(row) for row in connection.execute(rows)]


def count_open(connection: Connection, account: int) -> int:
    """How many questions of an account wait for an answer."""
    mine = (questions.c.account == account, questions.c.state == QuestionState.OPEN.value)
    return connection.execute(select(func.count()).where(*mine)).scalar_one()


def waiting(
    connection: Connection, federation: str = "", *, offset: int = 0, limit: int = 50
) -> tuple[int, list[Question]]:
    """How many questions wait, and a page of them: those that are due first."""
    where = [questions.c.state == QuestionState.OPEN.value]
    if federation:
        where.append(tournaments.c.federation == federation)
    joined = questions.join(tournaments, questions.c.tournament == tournaments.c.id)
    count = select(func.count()).select_from(joined).where(*where)
    query = (
        select(questions)
        .select_from(joined)
        .where(*where)
        .order_by(questions.c.due_at, questions.c.id)
        .offset(offset)
        .limit(limit)
    )
    total = connection.execute(count).scalar_one()
    return total, [_read(row) for row in connection.execute(query)]


def answer(
    connection: Connection,
    question: int,
    text: str,
    by: int | None,
    at: datetime,
    correction: int | None,
) -> Question | None:
    """Answers an open question; `None` where it was answered already."""
    still = (questions.c.id == question, questions.c.state == QuestionState.OPEN.value)
    values = {
        "state": QuestionState.ANSWERED.value,
        "answer": text,
        "answered_by": by,
        "answered_at": moments.written(at),
        "correction": correction,
    }
    changed = seals.update(connection, questions, *still, values=values)
    return _read(changed[0]) if changed else None


def by_corrections(connection: Connection, seqs: list[int]) -> dict[int, int]:
    """By place of a correction in the ledger the question it was made from."""
    query = select(questions.c.correction, questions.c.id).where(questions.c.correction.in_(seqs))
    return {row.correction: row.id for row in connection.execute(query)}


def forget_of_account(connection: Connection, account: int) -> int:
    """Forgets the questions of an account; how many."""
    return seals.delete(connection, questions, questions.c.account == account)


def _read(row: Row[tuple[object, ...]]) -> Question:
    value = row._mapping
    return Question(
        id=value["id"],
        account=value["account"],
        player=value["player"],
        system=value["system"],
        list_date=value["list_date"],
        tournament=value["tournament"],
        round=value["round"],
        text=value["text"],
        state=QuestionState(value["state"]),
        asked_at=moments.read(value["asked_at"]),
        due_at=moments.read(value["due_at"]),
        answer=value["answer"],
        answered_by=value["answered_by"],
        answered_at=moments.read_maybe(value["answered_at"]),
        correction=value["correction"],
    )
