// A finished game to be stepped through: by buttons, arrow keys, or a click on a move.
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { Chessground } from "@lichess-org/chessground";
import type { Key } from "@lichess-org/chessground/types";
import { part } from "./hall/dom";
import { dressBoards } from "./hall/look";
import { after, fenOf, readFen, tell, type Position, type Told } from "./hall/notation";
import { moveInWords } from "./hall/speech";
import { Stepper } from "./hall/stepper";
import { wordsOf } from "./hall/words";

const root = document.querySelector<HTMLElement>("[data-replay]")!;
const words = wordsOf(root);
const ucis = (root.dataset.moves ?? "").split(" ").filter(Boolean);
const positions: Position[] = [readFen(root.dataset.start!)];
const told: Told[] = [];
for (const uci of ucis) {
  const before = positions.at(-1)!;
  told.push(tell(before, uci));
  positions.push(after(before, uci));
}

part(root, "stage").hidden = false;
const moves = part(root, "moves");
const ground = Chessground(part(root, "board"), {
  viewOnly: true,
  coordinates: true,
  animation: { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 140 },
});
const stepper = new Stepper(part(root, "steps"), moves, () => ucis.length, () => show(true));
stepper.allow(true);
dressBoards(null, words);
if (root.dataset.side === "black") ground.toggleOrientation();
part(root, "flip").addEventListener("click", () => ground.toggleOrientation());
new ResizeObserver(() => ground.redrawAll()).observe(part(root, "board"));
stepper.step("first");
show(false);

function show(isSaid: boolean): void {
  const at = stepper.at ?? ucis.length;
  const position = positions[at]!;
  const last = at ? ucis[at - 1]! : "";
  ground.set({
    fen: fenOf(position),
    turnColor: position.turn,
    check: position.isCheck(),
    lastMove: last ? [last.slice(0, 2) as Key, last.slice(2, 4) as Key] : [],
  });
  for (const move of moves.querySelectorAll<HTMLElement>("[data-ply]")) {
    if (Number(move.dataset.ply) !== at) move.removeAttribute("aria-current");
    else {
      move.setAttribute("aria-current", "true");
      move.scrollIntoView({ block: "nearest" });
    }
  }
  for (const mark of document.querySelectorAll<SVGElement>("[data-at]")) {
    mark.classList.toggle("now", Number(mark.dataset.at) === at);
  }
  if (isSaid && at) part(root, "live").textContent = moveInWords(words, told[at - 1]!);
}
