// A game as this page knows it: a whole view of the server, and what came after it.
import { after, fenOf, readFen, START, tell, type Position, type Told } from "./notation";
import type { ClockView } from "./clock";
import type { GameView, LogEvent, MoveMade, Offer, Phase } from "./views";

export interface Row {
  told: Told;
  made: MoveMade;
  offered: boolean;
}

export interface Update {
  number: number;
  events: LogEvent[];
  phase: Phase;
  clock: ClockView;
  offer: Offer | null;
  legal: string[];
}

export class GameState {
  view!: GameView;
  position!: Position;
  rows: Row[] = [];
  private number = 0;
  private line: Position = readFen(START);

  /** `replayed` are the moves that spectators are shown once the event is over. */
  constructor(private readonly replayed: MoveMade[] = []) {}

  /** Takes a whole view. Gives the moves that are new since, for those who listen. */
  take(view: GameView, number: number): Told[] {
    const before = this.rows.map((row) => row.made.uci);
    const isFirst = !this.view;
    const seen = this.position;
    this.view = view;
    this.number = number;
    this.position = readFen(view.fen);
    this.rows = [];
    this.line = readFen(START);
    for (const made of view.moves ?? this.replayed) this.add(made);
    this.markOffers();
    if (view.role === "spectator") return isFirst ? [] : this.seenSince(seen);
    if (isFirst || before.some((uci, at) => this.rows[at]?.made.uci !== uci)) return [];
    return this.rows.slice(before.length).map((row) => row.told);
  }

  /** 5.17 — spectators are sent positions: the last move is told where one position follows the other. */
  private seenSince(before: Position): Told[] {
    const { last } = this.view;
    if (!last) return [];
    const next = after(before, last);
    const isNext = next.turn === this.position.turn && fenOf(next) === fenOf(this.position);
    return isNext ? [tell(before, last)] : [];
  }

  /** Takes what happened since; null where something is missing and the whole is to be asked for. */
  update(update: Update): Told[] | null {
    if (!this.view || update.number - update.events.length !== this.number) return null;
    this.number = update.number;
    const told: Told[] = [];
    for (const event of update.events) told.push(...this.happened(event));
    Object.assign(this.view, {
      phase: update.phase, clock: update.clock, offer: update.offer, legal: update.legal,
    });
    this.markOffers();
    return told;
  }

  /** The position after some half-moves. */
  positionAt(ply: number): Position {
    return this.rows.slice(0, ply).reduce((position, row) => after(position, row.made.uci), readFen(START));
  }

  get ply(): number {
    return this.rows.length;
  }

  private happened(event: LogEvent): Told[] {
    const { view } = this;
    switch (event.type) {
      case "moved": {
        const told = this.add({
          uci: event.uci!, spent: event.spent ?? 0, white: event.white ?? 0, black: event.black ?? 0,
        });
        this.position = this.line;
        view.last = event.uci!;
        if (view.premove && view.premove.ply < this.ply) view.premove = null;
        return [told];
      }
      case "premove_set":
        view.premove = { ply: event.ply ?? 0, uci: event.uci! };
        break;
      case "premove_cleared":
      case "premove_executed":
        view.premove = null;
        break;
      case "auto_queen_set":
        view.auto_queen = event.on ?? false;
        break;
      case "draw_offered":
        view.offers = [...(view.offers ?? []), { side: event.side!, ply: event.ply ?? 0 }];
        break;
    }
    return [];
  }

  private add(made: MoveMade): Told {
    const told = tell(this.line, made.uci);
    this.line = after(this.line, made.uci);
    this.rows.push({ told, made, offered: false });
    return told;
  }

  /** 2.3 — an offer stands beside the offerer's last move, or the one to come, as in the PGN. */
  private markOffers(): void {
    const beside = new Set((this.view.offers ?? []).map(({ side, ply }) => {
      const isToMove = (ply % 2 === 0) === (side === "white");
      const isMade = ply < this.ply || this.view.phase !== "ended";
      return isToMove && isMade ? ply : ply - 1;
    }));
    this.rows.forEach((row, at) => (row.offered = beside.has(at)));
  }
}
