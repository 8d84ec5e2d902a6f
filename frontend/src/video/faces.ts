// The wall of a supervised event: who is there, a still of everybody, one board live with sound.
import { element, part, setText } from "../hall/dom";
import type { Tile } from "../hall/tile";
import { say, type Words } from "../hall/words";
import { Live } from "./live";
import { VideoSocket, type Told } from "./socket";
import { Talk, TalkForm } from "./talk";
import type { IceServer } from "./webrtc";

interface Player {
  entry: number;
  name: string;
  on: boolean;
  problems: string[];
  resting: boolean;
  kinds: string[];
  not_recorded: string;
}

/** What the server says of the room for recordings: bytes, and for how many minutes they will do. */
interface Space {
  used: number;
  quota: number;
  free: number;
  minutes: number | null;
}

/** Minutes of room for recordings below which the arbiter is warned. */
const SHORT = 60;
/** What a place hears where nobody is shown any more. */
export const UNWATCHED = "unwatched";
const SLICE = 1;
const STILL = 2;
const KINDS = ["camera", "screen"];
/** 10.3 — a second camera, shown while there is one. */
const ROOM = "room";

export class Faces {
  private readonly socket: VideoSocket;
  private players: Player[] = [];
  private readonly stills = new Map<number, ImageBitmap>();
  private readonly live = new Map<string, Live>();
  /** Players who are heard without being shown, while the arbiter talks to a group over Janus. */
  private readonly heard = new Map<string, Live>();
  private readonly sounds = new Map<number, (isOn: boolean) => void>();
  private readonly talkButtons = new Map<number, HTMLElement>();
  private readonly talk: Talk;
  private groupTalk: () => void = () => undefined;
  private form: TalkForm | null = null;
  private watched: string[] = [];
  /** Where who is watched is shown: at the board that is open, or at a line of the presence board. */
  private shownAt: HTMLElement;
  private media = "segments";

  constructor(
    private readonly root: HTMLElement,
    private readonly panel: HTMLElement,
    private readonly words: Words,
    private readonly event: string,
    private readonly tiles: () => Tile[],
    private readonly stillTaken: () => void,
  ) {
    this.shownAt = panel;
    this.socket = new VideoSocket({
      opened: () => {
        this.socket.tell({ type: "follow", event });
        if (this.watched.length) this.watch(this.watched, this.shownAt);
      },
      told: (message) => this.told(message),
      sent: (kind, header, body) => {
        if (kind === STILL) void this.still(header.entry, body);
        else if (kind === SLICE) this.live.get(`${header.entry}/${header.kind}`)?.take(body, header.first);
      },
      lost: () => this.talk.lost(),
      ended: () => this.talk.lost(),
    });
    this.talk = new Talk(this.socket, event, words, root, {
      isDirect: () => this.media !== "janus",
      name: (entry) => this.players.find((player) => player.entry === entry)?.name ?? String(entry),
      listen: (entry, isOn) => this.listen(entry, isOn),
      changed: () => this.showTalk(),
    });
  }

  /** Has the arbiter talk to a group: the players at these boards, or everybody where there is none yet. */
  addGroup(place: HTMLElement, boards: () => Tile[] | null): void {
    const form = new TalkForm(this.words);
    const button = element("button", "", say(this.words, "talk.begin"));
    button.type = "button";
    button.ariaPressed = "false";
    button.addEventListener("click", () => {
      if (this.talk.form === form) return this.talk.end();
      const names = boards()?.flatMap(({ board }) => [board.white, board.black]);
      const group = this.players.filter(({ name, resting }) => (names ? names.includes(name) : !resting));
      void this.talk.begin(form, group.map(({ entry }) => entry));
    });
    this.groupTalk = () => {
      const isOn = this.talk.form === form;
      button.ariaPressed = String(isOn);
      setText(button, say(this.words, isOn ? "talk.end" : "talk.begin"));
    };
    form.box.insertBefore(button, form.box.lastElementChild);
    place.append(form.box);
  }

