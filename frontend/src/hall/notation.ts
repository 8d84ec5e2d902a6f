// Positions and moves as chessops has them, and how moves are written and read in two languages.
import { castlingSide, Chess } from "chessops/chess";
import { INITIAL_FEN, makeBoardFen, parseFen } from "chessops/fen";
import { makeSanAndPlay } from "chessops/san";
import type { Color, NormalMove, Piece } from "chessops/types";
import { makeSquare, opposite, parseSquare, parseUci, roleToChar } from "chessops/util";

export type Side = Color;
export type Position = Chess;

export const START = INITIAL_FEN;
export const other = opposite;
export const squareName = makeSquare;
export const squareOf = (name: string): number => parseSquare(name) ?? -1;
export const sideOf = (piece: string): Side => (piece === piece.toUpperCase() ? "white" : "black");

const letter = ({ role, color }: Piece): string => {
  const char = roleToChar(role);
  return color === "white" ? char.toUpperCase() : char;
};

export const readFen = (fen: string): Position => Chess.fromSetup(parseFen(fen).unwrap()).unwrap();

/** The first field of a FEN. */
export const fenOf = (position: Position): string => makeBoardFen(position.board);

/** The piece on a square as FEN writes it, or nothing. */
export function pieceAt(position: Position, square: number): string {
  const piece = position.board.get(square);
  return piece ? letter(piece) : "";
}

/** The 64 squares of a FEN, from a1 to h8. */
export function placement(fen: string): string[] {
  const { board } = parseFen(fen).unwrap();
  return Array.from({ length: 64 }, (_, square) => {
    const piece = board.get(square);
    return piece ? letter(piece) : "";
  });
}

export function after(position: Position, uci: string): Position {
  const next = position.clone();
  next.play(parseUci(uci)!);
  return next;
}

/** What a move is: all that notation and words need. */
export interface Told {
  piece: string;
  from: number;
  to: number;
  captures: boolean;
  promotion: string;
  castles: "" | "short" | "long";
  check: boolean;
  mate: boolean;
  san: string;
}

/** A legal move, told. */
export function tell(position: Position, uci: string): Told {
  const move = parseUci(uci) as NormalMove;
  const piece = pieceAt(position, move.from);
  const side = castlingSide(position, move);
  const next = position.clone();
  const san = makeSanAndPlay(next, move);
  return {
    piece,
    from: move.from,
    to: move.to,
    captures: san.includes("x"),
    promotion: uci.slice(4),
    castles: side ? (side === "h" ? "short" : "long") : "",
    check: next.isCheck(),
    mate: next.isCheckmate(),
    san,
  };
}

/** The letters of the pieces as Italian writes them, beside the English ones. */
const ITALIAN: Record<string, string> = { R: "K", D: "Q", T: "R", A: "B", C: "N" };

/**
 * The legal moves that a text may mean: coordinates (e2e4) or notation (Nf3, in Italian Cf3), without
 * regard to signs of check and capture. R is a rook in English and the king (re) in Italian.
 */
export function meant(position: Position, legal: readonly string[], text: string, language: string): string[] {
  const written = text.trim().replace(/[\s+#!?x:=()-]/g, "");
  if (!written) return [];
  const coordinates = written.toLowerCase();
  const exact = legal.filter((uci) => uci === coordinates || uci.slice(0, 4) === coordinates);
  if (exact.length) return exact;
  const plain = (san: string): string => san.replace(/[+#x=-]/g, "");
  const wanted = new Set<string>();
  const castling = written.replace(/0/g, "O").toUpperCase();
  if (castling === "OO" || castling === "OOO") wanted.add(castling);
  if (language === "it") {
    const head = ITALIAN[written[0]!] ?? written[0]!;
    wanted.add(head + written.slice(1).replace(/[DTAC]$/, (piece) => ITALIAN[piece]!));
  }
  if (language !== "it" || !/^[RDTAC]/.test(written)) wanted.add(written);
  const found = legal.filter((uci) => wanted.has(plain(tell(position, uci).san)));
  if (found.length) return found;
  // A promotion whose piece is not written, and more of the origin than notation needs.
  return legal.filter((uci) => {
    const told = tell(position, uci);
    const long = (told.piece.toLowerCase() === "p" ? "" : told.piece.toUpperCase()) + uci.slice(0, 4);
    return wanted.has(long) || (told.promotion && wanted.has(plain(told.san).slice(0, -1)));
  });
}
