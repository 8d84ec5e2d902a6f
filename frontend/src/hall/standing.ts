// Why a game stands still: the arbiter stopped the clocks, a call did, or the server was restarted.
import type { Alarm } from "./tile";
import type { ActShown } from "./views";

const REASONS: Record<string, string> = {
  "hall.recovered": "phase.recovered",
  "hall_live.call_stops_clocks": "phase.called",
};
const RECOVERED = "hall_live.alarm.recovered";

/** The words for a paused game by the act that paused it; those who see no acts are told only that it stands. */
export function pauseKey(acts: ActShown[] = []): string {
  const paused = acts.filter(({ act, withdrawn }) => act.type === "paused" && !withdrawn).at(-1);
  if (!paused) return "phase.standing";
  return REASONS[paused.act.reason] ?? "phase.paused";
}

/** The same on a tile of the arbiter's wall, by its alarms. A call that stopped the clocks shows beside it. */
export function wallPauseKey(alarms: Alarm[], calls: number): string {
  return alarms.some(({ key }) => key === RECOVERED) && !calls ? "phase.recovered_here" : "phase.standing";
}
