"""Random tournaments, paired by the rules: for comparing pairing programs with each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from arrocco.errors import Refusal
from arrocco.formats.trf import records as r
from arrocco.formats.trf.cells import Cell
from arrocco.formats.trf.document import Line, TrfDocument, write
from arrocco.hall.pairing.dutch import pair_round
from arrocco.hall.pairing.records import Edition, Field, NoPairing, Past, Player, RoundPairing
from arrocco.hall.pairing.tournament import Tournament, with_acceleration
from arrocco.laws.online.side import Side
from arrocco.laws.tables import expected_score


@dataclass(frozen=True)
class Settings:
    """What a generated tournament is like; rates are one in so many, 0 for never."""

    players: int
    rounds: int
    draw_percentage: int = 30
    forfeit_rate: int = 0
    retired_rate: int = 0
    half_point_bye_rate: int = 0
    zero_point_bye_rate: int = 0
    full_point_bye_rate: int = 0
    odd_result_rate: int = 0
    """Of games that end ½-0, 0-½ or 0-0."""
    highest_rating: int = 2600
    lowest_rating: int = 1400
    baku: bool = False
    edition: Edition = Edition.DUTCH_2026


def settings_like(tournament: Tournament, ratings: Sequence[int]) -> Settings:
    """Settings for tournaments like one that was played: as many players, draws, forfeits, byes."""
    pasts = [past for player in tournament.players for past in player.past]
    played = [past for past in pasts if past.colour is not None]
    draws = sum(past.points not in (tournament.win, tournament.loss) for past in played)
    forfeits = sum(past.opponent != 0 and past.colour is None for past in pasts)
    byes = [past.points for past in pasts if not past.opponent and not past.allocated_bye]
    known = ratings or (1400, 2600)

    def rate(count: int) -> int:
        """One in so many; 0 for never."""
        return round(len(pasts) / count) if count else 0

    return Settings(
        max(2, len(tournament.players)),
        max(1, tournament.rounds),
        draw_percentage=round(100 * draws / len(played)) if played else 30,
        # A forfeit is seen by both players, a bye by one.
        forfeit_rate=rate(forfeits),
        half_point_bye_rate=rate(sum(tournament.loss < points < tournament.win for points in byes)),
        zero_point_bye_rate=rate(sum(points <= tournament.loss for points in byes)),
        full_point_bye_rate=rate(sum(points >= tournament.win for points in byes)),
        highest_rating=max(known),
        lowest_rating=min(known),
        baku=any(player.virtual for player in tournament.players),
        edition=tournament.edition,
    )


@dataclass(frozen=True)
class Generated:
    """A tournament and the ratings its results were drawn from, by number."""

    tournament: Tournament
    ratings: dict[int, int]
    baku: bool


def generate(settings: Settings, seed: int) -> Generated:
    """A whole tournament with random results that fit the ratings; one seed, one tournament.

    Raises `Refusal` where a round has no pairing.
    """
    rng = Random(seed)
    numbers = range(1, settings.players + 1)
    drawn = sorted(
        (rng.randint(settings.lowest_rating, settings.highest_rating) for _ in numbers),
        reverse=True,
    )
    ratings = dict(zip(numbers, drawn, strict=True))
    past: dict[int, list[Past]] = {number: [] for number in numbers}
    initial = rng.choice(list(Side))
    empty = Tournament(tuple(Player(number) for number in numbers), settings.rounds, 0)
    virtual = {p.number: p.virtual for p in with_acceleration(empty)} if settings.baku else {}

    def players() -> tuple[Player, ...]:
        return tuple(Player(n, tuple(own), virtual.get(n, ())) for n, own in past.items())

    retired: set[int] = set()
    for round_ in range(1, settings.rounds + 1):
        retired |= {n for n in numbers if n not in retired and _happens(rng, settings.retired_rate)}
        resting = {n: bye for n, bye in _resting(rng, settings).items() if n not in retired}
        away = retired | set(resting)
        field = Field(
            players(),
            settings.rounds,
            frozenset(away),
            initial_colour=initial,
            edition=settings.edition,
        )
        try:
            pairing = pair_round(field)
        except NoPairing:
            raise Refusal.of("pairing.refused.generated", round=round_) from None
        _play(rng, settings, ratings, past, pairing)
        for number in away:
            past[number].append(Past(points=resting.get(number, 0)))
    tournament = replace(
        empty,
        players=players(),
        played=settings.rounds,
        names={number: f"Player {number:04}" for number in numbers},
        initial_colour=initial,
        edition=settings.edition,
    )
    return Generated(tournament, ratings, settings.baku)


def _resting(rng: Random, settings: Settings) -> dict[int, int]:
    """Who has a bye without being paired, with its tenths; of several the one worth most."""
    rates = ((0, settings.zero_point_bye_rate), (5, settings.half_point_bye_rate))
    return {
        number: points
        for points, rate in (*rates, (10, settings.full_point_bye_rate))
        for number in range(1, settings.players + 1)
        if _happens(rng, rate)
    }


def _happens(rng: Random, rate: int) -> bool:
    return rate > 0 and rng.randrange(rate) == 0


def _play(
    rng: Random,
    settings: Settings,
    ratings: dict[int, int],
    past: dict[int, list[Past]],
    pairing: RoundPairing,
) -> None:
    for white, black in pairing.boards:
        if _happens(rng, settings.forfeit_rate):
            won = rng.choice((10, 0))
            past[white].append(Past(black, None, won, forfeited_colour=Side.WHITE))
            past[black].append(Past(white, None, 10 - won, forfeited_colour=Side.BLACK))
            continue
        points = result(rng, ratings[white] - ratings[black], settings.draw_percentage)
        both = points, 10 - points
        if _happens(rng, settings.odd_result_rate):
            both = rng.choice(((5, 0), (0, 5), (0, 0)))
        past[white].append(Past(black, Side.WHITE, both[0]))
        past[black].append(Past(white, Side.BLACK, both[1]))
    if pairing.bye is not None:
        past[pairing.bye].append(Past(points=10, allocated_bye=True))


def result(rng: Random, difference: int, draw_percentage: int) -> int:
    """White's tenths in a game, by the expected score; draws as far as it leaves room for them."""
    expected = expected_score(difference)
    draws = min(draw_percentage, 2 * min(expected, 100 - expected))
    lot = rng.randrange(200)
    # In two hundredths: a draw takes as much from White's wins as from Black's.
    return 10 if lot < 2 * expected - draws else 5 if lot < 2 * expected + draws else 0


