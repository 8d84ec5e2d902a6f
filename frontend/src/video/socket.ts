// The socket of the video conference; it comes back by itself.
import { backoff } from "../hall/outbox";

export interface Told {
  type: string;
  // Each kind of message has its own fields; whoever takes it knows them.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [field: string]: any;
}

export interface VideoHears {
  opened(): void;
  told(message: Told): void;
  sent?(kind: number, header: { entry: number; kind: string; first: boolean }, body: Uint8Array<ArrayBuffer>): void;
  lost(): void;
  /** The server wants this page no more. */
  ended(code: number): void;
}

const SIGNED_OUT = 4401;
export const REPLACED = 4409;
const FOR_CONDUCT = 1008;

export class VideoSocket {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private isClosed = false;

  /** `query` says what else the address is for: a phone needs no account. */
  constructor(private readonly page: VideoHears, private readonly query = "") {
    this.open();
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  tell(message: object): void {
    if (this.isOpen) this.socket!.send(JSON.stringify(message));
  }

  send(data: Uint8Array<ArrayBuffer>): void {
    if (this.isOpen) this.socket!.send(data);
  }

  close(): void {
    this.isClosed = true;
    this.socket?.close();
  }

  private open(): void {
    if (this.isClosed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/video/socket?lang=${document.documentElement.lang}${this.query}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.addEventListener("open", () => this.page.opened());
    socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
      this.attempt = 0;
      if (typeof data === "string") this.page.told(JSON.parse(data) as Told);
      else {
        const bytes = new Uint8Array(data);
        const length = (bytes[1]! << 8) | bytes[2]!;
        const header = JSON.parse(new TextDecoder().decode(bytes.subarray(3, 3 + length))) as { entry: number; kind: string; first: boolean };
        this.page.sent?.(bytes[0]!, header, bytes.slice(3 + length));
      }
    });
    socket.addEventListener("close", ({ code }) => {
      if (this.isClosed) return;
      if ([SIGNED_OUT, REPLACED, FOR_CONDUCT].includes(code)) {
        this.isClosed = true;
        this.page.ended(code);
        return;
      }
      this.page.lost();
      setTimeout(() => this.open(), backoff(this.attempt++));
    });
  }
}
