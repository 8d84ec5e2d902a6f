// What each side has more of than the other: shown beside the names.
import type { Position, Side } from "./notation";

const VALUES = { queen: 9, rook: 5, bishop: 3, knight: 3, pawn: 1 } as const;
const SIGNS = { queen: "♛", rook: "♜", bishop: "♝", knight: "♞", pawn: "♟" } as const;
type Role = keyof typeof VALUES;
const ROLES = Object.keys(VALUES) as Role[];

export interface Material {
  /** Signs of the pieces that this side has more of, the heaviest first. */
  pieces: string;
  /** By how many pawns this side is ahead; 0 where it is not. */
  ahead: number;
}

export function materialOf(position: Position, side: Side): Material {
  const { board } = position;
  const foe: Side = side === "white" ? "black" : "white";
  let pieces = "";
  let ahead = 0;
  for (const role of ROLES) {
    const more = board[role].intersect(board[side]).size() - board[role].intersect(board[foe]).size();
    if (more > 0) pieces += SIGNS[role].repeat(more);
    ahead += more * VALUES[role];
  }
  return { pieces, ahead: Math.max(0, ahead) };
}
