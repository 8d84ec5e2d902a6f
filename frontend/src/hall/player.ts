// What a player does: moves, typed or not, draws, resignation, calls for the arbiter.
import { meant } from "./chess";
import { element, part } from "./dom";
import type { HallSocket } from "./socket";
import type { Table } from "./table";
import { say, type Words } from "./words";

export class PlayerDesk {
  private readonly offer: HTMLButtonElement;
  private readonly accept: HTMLButtonElement;
  private readonly resign: HTMLButtonElement;
  private readonly call: HTMLFormElement;
  private readonly typed: HTMLFormElement;
  private readonly autoQueen: HTMLInputElement;

  constructor(
    private readonly root: HTMLElement,
    private readonly words: Words,
    private readonly language: string,
    private readonly game: string,
    private readonly table: Table,
    private readonly socket: () => HallSocket,
    private readonly tell: (text: string, kind: "error" | "note") => void,
  ) {
    this.offer = part(root, "offer");
    this.accept = part(root, "accept");
    this.resign = part(root, "resign");
    this.call = part(root, "call");
    this.typed = part(root, "typed");
    this.autoQueen = part(root, "auto-queen");
    this.offer.addEventListener("click", () => this.wish({ type: "offer_draw" }, true));
    this.accept.addEventListener("click", () => this.wish({ type: "accept_draw" }, true));
    this.autoQueen.addEventListener("change", () => {
      this.wish({ type: "set_auto_queen", on: this.autoQueen.checked });
    });
    const dialog = part<HTMLDialogElement>(root, "resign-dialog");
    this.resign.addEventListener("click", () => dialog.showModal());
    dialog.addEventListener("close", () => {
      if (dialog.returnValue === "resign") this.wish({ type: "resign" });
      dialog.returnValue = "";
    });
    this.call.addEventListener("submit", (event) => {
      event.preventDefault();
      const field = this.call.elements.namedItem("text") as HTMLTextAreaElement;
      this.wish({ type: "call_arbiter", text: field.value.trim() });
      field.value = "";
      this.call.closest("details")?.removeAttribute("open");
    });
    this.typed.addEventListener("submit", (event) => {
      event.preventDefault();
      this.type(this.typed.elements.namedItem("move") as HTMLInputElement);
    });
  }

  wish(wish: Record<string, unknown>, isBound = false): void {
    const message: Record<string, unknown> = { type: "wish", game: this.game, wish };
    if (isBound) message.ply = this.table.state.ply;
    this.socket().ask(message);
  }

  move(uci: string): void {
    this.wish({ type: "move", uci, ply: this.table.state.ply });
  }

  premove(uci: string): void {
    this.wish({ type: "set_premove", uci, ply: this.table.state.ply + 1 });
  }

  unpremove(): void {
    if (this.table.state.view.premove) this.wish({ type: "clear_premove" });
  }

  private type(field: HTMLInputElement): void {
    const { position, view } = this.table.state;
    const found = meant(position, view.legal ?? [], field.value, this.language);
    const queens = found.filter((uci) => uci.length < 5 || uci.endsWith("q"));
    if (found.length === 1 || (queens.length === 1 && (view.auto_queen || found.length > 1))) {
      this.move(found.length === 1 ? found[0]! : queens[0]!);
      field.value = "";
    } else {
      const key = !this.table.isMyTurn ? "typed.not_your_turn" : found.length ? "typed.several" : "typed.none";
      this.tell(say(this.words, key, { text: field.value }), "error");
      field.select();
    }
  }

  draw(): void {
    const { view } = this.table.state;
    const own = this.table.own;
    this.root.hidden = own === null;
    if (own === null) return;
    const isRunning = view.phase === "running";
    const offered = view.offer;
    this.accept.hidden = !(isRunning && offered && offered.side !== own);
    this.offer.hidden = !isRunning || !this.accept.hidden;
    this.offer.disabled = offered?.side === own;
    this.offer.textContent = say(this.words, offered?.side === own ? "draw.stands" : "draw.offer");
    const isOn = isRunning || view.phase === "paused";
    this.resign.hidden = !isOn;
    this.typed.hidden = !isRunning;
    this.autoQueen.checked = view.auto_queen ?? false;
    this.autoQueen.disabled = view.phase === "ended";
    part(this.root, "off-vcs").hidden = !isRunning || view.may_move !== false;
    const open = (view.calls ?? []).some((call) => !call.answered);
    part(this.root, "called").hidden = !open;
    this.drawActs();
  }

  /** What the arbiter did, with its article and reason. */
  private drawActs(): void {
    const acts = this.table.state.view.acts ?? [];
    const list = part(this.root, "acts");
    list.hidden = !acts.length;
    const lines = acts.map(({ act, withdrawn }) => {
      const line = element("li", withdrawn ? "withdrawn" : "");
      line.append(element("strong", "", say(this.words, `act.${act.type}`)));
      if (act.side) line.append(` (${say(this.words, `side.${act.side}`)})`);
      if (act.article) line.append(" ", element("span", "article", act.article));
      const reason = this.words[act.reason] ?? act.reason;
      line.append(element("span", "reason", reason));
      if (withdrawn) line.append(element("em", "", say(this.words, "act.withdrawn")));
      return line;
    });
    part(list, "list").replaceChildren(...lines);
  }
}