  /** Draws the faces of a board. */
  place(tile: Tile): void {
    const { faces, board } = tile;
    faces.hidden = board.phase === "ended";
    if (!faces.childElementCount) {
      for (let side = 0; side < 2; side++) {
        const canvas = element("canvas");
        canvas.width = 160;
        canvas.height = 120;
        const whose = element("span", "whose");
        whose.ariaHidden = "true"; // the picture says it itself
        const face = element("span", "face");
        face.append(canvas, whose);
        faces.append(face);
      }
    }
    // As the names stand on the tile: Black first.
    [board.black, board.white].forEach((name, place) => {
      const player = this.named(name);
      const canvas = faces.children[place]!.firstElementChild as HTMLCanvasElement;
      setText(canvas.nextElementSibling as HTMLElement, name.split(",")[0]!);
      canvas.className = !player || player.on || player.resting ? (player?.problems.length ? "seen" : "") : "off";
      canvas.setAttribute("aria-label", name);
      if (!this.drawStill(name, canvas)) canvas.getContext("2d")!.clearRect(0, 0, canvas.width, canvas.height);
    });
  }

  /** Draws a player's last still; whether there is one. */
  drawStill(name: string, canvas: HTMLCanvasElement): boolean {
    const player = this.named(name);
    const still = player && !player.resting && this.stills.get(player.entry);
    if (still) canvas.getContext("2d")!.drawImage(still, 0, 0, canvas.width, canvas.height);
    return Boolean(still);
  }

  /** Shows two players live: camera with sound on demand, and the screen beside it. */
  watch(names: string[], panel = this.panel): void {
    this.unwatch();
    this.watched = names;
    this.shownAt = panel;
    panel.hidden = false;
    this.form = new TalkForm(this.words);
    this.form.box.prepend(element("strong", "", say(this.words, "talk.title")));
    panel.append(this.form.box);
    this.showWatched();
  }

  /** Shows whoever is watched and in the conference: also those who come later. */
  private showWatched(): void {
    for (const name of this.watched) {
      const player = this.named(name);
      if (!player) continue;
      this.showRest(player);
      if (player.resting) continue;
      for (const kind of KINDS) if (!this.live.has(`${player.entry}/${kind}`)) this.showLive(player, kind);
      const room = this.live.get(`${player.entry}/${ROOM}`);
      const hasRoom = player.kinds.includes(ROOM);
      if (hasRoom && !room) this.showLive(player, ROOM);
      else if (!hasRoom && room) this.endLive(`${player.entry}/${ROOM}`, room);
    }
  }

  /** 5.14 — who has finished sends nothing: words instead of a picture that looks like a covered camera. */
  private showRest(player: Player): void {
    const told = this.shownAt.querySelector(`[data-rests="${player.entry}"]`);
    if (!player.resting) return told?.remove();
    for (const kind of [...KINDS, ROOM]) {
      const key = `${player.entry}/${kind}`;
      const live = this.live.get(key);
      if (live) this.endLive(key, live);
    }
    if (told) return;
    const line = element("p", "off-after-game dim", `${player.name} · ${say(this.words, "faces.resting")}`);
    line.dataset.rests = String(player.entry);
    this.shownAt.append(line);
  }

  private showLive(player: Player, kind: string): void {
    const ask = (): void => this.socket.tell({ type: "watch", event: this.event, entry: player.entry, kind });
    const live = new Live(kind, ask);
    this.live.set(`${player.entry}/${kind}`, live);
    const figure = element("figure");
    figure.dataset.kind = kind;
    const caption = element("figcaption", "", `${player.name} · ${say(this.words, `faces.${kind}`)}`);
    if (kind === "camera") caption.append(this.soundOf(player, live), this.talkTo(player));
    figure.append(live.video, caption);
    const beside = kind === ROOM && this.live.get(`${player.entry}/screen`)?.video.closest("figure");
    if (beside) beside.after(figure);
    else this.shownAt.insertBefore(figure, this.form!.box); // faces first, then what is needed to talk
    ask();
  }

  private endLive(key: string, live: Live): void {
    live.close();
    live.video.closest("figure")?.remove();
    this.live.delete(key);
  }

  unwatch(): void {
    if (this.form && this.talk.form === this.form) this.talk.end();
    this.talkButtons.clear();
    this.sounds.clear();
    if (this.watched.length) {
      this.socket.tell({ type: "unwatch" });
      for (const key of this.heard.keys()) this.askFor(key);
    }
    this.watched = [];
    for (const live of this.live.values()) live.close();
    this.live.clear();
    this.shownAt.replaceChildren();
    this.shownAt.hidden = true;
    this.shownAt.dispatchEvent(new Event(UNWATCHED));
  }

