// How a player's streams reach the server: in slices over the socket, or over WebRTC.
import { CAMERA_TYPE, SCREEN_TYPE } from "./devices";
import { Slices, type Begun } from "./slices";
import type { VideoSocket } from "./socket";

export const BITS: Record<string, number> = { camera: 80_000, screen: 70_000, room: 80_000 };

export interface Sender {
  /** Has a stream begin, or begin anew. */
  begin(kind: string, stream: MediaStream): void;
  /** The server takes a stream that was to begin. */
  begun(message: Begun): void;
  /** Ends all streams. */
  stop(): void;
}

/** The embedded engine: the server names the recording, then slices go. */
export class SliceSender implements Sender {
  private readonly streams = new Map<string, MediaStream>();
  private readonly slices = new Map<string, Slices>();

  constructor(private readonly socket: VideoSocket) {}

  begin(kind: string, stream: MediaStream): void {
    this.slices.get(kind)?.stop();
    this.streams.set(kind, stream);
    this.socket.tell({ type: "begin", kind });
  }

  begun(message: Begun): void {
    this.slices.get(message.kind)?.stop();
    const stream = this.streams.get(message.kind);
    if (!stream?.active) return;
    const type = message.kind === "camera" ? CAMERA_TYPE : SCREEN_TYPE;
    const send = (data: Uint8Array<ArrayBuffer>): void => this.socket.send(data);
    this.slices.set(message.kind, new Slices(stream, type, BITS[message.kind]!, message, send));
  }

  stop(): void {
    for (const one of this.slices.values()) one.stop();
    this.slices.clear();
    this.streams.clear();
  }
}
