// The check that a player does alone before the event: each point with what was found and what to do.
import { element, part, setText } from "../hall/dom";
import { say, type Words } from "../hall/words";
import { hasSecondMonitor, missingOfBrowser, openCamera, openScreen, stop, surfaceOf } from "./devices";
import { Meter } from "./measure";
import { VideoSocket } from "./socket";
import { connectionTo, describe, type IceServer } from "./webrtc";

const BRIGHT = 40;
const HEARD = 300;
const LOOKS = 6;
const BETWEEN = 500;
const TRIAL = 256 * 1024;
const ENOUGH = 400;
const LONGEST = 15_000;
/** Milliseconds in which a connection to the media server comes about, or does not. */
const REACHED = 10_000;

type Sign = "done" | "warning" | "error";

export class Check {
  constructor(private readonly root: HTMLElement, private readonly words: Words, private readonly event: string, private readonly needsScreen: boolean) {
    part(root, "check").addEventListener("click", () => void this.run());
  }

  private async run(): Promise<void> {
    const button = part<HTMLButtonElement>(this.root, "check");
    button.disabled = true;
    for (const row of this.root.querySelectorAll<HTMLElement>("[data-check]")) this.tell(row.dataset.check!, "warning", "running");
    const missing = missingOfBrowser(this.needsScreen);
    this.tell("browser", missing ? "error" : "done", missing || "fine");
    if (!missing) {
      // The screen first: a browser asks for it only in answer to a click.
      if (this.needsScreen) await this.screen();
      await this.camera();
      await this.bandwidth();
      await this.connection();
    }
    button.disabled = false;
    part(this.root, "checked").hidden = false;
  }

  private tell(name: string, sign: Sign, key: string, details: Record<string, string | number> = {}): void {
    const row = this.root.querySelector<HTMLElement>(`[data-check="${name}"]`);
    if (!row) return;
    const status = element("span", `status ${sign}`, `${{ done: "✓", warning: "…", error: "✕" }[sign]} ${say(this.words, `check.${name}.${key}`, details) || ""}`);
    if (key === "running") setText(status, `… ${say(this.words, "check.running")}`);
    part(row, "found").replaceChildren(status);
    row.dataset.sign = sign;
  }

  private async screen(): Promise<void> {
    try {
      const stream = await openScreen();
      const surface = surfaceOf(stream);
      stop(stream);
      this.tell("screen", surface === "" || surface === "monitor" ? "done" : "error", surface === "" || surface === "monitor" ? "fine" : "part");
    } catch {
      this.tell("screen", "error", "refused");
    }
    const second = hasSecondMonitor();
    this.tell("monitors", second ? "error" : "done", second === null ? "unknown" : second ? "two" : "fine");
  }

  private async camera(): Promise<void> {
    let stream: MediaStream;
    try {
      stream = await openCamera();
    } catch {
      this.tell("camera", "error", "refused");
      this.tell("microphone", "error", "refused");
      return;
    }
    const video = part<HTMLVideoElement>(this.root, "picture");
    video.hidden = false;
    video.srcObject = stream;
    await video.play();
    const meter = new Meter(video, stream);
    let [light, level] = [0, 0];
    const began = performance.now();
    const first = video.getVideoPlaybackQuality().totalVideoFrames;
    for (let look = 0; look < LOOKS; look++) {
      await new Promise((done) => setTimeout(done, BETWEEN));
      const measured = meter.measure();
      light = Math.max(light, measured.light);
      level = Math.max(level, measured.level);
    }
    const frames = video.getVideoPlaybackQuality().totalVideoFrames - first;
    const rate = Math.round((frames * 1000) / (performance.now() - began));
    this.tell("camera", light >= BRIGHT && rate >= 2 ? "done" : "error", rate < 2 ? "slow" : light < BRIGHT ? "dark" : "fine", { light, rate });
    this.tell("microphone", level > HEARD ? "done" : "error", level > HEARD ? "fine" : "silent", { level: Math.round(level / 655) });
    meter.close();
    stop(stream);
    video.hidden = true;
  }

  /** Sends something that nobody keeps, the way that slices go, and looks how long that takes. */
  private bandwidth(): Promise<void> {
    return new Promise((done) => {
      let began = 0;
      const end = (sign: Sign, key: string, rate = 0): void => {
        clearTimeout(timer);
        this.tell("bandwidth", sign, key, { rate });
        socket.close();
        done();
      };
      const timer = setTimeout(() => end("error", "none"), LONGEST);
      const socket = new VideoSocket({
        opened: () => {
          began = performance.now();
          const trial = new Uint8Array(TRIAL);
          trial[0] = 3;
          socket.send(trial);
        },
        told: (message) => {
          if (message.type !== "tried") return;
          const rate = Math.round((TRIAL * 8) / Math.max(1, performance.now() - began));
          end(rate >= ENOUGH ? "done" : "error", rate >= ENOUGH ? "fine" : "slow", rate);
        },
        lost: () => undefined,
        ended: () => end("error", "none"),
      });
    });
  }

  /** Connects to the media server as joining does, without a picture: a network may let no UDP out. */
  private connection(): Promise<void> {
    return new Promise((done) => {
      let line: RTCPeerConnection | null = null;
      const end = (sign: Sign, key: string): void => {
        clearTimeout(timer);
        line?.close();
        this.tell("connection", sign, key);
        socket.close();
        done();
      };
      const timer = setTimeout(() => end("error", line ? "unreachable" : "none"), REACHED);
      const offer = async (ice: IceServer[]): Promise<void> => {
        line = connectionTo(ice);
        line.addTransceiver("video", { direction: "sendonly" });
        socket.tell({ type: "reach", event: this.event, offer: await describe(line) });
      };
      const socket = new VideoSocket({
        opened: () => socket.tell({ type: "reach", event: this.event }),
        told: (message) => {
          if (message.type === "refused") end("error", message.key === "video.starting" ? "away" : "none");
          if (message.type !== "reaching") return;
          if (message.has_come) end("done", "fine");
          else if (message.answer) line?.setRemoteDescription({ type: "answer", sdp: message.answer as string }).catch(() => end("error", "none"));
          else if (message.media === "janus") offer(message.ice as IceServer[]).catch(() => end("error", "none"));
          else end("done", "site");
        },
        lost: () => undefined,
        ended: () => end("error", "none"),
      });
    });
  }
}
