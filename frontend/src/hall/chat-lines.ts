// What the chats of a game and of an event share: lines, which of them are unread, one being sent.
import { element, nameOf, part, setText } from "./dom";
import type { FromServer, HallSocket } from "./socket";

/** The logs beside the chat have the time of where the events are held; so has it. */
const ZONE = "Europe/Rome";

export interface ChatLine {
  number: number;
  at: number;
  by_arbiter: boolean;
  name: string;
  text: string;
}

export abstract class ChatLines<Line extends ChatLine> {
  protected lines: Line[] = [];
  protected readonly form: HTMLFormElement;
  /** Where an arbiter says to whom a line is; players write to the arbiters. */
  protected readonly to: HTMLSelectElement | null;
  private readonly details: HTMLDetailsElement;
  private readonly list: HTMLElement;
  private readonly field: HTMLInputElement;
  private readonly unread: HTMLElement;
  private readonly empty: HTMLElement;
  private seen = 0;
  private asked = "";
  private sent = "";

  /** The parts of the page have names that begin with `name`; `to` is the field of the addressee. */
  constructor(
    protected readonly root: HTMLElement,
    name: string,
    to: string,
    private readonly socket: () => HallSocket,
  ) {
    this.details = root.querySelector("details")!;
    this.list = part(root, `${name}-lines`);
    this.form = part(root, `${name}-form`);
    this.unread = part(root, `${name}-unread`);
    this.empty = part(root, `${name}-empty`);
    this.field = this.form.elements.namedItem("text") as HTMLInputElement;
    this.to = this.form.elements.namedItem(to) as HTMLSelectElement | null;
    this.details.addEventListener("toggle", () => this.look());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.write();
    });
  }

  protected abstract word(key: string, details?: Record<string, string | number>): string;
  /** Whose line it is, as the select of the arbiter has it. */
  protected abstract addressee(line: Line): string;
  /** The name that stands above a line. */
  protected abstract by(line: Line): string;
  /** The message that sends a text. */
  protected abstract message(text: string): Record<string, unknown>;

  /** Takes lines that were written; gives what to say of the last of others, if there is one. */
  protected add(message: FromServer): string {
    const lines = message.lines as Line[];
    if (message.whole) this.lines = lines;
    else {
      const name = (line: Line): string => `${this.addressee(line)}/${line.number}`;
      const known = new Set(this.lines.map(name));
      this.lines.push(...lines.filter((line) => !known.has(name(line))));
    }
    const news = lines.filter((line) => this.isOfOthers(line)).at(-1);
    // An answer goes to whoever wrote last, unless one to somebody else is being written.
    if (news && this.to && !this.field.value) this.to.value = this.addressee(news);
    // What was there when the page came is not new, unless nobody has answered it.
    if (message.whole) this.seen = Math.max(this.seen, this.lines.length - this.unanswered());
    this.draw();
    this.look();
    return message.whole || !news ? "" : this.word("new", { name: this.by(news), text: news.text });
  }

  /** The line is written: the field is free for the next one; what was typed meanwhile stays. */
  done(message: FromServer): boolean {
    if (!this.isAnswer(message)) return false;
    if (this.field.value.trim() === this.sent) this.field.value = "";
    return true;
  }

  /** A line that is refused can be changed and sent again; gives whether it was one of these. */
  refused(message: FromServer): boolean {
    return this.isAnswer(message);
  }

  protected forget(): void {
    this.lines = [];
    this.seen = 0;
    this.field.value = "";
    this.draw();
    this.look();
  }

  private isAnswer(message: FromServer): boolean {
    if (!this.asked || message.id !== this.asked) return false;
    this.asked = "";
    return true;
  }

  private write(): void {
    const text = this.field.value.trim();
    if (!text || this.asked) return;
    this.sent = text;
    this.asked = this.socket().ask(this.message(text));
  }

  private isOfOthers(line: Line): boolean {
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
    setText(this.unread, count ? this.word("unread", { count }) : "");
    this.root.classList.toggle("has-unread", count > 0);
  }

  private draw(): void {
    this.list.replaceChildren(...this.lines.map((line) => lineShown(this.by(line), line)));
    this.list.scrollTop = this.list.scrollHeight;
    this.drawEmpty();
  }

  /** Says that nothing is written yet, where something can be. */
  protected drawEmpty(): void {
    this.empty.hidden = this.lines.length > 0 || this.form.hidden;
  }
}

/** A line of a chat as it stands in a page. */
function lineShown(by: string, line: ChatLine): HTMLElement {
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

function clock(at: number): string {
  return new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: ZONE });
}
