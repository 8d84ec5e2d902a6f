// The board of a game: pieces are moved with the pointer, with the arrow keys, or by typing.
import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Config } from "@lichess-org/chessground/config";
import { premove as premoveTargets } from "@lichess-org/chessground/premove";
import type { Color, Key } from "@lichess-org/chessground/types";
import { fenOf, pieceAt, sideOf, squareName, squareOf, type Position, type Side } from "./notation";
import { squareInWords } from "./speech";
import { say, type Words } from "./words";

export interface Shown {
  position: Position;
  last: string;
  legal: readonly string[];
  /** The side whose pieces can be moved, or null for those who only look. */
  plays: Side | null;
  /** Whether a move can be chosen in advance. */
  premoves: boolean;
  premove: string;
  autoQueen: boolean;
}

export interface Moves {
  move(uci: string): void;
  premove(uci: string): void;
  unpremove(): void;
  say(text: string): void;
  /** What there is to hear for a key of those who listen; nothing for other keys. */
  heardBy?(key: string): string;
}

const QUEEN_FIRST = ["q", "r", "b", "n"];

export class Board {
  private readonly ground: Api;
  private readonly chooser: HTMLElement;
  private shown: Shown | null = null;
  private cursor = squareOf("e2");
  private picked = -1;
  /** The move whose promotion is being chosen. */
  private promoting = "";

