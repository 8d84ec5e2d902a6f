"""The hall: every record of every log as it was written, and every event and game as it can be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from arrocco.errors import Refusal
from arrocco.findings import Finding, Place, Severity
from arrocco.hall import event as ev
from arrocco.hall.chain import (
    ALONE,
    EVENT_RECEIPTS,
    RECORDINGS,
    Damage,
    Fault,
    Sealed,
    chain_of,
    faults,
)
from arrocco.hall.event.acts.rounds import RoundOpened
from arrocco.hall.event.games import game_id
from arrocco.hall.game import fold
from arrocco.hall.game.log import decode
from arrocco.hall.presence import HeadsKept, RecordingHead
from arrocco.live.receipts import Receipt
from arrocco.operation.verify.databases import error
from arrocco.operation.verify.hall_logs import HallLogs, LogHead
from arrocco.operation.verify.rows import numbers
from arrocco.store.sql.hall_anchors import Anchor
from arrocco.store.sql.hall_events import HallEvent
from arrocco.words import Phrase, system

_WIDTH = 16
"""Hexadecimal digits of a hash by which records are compared with their neighbours."""


class HallChecked(NamedTuple):
    """What was looked at, and what is not as it should be."""

    events: int
    games: int
    records: int
    findings: list[Finding]
    recordings: dict[str, EventRecordings]
    """By event: what its log has of recordings."""


class EventRecordings(NamedTuple):
    """What the logs have of an event's recordings."""

    heads: list[tuple[int, RecordingHead]]
    """The last slices, each with the number of the record that has it."""
    players: dict[int, str]
    """Names by starting number."""


class _Link(NamedTuple):
    """A record as its neighbours in the chain see it."""

    stream: str
    number: int
    previous: str
    hash: str
    is_whole: bool


class HallCheck:
    """Looks through the logs of a hall, one event after the other."""

    def __init__(
        self, logs: HallLogs, file: str, anchors: Mapping[str, Anchor] | None = None
    ) -> None:
        """`anchors` are records that the chains have had; to be read before the logs are."""
        self._logs, self._file, self._anchors = logs, file, anchors or {}
        self._listed: Mapping[str, HallEvent] | None = None
        # In this order: whatever has a record then has a head.
        self._streams = logs.streams()
        self._heads = logs.heads()
        self.events = self.games = self.records = 0
        self.findings: list[Finding] = []
        self._recordings: dict[str, EventRecordings] = {}

    def run(self, listed: Mapping[str, HallEvent] | None) -> HallChecked:
        """`listed` are the events that the office knows of, if that can be read; asked for last."""
        self._listed = listed
        by_chain: dict[str, set[str]] = defaultdict(set)
        for stream in self._streams | self._heads.keys():
            head = self._heads.get(stream)
            by_chain[chain_of(stream) if head is None else head.chain].add(stream)
        for event in (*(self._listed or ()), *self._anchors):
            by_chain.setdefault(event, set())
        for chain in sorted(by_chain):
            self._check_chain(chain, by_chain[chain])
        return HallChecked(self.events, self.games, self.records, self.findings, self._recordings)

    # --- one event --------------------------------------------------------------------------------

    def _check_chain(self, chain: str, streams: set[str]) -> None:
        links: dict[int, _Link] = {}
        lost, known = 0, len(self.findings)
        games: set[str] = set()
        event = f"event:{chain}"
        if event in streams or self._is_listed(chain):
            lost += self._check_stream(event, links, self._fold_event(chain, games))
            self.events += bool(streams)
            if self._listed is not None and chain not in self._listed:
                self._add("event_unlisted", event=chain)
            if not streams and not links and not lost:
                warning = Finding(Severity.WARNING, "verify.event_without_log", Place(self._file))
                self.findings.append(replace(warning, details={"event": chain}))
        for game in sorted(games):
            stream = f"game:{game}"
            if stream in streams or self._is_somewhere(stream):
                streams.add(stream)
            else:
                self._add("game_missing", log=log_of(stream), stream=stream)
        for stream in sorted(streams - {event}, key=_in_order):
            is_game = stream.startswith("game:")
            self.games += is_game
            use: Callable[[list[bytes]], None] = _fold_game if is_game else _read_receipts
            if stream.startswith(f"{RECORDINGS}:"):
                use = self._read_heads(chain)
            lost += self._check_stream(stream, links, use)
        self._check_links(chain, streams, links, lost)
        if len(self.findings) == known and chain in self._anchors:
            self._check_anchor(chain, self._anchors[chain], links)

    def _check_anchor(self, chain: str, anchor: Anchor, links: Mapping[int, _Link]) -> None:
        """That a log which is whole in itself is not an older one."""
        link = links.get(anchor.link)
        if link is None or link.hash != anchor.hash[:_WIDTH]:
            on = f"{anchor.at:%Y-%m-%d %H:%M} UTC"
            has = max(links, default=0)
            self._add("anchor", chain=_name_of(chain), link=anchor.link, has=has, on=on)

    def _is_somewhere(self, stream: str) -> bool:
        """Whether there is anything of a log that was not found by its name."""
        return self._logs.head(stream) is not None or bool(self._logs.read(stream, 0).unreadable)

    def _is_listed(self, event: str) -> bool:
        return self._listed is not None and event in self._listed

    def _recorded(self, event: str) -> EventRecordings:
        return self._recordings.setdefault(event, EventRecordings([], {}))

    def _read_heads(self, event: str) -> Callable[[list[bytes]], None]:
        def read(lines: list[bytes]) -> None:
            heads = self._recorded(event).heads
            for number, line in enumerate(lines):
                kept = msgspec.json.decode(line, type=HeadsKept)
                heads.extend((number, head) for head in kept.heads)

        return read

    def _fold_event(self, name: str, games: set[str]) -> Callable[[list[bytes]], None]:
        def folded(lines: list[bytes]) -> None:
            state: ev.State | None = None
            for line in lines:
                record = ev.decode(line)
                if state is None:
                    state = ev.fold([record])
                    continue
                state = ev.apply(state, record)
                if isinstance(record, RoundOpened):
                    games.update(_games_of(state, record.round))
            if state is not None:
                players = {entry.id: state.name_of(entry.id) for entry in state.entries}
                self._recorded(name).players.update(players)

        return folded

    # --- one log ----------------------------------------------------------------------------------

    def _check_stream(
        self, stream: str, links: dict[int, _Link], use: Callable[[list[bytes]], None]
    ) -> int:
        """Checks one log; how many of its records are not there."""
        head = self._heads.get(stream) or self._logs.head(stream)
        records, unreadable = self._logs.read(stream, None if head is None else head.number)
        self.records += len(records)
        found_here = [*_without(unreadable, faults(records, None if head is None else head.number))]
        for record in records:
            links[record.link] = _Link(
                stream,
                record.number,
                record.previous[:_WIDTH],
                record.hash[:_WIDTH],
                record.is_whole,
            )
        for fault in sorted([*found_here, *unreadable], key=lambda one: one.first):
            self._add_fault(stream, fault)
        if not _fits(head, records) and not found_here and not unreadable:
            self._add("head", log=log_of(stream), stream=stream)
        if not found_here and not unreadable and records:
            self._use(stream, records, use)
        gone = (Damage.MISSING, Damage.UNREADABLE)
        return sum(
            one.last - one.first + 1 for one in (*found_here, *unreadable) if one.damage in gone
        )

    def _use(self, stream: str, records: list[Sealed], use: Callable[[list[bytes]], None]) -> None:
        """Sees that what is written can have happened."""
        try:
            use([record.body.encode() for record in records])
        except Refusal as refusal:
            reason: Phrase | str = refusal.message
            if refusal.key:
                reason = Phrase(f"{refusal.key}.text", refusal.details)
            self._add("not_folded", log=log_of(stream), stream=stream, reason=reason)
        except Exception as failure:  # whatever it is, it is this log's fault and not the others'
            self._add("not_folded", log=log_of(stream), stream=stream, reason=system(failure))

    # --- from record to record --------------------------------------------------------------------

    def _check_links(
        self, chain: str, streams: set[str], links: dict[int, _Link], lost: int
    ) -> None:
        """That each record follows the one before it, and that none is missing of no known log."""
        last = max(
            (head.link for stream in streams if (head := self._heads.get(stream)) is not None),
            default=0,
        )
        gap = last - sum(link <= last for link in links)
        if gap > lost:
            self._add("chain_gap", chain=_name_of(chain), count=gap - lost)
        for place in sorted(links):
            link, before = links[place], links.get(place - 1)
            if before is None or not (link.is_whole and before.is_whole):
                continue
            if link.previous != before.hash:
                self._add_fault(link.stream, Fault(Damage.OUT_OF_ORDER, link.number, link.number))

    def _add_fault(self, stream: str, fault: Fault) -> None:
        self._add(
            f"record_{fault.damage.value}",
            log=log_of(stream),
            stream=stream,
            first=fault.first,
            last=fault.last,
            records=numbers(fault.first, fault.last),
        )

    def _add(self, key: str, **details: Any) -> None:
        self.findings.append(error(key, self._file, **details))


