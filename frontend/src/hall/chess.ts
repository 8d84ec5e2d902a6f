// Positions and moves, as far as showing them needs: which moves there are is for the server to say.
// Squares are counted from a1 (0) to h8 (63); pieces are the letters of FEN.

export type Side = "white" | "black";

export interface Position {
  squares: (string | "")[];
  turn: Side;
  castling: string;
  enPassant: number;
}

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export const other = (side: Side): Side => (side === "white" ? "black" : "white");
export const squareName = (square: number): string => "abcdefgh"[square & 7]! + ((square >> 3) + 1);
export const squareOf = (name: string): number => name.charCodeAt(0) - 97 + (name.charCodeAt(1) - 49) * 8;
export const sideOf = (piece: string): Side => (piece === piece.toUpperCase() ? "white" : "black");

/** The 64 squares of the first field of a FEN. */
export function placement(board: string): string[] {
  const squares = new Array<string>(64).fill("");
  board.split("/").forEach((row, down) => {
    let file = 0;
    for (const sign of row) {
      if (sign >= "1" && sign <= "8") file += Number(sign);
      else squares[(7 - down) * 8 + file++] = sign;
    }
  });
  return squares;
}

export function readFen(fen: string): Position {
  const [board = "", turn = "w", castling = "-", passing = "-"] = fen.split(" ");
  return {
    squares: placement(board),
    turn: turn === "w" ? "white" : "black",
    castling: castling === "-" ? "" : castling,
    enPassant: passing === "-" ? -1 : squareOf(passing),
  };
}

const STRAIGHT = [[0, 1], [1, 0], [0, -1], [-1, 0]] as const;
const DIAGONAL = [[1, 1], [1, -1], [-1, -1], [-1, 1]] as const;
const JUMPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]] as const;

function step(square: number, dx: number, dy: number): number {
  const file = (square & 7) + dx;
  const rank = (square >> 3) + dy;
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
}

/** The squares a piece attacks. */
export function attacks(squares: readonly string[], from: number): number[] {
  const piece = squares[from] ?? "";
  const kind = piece.toLowerCase();
  const found: number[] = [];
  const once = (steps: readonly (readonly [number, number])[]): void => {
    for (const [dx, dy] of steps) {
      const to = step(from, dx, dy);
      if (to >= 0) found.push(to);
    }
  };
  const slide = (steps: readonly (readonly [number, number])[]): void => {
    for (const [dx, dy] of steps) {
      for (let to = step(from, dx, dy); to >= 0; to = step(to, dx, dy)) {
        found.push(to);
        if (squares[to]) break;
      }
    }
  };
  if (kind === "n") once(JUMPS);
  if (kind === "k") once([...STRAIGHT, ...DIAGONAL]);
  if (kind === "b" || kind === "q") slide(DIAGONAL);
  if (kind === "r" || kind === "q") slide(STRAIGHT);
  if (kind === "p") once(sideOf(piece) === "white" ? [[-1, 1], [1, 1]] : [[-1, -1], [1, -1]]);
  return found;
}

/** The square of a king that is attacked, or -1. */
export function checkedKing(squares: readonly string[], side: Side): number {
  const king = squares.indexOf(side === "white" ? "K" : "k");
  if (king < 0) return -1;
  for (let from = 0; from < 64; from++) {
    const piece = squares[from];
    if (piece && sideOf(piece) !== side && attacks(squares, from).includes(king)) return king;
  }
  return -1;
}

export interface Move {
  from: number;
  to: number;
  promotion: string;
}

export function readUci(uci: string): Move {
  return { from: squareOf(uci.slice(0, 2)), to: squareOf(uci.slice(2, 4)), promotion: uci.slice(4) };
}

/** What a move is, before it is made: all that notation and words need. */
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

