// A small board of the wall: drawn once, then only what changes.
import { placement, sideOf, squareOf, type Side } from "./notation";
import { clockText, ShownClock, type ClockView } from "./clock";
import { element, nameOf, setText } from "./dom";
import { pairText } from "./result";
import { isHeld, wallPauseKey } from "./standing";
import type { Phase, Result } from "./views";
import { say, type Words } from "./words";

export interface Alarm {
  count?: number | null;
  key: string;
  level: number;
  side: Side | null;
  since: number | null;
  until: number | null;
  text?: string;
  /** The key of a word for what it is about. */
  what?: string;
  article?: string;
  /** The acts that fit, by their types. */
  acts?: string[];
}

export interface WallBoard {
  game: string;
  round: number;
  board: number;
  white: string;
  black: string;
  phase: Phase;
  fen: string;
  last: string;
  clock: ClockView;
  connected: [boolean, boolean];
  on_vcs: [boolean, boolean];
  offer: Side | null;
  calls: number;
  refused: [number, number];
  alarms: Alarm[];
  result: Result | null;
}

export function alarmText(words: Words, alarm: Alarm): string {
  return say(words, alarm.key, { count: alarm.count ?? 0, what: alarm.what ? say(words, alarm.what) : "" });
}

const NAMES: Record<string, string> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const LITTLE = 20_000;
const WROTE = "hall_live.alarm.chat";

export class Tile {
  readonly element: HTMLElement;
  readonly clock = new ShownClock();
  board!: WallBoard;
  private readonly squares = new Array<string>(64).fill("");
  private readonly pieces = new Map<number, HTMLElement>();
  private readonly field = element("div", "mini cg-wrap");
  private readonly marks = [element("i"), element("i")];
  private readonly state = element("span", "state");
  private readonly number = element("span", "number");
  /** Where the faces of the players are drawn, where the event is supervised. */
  readonly faces = element("span", "tile-faces");
  private readonly lines: Record<Side, { name: HTMLElement; left: HTMLElement; row: HTMLElement }>;

  /** A button that opens the board here, or a link to its page. */
  constructor(private readonly words: Words, open: ((tile: Tile) => void) | string) {
    if (typeof open === "string") {
      const link = element("a", "tile");
      link.href = open;
      this.element = link;
    } else {
      const button = element("button", "tile");
      button.type = "button";
      button.addEventListener("click", () => open(this));
      this.element = button;
    }
    const line = (side: Side): { name: HTMLElement; left: HTMLElement; row: HTMLElement } => {
      const row = element("span", `who ${side}`);
      const name = element("span", "name");
      const left = element("span", "left");
      row.append(name, left);
      return { name, left, row };
    };
    this.lines = { white: line("white"), black: line("black") };
    const head = element("span", "tile-head");
    head.append(this.number, this.state);
    this.field.setAttribute("aria-hidden", "true");
    this.field.append(...this.marks);
    this.faces.hidden = true;
    this.element.append(head, this.faces, this.lines.black.row, this.field, this.lines.white.row);
  }

  update(board: WallBoard): void {
    const before = this.board;
    this.board = board;
    this.clock.set(board.clock);
    setText(this.number, say(this.words, "wall.board", { board: board.board }));
    if (before?.white !== board.white) this.lines.white.name.replaceChildren(nameOf(board.white));
    if (before?.black !== board.black) this.lines.black.name.replaceChildren(nameOf(board.black));
    this.lines.white.row.classList.toggle("lost", !board.connected[0] && board.phase !== "ended");
    this.lines.black.row.classList.toggle("lost", !board.connected[1] && board.phase !== "ended");
    if (before?.fen !== board.fen) this.place(board.fen);
    if (before?.last !== board.last) this.mark(board.last);
    setText(this.state, this.stateText());
    const level = board.alarms[0]?.level ?? 0;
    this.element.className = `tile ${board.phase} level-${level}`;
    const alarms = board.alarms.map((alarm) => alarmText(this.words, alarm)).join(", ");
    this.element.setAttribute(
      "aria-label",
      `${say(this.words, "wall.board", { board: board.board })}: ${board.white} – ${board.black}. ${this.stateText()} ${alarms}`,
    );
    this.tick();
  }

  /** The clocks count down by themselves. */
  tick(): void {
    for (const side of ["white", "black"] as const) {
      const { left } = this.lines[side];
      const time = this.clock.left(side);
      setText(left, clockText(time));
      left.classList.toggle("running", this.clock.running === side);
      left.classList.toggle("low", time < LITTLE && this.clock.running === side);
    }
  }

  private stateText(): string {
    const { board } = this;
    const signs: string[] = board.result ? [pairText(board.result.scores)] : [];
    if (board.calls) signs.push("☎ " + say(this.words, "wall.call"));
    if (board.alarms.some((alarm) => alarm.key === WROTE)) signs.push("✉ " + say(this.words, "wall.wrote"));
    if (board.phase === "paused") signs.push("‖ " + say(this.words, wallPauseKey(board.alarms, board.calls)));
    if (isHeld(board.alarms)) signs.push("‖ " + say(this.words, "phase.held"));
    if (board.phase === "waiting") signs.push("○ " + say(this.words, "phase.waiting"));
    if (board.phase === "running" && board.connected.includes(false)) signs.push("✕ " + say(this.words, "wall.lost"));
    if (board.offer && !board.result) signs.push("(=)");
    return signs.join(" ");
  }

  /** Puts the pieces of a position, moving no element whose square is as it was. */
  private place(fen: string): void {
    const squares = placement(fen);
    for (let square = 0; square < 64; square++) {
      const piece = squares[square]!;
      if (piece === this.squares[square]) continue;
      this.squares[square] = piece;
      let shown = this.pieces.get(square);
      if (!piece) {
        shown?.remove();
        this.pieces.delete(square);
        continue;
      }
      if (!shown) {
        shown = document.createElement("piece");
        at(shown, square);
        this.pieces.set(square, shown);
        this.field.append(shown);
      }
      shown.className = `${NAMES[piece.toLowerCase()]} ${sideOf(piece)}`;
    }
  }

  private mark(uci: string): void {
    this.marks.forEach((mark, place) => {
      mark.hidden = !uci;
      if (uci) at(mark, squareOf(uci.slice(place * 2, place * 2 + 2)));
    });
  }
}

function at(element: HTMLElement, square: number): void {
  element.style.left = `${(square & 7) * 12.5}%`;
  element.style.top = `${(7 - (square >> 3)) * 12.5}%`;
}
