// What was asked of the server and not yet answered: it is sent again, under the same id, when the
// connection is back, so that nothing is lost and nothing done twice.
export interface Sent {
  id: string;
  [field: string]: unknown;
}

export class Outbox {
  private readonly waiting = new Map<string, Sent>();
  private count = 0;

  /** `origin` tells this page from others of the same person. */
  constructor(private readonly origin: string) {}

  add(message: Record<string, unknown>): Sent {
    const sent = { ...message, id: `${this.origin}-${++this.count}` };
    this.waiting.set(sent.id, sent);
    return sent;
  }

  /** The message of an id that the server has answered; it is not sent again. */
  answered(id: string): Sent | undefined {
    const sent = this.waiting.get(id);
    this.waiting.delete(id);
    return sent;
  }

  /** What is still to be answered, in the order it was asked. */
  get unanswered(): Sent[] {
    return [...this.waiting.values()];
  }
}

const FIRST = 250;
const LONGEST = 8000;

/** How long to wait before the nth attempt to come back; `luck` from 0 to 1 keeps a crowd apart. */
export function backoff(attempt: number, luck: number = Math.random()): number {
  const wait = Math.min(LONGEST, FIRST * 2 ** attempt);
  return Math.round(wait / 2 + (wait / 2) * luck);
}
