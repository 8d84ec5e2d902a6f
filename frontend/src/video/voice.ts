// The arbiter's voice as the page of a player takes it: heard, and answered where it goes both ways.
import { element } from "../hall/dom";
import type { Told, VideoSocket } from "./socket";
import { connectionTo, describe, type IceServer } from "./webrtc";

/** The voices that a player hears. */
export class Voices {
  private readonly heard = new Map<number, { connection: RTCPeerConnection; audio: HTMLAudioElement }>();

  /** `microphone` is what the player sends anyway, while it is on. */
  constructor(
    private readonly socket: VideoSocket,
    private readonly place: HTMLElement,
    private readonly microphone: () => MediaStreamTrack | undefined,
    private readonly changed: (count: number) => void,
  ) {}

  async take(message: Told): Promise<void> {
    const voice = message.voice as number;
    const connection = connectionTo(message.ice as IceServer[]);
    const audio = element("audio");
    audio.autoplay = true;
    connection.addEventListener("track", ({ track, streams }) => {
      audio.srcObject = streams[0] ?? new MediaStream([track]);
      void audio.play().catch(() => undefined);
    });
    this.place.append(audio);
    this.heard.set(voice, { connection, audio });
    this.changed(this.heard.size);
    await connection.setRemoteDescription({ type: "offer", sdp: message.offer as string });
    const microphone = this.microphone();
    if (message.is_both_ways && microphone?.readyState === "live") connection.addTrack(microphone);
    const answer = await describe(connection);
    this.socket.tell({ type: "hear", voice, answer });
  }

  end(voice: number): void {
    const one = this.heard.get(voice);
    if (!one) return;
    one.connection.close();
    one.audio.srcObject = null;
    one.audio.remove();
    this.heard.delete(voice);
    this.changed(this.heard.size);
  }

  stop(): void {
    for (const voice of [...this.heard.keys()]) this.end(voice);
  }
}
