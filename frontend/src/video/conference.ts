// A player in the video conference: everything runs in this page, and the event and the board are shown
// in a frame of it. So a new round, or another page, interrupts nothing.
import { element, setText } from "../hall/dom";
import { SHARE_SCREEN } from "../hall/inspections";
import { say, type Words } from "../hall/words";
import { hasSecondMonitor, isLive, openCamera, openScreen, stop, surfaceOf } from "./devices";
import { Meter } from "./measure";
import { SliceSender, type Sender } from "./sender";
import { AGAIN, framed, type Begun } from "./slices";
import { SecondCamera } from "./second-camera";
import { REPLACED, VideoSocket, type Told } from "./socket";
import { Voices } from "./voice";
import { PeerSender, type IceServer } from "./webrtc";

const STILL = 2;
const SECOND = 1000;
/** What the server tells of once it can take streams again. */
const WAIT = ["video.starting", "video.not_taken"];

/** The arbiter sees these, and no move waits for them. */
const NO_MOVE_WAITS = ["part_of_screen", "second_monitor", "unfocused", "no_room", "room_black", "room_frozen"];

export class Conference {
  private camera: MediaStream | null = null;
  private screen: MediaStream | null = null;
  private meter: Meter | null = null;
  private socket: VideoSocket | null = null;
  private sender: Sender | null = null;
  private voices: Voices | null = null;
  private second: SecondCamera | null = null;
  private readonly mirror = element("video", "mirror");
  private readonly state = element("p", "conference-state");
  private readonly advice = element("p", "conference-advice");
  private readonly voice = element("p", "conference-voice");
  private readonly again = element("button", "small");
  private readonly bar = element("section", "conference");
  private isResting = false;
  private needsScreen = true;
  private seconds = 0;

  constructor(private readonly words: Words, private readonly event: string) {}

  /** Begins, in answer to a click: the browser asks for the screen first, then for the camera. */
  async join(page: string, needsScreen: boolean): Promise<void> {
    this.needsScreen = needsScreen;
    if (needsScreen) this.screen = await openScreen();
    try {
      await this.openCamera();
    } catch (error) {
      stop(this.screen);
      throw error;
    }
    this.build(page);
    this.socket = new VideoSocket({
      opened: () => this.socket!.tell({ type: "join", event: this.event }),
      told: (message) => this.told(message),
      lost: () => {
        this.sender?.stop();
        this.voices!.stop();
        this.show("lost", this.say("lost"), this.say("lost_do"));
      },
      ended: (code) => this.end(this.say(code === REPLACED ? "replaced" : "ended")),
    });
    this.voices = new Voices(this.socket, this.bar, () => this.camera?.getAudioTracks()[0], (count) => {
      this.voice.hidden = !count;
    });
    this.second = new SecondCamera(this.words, this.socket, this.bar);
    addEventListener(SHARE_SCREEN, () => void this.shareScreen());
    setInterval(() => void this.tick(), SECOND);
  }

  private say(key: string, details: Record<string, string | number> = {}): string {
    return say(this.words, `conference.${key}`, details);
  }

  private async openCamera(): Promise<void> {
    this.camera = await openCamera();
    this.mirror.srcObject = this.camera;
    this.meter?.close();
    this.meter = new Meter(this.mirror, this.camera);
  }

  private build(page: string): void {
    const frame = element("iframe", "conference-page");
    frame.src = page;
    frame.title = document.title;
    frame.allow = "autoplay; fullscreen";
    this.mirror.muted = true;
    this.mirror.autoplay = true;
    this.mirror.playsInline = true;
    this.mirror.setAttribute("aria-label", this.say("mirror"));
    this.state.setAttribute("role", "status");
    this.again.type = "button";
    this.again.hidden = true;
    this.again.addEventListener("click", () => void this.repair());
    const told = element("div", "conference-told");
    this.voice.setAttribute("role", "status");
    this.voice.hidden = true;
    setText(this.voice, this.say("voice"));
    told.append(this.state, this.voice, this.advice);
    this.bar.setAttribute("aria-label", this.say("title"));
    this.bar.append(this.mirror, told, this.again);
    dispatchEvent(new Event("conference"));
    document.body.className = "in-conference";
    document.body.replaceChildren(this.bar, frame);
    frame.addEventListener("load", () => {
      document.title = frame.contentDocument?.title ?? document.title;
    });
    this.show("joining", this.say("joining"), "");
    void this.mirror.play();
  }

  private show(kind: string, text: string, advice: string): void {
    this.bar.dataset.state = kind;
    setText(this.state, text);
    setText(this.advice, advice);
  }