export function after(position: Position, uci: string): Position {
  const { from, to, promotion } = readUci(uci);
  const squares = position.squares.slice();
  const piece = squares[from] ?? "";
  const kind = piece.toLowerCase();
  squares[from] = "";
  squares[to] = promotion ? (position.turn === "white" ? promotion.toUpperCase() : promotion) : piece;
  if (kind === "p" && to === position.enPassant) squares[to + (position.turn === "white" ? -8 : 8)] = "";
  if (kind === "k" && Math.abs(to - from) === 2) {
    const [rook, beside] = to > from ? [from + 3, from + 1] : [from - 4, from - 1];
    squares[beside] = squares[rook] ?? "";
    squares[rook] = "";
  }
  const lost: Record<number, string> = { 0: "Q", 7: "K", 4: "KQ", 56: "q", 63: "k", 60: "kq" };
  const gone = (lost[from] ?? "") + (lost[to] ?? "");
  return {
    squares,
    turn: other(position.turn),
    castling: [...position.castling].filter((right) => !gone.includes(right)).join(""),
    enPassant: kind === "p" && Math.abs(to - from) === 16 ? (from + to) / 2 : -1,
  };
}

/** Where a piece can go by the way it moves, without leaving its king attacked; no castling. */
function reaches(position: Position, from: number): number[] {
  const { squares, turn } = position;
  const piece = squares[from] ?? "";
  const targets: number[] = [];
  if (piece.toLowerCase() === "p") {
    const up = turn === "white" ? 8 : -8;
    if (!squares[from + up]) {
      targets.push(from + up);
      const home = turn === "white" ? 1 : 6;
      if (from >> 3 === home && !squares[from + 2 * up]) targets.push(from + 2 * up);
    }
    for (const to of attacks(squares, from)) {
      const there = squares[to];
      if (to === position.enPassant || (there && sideOf(there) !== turn)) targets.push(to);
    }
  } else {
    for (const to of attacks(squares, from)) {
      const there = squares[to];
      if (!there || sideOf(there) !== turn) targets.push(to);
    }
  }
  return targets.filter((to) => {
    const next = after(position, squareName(from) + squareName(to));
    return checkedKing(next.squares, turn) < 0;
  });
}

function hasMoves(position: Position): boolean {
  return position.squares.some(
    (piece, from) => piece && sideOf(piece) === position.turn && reaches(position, from).length > 0,
  );
}

/** A legal move, told. */
export function tell(position: Position, uci: string): Told {
  const { from, to, promotion } = readUci(uci);
  const piece = position.squares[from] ?? "";
  const kind = piece.toLowerCase();
  const captures = Boolean(position.squares[to]) || (kind === "p" && to === position.enPassant);
  const castles = kind === "k" && Math.abs(to - from) === 2 ? (to > from ? "short" : "long") : "";
  const next = after(position, uci);
  const check = checkedKing(next.squares, next.turn) >= 0;
  const mate = check && !hasMoves(next);
  let san = "";
  if (castles) san = castles === "short" ? "O-O" : "O-O-O";
  else if (kind === "p") {
    san = (captures ? squareName(from)[0] + "x" : "") + squareName(to);
    if (promotion) san += "=" + promotion.toUpperCase();
  } else san = kind.toUpperCase() + apart(position, from, to) + (captures ? "x" : "") + squareName(to);
  san += mate ? "#" : check ? "+" : "";
  return { piece, from, to, captures, promotion, castles, check, mate, san };
}

/** What tells a piece from others of its kind that could go there too. */
function apart(position: Position, from: number, to: number): string {
  const piece = position.squares[from];
  const rivals: number[] = [];
  position.squares.forEach((one, square) => {
    if (one === piece && square !== from && reaches(position, square).includes(to)) rivals.push(square);
  });
  if (!rivals.length) return "";
  const name = squareName(from);
  if (!rivals.some((square) => (square & 7) === (from & 7))) return name[0]!;
  if (!rivals.some((square) => square >> 3 === from >> 3)) return name[1]!;
  return name;
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
