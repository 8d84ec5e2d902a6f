// One stream of a player, live: bytes as they come, by Media Source Extensions, or over WebRTC.
import { element } from "../hall/dom";
import { markLive } from "./webm";
import { accept, connectionTo, type IceServer } from "./webrtc";

const BEHIND = 3;
const KEEP = 30;
const TYPES: Record<string, string> = { camera: 'video/webm; codecs="vp8,opus"', screen: 'video/webm; codecs="vp8"', room: 'video/webm; codecs="vp8"' };

export class Live {
  readonly video = element("video");
  private buffer: SourceBuffer | null = null;
  private waiting: Uint8Array<ArrayBuffer>[] = [];
  private address = "";
  private connection: RTCPeerConnection | null = null;

  /** `again` asks for the stream anew, where its connection fails. */
  constructor(private readonly kind: string, private readonly again: () => void) {
    this.video.muted = true;
    this.video.autoplay = true;
    this.video.playsInline = true;
  }

  /** More of the stream; `first` begins with what every viewer needs. */
  take(bytes: Uint8Array<ArrayBuffer>, first: boolean): void {
    if (first) this.begin();
    this.waiting.push(first ? markLive(bytes) : bytes);
    this.append();
  }

  /** The stream can be had over WebRTC; `answer` says yes. */
  async offered(offer: string, ice: IceServer[], answer: (text: string) => void): Promise<void> {
    this.close();
    const connection = (this.connection = connectionTo(ice));
    connection.addEventListener("track", ({ track, streams }) => {
      const stream = streams[0] ?? new MediaStream([track]);
      if (this.video.srcObject !== stream) this.video.srcObject = stream;
      void this.video.play().catch(() => undefined);
    });
    connection.addEventListener("connectionstatechange", () => {
      if (connection.connectionState === "failed" && this.connection === connection) this.again();
    });
    const text = await accept(connection, offer);
    if (this.connection === connection) answer(text);
  }

  close(): void {
    this.connection?.close();
    this.connection = null;
    this.video.srcObject = null;
    this.buffer = null;
    this.waiting = [];
    this.video.removeAttribute("src");
    this.video.load();
    if (this.address) URL.revokeObjectURL(this.address);
    this.address = "";
  }

  private begin(): void {
    this.close();
    const source = new MediaSource();
    this.address = URL.createObjectURL(source);
    this.video.src = this.address;
    source.addEventListener("sourceopen", () => {
      this.buffer = source.addSourceBuffer(TYPES[this.kind]!);
      this.buffer.addEventListener("updateend", () => this.append());
      this.append();
    }, { once: true });
  }

  private append(): void {
    const { buffer, video } = this;
    if (!buffer || buffer.updating) return;
    this.keepUp(buffer, video);
    const next = this.waiting.shift();
    if (!next || buffer.updating) {
      if (next) this.waiting.unshift(next);
      return;
    }
    try {
      buffer.appendBuffer(next);
    } catch {
      this.buffer = null; // the next key frame begins anew
    }
    if (video.paused) void video.play().catch(() => undefined);
  }

  /** Stays near the present, and keeps no more than is needed. */
  private keepUp(buffer: SourceBuffer, video: HTMLVideoElement): void {
    const { buffered } = buffer;
    if (!buffered.length) return;
    const end = buffered.end(buffered.length - 1);
    const start = buffered.start(0);
    if (video.currentTime < start || end - video.currentTime > BEHIND) video.currentTime = Math.max(start, end - 0.5);
    if (end - start > 2 * KEEP) buffer.remove(0, end - KEEP);
  }
}
