// 5.2 — the chat of an event: what players write to its arbiters away from a board, and the answers.
import { ChatLines, type ChatLine } from "./chat-lines";
import { part, setText } from "./dom";
import type { FromServer, HallSocket } from "./socket";
import { say, wordsOf, type Words } from "./words";

interface EventLine extends ChatLine {
  entry: number;
}

export class EventChat extends ChatLines<EventLine> {
  private readonly words: Words;

  constructor(root: HTMLElement, private readonly event: string, socket: () => HallSocket) {
    super(root, "event-chat", "entry", socket);
    this.words = wordsOf(root);
    root.hidden = false;
  }

  /** Takes lines that were written; one of others that is new is told to screen readers. */
  take(message: FromServer): void {
    if (message.event !== this.event) return;
    const news = this.add(message);
    if (news) setText(part(this.root, "event-chat-live"), news);
  }

  override done(message: FromServer): boolean {
    const isOwn = super.done(message);
    if (isOwn) this.tell("");
    return isOwn;
  }

  override refused(message: FromServer): boolean {
    const isOwn = super.refused(message);
    if (isOwn) this.tell(`${message.text}${message.article ? ` (${message.article})` : ""} ${message.do}`);
    return isOwn;
  }

  protected word(key: string, details?: Record<string, string | number>): string {
    return say(this.words, key, details);
  }

  protected addressee(line: EventLine): string {
    return String(line.entry);
  }

  protected by(line: EventLine): string {
    if (!line.by_arbiter) return this.to ? line.name : this.word("you");
    const name = line.name || this.word("arbiter");
    if (!this.to) return name;
    const player = [...this.to.options].find((option) => option.value === String(line.entry));
    return this.word("to", { name, side: player?.text ?? String(line.entry) });
  }

  protected message(text: string): Record<string, unknown> {
    return { type: "chat", event: this.event, text, ...(this.to ? { entry: Number(this.to.value) } : {}) };
  }

  private tell(text: string): void {
    const notice = part(this.root, "event-chat-notice");
    notice.hidden = !text;
    setText(notice, text);
  }
}
