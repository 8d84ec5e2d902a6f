// One stream on its way to the server: slices of a second, at first shorter ones, each with its hash and the hash before it.
const SLICE = 1;
const EVERY = 1000;
/** Until the first pictures have gone, whatever there is goes so often: Chromium cuts a slice when something is written after
 * its time, so a first frame that comes late leaves one byte in the first slice and all the rest in the one a second later. */
const FIRST_EVERY = 150;
const FIRST_SLICES = 10;
/** Refusals after which a stream begins anew. */
export const AGAIN = ["video.out_of_order", "video.replayed", "video.hash_differs", "video.not_webm"];

export interface Begun {
  kind: string;
  recording: string;
  before: string;
  /** For WebRTC. */
  answer?: string;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g)!, (pair) => parseInt(pair, 16));
}

function hexOf(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A binary message: what it is, a header in JSON, and what follows. */
export function framed(kind: number, header: object, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const message = new Uint8Array(3 + text.length + body.length);
  message.set([kind, text.length >> 8, text.length & 255]);
  message.set(text, 3);
  message.set(body, 3 + text.length);
  return message;
}

export class Slices {
  private readonly recorder: MediaRecorder;
  private number = 0;
  private before: string;
  private order: Promise<void> = Promise.resolve();
  private isOver = false;
  private readonly hurry: number;

  constructor(stream: MediaStream, type: string, bits: number, begun: Begun, send: (data: Uint8Array<ArrayBuffer>) => void) {
    this.before = begun.before;
    const options = { mimeType: type, videoBitsPerSecond: bits, audioBitsPerSecond: 24_000, videoKeyFrameIntervalDuration: 2000 };
    this.recorder = new MediaRecorder(stream, options);
    this.recorder.addEventListener("dataavailable", ({ data }) => {
      // One after the other: each needs the hash of the one before.
      this.order = this.order.then(async () => {
        if (this.isOver || !data.size) return;
        const bytes = new Uint8Array(await data.arrayBuffer());
        const chained = new Uint8Array(32 + bytes.length);
        chained.set(bytesOf(this.before));
        chained.set(bytes, 32);
        const hash = hexOf(await crypto.subtle.digest("SHA-256", chained));
        send(framed(SLICE, { recording: begun.recording, number: this.number, before: this.before, hash }, bytes));
        this.number += 1;
        if (this.number === FIRST_SLICES) clearInterval(this.hurry);
        this.before = hash;
      });
    });
    this.recorder.start(EVERY);
    this.hurry = window.setInterval(() => {
      if (this.recorder.state === "recording") this.recorder.requestData();
    }, FIRST_EVERY);
  }

  stop(): void {
    this.isOver = true;
    clearInterval(this.hurry);
    if (this.recorder.state !== "inactive") this.recorder.stop();
  }
}
