// The presence board (9.1d): who is expected in the video conference, and the check of everybody's room.
import { UNWATCHED } from "../video/faces";
import { element, part, setText } from "./dom";
import { say, type Words } from "./words";

interface Point {
  point: string;
  standing: "waiting" | "shown" | "refuses" | "in_order" | "not_in_order";
  at: number | null;
  note: string;
}

interface Player {
  entry: number;
  name: string;
  standing: "expected" | "late" | "excused" | "joined" | "checked";
  is_late: boolean;
  is_on: boolean;
  problems: string[];
  is_resting: boolean;
  points: Point[];
}

/** The pictures of the players, whoever brings them. */
export interface Pictures {
  /** Draws a player's last still; whether there is one. */
  drawStill(name: string, canvas: HTMLCanvasElement): boolean;
  /** Shows players live, in a place. */
  watch(names: string[], place: HTMLElement): void;
  unwatch(): void;
}

export interface AttendanceShown {
  joining: number | null;
  players: Player[];
  /** 10.3 — what the event's rules ask everybody for. */
  demanded: string[];
}

const POINTS = ["room", "devices", "objects", "clothes", "ears", "applications", "screen", "second_camera"];
/** Whom the arbiter has to see first. */
const FIRST = ["late", "expected", "joined", "checked", "excused"];

/** A seed for a lot that nobody chose. */
function someSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface Line {
  name: string;
  drawn: string;
  box: HTMLDetailsElement;
  still: HTMLCanvasElement;
  /** What is drawn anew where it changes; who is shown live stays. */
  told: HTMLElement;
  checks: HTMLElement;
  /** Their face where there are no boards, and what shows them live. */
  face: HTMLButtonElement;
  large: HTMLCanvasElement;
}

/** What stays is not put there again: somebody may be clicking it. */
function replace(place: HTMLElement, children: HTMLElement[]): void {
  if (place.children.length !== children.length || children.some((child, at) => place.children[at] !== child)) place.replaceChildren(...children);
}

export class Attendance {
  private readonly lines = new Map<number, Line>();

