// 5.2 — the chat of an event: what players write to its arbiters away from a board, and the answers.
import { lineShown } from "./chat";
import { part, setText } from "./dom";
import type { FromServer, HallSocket } from "./socket";
import { say, wordsOf, type Words } from "./words";

interface EventLine {
  number: number;
  at: number;
  entry: number;
  by_arbiter: boolean;
  name: string;
  text: string;
}

export class EventChat {
  private readonly words: Words;
  private readonly details: HTMLDetailsElement;
  private readonly form: HTMLFormElement;
  private readonly field: HTMLInputElement;
  private readonly to: HTMLSelectElement | null;
  private lines: EventLine[] = [];
  private seen = 0;
  private asked = "";

  constructor(
    private readonly root: HTMLElement,
    private readonly event: string,
    private readonly socket: () => HallSocket,
  ) {
    this.words = wordsOf(root);
    this.details = root.querySelector("details")!;
    this.form = part(root, "event-chat-form");
    this.field = this.form.elements.namedItem("text") as HTMLInputElement;
    this.to = this.form.elements.namedItem("entry") as HTMLSelectElement | null;
    this.details.addEventListener("toggle", () => this.look());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.write();
    });
    root.hidden = false;
  }

  /** Takes lines that were written; one of others that is new is told to screen readers. */
  take(message: FromServer): void {
    if (message.event !== this.event) return;
    const lines = message.lines as EventLine[];
    if (message.whole) this.lines = lines;
    else {
      const known = new Set(this.lines.map(nameOfLine));
      this.lines.push(...lines.filter((line) => !known.has(nameOfLine(line))));
    }
    const news = lines.filter((line) => this.isOfOthers(line)).at(-1);
    // An answer goes to whoever wrote last, unless one is being written.
    if (news && this.to && !this.field.value) this.to.value = String(news.entry);
    if (message.whole) this.seen = Math.max(this.seen, this.lines.length - this.unanswered());
    this.draw();
    this.look();
    if (news && !message.whole) {
      setText(part(this.root, "event-chat-live"), say(this.words, "new", { name: this.nameOf(news), text: news.text }));
    }
  }

  /** The line is written: the field is free for the next one. */
  done(message: FromServer): void {
    if (message.id !== this.asked) return;
    this.asked = "";
    this.field.value = "";
    this.tell("");
  }

  /** A line that is refused can be changed and sent again; gives whether it was one of these. */
  refused(message: FromServer): boolean {
    if (!this.asked || message.id !== this.asked) return false;
    this.asked = "";
    this.tell(`${message.text}${message.article ? ` (${message.article})` : ""} ${message.do}`);
    return true;
  }

  private write(): void {
    const text = this.field.value.trim();
    if (!text || this.asked) return;
    const line: Record<string, unknown> = { type: "chat", event: this.event, text };
    if (this.to) line.entry = Number(this.to.value);
    this.asked = this.socket().ask(line);
  }

  private tell(text: string): void {
    const notice = part(this.root, "event-chat-notice");
    notice.hidden = !text;
    setText(notice, text);
  }

  private isOfOthers(line: EventLine): boolean {
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
    const unread = part(this.root, "event-chat-unread");
    unread.hidden = !count;
    setText(unread, count ? say(this.words, "unread", { count }) : "");
    this.root.classList.toggle("has-unread", count > 0);
  }

  private nameOf(line: EventLine): string {
    if (!line.by_arbiter) return this.to ? line.name : say(this.words, "you");
    const name = line.name || say(this.words, "arbiter");
    if (!this.to) return name;
    const player = [...this.to.options].find((option) => option.value === String(line.entry));
    return say(this.words, "to", { name, side: player?.text ?? String(line.entry) });
  }

  private draw(): void {
    const list = part(this.root, "event-chat-lines");
    list.replaceChildren(...this.lines.map((line) => lineShown(this.nameOf(line), line)));
    part(this.root, "event-chat-empty").hidden = this.lines.length > 0;
    list.scrollTop = list.scrollHeight;
  }
}

function nameOfLine(line: EventLine): string {
  return `${line.entry}/${line.number}`;
}
