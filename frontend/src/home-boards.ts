// The boards of the home page move while they are in sight: one socket for the event that is shown.
import { placement, sideOf } from "./hall/notation";
import { HallSocket, type FromServer } from "./hall/socket";

interface Change {
  board: number;
  phase: string;
  fen: string;
}

const NAMES: Record<string, string> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

/** What a fetched part shows: its event, and the boards from one number to another. */
interface Shown {
  event: string;
  round: number;
  first: number;
  last: number;
}

let shown: Shown | null = null;
let socket: HallSocket | null = null;

function look(): Shown | null {
  const list = document.querySelector<HTMLElement>(".now-boards");
  if (!list) return null;
  const numbers = [...list.querySelectorAll<HTMLElement>("[data-board]")].map((one) => Number(one.dataset.board));
  return { event: list.dataset.event!, round: Number(list.dataset.round), first: Math.min(...numbers), last: Math.max(...numbers) };
}

/** Squares stand from a8 to h1; only those that are others now are drawn again. */
function place(field: HTMLElement, fen: string): void {
  const pieces = placement(fen);
  [...field.children].forEach((square, at) => {
    const piece = pieces[(7 - (at >> 3)) * 8 + (at & 7)]!;
    const name = piece ? `${sideOf(piece)} ${NAMES[piece.toLowerCase()]}` : "";
    if ((square.firstElementChild?.className ?? "") === name) return;
    square.replaceChildren();
    if (!piece) return;
    const drawn = document.createElement("piece");
    drawn.className = name;
    square.append(drawn);
  });
}

function take(message: FromServer): void {
  // The boards of another round have other players: the part is fetched again soon.
  if (message.type !== "boards" || !shown || message.event !== shown.event || message.round !== shown.round) return;
  for (const change of message.boards as Change[]) {
    const field = document.querySelector<HTMLElement>(`.now-boards [data-board="${change.board}"] .still`);
    if (field) place(field, change.fen);
  }
}

const watch = (): object[] => (shown ? [{ type: "boards", event: shown.event, first: shown.first, last: shown.last }] : []);

/** Asks for the boards whole: what was fetched may be older than what the socket has told. */
function follow(): void {
  shown = look();
  if (!shown) return;
  if (socket) watch().forEach((message) => socket!.tell(message));
  else socket = new HallSocket({ hello: watch, message: take, state: () => undefined, ended: () => undefined }, document.documentElement.lang);
}

// The part is fetched again now and then: other boards, another round, nothing any more.
document.addEventListener("htmx:after:swap", follow);
