// Why a game stands still: the arbiter stopped the clocks, a call did, or the server was at fault.
import type { Alarm } from "./tile";
import type { ActShown } from "./views";

const REASONS: Record<string, string> = {
  "hall.recovered": "phase.recovered",
  "hall.held": "phase.held_long",
  "hall.handed_over": "phase.handed_over",
  "hall_live.call_stops_clocks": "phase.called",
};
const RECOVERED = "hall_live.alarm.recovered";
const HELD_LONG = "hall_live.alarm.held_long";
const HELD = "hall_live.alarm.held";

/** The words for a paused game by the act that paused it; those who see no acts are told only that it stands. */
export function pauseKey(acts: ActShown[] = []): string {
  const paused = acts.filter(({ act, withdrawn }) => act.type === "paused" && !withdrawn).at(-1);
  if (!paused) return "phase.standing";
  return REASONS[paused.act.reason] ?? "phase.paused";
}

/** The same on a tile of the arbiter's wall, by its alarms. A call that stopped the clocks shows beside it. */
export function wallPauseKey(alarms: Alarm[], calls: number): string {
  if (calls) return "phase.standing";
  if (alarms.some(({ key }) => key === RECOVERED)) return "phase.recovered_here";
  return alarms.some(({ key }) => key === HELD_LONG) ? "phase.held_here" : "phase.standing";
}

/** 11.6 — whether the server itself holds the clocks of a board on the wall. */
export function isHeld(alarms: Alarm[]): boolean {
  return alarms.some(({ key }) => key === HELD);
}
