// 10.3 — a phone as the second camera of a player: the code stands behind the # of the address.
import { part, setText } from "../hall/dom";
import { say, wordsOf, type Words } from "../hall/words";
import { isLive, openRoom, SCREEN_TYPE, stop } from "./devices";
import { Meter } from "./measure";
import { SliceSender, type Sender } from "./sender";
import { AGAIN, type Begun } from "./slices";
import { VideoSocket, type Told } from "./socket";
import { PeerSender, type IceServer } from "./webrtc";

const KIND = "room";
const SECOND = 1000;
/** With these no code can be used any more. */
const OVER = ["video.no_such_code", "video.not_your_code", "video.not_a_player", "video.not_supervised", "video.no_consent"];

export class Phone {
  private readonly words: Words;
  private readonly button: HTMLButtonElement;
  private readonly mirror: HTMLVideoElement;
  private camera: MediaStream | null = null;
  private socket: VideoSocket | null = null;
  private sender: Sender | null = null;
  private isSending = false;
  private meter: Meter | null = null;

  constructor(private readonly root: HTMLElement) {
    this.words = wordsOf(root);
    this.button = part<HTMLButtonElement>(root, "start");
    this.mirror = part<HTMLVideoElement>(root, "picture");
    this.button.addEventListener("click", () => void this.start());
    document.addEventListener("visibilitychange", () => void this.seenAgain());
    setInterval(() => this.measure(), SECOND);
  }

  /** Begins, in answer to the click that consents. */
  private async start(): Promise<void> {
    this.button.disabled = true;
    if (!window.isSecureContext || !navigator.mediaDevices) return this.show("error", this.say("https"));
    try {
      await this.openCamera();
    } catch {
      this.button.disabled = false;
      return this.show("error", this.say("not_allowed"));
    }
    this.show("waiting", this.say("joining"));
    this.socket = new VideoSocket({
      opened: () => this.socket!.tell({ type: "attach", event: this.root.dataset.event, token: location.hash.slice(1) }),
      told: (message) => void this.told(message),
      lost: () => {
        this.stopSending();
        this.show("waiting", this.say("lost"));
      },
      ended: () => this.end(this.say("ended")),
    }, "&phone=1");
  }

  private async openCamera(): Promise<void> {
    stop(this.camera);
    this.camera = await openRoom();
    this.mirror.srcObject = this.camera;
    this.mirror.hidden = false;
    void this.mirror.play().catch(() => undefined);
    this.meter?.close();
    this.meter = new Meter(this.mirror, this.camera);
    // A phone that goes to sleep ends its camera; not every browser can be asked to stay awake.
    void navigator.wakeLock?.request("screen").catch(() => undefined);
  }

  /** 10.3 — covered or standing still: the same is measured as of the first camera. */
  private measure(): void {
    if (!this.isSending || !this.socket?.isOpen || !this.meter) return;
    const { light, change } = this.meter.measure();
    this.socket.tell({ type: "read", reading: { light, change, camera: isLive(this.camera?.getVideoTracks()[0]) } });
  }

  /** A phone that was locked may have ended the camera. */
  private async seenAgain(): Promise<void> {
    if (document.hidden || !this.isSending || isLive(this.camera?.getVideoTracks()[0])) return;
    await this.openCamera();
    this.begin();
  }

  private async told(message: Told): Promise<void> {
    switch (message.type) {
      case "attached":
        // The way back, also where the page is loaded again: the code itself is used up.
        history.replaceState(null, "", `#${message.token as string}`);
        this.sender = this.senderOf(message);
        break;
      case "status":
        await this.follow(message.needed as boolean);
        break;
      case "begun":
        this.sender?.begun(message as unknown as Begun);
        this.show("done", this.say("on"));
        break;
      case "mediastate":
        this.stopSending();
        if (message.is_up) this.begin();
        break;
      case "refused":
        this.refused(message);
    }
  }

  private refused(message: Told): void {
    const said = `${message.text as string}: ${message.do as string}.`;
    if (AGAIN.includes(message.key as string)) this.begin();
    else if (OVER.includes(message.key as string)) this.end(said);
    // The player rests still: once that is over the server says so, and it begins again.
    else if (message.key === "video.not_joined") this.stopSending();
  }

  private senderOf(message: Told): Sender | null {
    if (message.media === "janus") return new PeerSender(this.socket!, message.ice as IceServer[]);
    if ("MediaRecorder" in window && MediaRecorder.isTypeSupported(SCREEN_TYPE)) return new SliceSender(this.socket!);
    this.end(this.say("recorder"));
    return null;
  }

  /** 5.14 — sends while the player has to be seen, and switches the camera off after their game. */
  private async follow(isNeeded: boolean): Promise<void> {
    if (!isNeeded) {
      this.stopSending();
      stop(this.camera);
      this.show("waiting", this.say("resting"));
      return;
    }
    if (this.isSending || !this.sender) return;
    this.isSending = true;
    if (!isLive(this.camera?.getVideoTracks()[0])) await this.openCamera();
    this.begin();
  }

  private begin(): void {
    if (!this.camera || !this.sender) return;
    this.isSending = true;
    this.sender.begin(KIND, this.camera);
  }

  private stopSending(): void {
    this.sender?.stop();
    this.isSending = false;
  }

  private end(text: string): void {
    this.stopSending();
    this.socket?.close();
    stop(this.camera);
    this.mirror.hidden = true;
    this.show("error", text);
  }

  private say(key: string): string {
    return say(this.words, `phone.${key}`);
  }

  private show(kind: string, text: string): void {
    const state = part(this.root, "state");
    state.hidden = false;
    state.dataset.state = kind;
    setText(state, text);
  }
}
