// WebRTC with the server: one connection for each stream, one offer and one answer for each connection.
// The server has a public address and only answers, so nothing has to be told after that.
import { BITS, type Sender } from "./sender";
import type { Begun } from "./slices";
import type { VideoSocket } from "./socket";

export interface IceServer {
  urls: string;
  username: string;
  credential: string;
}

/** Milliseconds that a browser may look for its own addresses: those it has by then are enough. */
const GATHER = 1000;
/** Milliseconds after which a stream that never came about is begun anew. */
const CONNECT = 15_000;
const FRAMES: Record<string, number> = { camera: 10, screen: 3, room: 10 };
const OVER = ["failed", "closed"];

export function connectionTo(ice: IceServer[]): RTCPeerConnection {
  const iceServers = ice.map(({ urls, username, credential }) => (username ? { urls, username, credential } : { urls }));
  return new RTCPeerConnection({ iceServers, bundlePolicy: "max-bundle" });
}

/** Makes the description of this side, with the addresses that are found soon. */
export async function describe(connection: RTCPeerConnection): Promise<string> {
  await connection.setLocalDescription();
  if (connection.iceGatheringState !== "complete") {
    await new Promise<void>((done) => {
      const timer = setTimeout(done, GATHER);
      connection.addEventListener("icegatheringstatechange", () => {
        if (connection.iceGatheringState !== "complete") return;
        clearTimeout(timer);
        done();
      });
    });
  }
  return connection.localDescription?.sdp ?? "";
}

/** Takes what the server offers: the stream, and the answer to send. */
export async function accept(connection: RTCPeerConnection, offer: string): Promise<string> {
  await connection.setRemoteDescription({ type: "offer", sdp: offer });
  return describe(connection);
}

/** Every current browser has VP8, and recordings are made of it. */
function preferVp8(transceiver: RTCRtpTransceiver): void {
  const codecs = RTCRtpReceiver.getCapabilities("video")?.codecs ?? [];
  const wanted = codecs.filter(({ mimeType }) => ["video/VP8", "video/rtx"].includes(mimeType));
  if (wanted.some(({ mimeType }) => mimeType === "video/VP8")) transceiver.setCodecPreferences(wanted);
}

class Outgoing {
  readonly connection: RTCPeerConnection;
  private readonly timer: ReturnType<typeof setTimeout>;
  private isClosed = false;

  constructor(ice: IceServer[], kind: string, stream: MediaStream, private readonly failed: () => void) {
    this.connection = connectionTo(ice);
    for (const track of stream.getTracks()) {
      if (track.kind === "audio") {
        this.connection.addTransceiver(track, { direction: "sendonly", streams: [stream] });
        continue;
      }
      const sendEncodings = [{ maxBitrate: BITS[kind]!, maxFramerate: FRAMES[kind]! }];
      preferVp8(this.connection.addTransceiver(track, { direction: "sendonly", streams: [stream], sendEncodings }));
    }
    this.timer = setTimeout(() => this.giveUp(), CONNECT);
    this.connection.addEventListener("connectionstatechange", () => {
      if (this.connection.connectionState === "connected") clearTimeout(this.timer);
      else if (OVER.includes(this.connection.connectionState)) this.giveUp();
    });
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.connection.close();
  }

  private giveUp(): void {
    if (this.isClosed) return;
    this.close();
    this.failed();
  }
}

/** The engine for larger events: each stream goes to Janus, and begins anew where its connection fails. */
export class PeerSender implements Sender {
  private readonly outgoing = new Map<string, Outgoing>();

  constructor(private readonly socket: VideoSocket, private readonly ice: IceServer[]) {}

  begin(kind: string, stream: MediaStream): void {
    this.outgoing.get(kind)?.close();
    const outgoing = new Outgoing(this.ice, kind, stream, () => {
      if (stream.active && this.outgoing.get(kind) === outgoing) this.begin(kind, stream);
    });
    this.outgoing.set(kind, outgoing);
    void describe(outgoing.connection).then(
      (offer) => {
        if (this.outgoing.get(kind) === outgoing) this.socket.tell({ type: "begin", kind, offer });
      },
      () => undefined, // it was closed meanwhile
    );
  }

  begun(message: Begun): void {
    const connection = this.outgoing.get(message.kind)?.connection;
    if (!message.answer || connection?.signalingState !== "have-local-offer") return;
    void connection.setRemoteDescription({ type: "answer", sdp: message.answer }).catch(() => undefined);
  }

  stop(): void {
    for (const one of this.outgoing.values()) one.close();
    this.outgoing.clear();
  }
}