  private demanded: string[] = [];
  /** Where one player is shown live, and who that is. */
  private readonly live: HTMLElement;
  private shown = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly words: Words,
    private readonly ask: (command: Record<string, unknown>) => void,
    private readonly pictures: Pictures,
  ) {
    this.live = part(root, "live-person");
    this.live.addEventListener(UNWATCHED, () => this.mark(0));
    const form = part<HTMLFormElement>(root, "ask-all");
    const seed = form.elements.namedItem("seed") as HTMLInputElement;
    seed.value = someSeed();
    form.addEventListener("submit", (submitted) => {
      submitted.preventDefault();
      const given = new FormData(form);
      const sample = Number(given.get("sample") || 0);
      this.ask({ type: "request_room_checks", points: given.getAll("point"), sample, seed: sample ? seed.value : "" });
      seed.value = someSeed();
    });
  }

  take({ joining, players, demanded }: AttendanceShown): void {
    this.demanded = demanded;
    const time = joining === null ? "" : new Date(joining).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    setText(part(this.root, "joining"), time ? this.say("joining", { time }) : this.say("no_joining"));
    const there = players.filter((player) => ["joined", "checked"].includes(player.standing)).length;
    setText(part(this.root, "present-count"), this.say("count", { there, all: players.length }));
    this.showAnswers(players);
    const rank = (player: Player): number => FIRST.indexOf(player.standing) - (player.problems.length || this.waits(player) ? 10 : 0);
    const sorted = [...players].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
    const boxes = sorted.map((player) => this.boxOf(player));
    const list = part(this.root, "present");
    const here = sorted.filter((player) => ["joined", "checked"].includes(player.standing));
    replace(list, boxes);
    replace(part(this.root, "mosaic"), here.map((player) => this.lines.get(player.entry)!.face));
    this.drawStills();
  }

  /** Draws who is there: before a round there is no board to look at. */
  drawStills(): void {
    for (const { name, still, large } of this.lines.values()) {
      still.hidden = !this.pictures.drawStill(name, still);
      this.pictures.drawStill(name, large);
    }
  }

  private say(key: string, details: Record<string, string | number> = {}): string {
    return say(this.words, `faces.${key}`, details);
  }

  /** 12.4 — of each point that was asked for: how many have answered, and who has not. */
  private showAnswers(players: Player[]): void {
    const lines = POINTS.flatMap((point) => {
      const named = (standing: Point["standing"]): string[] =>
        players.filter((player) => player.points.some((one) => one.point === point && one.standing === standing)).map(({ name }) => name);
      const waiting = named("waiting");
      const [shown, refuses] = [named("shown").length, named("refuses").length];
      if (!waiting.length && !shown && !refuses) return [];
      const line = element("li", "", this.say("answers", { point: say(this.words, `point.${point}`), shown, refuses, waiting: waiting.length }));
      line.dataset.answers = point;
      if (waiting.length) line.append(element("span", "dim", ` ${this.say("waiting_for", { names: waiting.join("; ") })}`));
      return [line];
    });
    const list = part(this.root, "answers");
    if (list.textContent !== lines.map((line) => line.textContent).join("")) list.replaceChildren(...lines);
  }

  private waits(player: Player): boolean {
    return player.points.some(({ standing }) => standing === "shown" || standing === "refuses");
  }

  private boxOf(player: Player): HTMLDetailsElement {
    const drawn = JSON.stringify(player);
    const known = this.lines.get(player.entry);
    if (known?.drawn === drawn) return known.box;
    const line = known ?? this.newLine(player);
    const { box } = line;
    const isOff = ["joined", "checked"].includes(player.standing) && !player.is_on && !player.is_resting;
    box.className = `attends ${player.standing}${isOff ? " off" : ""}`;
    box.dataset.entry = String(player.entry);
    line.told.replaceChildren(...this.told(player, isOff));
    line.checks.replaceChildren(this.checklist(player));
    line.face.className = `face ${isOff ? "off" : player.problems.length ? "seen" : ""}`;
    setText(line.face.lastElementChild as HTMLElement, player.name);
    line.drawn = drawn;
    line.name = player.name;
    return box;
  }

  private newLine(player: Player): Line {
    const box = element("details");
    const summary = element("summary");
    const [still, large] = [element("canvas"), element("canvas")];
    for (const canvas of [still, large]) [canvas.width, canvas.height, canvas.ariaHidden] = [160, 120, "true"];
    const [told, checks] = [element("span"), element("div")];
    const show = (): void => this.toggle(player.entry);
    const face = element("button", "face");
    face.type = "button";
    face.append(large, element("span", "whose", player.name));
    face.addEventListener("click", show);
    summary.append(still, told);
    box.append(summary, this.button("live", show), checks);
    const line: Line = { name: player.name, drawn: "", box, still, told, checks, face, large };
    this.lines.set(player.entry, line);
    this.mark(this.shown);
    return line;
  }

  /** Shows a player live, or no more. */
  private toggle(entry: number): void {
    if (this.shown === entry) return this.pictures.unwatch();
    this.pictures.watch([this.lines.get(entry)!.name], this.live);
    this.mark(entry);
    this.live.scrollIntoView({ block: "nearest" });
  }

  private mark(entry: number): void {
    this.shown = entry;
    for (const [one, { box, face }] of this.lines) {
      for (const button of [face, box.querySelector("[data-do=live]")!]) button.ariaPressed = String(one === entry);
    }
  }

  private told(player: Player, isOff: boolean): (HTMLElement | string)[] {
    const told = [this.say(`standing_${player.standing}`)];
    if (player.is_late && player.standing !== "late") told.push(this.say("came_late"));
    if (player.is_resting) told.push(this.say("resting"));
    else if (isOff) told.push(this.say("off"));
    for (const problem of player.problems) told.push(say(this.words, `hall_live.alarm.video_${problem}`));
    for (const { point, standing } of player.points) {
      if (standing === "shown" || standing === "refuses") told.push(`${say(this.words, `point.${point}`)}: ${say(this.words, `inspection.${standing}`)}`);
    }
    return [element("strong", "", player.name), ` ${told.join(", ")}`];
  }

  /** 6.4, 12.4 — every point with its time; asked, seen, and found in order or not. */
  private checklist(player: Player): HTMLElement {
    const list = element("ul", "plain checklist");
    list.setAttribute("aria-label", this.say("checklist", { name: player.name }));
    for (const point of POINTS) {
      const known = player.points.find((one) => one.point === point);
      const line = element("li", known?.standing ?? "");
      line.dataset.point = point;
      line.append(element("span", "", say(this.words, `point.${point}`)), " ");
      if (this.demanded.includes(point)) {
        line.classList.add("demanded");
        line.append(element("span", "", this.say("demanded")), " ");
      }
      if (known) {
        const at = known.at === null ? "" : new Date(known.at).toLocaleTimeString(document.documentElement.lang);
        line.append(element("span", "dim", `${say(this.words, `inspection.${known.standing}`)} ${at}`), " ");
      }
      const about = { entry: player.entry, point };
      if (!known || known.standing.endsWith("in_order")) line.append(this.button("ask", () => this.ask({ type: "request_room_check", ...about })), " ");
      line.append(
        this.button("tick", () => this.ask({ type: "record_room_check", ...about, in_order: true })), " ",
        this.button("cross", () => this.ask({ type: "record_room_check", ...about, in_order: false })),
      );
      list.append(line);
    }
    const box = element("div");
    box.append(list);
    if (["expected", "late"].includes(player.standing)) box.append(this.button("excuse", () => this.ask({ type: "announce_absence", entry: player.entry })));
    return box;
  }

  private button(key: string, press: () => void): HTMLElement {
    const button = element("button", "small", this.say(key));
    button.type = "button";
    button.dataset.do = key;
    button.addEventListener("click", press);
    return button;
  }
}