  private askFor(key: string): void {
    const [entry, kind] = key.split("/");
    this.socket.tell({ type: "watch", event: this.event, entry: Number(entry), kind });
  }

  /** The voice of a player in a talk comes by itself; over Janus it is that of their stream, late with slices. */
  private listen(entry: number, isOn: boolean): void {
    const key = `${entry}/camera`;
    if (this.media !== "janus") return this.sounds.get(entry)?.(false);
    if (this.sounds.has(entry)) return this.sounds.get(entry)!(isOn);
    this.heard.get(key)?.close();
    this.heard.delete(key);
    if (!isOn) return this.socket.tell({ type: "unwatch", entry, kind: "camera" });
    const live = new Live("camera", () => this.askFor(key));
    live.video.muted = false;
    this.heard.set(key, live);
    this.askFor(key);
  }

  private showTalk(): void {
    this.groupTalk();
    for (const [entry, button] of this.talkButtons) button.ariaPressed = String(this.talk.has(entry));
  }

  private soundOf(player: Player, live: Live): HTMLElement {
    const button = element("button", "small", say(this.words, "faces.sound"));
    button.type = "button";
    button.ariaPressed = "false";
    const set = (isOn: boolean): void => {
      live.video.muted = !isOn;
      button.ariaPressed = String(isOn);
    };
    this.sounds.set(player.entry, set);
    button.addEventListener("click", () => set(live.video.muted));
    return button;
  }

  private talkTo(player: Player): HTMLElement {
    const button = element("button", "small", say(this.words, "faces.talk"));
    button.type = "button";
    button.ariaPressed = String(this.talk.has(player.entry));
    this.talkButtons.set(player.entry, button);
    button.addEventListener("click", () => {
      if (this.talk.has(player.entry)) this.talk.end();
      else void this.talk.begin(this.form!, [player.entry]);
    });
    return button;
  }

  private named(name: string): Player | undefined {
    return this.players.find((player) => player.name === name);
  }

  private told(message: Told): void {
    if (message.type === "offered") {
      const { entry, kind } = message as unknown as { entry: number; kind: string };
      const live = this.live.get(`${entry}/${kind}`) ?? this.heard.get(`${entry}/${kind}`);
      void live?.offered(message.offer as string, message.ice as IceServer[], (answer) => this.socket.tell({ type: "answer", entry, kind, answer }));
    } else if (["conversing", "talking", "refused"].includes(message.type)) this.talk.told(message);
    else if (message.type === "watching" && !message.is_there) this.live.get(`${message.entry as number}/${message.kind as string}`)?.close();
    if (message.type !== "present") return;
    this.players = message.players as Player[];
    this.media = message.media as string;
    this.showSpace(message as unknown as Space);
    for (const tile of this.tiles()) this.place(tile);
    this.showWatched();
  }

  /** What recordings take, how long there is room for more, and who is not recorded. */
  private showSpace({ used, quota, free, minutes }: Space): void {
    const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
    const isShort = minutes !== null && minutes < SHORT;
    const lasts = minutes === null ? "" : say(this.words, isShort ? "faces.lasts_minutes" : "faces.lasts", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
    const room = say(this.words, "faces.quota", { used: megabytes(used), quota: megabytes(quota), free: megabytes(free) });
    const unkept = this.players.filter((player) => player.not_recorded).map((player) => player.name).join("; ");
    const told = lasts ? `${room}: ${lasts}.` : `${room}.`;
    setText(part(this.root, "quota"), unkept ? `${told} ${say(this.words, "faces.not_recorded")}: ${unkept}` : told);
    const warning = part(this.root, "space");
    warning.hidden = free > 0 && !isShort;
    if (!warning.hidden) setText(warning, free > 0 ? say(this.words, "faces.space_short", { time: lasts }) : say(this.words, "faces.space_none"));
  }

  private async still(entry: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const still = await createImageBitmap(new Blob([bytes], { type: "image/webp" }));
    this.stills.get(entry)?.close();
    this.stills.set(entry, still);
    const name = this.players.find((player) => player.entry === entry)?.name;
    for (const tile of this.tiles()) if (tile.board && [tile.board.white, tile.board.black].includes(name ?? "")) this.place(tile);
    this.stillTaken();
  }
}
