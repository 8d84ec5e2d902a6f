// An arbiter talks with players of the wall: one microphone, and a connection to each of them.
import { element, setText } from "../hall/dom";
import { say, type Words } from "../hall/words";
import type { Told, VideoSocket } from "./socket";
import { connectionTo, describe, type IceServer } from "./webrtc";

/** What the server takes at most: each player is a connection of this browser. */
export const MOST = 40;
const REASONS = ["room_check", "devices", "conduct", "call", "information", "other"];

/** Why, as the event's log will have it, and how the talk stands. */
export class TalkForm {
  readonly box = element("div", "talk-form");
  private readonly why = element("select");
  private readonly note = element("input");
  private readonly state = element("span", "dim");

  constructor(private readonly words: Words) {
    this.why.append(new Option("–", ""), ...REASONS.map((reason) => new Option(say(words, `talk_reason.${reason}`), reason)));
    this.why.name = "why";
    this.note.maxLength = 200;
    this.note.name = "note";
    this.state.setAttribute("role", "status");
    this.state.dataset.part = "talk-state";
    this.box.append(this.labelled("why", this.why), this.labelled("note", this.note), this.state);
  }

  /** The reason, or nothing where it is missing: then its field has the focus. */
  reason(): { why: string; note: string } | null {
    const missing = !this.why.value ? this.why : this.why.value === "other" && !this.note.value.trim() ? this.note : null;
    for (const field of [this.why, this.note]) field.ariaInvalid = String(field === missing);
    missing?.focus();
    return missing ? null : { why: this.why.value, note: this.note.value };
  }

  tell(text: string): void {
    setText(this.state, text);
  }

  private labelled(key: string, field: HTMLElement): HTMLElement {
    const label = element("label", "", `${say(this.words, `talk.${key}`)} `);
    label.append(field);
    return label;
  }
}

/** What a talk needs of the page: names for messages, and how a player is heard. */
export interface TalkPage {
  /** Whether voices go from browser to browser; else a player is heard in their stream. */
  isDirect(): boolean;
  name(entry: number): string;
  listen(entry: number, on: boolean): void;
  changed(): void;
}

export class Talk {
  form: TalkForm | null = null;
  private microphone: MediaStream | null = null;
  private wanted = 0;
  private readonly calls = new Map<number, { connection: RTCPeerConnection; audio: HTMLAudioElement; isOn: boolean }>();

  constructor(
    private readonly socket: VideoSocket,
    private readonly event: string,
    private readonly words: Words,
    private readonly place: HTMLElement,
    private readonly page: TalkPage,
  ) {}

  get isOn(): boolean {
    return this.form !== null;
  }

  has(entry: number): boolean {
    return this.calls.has(entry);
  }

  /** Asks for the microphone first: the log has nothing of a talk that cannot be. */
  async begin(form: TalkForm, entries: number[]): Promise<void> {
    this.end();
    if (!entries.length) return form.tell(this.say("nobody"));
    if (entries.length > MOST) return form.tell(this.say("too_many", { most: MOST }));
    const reason = form.reason();
    if (!reason) return;
    this.form = form;
    this.page.changed();
    form.tell("");
    try {
      const microphone = await navigator.mediaDevices.getUserMedia({ audio: true });
      if (this.form !== form) return microphone.getTracks().forEach((track) => track.stop()); // ended meanwhile
      this.microphone = microphone;
    } catch {
      return this.close(this.say("no_microphone"));
    }
    this.socket.tell({ type: "converse", event: this.event, entries, ...reason });
  }

  told(message: Told): void {
    if (!this.form) return;
    if (message.type === "conversing") {
      const entries = message.entries as number[];
      this.wanted = entries.length;
      for (const entry of entries) void this.call(entry, message.ice as IceServer[]);
      this.show();
    } else if (message.type === "talking") {
      const call = this.calls.get(message.entry as number);
      if (!message.on) this.drop(message.entry as number);
      else if (call?.connection.signalingState === "have-local-offer") {
        void call.connection.setRemoteDescription({ type: "answer", sdp: message.answer as string }).catch(() => this.fail(message.entry as number));
      }
    } else if (message.type === "refused") {
      const text = `${message.text as string}: ${message.do as string}.`;
      if (this.calls.size) this.form.tell(text);
      else this.close(text);
    }
  }

  /** Ends it, by a click or since the page goes on to something else. */
  end(): void {
    if (!this.form) return;
    if (this.microphone) this.socket.tell({ type: "hush" });
    this.close(this.say("over"));
  }

  /** The socket is gone: so is the talk. */
  lost(): void {
    if (this.form) this.close(this.say("over"));
  }

  private async call(entry: number, ice: IceServer[]): Promise<void> {
    const connection = connectionTo(ice);
    const audio = element("audio");
    audio.autoplay = true;
    audio.dataset.entry = String(entry);
    this.calls.set(entry, { connection, audio, isOn: false });
    const direction = this.page.isDirect() ? "sendrecv" : "sendonly";
    for (const track of this.microphone!.getTracks()) connection.addTransceiver(track, { direction, streams: [this.microphone!] });
    connection.addEventListener("track", ({ track, streams }) => {
      audio.srcObject = streams[0] ?? new MediaStream([track]);
      void audio.play().catch(() => undefined);
    });
    connection.addEventListener("connectionstatechange", () => {
      const call = this.calls.get(entry);
      if (call?.connection !== connection) return;
      if (connection.connectionState === "failed") return this.fail(entry);
      if (connection.connectionState !== "connected" || call.isOn) return;
      call.isOn = true;
      this.page.listen(entry, true);
      this.show();
    });
    this.place.append(audio);
    this.page.changed();
    const offer = await describe(connection);
    if (this.calls.get(entry)?.connection === connection) this.socket.tell({ type: "talk", event: this.event, entry, offer });
  }

  private fail(entry: number): void {
    const { form } = this;
    this.socket.tell({ type: "hush", entry });
    this.drop(entry);
    form?.tell(this.say("failed", { name: this.page.name(entry) }));
  }

  /** One player is heard no more; with the last of them the talk is over. */
  private drop(entry: number): void {
    const call = this.calls.get(entry);
    if (!call) return;
    call.connection.close();
    call.audio.srcObject = null;
    call.audio.remove();
    this.calls.delete(entry);
    if (call.isOn) this.page.listen(entry, false);
    if (this.calls.size) {
      this.show();
      this.page.changed();
    } else this.close(this.say("over"));
  }

  private close(text: string): void {
    const { form, microphone } = this;
    this.form = this.microphone = null;
    for (const track of microphone?.getTracks() ?? []) track.stop();
    for (const [entry, call] of this.calls) {
      call.connection.close();
      call.audio.remove();
      if (call.isOn) this.page.listen(entry, false);
    }
    this.calls.clear();
    form?.tell(text);
    this.page.changed();
  }

  private show(): void {
    const there = [...this.calls.values()].filter(({ isOn }) => isOn).length;
    this.form?.tell(this.say("begun", { there, all: this.wanted }));
  }

  private say(key: string, details: Record<string, string | number> = {}): string {
    return say(this.words, `talk.${key}`, details);
  }
}