  constructor(
    private readonly element: HTMLElement,
    private readonly words: Words,
    private readonly does: Moves,
    orientation: Side = "white",
  ) {
    this.ground = Chessground(element, {
      orientation,
      disableContextMenu: true,
      coordinates: true,
      blockTouchScroll: true,
      animation: { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 140 },
      drawable: { enabled: false },
      movable: {
        free: false,
        showDests: true,
        events: { after: (from, to) => this.chosen(from, to, (uci) => this.does.move(uci)) },
      },
      premovable: {
        events: {
          set: (from, to) => this.chosen(from, to, (uci) => this.does.premove(uci)),
          unset: () => this.does.unpremove(),
        },
      },
    });
    this.chooser = document.createElement("div");
    this.chooser.className = "promotion";
    this.chooser.hidden = true;
    element.parentElement!.append(this.chooser);
    element.addEventListener("keydown", (event) => this.key(event));
    // A right click takes a premove back, as everywhere.
    element.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.ground.cancelPremove();
    });
    element.addEventListener("focus", () => {
      // With the pointer one sees where one is; who comes by the keyboard is told.
      if (!element.matches(":focus-visible")) return;
      this.drawCursor(true);
      this.sayCursor();
    });
    element.addEventListener("blur", () => this.drawCursor(false));
    new ResizeObserver(() => this.ground.redrawAll()).observe(element);
  }

  turn(orientation: Side): void {
    this.ground.set({ orientation });
  }

  show(shown: Shown): void {
    const before = this.shown;
    this.shown = shown;
    // A piece is being chosen, and what came has changed nothing on the board: the choice stays open.
    if (this.promoting && before && isSame(before, shown)) return;
    this.closeChooser();
    const { position, legal, plays } = shown;
    const dests = new Map<Key, Key[]>();
    for (const uci of legal) {
      const from = uci.slice(0, 2) as Key;
      dests.set(from, [...(dests.get(from) ?? []), uci.slice(2, 4) as Key]);
    }
    const config: Config = {
      fen: fenOf(position),
      turnColor: position.turn as Color,
      check: position.isCheck(),
      ...(shown.last ? { lastMove: [shown.last.slice(0, 2), shown.last.slice(2, 4)] as Key[] } : { lastMove: [] }),
      viewOnly: plays === null,
      movable: { ...(plays ? { color: plays as Color } : {}), dests },
      premovable: { enabled: shown.premoves },
    };
    this.ground.set(config);
    this.mark(shown.premove);
  }

  /** Shows the premove that the server holds, or none; nobody has done anything, so nobody is told. */
  private mark(uci: string): void {
    const { premovable, dom } = this.ground.state;
    const held = premovable.current?.join("") ?? "";
    if (held === uci.slice(0, 4)) return;
    premovable.current = uci ? [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key] : undefined;
    dom.redraw();
  }

  // --- promotion ---

  private chosen(from: string, to: string, then: (uci: string) => void): void {
    const shown = this.shown!;
    const piece = pieceAt(shown.position, squareOf(from));
    const rank = to[1];
    this.picked = -1;
    if (piece.toLowerCase() !== "p" || (rank !== "8" && rank !== "1")) then(from + to);
    else if (shown.autoQueen) then(from + to + "q");
    else this.choosePiece(from + to, sideOf(piece), then);
  }

  /** Asks to which piece a move promotes that was written without it. */
  promote(move: string, then: (uci: string) => void): void {
    this.choosePiece(move, this.shown!.position.turn, then);
  }

  private choosePiece(move: string, side: Side, then: (uci: string) => void): void {
    const list = document.createElement("div");
    list.setAttribute("role", "group");
    list.setAttribute("aria-label", say(this.words, "board.promote"));
    const buttons = QUEEN_FIRST.map((piece) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "cg-wrap";
      button.dataset.piece = piece;
      const name = { q: "queen", r: "rook", b: "bishop", n: "knight" }[piece]!;
      const image = document.createElement("piece");
      image.className = `${name} ${side}`;
      button.append(image);
      button.setAttribute("aria-label", say(this.words, `piece.${piece}`));
      button.addEventListener("click", () => {
        this.closeChooser();
        then(move + piece);
        this.element.focus();
      });
      return button;
    });
    list.append(...buttons);
    this.promoting = move;
    const { orientation } = this.ground.state;
    const file = squareOf(move.slice(2, 4)) & 7;
    this.chooser.style.setProperty("--file", String(orientation === "white" ? file : 7 - file));
    this.chooser.classList.toggle("below", orientation !== side);
    this.chooser.replaceChildren(list);
    this.chooser.hidden = false;
    this.chooser.onkeydown = (event) => {
      const here = buttons.indexOf(document.activeElement as HTMLButtonElement);
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step) buttons[(here + step + 4) % 4]!.focus();
      else if (event.key !== "Escape") return;
      else this.cancel();
      event.preventDefault();
    };
    this.chooser.onclick = (event) => {
      if (event.target === this.chooser) this.cancel();
    };
    buttons[0]!.focus();
  }

  private cancel(): void {
    this.closeChooser();
    if (this.shown) this.show(this.shown);
    this.element.focus();
  }

  private closeChooser(): void {
    this.promoting = "";
    this.chooser.hidden = true;
    this.chooser.replaceChildren();
  }

  // --- keys ---

  private key(event: KeyboardEvent): void {
    if (!this.shown || event.ctrlKey || event.altKey || event.metaKey) return;
    const up = this.ground.state.orientation === "white" ? 1 : -1;
    const steps: Record<string, [number, number]> = {
      ArrowUp: [0, up], ArrowDown: [0, -up], ArrowRight: [up, 0], ArrowLeft: [-up, 0],
    };
    const step = steps[event.key];
    if (step) {
      const file = Math.min(7, Math.max(0, (this.cursor & 7) + step[0]));
      const rank = Math.min(7, Math.max(0, (this.cursor >> 3) + step[1]));
      this.cursor = rank * 8 + file;
      this.drawCursor(true);
      this.sayCursor();
    } else if (event.key === "Enter" || event.key === " ") this.press();
    else if (event.key === "Escape") {
      this.picked = -1;
      this.ground.selectSquare(null);
      this.ground.cancelPremove();
    } else {
      const heard = this.does.heardBy?.(event.key) ?? "";
      if (!heard) return;
      this.does.say(heard);
    }
    event.preventDefault();
  }

  private press(): void {
    const shown = this.shown!;
    const here = squareName(this.cursor) as Key;
    const piece = pieceAt(shown.position, this.cursor);
    if (shown.plays && piece && sideOf(piece) === shown.plays) {
      this.picked = this.cursor;
      this.ground.selectSquare(here);
      this.does.say(say(this.words, "say.picked", { square: squareInWords(this.words, this.cursor, piece) }));
    } else if (this.picked >= 0) {
      const from = squareName(this.picked) as Key;
      const goes = shown.legal.some((uci) => uci.startsWith(from + here));
      const waits = shown.premoves && shown.position.turn !== shown.plays;
      if (goes || (waits && premoveTargets(this.ground.state, from).includes(here))) {
        if (this.ground.state.selected !== from) this.ground.selectSquare(from);
        this.ground.selectSquare(here);
      } else this.does.say(say(this.words, "say.not_there"));
    }
  }

  private sayCursor(): void {
    if (!this.shown) return;
    this.does.say(squareInWords(this.words, this.cursor, pieceAt(this.shown.position, this.cursor)));
  }

  private drawCursor(isOn: boolean): void {
    const marks = new Map<Key, string>();
    if (isOn) marks.set(squareName(this.cursor) as Key, "cursor");
    this.ground.set({ highlight: { custom: marks } });
  }
}

/** Whether two tellings have the same position, in which the same can be done. */
function isSame(one: Shown, two: Shown): boolean {
  return (
    fenOf(one.position) === fenOf(two.position) && one.position.turn === two.position.turn &&
    one.plays === two.plays && one.premoves === two.premoves && one.legal.join() === two.legal.join()
  );
}
