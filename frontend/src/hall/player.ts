// What a player does: moves, typed or not, draws, resignation, calls for the arbiter.
import { meant } from "./notation";
import { element, part } from "./dom";
import { Inspections } from "./inspections";
import type { FromServer, HallSocket } from "./socket";
import type { Table } from "./table";
import type { ActShown, LogEvent } from "./views";
import { say, type Words } from "./words";

const COORDINATES = /^[a-h][1-8][a-h][1-8][qrbn]?$/i;

export class PlayerDesk {
  private readonly offer: HTMLButtonElement;
  private readonly accept: HTMLButtonElement;
  private readonly resign: HTMLButtonElement;
  private readonly call: HTMLFormElement;
  private readonly typed: HTMLFormElement;
  private readonly autoQueen: HTMLInputElement;
  private readonly offered: HTMLElement;
  private readonly inspections: Inspections;
  private sending = "";
  private lastAct: number | null = null;

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
    this.offered = part(root, "offered");
    this.inspections = new Inspections(root.closest<HTMLElement>(".hall-game")!, words, (command) => this.command(command), (text) => {
      table.say(text);
      table.chime();
    });
    const offering = part<HTMLDialogElement>(root, "offer-dialog");
    this.offer.addEventListener("click", () => offering.showModal());
    offering.addEventListener("close", () => {
      if (offering.returnValue === "offer") this.command({ type: "offer_draw" }, true);
      offering.returnValue = "";
    });
    this.accept.addEventListener("click", () => this.command({ type: "accept_draw" }, true));
    this.autoQueen.addEventListener("change", () => {
      this.command({ type: "set_auto_queen", on: this.autoQueen.checked });
    });
    const dialog = part<HTMLDialogElement>(root, "resign-dialog");
    this.resign.addEventListener("click", () => dialog.showModal());
    dialog.addEventListener("close", () => {
      if (dialog.returnValue === "resign") this.command({ type: "resign" });
      dialog.returnValue = "";
    });
    this.call.addEventListener("submit", (event) => {
      event.preventDefault();
      const field = this.call.elements.namedItem("text") as HTMLTextAreaElement;
      this.command({ type: "call_arbiter", text: field.value.trim() });
      field.value = "";
      this.call.closest("details")?.removeAttribute("open");
    });
    const asking = part<HTMLFormElement>(this.root, "permission");
    asking.addEventListener("submit", (event) => {
      event.preventDefault();
      const { permission, text } = Object.fromEntries(new FormData(asking));
      this.command({ type: "ask_permission", permission, text });
      asking.reset();
      asking.closest("details")!.open = false;
    });
    this.typed.addEventListener("submit", (event) => {
      event.preventDefault();
      this.type(this.typed.elements.namedItem("move") as HTMLInputElement);
    });
  }

  command(command: Record<string, unknown>, isBound = false): string {
    const message: Record<string, unknown> = { type: "game_command", game: this.game, command };
    if (isBound) message.ply = this.table.state.ply;
    return this.socket().ask(message);
  }

  move(uci: string): void {
    this.sending = this.command({ type: "move", uci, ply: this.table.state.ply });
    this.table.isSending = true;
  }

  premove(uci: string): void {
    // While one's own move is on its way the server has not told of it: the next turn is one further.
    const ahead = this.table.isMyTurn ? 2 : 1;
    this.command({ type: "set_premove", uci, ply: this.table.state.ply + ahead });
  }

  unpremove(): void {
    if (this.table.state.view.premove) this.command({ type: "clear_premove" });
  }

  /** The server has granted or refused what a message asked for. */
  answered(message: FromServer): void {
    if (message.id === this.sending) this.table.isSending = false;
  }

  /** Says what becomes of moves chosen in advance and of offers: the board shows it only to the eye. */
  tellOf(events: LogEvent[]): void {
    for (const event of events) {
      if (event.type === "premove_set") this.say("premove.set", event.uci);
      else if (event.type === "premove_cleared" && event.why === "player") this.say("premove.dropped");
      else if (event.type === "premove_cleared") {
        this.say("premove.illegal");
        this.tell(say(this.words, "premove.illegal"), "note");
      } else if (event.type === "draw_offered" && event.side !== this.table.own) {
        this.say("draw.offered");
        this.table.chime();
      }
    }
  }

  private say(key: string, uci = ""): void {
    this.table.say(say(this.words, key, { from: uci.slice(0, 2), to: uci.slice(2, 4) }));
  }

  private type(field: HTMLInputElement): void {
    const { position, view } = this.table.state;
    const text = field.value.trim();
    if (!text) return;
    const found = meant(position, view.legal ?? [], text, this.language);
    const [first] = found;
    const queen = found.find((uci) => uci.endsWith("q"));
    if (found.length === 1) this.move(first!);
    else if (first && queen && found.every((uci) => uci.slice(0, 4) === first.slice(0, 4))) {
      // A promotion whose piece is not written.
      if (view.auto_queen) this.move(queen);
      else this.table.board.promote(first.slice(0, 4), (uci) => this.move(uci));
    } else if (this.table.mayPremove && COORDINATES.test(text)) this.premove(text.toLowerCase());
    else {
      const key = !this.table.isMyTurn ? "typed.not_your_turn" : found.length ? "typed.several" : "typed.none";
      this.tell(say(this.words, key, { text }), "error");
      field.select();
      return;
    }
    this.tell("", "note");
    field.value = "";
  }

  draw(): void {
    const { view } = this.table.state;
    const own = this.table.own;
    this.root.hidden = own === null;
    if (own === null) return;
    const isRunning = view.phase === "running";
    const offered = view.offer;
    this.accept.hidden = !(isRunning && offered && offered.side !== own);
    this.offered.hidden = this.accept.hidden;
    this.offer.hidden = !isRunning || !this.accept.hidden;
    this.offer.disabled = offered?.side === own;
    this.offer.textContent = say(this.words, offered?.side === own ? "draw.stands" : "draw.offer");
    const isOn = isRunning || view.phase === "paused";
    this.resign.hidden = !isOn;
    this.typed.hidden = !isRunning;
    this.autoQueen.checked = view.auto_queen ?? false;
    part(this.root, "auto-queen-box").hidden = view.phase === "ended";
    part(this.root, "off-vcs").hidden = !isRunning || view.may_move !== false;
    const open = (view.calls ?? []).some((call) => !call.answered);
    part(this.root, "called").hidden = !open;
    this.inspections.draw(view);
    this.drawRequests();
    this.drawActs();
  }

  /** 5.3, 5.6, 7.2: what one has asked to be allowed, and the answer. */
  private drawRequests(): void {
    const { requests = [], phase } = this.table.state.view;
    part(this.root, "permission-box").hidden = phase === "ended";
    const lines = requests.map(({ permission, granted }) => {
      const answer = granted === null ? "waiting" : granted ? "granted" : "refused";
      const words = [`request.${permission}`, `request.${answer}`].map((key) => say(this.words, key));
      return element("li", answer, words.join(": "));
    });
    part(this.root, "requests").replaceChildren(...lines);
  }

  /** What the arbiter did, with its article and reason; what is new is told. */
  private drawActs(): void {
    const acts = this.table.state.view.acts ?? [];
    const list = part(this.root, "acts");
    list.hidden = !acts.length;
    const lines = acts.map(({ act, withdrawn }) => {
      const line = element("li", withdrawn ? "withdrawn" : "");
      line.append(element("strong", "", say(this.words, `act.${act.type}`)));
      if (act.side) line.append(` (${say(this.words, `side.${act.side}`)})`);
      if (act.article) line.append(" ", element("span", "article", act.article));
      line.append(element("span", "reason", this.reason(act)));
      if (withdrawn) line.append(element("em", "", say(this.words, "act.withdrawn")));
      return line;
    });
    part(list, "list").replaceChildren(...lines);
    const last = acts.at(-1)?.number ?? -1;
    if (this.lastAct !== null && last > this.lastAct) this.tellActs(acts.filter(({ number }) => number > this.lastAct!));
    this.lastAct = last;
  }

  private tellActs(acts: ActShown[]): void {
    const told = acts.map(({ act }) => {
      const side = act.side ? ` (${say(this.words, `side.${act.side}`)})` : "";
      return `${say(this.words, `act.${act.type}`)}${side}: ${this.reason(act)}`;
    });
    this.table.say(told.join(". "));
    this.table.chime();
    this.tell(told.join("\n"), "note");
  }

  private reason(act: ActShown["act"]): string {
    return this.words[act.reason] ?? act.reason;
  }
}
