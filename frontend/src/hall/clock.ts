// Clocks as the server tells them; between two tellings they count down here, only to be shown.
import type { Side } from "./notation";

export interface ClockView {
  white: number;
  black: number;
  running: Side | null;
}

const TENTHS_BELOW = 20_000;
export const LOW = 10_000;

/** 1:02:03, 4:05, and below twenty seconds 0:19.4; never more than there is. */
export function clockText(milliseconds: number): string {
  const left = Math.max(0, Math.floor(milliseconds));
  const seconds = Math.floor(left / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  const whole = `${minutes}:${two(seconds % 60)}`;
  return left < TENTHS_BELOW && left > 0 ? `${whole}.${Math.floor(left / 100) % 10}` : whole;
}

/** mm:ss or h:mm:ss as milliseconds; null for anything else. */
export function readTime(text: string): number | null {
  const parts = text.trim().split(":");
  if (parts.length < 2 || parts.length > 3 || !parts.every((part) => /^\d{1,3}$/.test(part))) return null;
  const numbers = parts.map(Number);
  if (numbers.slice(1).some((value) => value > 59)) return null;
  return numbers.reduce((sum, value) => sum * 60 + value, 0) * 1000;
}

export class ShownClock {
  private view: ClockView = { white: 0, black: 0, running: null };
  private since = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  set(view: ClockView): void {
    this.view = view;
    this.since = this.now();
  }

  get running(): Side | null {
    return this.view.running;
  }

  left(side: Side): number {
    const passed = this.view.running === side ? this.now() - this.since : 0;
    return Math.max(0, this.view[side] - passed);
  }
}

/** The server's time, as far as the last message tells it; for deadlines, only to be shown. */
export class ServerTime {
  private offset = 0;

  heard(now: number): void {
    this.offset = now - Date.now();
  }

  get now(): number {
    return Date.now() + this.offset;
  }
}
