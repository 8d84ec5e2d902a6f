// The alarms of the arbiter's wall: each with its picture, its article, since when, and the acts that fit.
import { clockText, type ServerTime } from "./clock";
import { element, part, setText } from "./dom";
import type { Sounds } from "./sounds";
import { alarmText, type Alarm, type Tile } from "./tile";
import { say, type Words } from "./words";

interface Found {
  tile: Tile;
  alarm: Alarm;
}

/** What of a board an alarm leads to: the board alone, or one of the acts that fit, ready to be filled in. */
type Open = (game: string, act?: string, values?: Record<string, string>) => void;

export class AlarmList {
  private readonly list: HTMLElement;
  private readonly lines = new Map<string, HTMLElement>();
  private loudest = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly words: Words,
    private readonly time: ServerTime,
    private readonly sounds: Sounds,
    private readonly open: Open,
    /** Draws a player's last still, where there is one. */
    private readonly still: (name: string, canvas: HTMLCanvasElement) => boolean,
  ) {
    this.list = part(root, "alarms");
  }

  draw(tiles: Tile[]): void {
    const found = tiles.flatMap((tile) => tile.board.alarms.map((alarm) => ({ tile, alarm })));
    const moment = ({ alarm }: Found): number => alarm.since ?? alarm.until ?? 0;
    found.sort((a, b) => b.alarm.level - a.alarm.level || moment(a) - moment(b));
    const focused = (document.activeElement as HTMLElement | null)?.dataset.alarm;
    const wanted = found.map((one) => this.lineOf(one));
    const now = [...this.list.children];
    // A line that stays is not drawn again: somebody may be clicking it.
    if (now.length !== wanted.length || wanted.some((line, at) => now[at] !== line)) this.list.replaceChildren(...wanted);
    for (const [key, line] of this.lines) if (!line.isConnected) this.lines.delete(key);
    if (focused && !document.activeElement?.closest(".alarms")) this.list.querySelector<HTMLElement>(`[data-alarm="${CSS.escape(focused)}"]`)?.focus();
    part(this.root, "calm").hidden = found.length > 0 || tiles.length === 0;
    const urgent = found.filter(({ alarm }) => alarm.level === 3).length;
    if (urgent > this.loudest) {
      this.sounds.play("check");
      const first = wanted[0]?.querySelector("button")?.textContent ?? "";
      setText(part(this.root, "wall-live"), say(this.words, "wall.new_alarm", { alarm: first }));
    }
    this.loudest = urgent;
  }

  tick(): void {
    for (const when of this.list.querySelectorAll<HTMLElement>(".when")) this.tickOne(when);
  }

  /** A player has another still. */
  drawStills(): void {
    for (const canvas of this.list.querySelectorAll<HTMLCanvasElement>("canvas")) this.drawStill(canvas);
  }

  focus(): void {
    this.list.querySelector<HTMLElement>("button")?.focus();
  }

  contains(target: HTMLElement): boolean {
    return this.list.contains(target);
  }

  walk(from: HTMLElement, step: number): void {
    const buttons = [...this.list.querySelectorAll<HTMLElement>("button")];
    buttons[buttons.indexOf(from) + step]?.focus();
  }

  private lineOf({ tile, alarm }: Found): HTMLElement {
    const { board } = tile;
    const key = JSON.stringify([board.game, board.white, board.black, alarm]);
    const line = this.lines.get(key) ?? this.made({ tile, alarm });
    this.lines.set(key, line);
    return line;
  }

  private made({ tile, alarm }: Found): HTMLElement {
    const { board } = tile;
    const name = alarm.side ? board[alarm.side] : "";
    const line = element("li", `alarm level-${alarm.level}`);
    const button = element("button");
    button.type = "button";
    button.dataset.alarm = `${board.game}/${alarm.key}/${alarm.side ?? ""}/${alarm.since ?? ""}`;
    const what = element("span", "what", alarmText(this.words, alarm));
    if (alarm.article) what.append(" ", element("span", "article", alarm.article));
    const where = element("span", "where", say(this.words, "wall.board", { board: board.board }) + (name ? ` · ${name}` : ""));
    const when = element("span", "when");
    if (alarm.since !== null) when.dataset.since = String(alarm.since);
    if (alarm.until !== null) when.dataset.until = String(alarm.until);
    button.append(element("span", "level", say(this.words, `level.${alarm.level}`)), what, where, when);
    if (alarm.text) button.append(element("span", "said", `“${alarm.text}”`));
    button.addEventListener("click", () => this.open(board.game));
    if (name) {
      const canvas = element("canvas", "alarm-still");
      canvas.dataset.player = name;
      canvas.setAttribute("aria-hidden", "true");
      canvas.width = 160;
      canvas.height = 120;
      button.append(canvas);
      this.drawStill(canvas);
    }
    line.append(button);
    if (alarm.acts?.length) line.append(this.actsOf(tile, alarm));
    this.tickOne(when);
    return line;
  }

  /** The acts that fit: each opens its form, and is left to the arbiter. */
  private actsOf({ board }: Tile, alarm: Alarm): HTMLElement {
    const row = element("p", "alarm-acts");
    for (const act of alarm.acts ?? []) {
      const button = element("button", "small", say(this.words, `do.${act}`));
      button.type = "button";
      button.dataset.act = act;
      const side = alarm.side ?? "";
      button.addEventListener("click", () => this.open(board.game, act, { side, against: side, article: alarm.article ?? "" }));
      row.append(button, " ");
    }
    return row;
  }

  private drawStill(canvas: HTMLCanvasElement): void {
    canvas.hidden = !this.still(canvas.dataset.player!, canvas);
  }

  private tickOne(when: HTMLElement): void {
    const { since, until } = when.dataset;
    const plain = (milliseconds: number): string => clockText(Math.floor(milliseconds / 1000) * 1000).replace(/\.\d$/, "");
    if (until) setText(when, say(this.words, "wall.left", { time: plain(Math.max(0, Number(until) - this.time.now)) }));
    else if (since) setText(when, say(this.words, "wall.since", { time: plain(Math.max(0, this.time.now - Number(since))) }));
  }
}
