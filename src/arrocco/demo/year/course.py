"""The course of one tournament through the office, from its announcement to its last report."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from msgspec import structs

from arrocco.demo.year.desk import YearDesk
from arrocco.demo.year.events import Event, Story
from arrocco.demo.year.people import Person
from arrocco.demo.year.reporting import (
    file_of,
    in_order,
    play_event,
    registration_of,
    report_of,
    spoiled,
)
from arrocco.desk.entry_numbers import NEW
from arrocco.office.ledger import CorrectionOf, GameExclusion, IdCorrection, ResultCorrection
from arrocco.office.records import Registration, ReportStatus, SentReport, Tournament
from arrocco.records.report import Birth, Bye, Entry, Game, GameKind, Report

_S = Story
_NEVER_APPROVED = (_S.TO_APPROVE, _S.TO_APPROVE_HYBRID)
_REFUSED = (_S.REFUSED, _S.REFUSED_RATED, _S.APPEALED)
_LONG = 28
"""From so many days on the office is asked whether a tournament is reported in parts."""
_APPROVERS = {"qc": "Chairman of the QC (demo)", "president": "President (demo)"}


class Course:
    """Puts the acts around one tournament into the agenda, one after the other."""

    def __init__(self, desk: YearDesk, event: Event) -> None:
        self.desk, self.event, self.office = desk, event, desk.office
        self.boss, self.arbiter = desk.staff.boss, desk.arbiter(event.arbiter)
        self.name = desk.arbiter_name(event.arbiter)
        self.tournament = 0
        self._played: tuple[list[Game], list[Bye]] | None = None
        self._order: list[Person] = []
        self._second_number: int | None = None

    def begin(self) -> None:
        self.desk.on(self.event.registered, 9, self._register)

    # --- the announcement -------------------------------------------------------------------------

    def _register(self) -> None:
        event, desk = self.event, self.desk
        registration = registration_of(event, self.name)
        first = registration
        if event.story is _S.AMENDED:
            first = structs.replace(first, schedule=first.schedule[:-1])
            desk.later(1, 11, lambda: self._amend(registration))
        made = self.office.tournaments.register(self.arbiter, first)
        self.tournament = made.id
        if made.approvals and event.story not in _NEVER_APPROVED:
            desk.later(0, 15, lambda: self._approve(made))
        if event.story in _REFUSED:
            desk.later(1, 10, self._refuse)
        if event.story is _S.CANCELLED:
            desk.later(2, 10, self._cancel)
        if event.story in (*_NEVER_APPROVED, _S.REFUSED, _S.APPEALED, _S.CANCELLED):
            return
        for span in self._spans(registration):
            self._plan_report(span)

    def _spans(self, registration: Registration) -> list[tuple[date, date]]:
        """The stretches that are reported, as the office says: one for all but long tournaments."""
        if (registration.end - registration.start).days < _LONG:
            return [(registration.start, registration.end)]
        first = self.office.tournaments.assess(registration, self.desk.agenda.day)[0]
        return [(stretch.first, stretch.last) for stretch in first.stretches]

    def _amend(self, registration: Registration) -> None:
        reason = "One more round: the hall is free until the evening."
        self.office.tournaments.amend(self.arbiter, self.tournament, registration, reason)

    def _approve(self, made: Tournament) -> None:
        for approval in made.approvals:
            by = _APPROVERS.get(approval.needed, _APPROVERS["qc"])
            day = self.desk.agenda.day
            self.office.tournaments.approve(self.boss, made.id, approval.needed, by, day)

    def _refuse(self) -> None:
        reason = "The venue named in the announcement could not be confirmed."
        self.office.tournaments.refuse(self.boss, self.tournament, reason)
        self.desk.later(2, 11, self._appeal)

    def _refuse_accepted(self) -> None:
        reason = "The arbiter's licence had expired before the first round."
        self.office.tournaments.refuse(self.boss, self.tournament, reason)

    def _appeal(self) -> None:
        text = "The contract for the hall is enclosed; the tournament will be held there."
        self.office.tournaments.appeal(self.arbiter, self.tournament, text)
        if self.event.story is not _S.APPEALED:
            self.desk.later(1, 16, self._decide_appeal)

    def _decide_appeal(self) -> None:
        upheld = self.event.story is _S.REFUSED_RATED
        note = "The hall is confirmed." if upheld else "The contract is for another week."
        self.office.tournaments.decide_appeal(self.boss, self.tournament, upheld, note)

    def _cancel(self) -> None:
        self.office.tournaments.cancel(self.arbiter, self.tournament, "Too few entries.")

    # --- the report -------------------------------------------------------------------------------

    def _plan_report(self, span: tuple[date, date]) -> None:
        delay = 1 + self.event.number % 2
        if self.event.story is _S.LATE_REPORT:
            # So late that the next list is out.
            following = (span[1].replace(day=1) + timedelta(days=32)).replace(day=4)
            delay = (following - span[1]).days
        whole = span == (self.event.start, self.event.end)
        day = span[1] + timedelta(days=delay)
        self.desk.on(day, 18, lambda: self._send(None if whole else span))

    def _report(self, span: tuple[date, date] | None) -> Report:
        event, first = self.event, (span or (self.event.start,))[0]
        ratings = self._ratings(first)
        if self._played is None:
            self._order = in_order(event, ratings)
            self._played = play_event(event, self._order, self.desk.seed)
        made = report_of(event, self.name, self._order, ratings, self._played, span)
        if event.story is _S.TWO_NUMBERS:
            self._second_number = self.desk.world.new_number()
            _entry_of(made, self._odd_one).id = self._second_number
        if event.story is _S.WRONG_NUMBER:
            _entry_of(made, self._odd_one).id = self._stranger(ratings)
        if event.story is _S.NEW_PLAYER:
            new = _entry_of(made, self._odd_one)
            new.name, new.birth = "Primavera, Novella", Birth(2009, 5, 17)
            new.sex, new.id, new.rating, new.title = "w", None, None, ""
        return made

    def _ratings(self, first: date) -> dict[int, int]:
        """What the report shows: the ratings of its own list, else the standard ones.

        A rating that the list does not have is an error to FIDE and of no interest to the others.
        """
        own = self.event.kind.systems[0]
        shown = {} if own.startswith("fide") else dict(self.desk.ratings("fide", first))
        return shown | dict(self.desk.ratings(own, first))

    @property
    def _odd_one(self) -> Person:
        """Who has the wrong number, or two of them."""
        return self._order[len(self._order) // 2]

    def _stranger(self, ratings: dict[int, int]) -> int:
        """Somebody on the list who does not play here."""
        here = {person.id for person in self._order}
        rating = ratings.get(self._odd_one.id, 0)
        return min(
            (player for player in ratings if player not in here),
            key=lambda player: (abs(ratings[player] - rating), player),
        )

    def _send(self, span: tuple[date, date] | None) -> None:
        story = self.event.story
        report = self._report(span)
        data = file_of(report, self.event.number)
        name = f"tournament-{self.tournament}.trf"
        send = self.office.reports.send
        if story in (_S.RETURNED, _S.TO_SEND_AGAIN):
            back = send(self.arbiter, self.tournament, name, spoiled(data))
            assert back.status is ReportStatus.RETURNED, back.findings
            if story is _S.TO_SEND_AGAIN:
                return
        if story is _S.TO_ANSWER:
            data = file_of(replace(report, chief_arbiter="Walmara Ustrini"), self.event.number)
            send(self.arbiter, self.tournament, name, data)
            return
        sent = send(self.arbiter, self.tournament, name, data)
        assert sent.status is not ReportStatus.RETURNED, (report.name, sent.findings)
        if story is _S.NEW_PLAYER:
            without = [entry.number for entry in report.entries if entry.id is None]
            sent = self.office.numbers.give(self.boss, sent.id, dict.fromkeys(without, NEW))
        sent = self.desk.answer(self.arbiter, sent)
        if story is _S.TO_DECIDE:
            return
        if story is _S.REJECTED:
            self.desk.later(1, 10, lambda: self._reject(sent, data))
        elif story is _S.WITHDRAWN:
            self.desk.later(1, 10, lambda: self._withdraw(sent, data))
        else:
            self.desk.later(1, 10, lambda: self._accept(sent))

    def _accept(self, sent: SentReport) -> None:
        self.desk.accept(sent.id)
        if self.event.story in (_S.WRONG_RESULT, _S.WRONG_NUMBER, _S.TWO_NUMBERS):
            lists = self.office.reports.lists(self.boss, sent.id)
            out = max(day for day, _ in lists.values())
            self.desk.on(out + timedelta(days=8), 10, lambda: self._put_right(sent))

        if self.event.story is _S.RESENT:
            self.desk.later(0, 18, lambda: self._resend(sent))
        if self.event.story is _S.REFUSED_ACCEPTED:
            self.desk.later(1, 12, self._refuse_accepted)
        if self.event.story is _S.EXCLUDED:
            self.desk.later(0, 18, lambda: self._exclude(sent))
        if self.event.story is _S.ANNULLED:
            lists = self.office.reports.lists(self.boss, sent.id)
            out = max(day for day, _ in lists.values())
            self.desk.on(out + timedelta(days=9), 10, self._annul)

    def _resend(self, sent: SentReport) -> None:
        """The arbiter sends all games once more, one put right; each counts once (9.1)."""
        assert self._played is not None
        games, byes = self._played
        turn = next(game for game in games if game.white_score != game.black_score)
        turned = replace(turn, white_score=turn.black_score, black_score=turn.white_score)
        self._played = [turned if game is turn else game for game in games], byes
        data = file_of(self._report(None), self.event.number)
        again = self.office.reports.send(self.arbiter, self.tournament, sent.file_name, data)
        again = self.desk.answer(self.arbiter, again)
        self.desk.later(0, 20, lambda: self.desk.accept(again.id))

    def _exclude(self, sent: SentReport) -> None:
        read = self.office.reports.read(self.boss, sent.id)
        game = next(game for game in read.games if game.kind is GameKind.PLAYED)
        change = GameExclusion(
            round=game.round, white=game.white, black=game.black, ground="fair_play", article="5.1"
        )
        reason = "Decision of the fair play commission."
        self.office.corrections.enter(self.boss, sent.id, [change], reason)

    def _annul(self) -> None:
        reason = "The hall was closed on these days: the games were not played."
        self.office.annulments.enter(self.boss, self.tournament, reason)

    def _reject(self, sent: SentReport, data: bytes) -> None:
        reason = "The crosstable on the website shows another result in round 1: please check."
        self.office.reports.reject(self.boss, sent.id, reason)
        self.desk.later(1, 18, lambda: self._send_again(sent, data))

    def _withdraw(self, sent: SentReport, data: bytes) -> None:
        self.desk.accept(sent.id)
        self.office.reports.withdraw(self.boss, sent.id, "The arbiter found a mistake and asks.")
        self.desk.later(0, 18, lambda: self._send_again(sent, data))

    def _send_again(self, before: SentReport, data: bytes) -> None:
        sent = self.office.reports.send(self.arbiter, self.tournament, before.file_name, data)
        sent = self.desk.answer(self.arbiter, sent)
        self.desk.later(1, 10, lambda: self._accept(sent))

    # --- what is put right after the list is out --------------------------------------------------

    def _put_right(self, sent: SentReport) -> None:
        person = self._odd_one
        if self.event.story is _S.TWO_NUMBERS:
            assert self._second_number is not None
            reason = "The same name, birthday and photograph: one person with two numbers."
            self.office.people.merge(self.boss, person.id, self._second_number, reason)
            return
        read = self.office.reports.read(self.boss, sent.id)
        change: CorrectionOf = _turned(read)
        reason = "Both score sheets say otherwise than the report."
        if self.event.story is _S.WRONG_NUMBER:
            change = IdCorrection(entry=self._order.index(person) + 1, player=person.id)
            reason = "The arbiter took the number of another player."
        self.office.corrections.enter(self.boss, sent.id, [change], reason)


def _entry_of(report: Report, person: Person) -> Entry:
    return next(entry for entry in report.entries if entry.id == person.id)


def _turned(report: Report) -> ResultCorrection:
    """A correction that gives the first decisive game to the other side."""
    game = next(game for game in report.games if game.white_score != game.black_score)
    return ResultCorrection(
        round=game.round,
        white=game.white,
        black=game.black,
        white_half=int(game.black_score),
        black_half=int(game.white_score),
    )
