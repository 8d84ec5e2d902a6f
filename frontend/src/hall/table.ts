// A board with its players, clocks, moves and result; what the players do comes from elsewhere.
import { Board, type Moves } from "./board";
import { other, type Position, type Side, type Told } from "./notation";
import { clockText, LOW, ServerTime, ShownClock } from "./clock";
import { element, nameOf, part, setText } from "./dom";
import { GameState, type Row } from "./game-state";
import { materialOf } from "./material";
import { lettered, ownKey, pairText, proofText, resultText } from "./result";
import { Sounds } from "./sounds";
import { moveInWords } from "./speech";
import { pauseKey } from "./standing";
import { Stepper } from "./stepper";
import { type GameView, type Phase, type Player, type Seat } from "./views";
import { say, type Words } from "./words";

const TICK = 100;

interface Strip {
  name: HTMLElement;
  material: HTMLElement;
  line: HTMLElement;
  clock: HTMLElement;
}

export class Table {
  state: GameState;
  readonly clock = new ShownClock();
  readonly board: Board;
  private readonly strips: Record<"top" | "bottom", Strip>;
  private readonly status: HTMLElement;
  private readonly live: HTMLElement;
  private readonly moves: HTMLElement;
  private readonly result: HTMLElement;
  private readonly stepper: Stepper;
  private bottom: Side = "white";
  private isFlipped = false;
  private wasLow = false;
  private wasEnded: boolean | null = null;
  private drawn = "";
  private unsaid: string[] = [];
  private drawnResult = "";
  private before: { phase: Phase; line: string } | null = null;
  /** Whether a move of one's own is on its way and not yet answered. */
  isSending = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly words: Words,
    private readonly time: ServerTime,
    private readonly sounds: Sounds,
    moves: Moves,
  ) {
    const strip = (name: string): Strip => {
      const at = part(root, name);
      return { name: part(at, "name"), material: part(at, "material"), line: part(at, "line"), clock: part(at, "clock") };
    };
    this.state = new GameState(JSON.parse(root.dataset.replayed ?? "[]"));
    this.strips = { top: strip("top"), bottom: strip("bottom") };
    this.status = part(root, "status");
    this.live = part(root, "live");
    this.moves = part(root, "moves");
    this.result = part(root, "result");
    this.board = new Board(part(root, "board"), words, moves);
    const bar = root.querySelector<HTMLElement>("[data-part=steps]");
    this.stepper = new Stepper(bar, this.moves, () => this.state.rows.length, () => this.draw());
    part(root, "flip").addEventListener("click", () => this.flip());
    setInterval(() => this.tick(), TICK);
  }

  /** Takes a view or an update of the server; whether it could be taken. */
  heard(told: Told[] | null): void {
    if (told === null) return;
    const { view } = this.state;
    this.clock.set(view.clock);
    for (const one of told) {
      this.say(moveInWords(this.words, one));
      this.sounds.play(one.check ? "check" : one.captures ? "capture" : "move");
    }
    const isEnded = view.phase === "ended";
    if (isEnded && this.wasEnded === false) {
      this.sounds.play("end");
      if (view.result) this.say(resultText(this.words, view.result));
    }
    this.wasEnded = isEnded;
    this.sayStanding();
    this.draw();
  }

  /** Says that a game begins, stands or goes on, and that the opponent has gone or is back. */
  private sayStanding(): void {
    const { view } = this.state;
    const line = this.own ? this.lineOf(other(this.own)).kind : "";
    const { before } = this;
    this.before = { phase: view.phase, line };
    if (!before || view.phase === "ended") return;
    // Players are told of what the arbiter did, and why.
    const isTold = this.own !== null && before.phase !== "waiting";
    if (before.phase !== view.phase && !isTold) this.say(this.statusText());
    if (this.own && before.line && before.line !== line) {
      this.say(`${view[other(this.own)].name}: ${say(this.words, `line.${line}`)}`);
    }
  }

  /** Another game comes to this table. */
  /** Shows an earlier position, as a step through the moves does; null shows the game as it stands. */
  lookAt(ply: number | null): void {
    this.stepper.go(ply);
  }

  reset(): void {
    this.state = new GameState();
    this.wasEnded = null;
    this.before = null;
    this.drawnResult = "";
    this.wasLow = false;
    this.isFlipped = false;
    this.drawn = "";
    this.stepper.at = null;
    this.moves.replaceChildren();
    this.result.hidden = true;
  }

  flip(): void {
    this.isFlipped = !this.isFlipped;
    this.draw();
  }

  say(text: string): void {
    // A text that is the same as the last is read again only if the region was empty between; what
    // is said at the same moment (a move, its answer, the result) is read together.
    if (!this.unsaid.length) {
      this.live.textContent = "";
      setTimeout(() => {
        this.live.textContent = this.unsaid.join(". ");
        this.unsaid = [];
      }, 30);
    }
    this.unsaid.push(text);
  }

  /** For who listens: T says the clocks, L the last move. */
  heardBy(key: string): string {
    const { view, rows } = this.state;
    if (!view) return "";
    if (key.toLowerCase() === "l") {
      const last = rows.at(-1);
      return last ? moveInWords(this.words, last.told) : say(this.words, "say.no_move");
    }
    if (key.toLowerCase() !== "t") return "";
    const clocks = (["white", "black"] as const).map(
      (side) => `${say(this.words, `side.${side}`)} ${clockText(this.clock.left(side))}`,
    );
    return clocks.join(", ");
  }

  get own(): Side | null {
    const { view } = this.state;
    return view.role === "player" ? (view.side ?? null) : null;
  }

  get isMyTurn(): boolean {
    return this.own !== null && this.state.position.turn === this.own;
  }

  /** 1.2a — whether a move can be chosen in advance now. */
  get mayPremove(): boolean {
    const { view } = this.state;
    return this.own !== null && view.phase === "running" && !this.isMyTurn && this.root.dataset.premoves !== "no";
  }

  /** Draws attention to something that is no move. */
  chime(): void {
    this.sounds.play("check");
  }

  draw(): void {
    const { view } = this.state;
    const own = this.own;
    // One's own game can be gone through once it is over; arbiters look back at any time.
    this.stepper.allow(view.phase === "ended" || view.role === "arbiter");
    const { at } = this.stepper;
    const position = at === null ? this.state.position : this.state.positionAt(at);
    const bottom = own ?? "white";
    this.bottom = this.isFlipped ? other(bottom) : bottom;
    this.board.turn(this.bottom);
    const isOn = view.phase === "running" || view.phase === "paused";
    // A move that waits for the server stays where the player has put it.
    if (!(view.held && this.isSending)) this.board.show({
      position,
      last: at === null ? view.last : (this.state.rows[at - 1]?.made.uci ?? ""),
      legal: at === null ? (view.legal ?? []) : [],
      plays: own && isOn ? own : null,
      premoves: own !== null && view.phase === "running" && this.root.dataset.premoves !== "no",
      premove: view.premove?.uci ?? "",
      autoQueen: view.auto_queen ?? false,
    });
    this.drawPlayers();
    this.drawMaterial(position);
    this.drawMoves();
    this.markMove();
    this.drawResult();
    this.tick();
  }

  private drawPlayers(): void {
    const { view } = this.state;
    const sides = { top: other(this.bottom), bottom: this.bottom } as const;
    for (const place of ["top", "bottom"] as const) {
      const player: Player = view[sides[place]];
      const { name, clock } = this.strips[place];
      const rating = player.rating ? ` ${player.rating}` : "";
      const shown = `${player.title ? player.title + " " : ""}${player.name}${rating}`;
      if (name.dataset.shown === shown + sides[place]) continue;
      name.dataset.shown = shown + sides[place];
      const side = say(this.words, `side.${sides[place]}`);
      clock.setAttribute("aria-label", say(this.words, "clock.of", { side, name: player.name }));
      const sign = element("span", `colour ${sides[place]}`);
      const unseen = element("span", "unseen", side + ": ");
      name.replaceChildren(sign, unseen, nameOf(`${player.title ? player.title + " " : ""}${player.name}`));
      if (rating) name.append(element("span", "rating", rating));
    }
  }

  private drawMaterial(position: Position): void {
    const sides = { top: other(this.bottom), bottom: this.bottom } as const;
    for (const place of ["top", "bottom"] as const) {
      const { pieces, ahead } = materialOf(position, sides[place]);
      const at = this.strips[place].material;
      const shown = sides[place] + pieces + ahead;
      if (at.dataset.shown === shown) continue;
      at.dataset.shown = shown;
      at.replaceChildren(element("span", sides[place], pieces));
      at.firstElementChild!.setAttribute("aria-hidden", "true");
      if (!ahead) continue;
      const sign = element("b", "", `+${ahead}`);
      sign.title = say(this.words, "material.ahead", { count: ahead });
      at.append(sign);
    }
  }

  /** Marks the move whose position is shown. */
  private markMove(): void {
    const ply = this.stepper.at ?? this.state.rows.length;
    const isOpen = this.state.view.phase === "ended" || this.stepper.at !== null;
    for (const marked of this.moves.querySelectorAll("[aria-current]")) marked.removeAttribute("aria-current");
    if (!isOpen) return;
    const cell = this.moves.querySelector<HTMLElement>(`[data-ply="${ply}"]`);
    cell?.setAttribute("aria-current", "true");
    const box = this.moves.closest<HTMLElement>(".moves");
    if (cell && box) box.scrollTop = cell.offsetTop - box.clientHeight / 2;
  }

  private drawMoves(): void {
    const rows = this.state.rows;
    const drawn = rows.map((row) => row.made.uci + (row.offered ? "=" : "")).join();
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const body: HTMLElement[] = [];
    for (let at = 0; at < rows.length; at += 2) {
      const line = element("tr");
      const head = element("th", "", `${at / 2 + 1}.`);
      head.scope = "row";
      line.append(head, ...this.cells(rows[at], "white", at + 1), ...this.cells(rows[at + 1], "black", at + 2));
      body.push(line);
    }
    this.moves.replaceChildren(...body);
    const box = this.moves.closest<HTMLElement>(".moves");
    if (box) box.scrollTop = box.scrollHeight;
  }

  private cells(row: Row | undefined, side: Side, ply: number): HTMLElement[] {
    if (!row) return [element("td", "san"), element("td", "left")];
    const move = element("td", "san", this.written(row.told.san));
    move.title = moveInWords(this.words, row.told);
    move.dataset.ply = String(ply);
    if (row.offered) {
      const sign = element("abbr", "offer", "(=)");
      sign.title = say(this.words, "moves.offered");
      move.append(" ", sign);
    }
    return [move, element("td", "left", clockText(row.made[side]))];
  }

  /** Notation with the letters of the language. */
  written(san: string): string {
    return lettered(this.words, san);
  }

  private drawResult(): void {
    const { view } = this.state;
    const { result } = view;
    // It is read out whenever it is set: only where it is another.
    const drawn = JSON.stringify(result);
    if (drawn === this.drawnResult) return;
    this.drawnResult = drawn;
    this.result.hidden = !result;
    if (!result) return;
    const score = element("p", "score", pairText(result.scores));
    const how = element("p", "how", say(this.words, result.key));
    if (result.article) how.append(" ", element("span", "article", result.article));
    const own = this.own && ownKey(result.scores, this.own);
    if (own) score.append(" ", element("span", "for-you", say(this.words, own)));
    const parts: HTMLElement[] = [score, how];
    if (result.proof) parts.push(this.proof(proofText(this.words, result.proof)));
    this.result.replaceChildren(...parts);
  }

  /** Why mate was possible or not, for whoever doubts it. */
  private proof(text: string): HTMLElement {
    const folded = element("details", "proof");
    folded.append(element("summary", "", say(this.words, "result.proof")), text);
    return folded;
  }

  // --- what changes by itself ---

  private tick(): void {
    const { view } = this.state;
    if (!view) return;
    const sides = { top: other(this.bottom), bottom: this.bottom } as const;
    for (const place of ["top", "bottom"] as const) {
      const side = sides[place];
      const { clock, line } = this.strips[place];
      const left = this.leftOf(side);
      setText(clock, clockText(left));
      clock.classList.toggle("running", this.clock.running === side && this.stepper.at === null);
      clock.classList.toggle("low", left < LOW && view.phase !== "ended");
      const state = this.lineOf(side);
      setText(line, state.text);
      line.className = `line ${state.kind}`;
    }
    setText(this.status, this.statusText());
    if (this.own && this.clock.running === this.own) {
      const left = this.clock.left(this.own);
      const isLow = left < LOW;
      if (isLow && !this.wasLow) {
        this.sounds.play("low");
        this.say(say(this.words, "clock.low"));
      }
      // Increments lift a clock over the mark again and again: that is no news each time.
      this.wasLow = isLow || (this.wasLow && left < 2 * LOW);
    }
  }

  /** A clock as it was in the position that is looked at. */
  private leftOf(side: Side): number {
    const { at } = this.stepper;
    const made = at === null ? undefined : (this.state.rows[at - 1] ?? this.state.rows[0])?.made;
    return made ? made[side] : this.clock.left(side);
  }

  /** Whether a player is there, and until when they may come back. */
  private lineOf(side: Side): { text: string; kind: string } {
    const { view } = this.state;
    const words = this.words;
    if (view.role === "spectator" || view.phase === "ended") return { text: "", kind: "" };
    let on = true;
    let until: number | null | undefined;
    if (view.role === "arbiter") {
      const seat: Seat = side === "white" ? view.white_seat! : view.black_seat!;
      on = seat.platform.on;
      until = seat.reconnect_by ?? (seat.joined === null ? view.tolerance_ends : null);
    } else if (side !== this.own) {
      on = view.opponent!.connected;
      until = view.opponent!.reconnect_by ?? (on ? null : view.tolerance_ends);
    } else if (this.root.classList.contains("unconnected")) {
      return { text: "✕ " + say(words, "line.own_lost"), kind: "off" };
    }
    if (on) return { text: "● " + say(words, "line.on"), kind: "on" };
    if (until) {
      const left = clockText(Math.max(0, Math.ceil((until - this.time.now) / 1000) * 1000));
      return { text: "✕ " + say(words, "line.back_in", { time: left.replace(/\.\d$/, "") }), kind: "off" };
    }
    return { text: "✕ " + say(words, "line.off"), kind: "off" };
  }

  private statusText(): string {
    const { view, position } = this.state;
    const { at } = this.stepper;
    if (at === 0) return say(this.words, "step.start");
    if (at !== null) {
      const moves = Math.ceil(this.state.rows.length / 2);
      return say(this.words, "step.at", { move: Math.ceil(at / 2), moves });
    }
    if (view.held) return say(this.words, "phase.held");
    if (view.phase === "paused") return say(this.words, pauseKey(view.acts));
    if (view.phase !== "running") return say(this.words, `phase.${view.phase}`);
    if (this.isSending && this.root.classList.contains("unconnected")) return say(this.words, "turn.waits");
    if (this.own) return say(this.words, this.isMyTurn ? "turn.yours" : "turn.theirs");
    return say(this.words, `turn.${position.turn}`);
  }
}

export type { GameView };
