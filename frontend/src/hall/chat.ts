// 5.2 — the chat of a game: its player and the arbiters, and nobody else.
import type { Side } from "./chess";
import { element, nameOf, part, setText } from "./dom";
import type { FromServer, HallSocket } from "./socket";
import type { GameView } from "./views";
import { say, type Words } from "./words";

/** The logs beside the chat have the time of where the events are held; so has it. */
const ZONE = "Europe/Rome";

interface ChatLine {
  number: number;
  at: number;
  side: Side;
  by_arbiter: boolean;
  name: string;
  text: string;
}

export class ChatBox {
  private readonly details: HTMLDetailsElement;
  private readonly list: HTMLElement;
  private readonly form: HTMLFormElement;
  private readonly field: HTMLInputElement;
  private readonly to: HTMLSelectElement | null;
  private readonly unread: HTMLElement;
  private readonly blocked: HTMLElement;
  private closed: string;
  private wasBlocked = false;
  private lines: ChatLine[] = [];
  private game = "";
  private role: GameView["role"] = "spectator";
  private asked = "";
  private seen = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly words: Words,
    private readonly socket: () => HallSocket,
  ) {
    this.details = root.querySelector("details")!;
    this.list = part(root, "chat-lines");
    this.form = part(root, "chat-form");
    this.field = this.form.elements.namedItem("text") as HTMLInputElement;
    this.to = this.form.elements.namedItem("to") as HTMLSelectElement | null;
    this.unread = part(root, "chat-unread");
    this.blocked = part(root, "chat-blocked");
    this.closed = root.dataset.closed ?? "";
    this.details.addEventListener("toggle", () => this.look());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.write();
    });
  }

  /** Another game, whose lines come anew. */
  reset(): void {
    this.lines = [];
    this.seen = 0;
    this.field.value = "";
    this.draw();
  }

  /** Shows what a view says of the chat: to whom one writes, and whether one may. */
  show(view: GameView): void {
    this.game = view.game;
    this.role = view.role;
    this.root.hidden = view.role === "spectator";
    // A block that is taken back at this board (6.9k) is no reason any more.
    if (this.wasBlocked && !view.chat_blocked) this.closed = "";
    this.wasBlocked = view.chat_blocked === true;
    const isBlocked = view.role === "player" && (view.chat_blocked === true || this.closed !== "");
    this.form.hidden = isBlocked;
    this.blocked.hidden = !isBlocked && !this.blockedSides(view);
    setText(this.blocked, view.role === "player" ? this.closed || say(this.words, "chat.blocked") : this.blockedSides(view));
    if (this.to) {
      for (const option of this.to.options) {
        const side = option.value as Side;
        setText(option, `${say(this.words, `side.${side}`)}: ${view[side].name}`);
      }
    }
  }

  /** Takes lines that were written; gives what to say of the last of others, if there is one. */
  take(message: FromServer): string {
    const lines = message.lines as ChatLine[];
    if (message.whole) this.lines = lines;
    else {
      const known = new Set(this.lines.map(nameOfLine));
      this.lines.push(...lines.filter((line) => !known.has(nameOfLine(line))));
    }
    const news = lines.filter((line) => this.isOfOthers(line)).at(-1);
    if (news?.side && this.to) this.to.value = news.side;
    // What was there when the page came is not new, unless nobody has answered it.
    if (message.whole) this.seen = Math.max(this.seen, this.lines.length - this.unanswered());
    this.draw();
    this.look();
    return message.whole || !news ? "" : say(this.words, "chat.new", { name: this.nameOf(news), text: news.text });
  }

  /** The line is written: the field is free for the next one. */
  done(message: FromServer): void {
    if (message.id !== this.asked) return;
    this.asked = "";
    this.field.value = "";
  }

  private write(): void {
    const text = this.field.value.trim();
    if (!text || this.asked) return;
    const line: Record<string, unknown> = { type: "chat", game: this.game, text };
    if (this.to) line.to = this.to.value;
    this.asked = this.socket().ask(line);
  }

  /** A line that is refused can be changed and sent again. */
  refused(message: FromServer): void {
    if (message.id === this.asked) this.asked = "";
  }

  private isOfOthers(line: ChatLine): boolean {
    return this.to ? !line.by_arbiter : line.by_arbiter;
  }

  /** Lines of others at the end that nobody here has answered. */
  private unanswered(): number {
    let count = 0;
    while (count < this.lines.length && this.isOfOthers(this.lines[this.lines.length - 1 - count]!)) count++;
    return count;
  }

  private look(): void {
    if (this.details.open) this.seen = this.lines.length;
    const count = this.lines.slice(this.seen).filter((line) => this.isOfOthers(line)).length;
    this.unread.hidden = !count;
    setText(this.unread, count ? say(this.words, "chat.unread", { count }) : "");
    this.root.classList.toggle("has-unread", count > 0);
  }

  private blockedSides(view: GameView): string {
    const sides = (["white", "black"] as const).filter((side) => view[`${side}_seat`]?.chat_blocked);
    const names = sides.map((side) => say(this.words, `side.${side}`)).join(", ");
    return names && say(this.words, "chat.blocked_side", { side: names });
  }

  private nameOf(line: ChatLine): string {
    const name = line.name || say(this.words, line.by_arbiter ? "chat.arbiter" : `side.${line.side}`);
    if (!this.to) return line.by_arbiter ? name : say(this.words, "chat.you");
    return line.by_arbiter ? say(this.words, "chat.to", { name, side: say(this.words, `side.${line.side}`) }) : name;
  }

  private draw(): void {
    this.list.replaceChildren(
      ...this.lines.map((line) => lineShown(this.nameOf(line), line)),
    );
    part(this.root, "chat-empty").hidden = this.lines.length > 0;
    this.list.scrollTop = this.list.scrollHeight;
  }
}

/** A line of a chat as it stands in a page. */
export function lineShown(by: string, line: { at: number; by_arbiter: boolean; text: string }): HTMLElement {
  const shown = element("li", line.by_arbiter ? "arbiter" : "player");
  const when = element("time", "dim", clock(line.at));
  when.dateTime = new Date(line.at).toISOString();
  const name = element("strong");
  name.append(nameOf(by));
  const text = element("span", "text");
  text.append(nameOf(line.text));
  shown.append(name, " ", when, text);
  return shown;
}

function nameOfLine(line: ChatLine): string {
  return `${line.side}/${line.number}`;
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: ZONE });
}