def to_trf(
    made: Generated,
    seed: int,
    tie_breaks: Sequence[str] = (),
    ranks: Mapping[int, int] | None = None,
) -> bytes:
    """A generated tournament as a TRF26 file, which every pairing program of today reads.

    `tie_breaks` are the codes of record 212. Without ranks they are by points and number.
    """
    tournament = made.tournament
    # Without a year the text in force is meant; some programs know no other code.
    year = "" if tournament.edition is Edition.DUTCH_2026 else f"_{tournament.edition.value}"
    code = f"FIDE_DUTCH{year}" + ("_BAKU" if made.baku else "")
    colour = "B" if tournament.initial_colour is Side.BLACK else "W"
    points = {p.number: sum(past.points for past in p.past) for p in tournament.players}
    ranked = sorted(points, key=lambda number: (-points[number], number))
    rank = ranks or {number: place for place, number in enumerate(ranked, start=1)}
    lines: list[r.Record] = [
        r.Text("012", f"Generated tournament {seed}"),
        r.Count("062", len(tournament.players)),
        r.Count("142", tournament.rounds),
        r.InitialColour(colour),
        r.Text("192", code),
        *([r.Text("212", ",".join(tie_breaks))] if tie_breaks else []),
    ]
    lines += [
        r.PlayerRecord(
            player.number,
            name=tournament.names[player.number],
            rating=made.ratings[player.number],
            points=points[player.number],
            rank=rank[player.number],
            rounds=tuple(_cell(past) for past in player.past),
        )
        for player in tournament.players
    ]
    lines += _acceleration(tournament)
    document = TrfDocument("", "utf-8", [Line.of(record, at) for at, record in enumerate(lines, 1)])
    return write(document)


def _cell(past: Past) -> Cell:
    if not past.opponent:
        return Cell(0, "-", "U" if past.allocated_bye else {10: "F", 5: "H", 0: "Z"}[past.points])
    colour = "w" if past.paired_colour is Side.WHITE else "b"
    codes = {10: "1", 5: "=", 0: "0"} if past.played else {10: "+", 0: "-"}
    return Cell(past.opponent, colour, codes[past.points])


def _acceleration(tournament: Tournament) -> list[r.Record]:
    """Record 250 for the virtual points, which the same players have in the same rounds."""
    accelerated = [player for player in tournament.players if player.virtual]
    if not accelerated:
        return []
    virtual = accelerated[0].virtual
    return [
        r.Acceleration(
            None,
            points,
            virtual.index(points) + 1,
            len(virtual) - virtual[::-1].index(points),
            accelerated[0].number,
            accelerated[-1].number,
        )
        for points in sorted(set(virtual), reverse=True)
    ]