  private told(message: Told): void {
    switch (message.type) {
      case "joined":
        this.isResting = false;
        this.needsScreen = message.screen as boolean;
        this.sender?.stop();
        this.sender = message.media === "janus" ? new PeerSender(this.socket!, message.ice as IceServer[]) : new SliceSender(this.socket!);
        this.begin();
        break;
      case "invited":
        this.second!.invited(message);
        break;
      case "begun":
        this.sender?.begun(message as unknown as Begun);
        break;
      case "status":
        this.status(message);
        break;
      case "mediastate":
        if (message.is_up) this.begin();
        else {
          this.sender?.stop();
          this.show("seen", this.say("away"), this.say("away_do"));
        }
        break;
      case "spoken":
        void this.voices!.take(message);
        break;
      case "silenced":
        this.voices!.end(message.voice as number);
        break;
      case "refused":
        if (AGAIN.includes(message.key as string)) this.begin();
        else if (!WAIT.includes(message.key as string)) this.show("refused", message.text as string, message.do as string);
    }
  }

  /** Has every stream begin, or begin anew. */
  private begin(): void {
    this.sender?.stop();
    if (this.isResting) return;
    if (this.camera) this.sender?.begin("camera", this.camera);
    if (this.screen) this.sender?.begin("screen", this.screen);
  }

  private status(message: Told): void {
    const problems = message.problems as string[];
    this.second!.set(message.room as boolean);
    if (!message.needed) {
      if (!this.isResting) this.rest();
      this.show("resting", this.say("resting"), this.say("resting_do"));
      return;
    }
    if (this.isResting) {
      void this.wake();
      return;
    }
    if (!message.on && !problems.length) {
      this.show("joining", this.say("joining"), "");
      return;
    }
    const off = problems.filter((problem) => !NO_MOVE_WAITS.includes(problem));
    this.again.hidden = !problems.some((problem) => ["no_screen", "part_of_screen", "no_camera", "no_microphone"].includes(problem));
    setText(this.again, this.say(problems.includes("no_screen") || problems.includes("part_of_screen") ? "share_again" : "open_again"));
    const first = off[0] ?? problems[0];
    const text = first ? this.say(`problem.${first}`) : this.say("on");
    const recorded = message.recorded ? "" : this.say("not_recorded");
    const advice = first ? this.say(`do.${first}`) : recorded;
    this.show(off.length ? "off" : first ? "seen" : "on", off.length ? `${text} ${this.say("moves_wait")}` : text, advice);
  }

  /** 5.14 — after one's game camera and microphone are off; the screen is kept for the next round, and not sent. */
  private rest(): void {
    this.isResting = true;
    this.sender?.stop();
    stop(this.camera);
    this.camera = null;
    this.socket!.tell({ type: "rest" });
  }

  private async wake(): Promise<void> {
    this.isResting = false;
    await this.openCamera();
    void this.mirror.play();
    this.socket!.tell({ type: "join", event: this.event });
  }

  /** Opens again what has ended; sharing a screen needs a click. */
  private async repair(): Promise<void> {
    if (this.needsScreen && (!isLive(this.screen?.getVideoTracks()[0]) || surfaceOf(this.screen) !== "monitor")) {
      const before = this.screen;
      this.screen = await openScreen();
      stop(before);
    }
    if (!isLive(this.camera?.getVideoTracks()[0]) || !isLive(this.camera?.getAudioTracks()[0])) {
      stop(this.camera);
      await this.openCamera();
      void this.mirror.play();
    }
    this.begin();
  }

  /** 8.1 — the arbiter has asked for the screen, also where the event's rules do not. */
  private async shareScreen(): Promise<void> {
    if (!isLive(this.screen?.getVideoTracks()[0])) this.screen = await openScreen();
    this.sender?.begin("screen", this.screen!);
  }

  private async tick(): Promise<void> {
    if (this.isResting || !this.socket?.isOpen || !this.camera || !this.meter) return;
    const measured = this.meter.measure();
    const reading = {
      ...measured,
      camera: isLive(this.camera.getVideoTracks()[0]),
      microphone: isLive(this.camera.getAudioTracks()[0]),
      screen: !this.needsScreen || this.screen?.getVideoTracks()[0]?.readyState === "live",
      surface: this.needsScreen ? surfaceOf(this.screen) : "",
      extended: hasSecondMonitor() ?? false,
      focused: document.hasFocus(),
    };
    this.socket.tell({ type: "read", reading });
    if (this.seconds++ % 2 === 0) {
      const still = await this.meter.still();
      if (still) this.socket.send(framed(STILL, {}, new Uint8Array(await still.arrayBuffer())));
    }
  }

  private end(text: string): void {
    this.sender?.stop();
    this.voices?.stop();
    stop(this.camera);
    stop(this.screen);
    this.show("ended", text, "");
  }
}
