// Results and scores as they are written.
import type { Side } from "./notation";
import { say, type Words } from "./words";
import type { Result } from "./views";

/** A score in the unit of the event, tenths of a point: 10 is 1, 5 is ½. */
export function scoreText(tenths: number, unit = 10): string {
  const whole = Math.floor(tenths / unit);
  const rest = tenths - whole * unit;
  if (rest === 0) return String(whole);
  if (rest * 2 === unit) return whole ? `${whole}½` : "½";
  return String(tenths / unit);
}

export function pairText(scores: readonly [number, number], unit = 10): string {
  return `${scoreText(scores[0], unit)}–${scoreText(scores[1], unit)}`;
}

/** The key of what a result is to a player; none where it is the same to both: the score says it. */
export function ownKey(scores: readonly [number, number], side: Side): string {
  const [own, other] = side === "white" ? scores : [scores[1], scores[0]];
  if (own === other) return "";
  return own > other ? "result.won" : "result.lost";
}

/** How a game ended: "1–0, on time (1.3.4)". */
export function resultText(words: Words, result: Result, unit = 10): string {
  const how = say(words, result.key);
  return say(words, "result.line", { score: pairText(result.scores, unit), how, article: result.article });
}

/** Why mate was possible or not: notes of the log, one a line, in the language of the page. */
export function proofText(words: Words, proof: string): string {
  return proof.split("\n").map((line) => noteText(words, line)).join("\n");
}

/** Notation with the letters of the language. */
export function lettered(words: Words, san: string): string {
  return san.replace(/[KQRBN]/g, (piece) => say(words, `letter.${piece.toLowerCase()}`));
}

function noteText(words: Words, line: string): string {
  if (!line.startsWith("{")) return line;
  try {
    const { key, side, ...details } = JSON.parse(line) as Record<string, string>;
    const sideName = (name: string): string => say(words, `unwinnable.side.${name}`);
    const other = sideName(side === "white" ? "black" : "white");
    if (details.moves) details.moves = lettered(words, details.moves);
    const said = say(words, key!, { side: sideName(side!), other, ...details });
    return said.charAt(0).toUpperCase() + said.slice(1);
  } catch {
    return line;
  }
}
