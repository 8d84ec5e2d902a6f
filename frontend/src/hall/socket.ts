// The socket to the hall: comes back by itself, says again what was not answered.
import { backoff, Outbox } from "./outbox";

export interface FromServer {
  type: string;
  now: number;
  // Each kind of message has its own fields; whoever takes it knows them.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [field: string]: any;
}

export interface Hears {
  /** What to say first whenever the connection is there: which boards to show. */
  hello(): object[];
  message(message: FromServer): void;
  state(isOpen: boolean): void;
  /** The server wants this page no more: signed out, or too much was wrong. */
  ended(code: number): void;
}

const SIGNED_OUT = 4401;
const FOR_CONDUCT = 1008;
/** 6.9j: whoever is expelled is shown nothing any more. */
export const EXPELLED = 4403;
/** The server hands its games over to its next process: that one is there within two seconds. */
const RESTARTS = 1012;
const BACK_WITHIN = 4000;
const APART = 150;
const PING_EVERY = 5000;
const SILENT_TOO_LONG = 12_000;

export class HallSocket {
  lag: number | null = null;
  private socket: WebSocket | null = null;
  private attempt = 0;
  private heard = 0;
  private pinged = 0;
  private isLeft = false;
  private readonly outbox = new Outbox(Math.random().toString(36).slice(2, 10));

  constructor(private readonly page: Hears, private readonly language: string) {
    // The page is shown in the frame of the video conference now, with a socket of its own.
    addEventListener("conference", () => this.leave());
    addEventListener("online", () => this.open());
    addEventListener("offline", () => this.lost(this.socket));
    setInterval(() => this.keepAlive(), PING_EVERY);
    this.open();
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Asks for something; it is sent until it is answered. Gives the id of the answer. */
  ask(message: Record<string, unknown>): string {
    const sent = this.outbox.add(message);
    if (this.isOpen) this.socket!.send(JSON.stringify(sent));
    return sent.id;
  }

  /** Says something that needs no answer. */
  tell(message: object): void {
    if (this.isOpen) this.socket!.send(JSON.stringify(message));
  }

  private leave(): void {
    const socket = this.socket;
    this.isLeft = true;
    this.socket = null;
    socket?.close();
  }

  private open(): void {
    if (this.isLeft) return;
    // Without a network there is nothing to try: the browser tells when there is one again.
    if (!navigator.onLine || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/hall/socket?lang=${this.language}`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.heard = performance.now();
      for (const message of this.page.hello()) socket.send(JSON.stringify(message));
      for (const message of this.outbox.unanswered) socket.send(JSON.stringify(message));
      this.page.state(true);
      this.keepAlive();
    });
    socket.addEventListener("message", (event: MessageEvent<string>) => {
      if (socket !== this.socket) return;
      this.heard = performance.now();
      for (const line of event.data.split("\n")) this.take(JSON.parse(line) as FromServer);
    });
    socket.addEventListener("close", (event) => {
      if ([SIGNED_OUT, FOR_CONDUCT, EXPELLED].includes(event.code)) {
        this.socket = null;
        this.page.state(false);
        this.page.ended(event.code);
      } else if (event.code === RESTARTS) this.handedOver(socket);
      else this.lost(socket);
    });
  }

  private take(message: FromServer): void {
    if (message.type === "welcome") this.attempt = 0;
    if (message.type === "pong") this.lag = Math.round(performance.now() - this.pinged);
    if (["done", "refused", "wall_done"].includes(message.type)) {
      const sent = this.outbox.answered(String(message.id ?? ""));
      message.asked = sent;
    }
    this.page.message(message);
  }

  /** Comes back at once, a crowd a little apart; the page is told only if that takes long. */
  private handedOver(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.socket = null;
    this.lag = null;
    setTimeout(() => this.open(), Math.random() * APART);
    setTimeout(() => this.isOpen || this.page.state(false), BACK_WITHIN);
  }

  private lost(socket: WebSocket | null): void {
    if (socket !== this.socket) return;
    this.socket = null;
    this.lag = null;
    socket?.close();
    this.page.state(false);
    setTimeout(() => this.open(), backoff(this.attempt++));
  }

  /** A connection over which nothing comes is no connection, whatever the browser thinks. */
  private keepAlive(): void {
    if (!this.isOpen) return;
    if (performance.now() - this.heard > SILENT_TOO_LONG) {
      this.lost(this.socket);
      return;
    }
    this.pinged = performance.now();
    this.tell({ type: "ping", id: "lag" });
  }
}