def log_of(stream: str) -> Phrase:
    """Whose log a stream is, in words."""
    kind, _, name = stream.partition(":")
    event, *place = name.rsplit("-", 2)
    is_game = len(place) == 2 and all(part.isdecimal() for part in place)
    if kind in ("game", "receipts") and is_game:
        details = {"event": event, "round": place[0], "board": place[1], "game": name}
        return Phrase(f"verify.log.{kind}", details)
    known = kind if kind in ("event", EVENT_RECEIPTS, "receipts", "game") else "other"
    key = {"receipts": "event_receipts", "game": "game_alone"}.get(known, known)
    return Phrase(f"verify.log.{key}", {"name": name or stream})


def _name_of(chain: str) -> Phrase:
    if chain == ALONE:
        return Phrase("verify.chain_alone")
    return Phrase("verify.log.event", {"name": chain})


def _in_order(stream: str) -> tuple[object, ...]:
    """Games by round and board."""
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part)
        for part in stream.replace(":", "-").split("-")
    )


def _games_of(state: ev.State, number: int) -> Iterator[str]:
    """The games of a round as it is opened: boards that have a result already have none."""
    round_ = state.round(number)
    for board, pair in enumerate(() if round_ is None else round_.boards, start=1):
        if pair.result is None:
            yield game_id(state, number, board)


def _fold_game(lines: list[bytes]) -> None:
    fold([decode(line) for line in lines])


def _read_receipts(lines: list[bytes]) -> None:
    for line in lines:
        msgspec.json.decode(line, type=Receipt)


def _without(unreadable: list[Fault], found: Iterable[Fault]) -> Iterator[Fault]:
    """Faults but those records that are missing only because they cannot be read."""
    numbers_lost = {n for fault in unreadable for n in range(fault.first, fault.last + 1)}
    for fault in found:
        if fault.damage is not Damage.MISSING or not numbers_lost:
            yield fault
            continue
        gone = [n for n in range(fault.first, fault.last + 1) if n not in numbers_lost]
        for number in gone:
            yield Fault(Damage.MISSING, number, number)


def _fits(head: LogHead | None, records: list[Sealed]) -> bool:
    """Whether what is kept of the last record is that record."""
    if head is None:
        return not records
    last = records[-1] if records else None
    return last is not None and (last.number, last.chain, last.link, last.hash) == head[1:]
