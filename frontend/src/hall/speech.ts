// Moves and squares in words, for those who listen.
import { sideOf, squareName, type Told } from "./notation";
import { say, type Words } from "./words";

/** A move as one says it: "knight from g1 to f3, check". */
export function moveInWords(words: Words, told: Told): string {
  let said: string;
  if (told.castles) said = say(words, `say.castles_${told.castles}`);
  else {
    const kind = told.captures ? "say.captures" : "say.moves";
    said = say(words, kind, {
      piece: say(words, `piece.${told.piece.toLowerCase()}`),
      from: squareName(told.from),
      to: squareName(told.to),
    });
  }
  if (told.promotion) said += ", " + say(words, "say.promotes", { piece: say(words, `piece.${told.promotion}`) });
  if (told.mate) said += ", " + say(words, "say.mate");
  else if (told.check) said += ", " + say(words, "say.check");
  return said;
}

/** What stands on a square: "e4, white pawn". */
export function squareInWords(words: Words, square: number, piece: string): string {
  const name = squareName(square);
  if (!piece) return say(words, "say.empty_square", { square: name });
  return say(words, `say.${sideOf(piece)}_piece`, {
    square: name,
    piece: say(words, `piece.${piece.toLowerCase()}`),
  });
}
