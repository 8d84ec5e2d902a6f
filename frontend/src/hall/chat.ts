// 5.2 — the chat of a game: its player and the arbiters, and nobody else.
import { ChatLines, type ChatLine } from "./chat-lines";
import type { Side } from "./notation";
import { part, setText } from "./dom";
import type { FromServer, HallSocket } from "./socket";
import type { GameView } from "./views";
import { say, type Words } from "./words";

interface GameLine extends ChatLine {
  side: Side;
}

export class ChatBox extends ChatLines<GameLine> {
  private readonly blocked: HTMLElement;
  private closed: string;
  private wasBlocked = false;
  private game = "";

  constructor(root: HTMLElement, private readonly words: Words, socket: () => HallSocket) {
    super(root, "chat", "to", socket);
    this.blocked = part(root, "chat-blocked");
    this.closed = root.dataset.closed ?? "";
  }

  /** Another game, whose lines come anew. */
  reset(): void {
    this.forget();
  }

  /** Shows what a view says of the chat: to whom one writes, and whether one may. */
  show(view: GameView): void {
    this.game = view.game;
    this.root.hidden = view.role === "spectator";
    // A block that is taken back at this board (6.9k) is no reason any more.
    if (this.wasBlocked && !view.chat_blocked) this.closed = "";
    this.wasBlocked = view.chat_blocked === true;
    const isBlocked = view.role === "player" && (view.chat_blocked === true || this.closed !== "");
    this.form.hidden = isBlocked;
    this.drawEmpty();
    this.blocked.hidden = !isBlocked && !this.blockedSides(view);
    setText(this.blocked, view.role === "player" ? this.closed || this.word("blocked") : this.blockedSides(view));
    if (this.to) {
      for (const option of this.to.options) {
        const side = option.value as Side;
        setText(option, `${say(this.words, `side.${side}`)}: ${view[side].name}`);
      }
    }
  }

  /** Takes lines that were written; gives what to say of the last of others, if there is one. */
  take(message: FromServer): string {
    return this.add(message);
  }

  protected word(key: string, details?: Record<string, string | number>): string {
    return say(this.words, `chat.${key}`, details);
  }

  protected addressee(line: GameLine): string {
    return line.side;
  }

  protected by(line: GameLine): string {
    const side = say(this.words, `side.${line.side}`);
    const name = line.name || (line.by_arbiter ? this.word("arbiter") : side);
    if (!this.to) return line.by_arbiter ? name : this.word("you");
    return line.by_arbiter ? this.word("to", { name, side }) : name;
  }

  protected message(text: string): Record<string, unknown> {
    return { type: "chat", game: this.game, text, ...(this.to ? { to: this.to.value } : {}) };
  }

  private blockedSides(view: GameView): string {
    const sides = (["white", "black"] as const).filter((side) => view[`${side}_seat`]?.chat_blocked);
    const names = sides.map((side) => say(this.words, `side.${side}`)).join(", ");
    return names && this.word("blocked_side", { side: names });
  }
}
