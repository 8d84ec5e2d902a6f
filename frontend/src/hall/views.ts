// What the server shows of a game, as `arrocco.hall.game.view` has it.
import type { ClockView } from "./clock";
import type { Side } from "./notation";

export interface Player {
  id: string;
  name: string;
  title?: string;
  rating?: number | null;
}

export interface Result {
  scores: [number, number];
  reason: string;
  article: string;
  key: string;
  side: Side | null;
  proof: string;
}

export interface MoveMade {
  uci: string;
  spent: number;
  white: number;
  black: number;
}

export interface Offer {
  side: Side;
  ply: number;
}

export interface ActShown {
  number: number;
  act: {
    type: string;
    at: number;
    by: string;
    reason: string;
    article: string;
    side?: Side;
  };
  withdrawn: boolean;
  /** How much of it. */
  details: Detail[];
  /** Whether the arbiter can take it back now. */
  withdrawable: boolean;
}

/** Something of an act to be shown, by its kind; `after` is what it became. */
export interface Detail {
  kind: string;
  value: unknown;
  after?: unknown;
  sign?: string;
}

export interface Call {
  number: number;
  caller: string;
  at: number;
  text: string;
  answered?: boolean;
}

/** Something that a player was asked to show. */
export interface Inspection {
  number: number;
  player: string;
  point: string;
  at: number;
  shows: boolean | null;
  text: string;
  in_order: boolean | null;
  closed: number | null;
}

export interface Seat {
  joined: number | null;
  platform: { on: boolean; lost: number | null };
  vcs: { on: boolean };
  away: number;
  reconnect_by: number | null;
  warnings: number;
  chat_blocked: boolean;
  watched: boolean;
}

export type Phase = "waiting" | "running" | "paused" | "ended";

export interface GameView {
  role: "spectator" | "player" | "arbiter";
  game: string;
  white: Player;
  black: Player;
  phase: Phase;
  fen: string;
  last: string;
  clock: ClockView;
  result: Result | null;
  // players and arbiters
  moves?: MoveMade[];
  offer?: Offer | null;
  offers?: Offer[];
  tolerance_ends?: number | null;
  acts?: ActShown[];
  calls?: Call[];
  requests?: { permission: string; granted: boolean | null }[];
  inspections?: Inspection[];
  /** 11.6 — since when the server holds the clocks, because its log cannot be written. */
  held?: number | null;
  // players
  side?: Side;
  legal?: string[];
  premove?: { ply: number; uci: string } | null;
  auto_queen?: boolean;
  may_move?: boolean;
  chat_blocked?: boolean;
  reconnect_by?: number | null;
  opponent?: { connected: boolean; lost: number | null; reconnect_by: number | null };
  // arbiters
  started?: number | null;
  white_seat?: Seat;
  black_seat?: Seat;
  notes?: { at: number; by: string; text: string; key: string }[];
  games_given_up?: number;
}

export interface LogEvent {
  type: string;
  at: number;
  side?: Side;
  ply?: number;
  uci?: string;
  spent?: number;
  white?: number;
  black?: number;
  on?: boolean;
  /** Of a premove that is held no more. */
  why?: "player" | "illegal" | "off_vcs";
}
