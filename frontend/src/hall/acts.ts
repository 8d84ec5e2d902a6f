// What an arbiter does at a board: each act a form with its articles and a reason.
import { after, readFen, START, tell as told } from "./notation";
import { clockText, readTime } from "./clock";
import { element, part, setText } from "./dom";
import { pairText } from "./result";
import type { FromServer, HallSocket } from "./socket";
import { InspectionDesk, openInspections } from "./inspection-desk";
import type { ActShown, Detail, GameView } from "./views";
import { say, type Words } from "./words";

/** A field of an act, as the server says it is to be asked for. */
interface Field {
  name: string;
  kind: "side" | "time" | "ply" | "clocks" | "scores" | "choice" | "euro" | "count" | "text" | "call" | "yes" | "act" | "inspection";
  optional: boolean;
  /** What a choice can be, by the article. */
  choices: Record<string, string[]>;
  /** What other fields must be for this one to be asked for. */
  when: Record<string, string[]>;
}

interface Act {
  type: string;
  articles: string[];
  /** Whether the arbiter says which article it is, with none proposed. */
  chosen: boolean;
  fields: Field[];
  /** The phases of the game in which it can be asked; none for all. */
  phases: string[];
  /** The key that opens it. */
  key: string;
}

/** Fields that name people or tell a story. */
const WIDE = ["side", "ply", "call", "act", "inspection"];

export class ActsDesk {
  private readonly acts: Act[];
  private readonly scores: [number, number][];
  private readonly form: HTMLFormElement;
  private readonly choice: HTMLSelectElement;
  private readonly article: HTMLSelectElement;
  private readonly fields: HTMLElement;
  private readonly reason: HTMLTextAreaElement;
  private readonly wrong: HTMLElement;
  private readonly inspections: InspectionDesk;
  private view: GameView | null = null;
  private asked = "";
  private drawn = "";
  /** What going back to a position would mean, beside its choice. */
  private previewed: HTMLElement | null = null;

  constructor(
    private readonly root: HTMLElement,
    private readonly words: Words,
    private readonly socket: () => HallSocket,
    private readonly tell: (text: string, kind: "error" | "note") => void,
    private readonly lookAt: (ply: number | null) => void,
  ) {
    this.acts = JSON.parse(root.dataset.acts!) as Act[];
    this.scores = JSON.parse(root.dataset.scores!) as [number, number][];
    this.form = part(root, "act-form");
    this.choice = part(this.form, "act-choice");
    this.article = part(this.form, "act-article");
    this.fields = part(this.form, "act-fields");
    this.reason = part(this.form, "act-reason");
    this.wrong = part(this.form, "act-wrong");
    this.inspections = new InspectionDesk(root, words, (command) => this.command(command), (type, values) => this.choose(type, values));
    this.choice.addEventListener("change", () => this.drawForm());
    this.article.addEventListener("change", () => this.limitChoices());
    this.form.addEventListener("change", () => {
      this.askFurther();
      this.preview();
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask();
    });
    const note = part<HTMLFormElement>(root, "note-form");
    note.addEventListener("submit", (event) => {
      event.preventDefault();
      const field = note.elements.namedItem("text") as HTMLInputElement;
      this.command({ type: "add_note", text: field.value.trim() });
      field.value = "";
    });
    part(root, "log").closest("details")?.addEventListener("toggle", () => {
      if (this.view) void this.drawLog();
    });
    part(root, "start").addEventListener("click", () => this.command({ type: "start" }));
    // The clocks stand at once; why, is written once they do.
    part(root, "pause-now").addEventListener("click", () => {
      this.command({ type: "pause", reason: "" });
      const choice = part<HTMLSelectElement>(root, "act-choice");
      choice.value = "give_reason";
      choice.dispatchEvent(new Event("change"));
      part(root, "act-reason").focus();
    });
  }

  /** Shows what can be done at a board as it stands. */
  show(view: GameView): void {
    const isOther = this.view?.game !== view.game;
    this.view = view;
    this.root.hidden = view.role !== "arbiter";
    if (this.root.hidden) return;
    part(this.root, "start").hidden = view.phase !== "waiting";
    part(this.root, "pause-now").hidden = view.phase !== "running";
    const open = this.acts.filter((act) => this.isOpen(act, view));
    const drawn = open.map((act) => act.type).join();
    if (isOther || drawn !== this.drawn) {
      this.drawn = drawn;
      const before = this.choice.value;
      this.choice.replaceChildren(
        new Option(say(this.words, "acts.choose"), ""),
        ...open.map((act) => new Option(say(this.words, `do.${act.type}`), act.type)),
      );
      this.choice.value = !isOther && open.some((act) => act.type === before) ? before : "";
      this.drawForm();
    }
    this.drawVcs();
    this.drawCalls();
    this.inspections.show(view);
    this.drawActs();
    void this.drawLog();
  }

  /** Whether an act makes sense at a board: in its phase, with a call to answer, an act to take back. */
  private isOpen(act: Act, view: GameView): boolean {
    if (act.phases.length && !act.phases.includes(view.phase)) return false;
    const has = (kind: string): boolean => act.fields.some((field) => field.kind === kind);
    if (has("call") && !(view.calls ?? []).some((call) => !call.answered)) return false;
    if (has("inspection") && !openInspections(view).length) return false;
    return !has("act") || this.withdrawable(view).length > 0;
  }

  private withdrawable(view: GameView | null): ActShown[] {
    return (view?.acts ?? []).filter((one) => one.withdrawable);
  }

  /** Opens the form of the act that has a key, if one has. */
  press(key: string): boolean {
    const act = this.acts.find((one) => one.key === key);
    if (act) this.choose(act.type);
    return Boolean(act);
  }

  /** Opens the form of an act, for a key or a button. */
  choose(type: string, values: Record<string, string> = {}): void {
    if (![...this.choice.options].some((option) => option.value === type)) return;
    this.choice.value = type;
    this.drawForm();
    for (const [name, value] of Object.entries(values)) {
      const field = this.form.elements.namedItem(name);
      const chosen = name === "article" ? this.article : field;
      // An article that the act does not rest on changes nothing.
      if (chosen instanceof HTMLSelectElement && ![...chosen.options].some((option) => option.value === value)) continue;
      if (chosen instanceof HTMLInputElement || chosen instanceof HTMLSelectElement) chosen.value = value;
    }
    this.limitChoices(values);
    this.preview();
    (this.fields.querySelector<HTMLElement>("input,select") ?? this.reason).focus();
  }

  done(message: FromServer): void {
    if (message.id === this.asked) {
      this.reason.value = "";
      this.choice.value = "";
      this.drawForm();
      this.tell("", "note");
      const line = part(this.root, "act-told");
      line.hidden = false;
      setText(line, `✓ ${say(this.words, "acts.done")}`);
      this.choice.focus();
    }
  }

  /** Tells why an act was refused beside the field that is meant; whether it was one of this form. */
  refused(message: FromServer): boolean {
    if (!this.asked || message.id !== this.asked) return false;
    const named = this.named(String(message.field ?? ""));
    const field = named && !named.closest("[hidden]") ? named : null;
    this.isWrong(`${message.text}${message.article ? ` (${message.article})` : ""} ${message.do}`, field);
    return true;
  }

  // --- the form ---

  private get act(): Act | undefined {
    return this.acts.find((act) => act.type === this.choice.value);
  }

  private drawForm(): void {
    const act = this.act;
    part(this.form, "act-rest").hidden = !act;
    this.unmark();
    if (this.previewed) this.lookAt(null);
    this.previewed = null;
    if (!act) return;
    part(this.root, "act-told").hidden = true;
    setText(part(this.form, "act-submit"), say(this.words, `do.${act.type}`));
    this.article.required = act.chosen;
    this.article.replaceChildren(
      ...(act.chosen ? [new Option(say(this.words, "acts.choose_article"), "")] : []),
      ...act.articles.map((one) => new Option(`${one} · ${say(this.words, `article.${one}`)}`, one)),
    );
    this.article.parentElement!.hidden = !act.articles.length;
    this.fields.replaceChildren(...act.fields.flatMap((field) => this.inputs(field)));
    this.limitChoices();
  }

  private inputs(field: Field): HTMLElement[] {
    const word = (key: string): string => say(this.words, key);
    switch (field.kind) {
      case "side":
        return [this.select(field, [
          ...(field.optional ? [["", "–"]] : []),
          ...(["white", "black"] as const).map((side) => [side, `${word(`side.${side}`)} · ${this.view?.[side].name ?? ""}`]),
        ])];
      case "scores":
        return [this.select(field, this.scores.map((pair) => [pair.join(), pairText(pair)]))];
      case "choice":
        return [this.select(field, [
          ...(field.optional ? [["", "–"]] : []),
          ...[...new Set(Object.values(field.choices).flat())].map((one) => [one, word(`${field.name}.${one}`)]),
        ])];
      case "yes":
        return [this.select(field, [["yes", word("acts.yes")], ["no", word("acts.no")]])];
      case "call":
        return [this.select(field, (this.view?.calls ?? []).filter((call) => !call.answered)
          .map((call) => [String(call.number), `${call.number}: ${call.text || "–"}`]))];
      case "inspection":
        return [this.select(field, this.view ? openInspections(this.view)
          .map((one) => [String(one.number), `${one.player === this.view!.white.id ? word("side.white") : word("side.black")}: ${word(`point.${one.point}`)}`]) : [])];
      case "act":
        return [this.select(field, this.withdrawable(this.view)
          .map((one) => [String(one.number), `${one.number}: ${word(`act.${one.act.type}`)} (${one.act.article})`]).reverse())];
      case "time":
        return [this.input(field, word("field.time"), "m:ss", "1:00")];
      case "clocks":
        return [
          this.input({ ...field, name: "clock_white" }, word("field.clock_white"), "m:ss", ""),
          this.input({ ...field, name: "clock_black" }, word("field.clock_black"), "m:ss", ""),
        ];
      case "ply":
        this.previewed = element("p", "hint");
        this.previewed.role = "status";
        return [this.select(field, this.positions()), this.previewed];
      case "euro":
        return [this.input(field, word("field.cents"), word("field.cents_like"), "")];
      default:
        return [this.input(field, word(`field.${field.name}`), "", "", field.optional && !Object.keys(field.when).length)];
    }
  }

  /** The board shows the position that is chosen; beside it stands what going back there takes back. */
  private preview(): void {
    const field = this.act?.fields.find((one) => one.kind === "ply");
    const chosen = field && this.named(field.name);
    if (!this.previewed || !this.view || !(chosen instanceof HTMLSelectElement)) return;
    const ply = Number(chosen.value);
    const count = (this.view.moves?.length ?? 0) - ply;
    this.lookAt(ply);
    setText(this.previewed, say(this.words, count ? "field.goes_back" : "field.stays", { count }));
  }

  /** The positions of the game, by the move that led to each. */
  private positions(): [string, string][] {
    const moves = this.view?.moves ?? [];
    const start: [string, string] = ["0", say(this.words, "field.start_position")];
    let position = readFen(START);
    const rest = moves.map((move, at): [string, string] => {
      const number = `${Math.floor(at / 2) + 1}${at % 2 ? "…" : "."}`;
      const san = told(position, move.uci).san.replace(/[KQRBN]/g, (piece) => say(this.words, `letter.${piece.toLowerCase()}`));
      position = after(position, move.uci);
      return [String(at + 1), `${number} ${san} (${clockText(move.white)} / ${clockText(move.black)})`];
    });
    return [start, ...rest].reverse();
  }

  private select(field: Field, options: readonly (readonly string[])[]): HTMLElement {
    const input = element("select");
    input.append(...options.map(([value, text]) => new Option(text, value)));
    return this.labelled(field, say(this.words, `field.${field.name}`), input, field.optional && field.kind !== "side");
  }

  private input(field: Field, label: string, placeholder: string, value: string, isOptional = false): HTMLElement {
    const input = element("input");
    input.value = value;
    input.placeholder = placeholder;
    input.autocomplete = "off";
    return this.labelled(field, label, input, isOptional);
  }

  private labelled(field: Field, text: string, input: HTMLInputElement | HTMLSelectElement, isOptional: boolean): HTMLElement {
    // What names people or tells a story takes the whole width, also on a phone.
    const box = element("div", WIDE.includes(field.kind) ? "field wide" : "field");
    const label = element("label", "", text);
    if (isOptional) label.append(" ", element("span", "optional", say(this.words, "acts.optional")));
    input.id = `act-${field.name}`;
    input.name = field.name;
    label.htmlFor = input.id;
    box.append(label, input);
    return box;
  }

  /** A choice reaches as far as the article does; where there is but one, it is not asked for. */
  private limitChoices(chosen: Record<string, string> = {}): void {
    for (const field of this.act?.fields ?? []) {
      const select = this.named(field.name);
      if (field.kind !== "choice" || !(select instanceof HTMLSelectElement)) continue;
      const open = [...(field.optional ? [""] : []), ...(field.choices[this.article.value] ?? [])];
      for (const option of select.options) option.hidden = option.disabled = !open.includes(option.value);
      select.value = open.includes(chosen[field.name] ?? "") ? chosen[field.name]! : (open[0] ?? "");
      select.parentElement!.hidden = open.length < 2;
    }
    this.askFurther();
  }

  /** What is asked only where another field says so: how many rounds, where it is from rounds. */
  private askFurther(): void {
    for (const { name, when } of this.act?.fields ?? []) {
      const input = this.named(name);
      if (!input || !Object.keys(when).length) continue;
      const says = ([other, values]: [string, string[]]): boolean =>
        values.includes((this.named(other) as HTMLSelectElement | null)?.value ?? "");
      input.parentElement!.hidden = !Object.entries(when).every(says);
    }
  }

  private named(name: string): HTMLElement | null {
    if (name === "reason") return this.reason;
    if (name === "article") return this.article;
    const found = this.form.elements.namedItem(name);
    return found instanceof HTMLElement ? found : null;
  }

  private ask(): void {
    const act = this.act;
    if (!act) return;
    this.unmark();
    const wrong = (key: string, field: HTMLElement): void => this.isWrong(say(this.words, key), field);
    if (act.articles.length && !this.article.value) return wrong("acts.article_needed", this.article);
    const reason = this.reason.value.trim();
    const command: Record<string, unknown> = { type: act.type, reason };
    if (act.articles.length) command.article = this.article.value;
    for (const field of act.fields) {
      const read = this.read(field);
      if (read === null) return;
      if (read !== undefined) command[field.name] = read;
    }
    if (!reason) return wrong("acts.reason_needed", this.reason);
    this.asked = this.command(command);
  }

  /** What a field says; undefined where it says nothing, null where it cannot be read. */
  private read(field: Field): unknown {
    const input = (name: string): HTMLInputElement => this.form.elements.namedItem(name) as HTMLInputElement;
    const wrong = (name: string): null => {
      const key = field.kind === "time" || field.kind === "clocks" ? "no_time" : field.kind === "euro" ? "no_amount" : field.kind === "count" ? "no_count" : "needed";
      this.isWrong(say(this.words, `acts.${key}`), input(name));
      return null;
    };
    if (field.kind === "clocks") {
      const texts = [input("clock_white").value.trim(), input("clock_black").value.trim()];
      if (texts.every((text) => !text)) return undefined;
      const [white, black] = texts.map(readTime);
      if (white === null) return wrong("clock_white");
      return black === null ? wrong("clock_black") : [white, black];
    }
    // A choice of one is hidden, and made.
    if (input(field.name)?.closest("[hidden]") && field.kind !== "choice") return undefined;
    const text = input(field.name)?.value.trim() ?? "";
    const isAsked = Object.keys(field.when).length > 0;
    if (!text) return field.optional && !isAsked ? undefined : wrong(field.name);
    switch (field.kind) {
      case "time":
        return readTime(text) ?? wrong(field.name);
      case "scores":
        return text.split(",").map(Number);
      case "yes":
        return text === "yes";
      case "euro": {
        const amount = /^(\d{1,6})(?:[.,](\d{2}))?$/.exec(text);
        return amount ? Number(amount[1]) * 100 + Number(amount[2] ?? 0) : wrong(field.name);
      }
      case "ply":
      case "count":
      case "call":
      case "act":
      case "inspection":
        return /^\d+$/.test(text) ? Number(text) : wrong(field.name);
      default:
        return text;
    }
  }

  /** Says what is wrong beside its field, or above the button where no field is meant. */
  private isWrong(text: string, field: HTMLElement | null): void {
    this.unmark();
    if (!field) {
      this.wrong.hidden = false;
      setText(this.wrong, `✕ ${text}`);
      return;
    }
    const line = element("p", "wrong", `✕ ${text}`);
    line.id = `${field.id}-wrong`;
    line.role = "alert";
    field.ariaInvalid = "true";
    field.setAttribute("aria-describedby", line.id);
    field.parentElement!.append(line);
    field.focus();
  }

  private unmark(): void {
    this.wrong.hidden = true;
    for (const line of this.form.querySelectorAll(".field > .wrong")) line.remove();
    for (const field of this.form.querySelectorAll("[aria-invalid]")) {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    }
  }

  private command(command: Record<string, unknown>): string {
    return this.socket().ask({ type: "game_command", game: this.view!.game, command });
  }

  // --- what was called and done ---

  /** Who is in the video conference, where it is asked of them (9.1): the arbiter sees and says it. */
  private drawVcs(): void {
    const { white_seat, black_seat, phase } = this.view!;
    const seats = [["white", white_seat], ["black", black_seat]] as const;
    const buttons = seats.flatMap(([side, seat]) => {
      if (!seat?.watched || phase === "ended") return [];
      const button = element("button", "", say(this.words, "acts.in_vcs", { side: say(this.words, `side.${side}`) }));
      button.type = "button";
      button.ariaPressed = String(seat.vcs.on);
      button.addEventListener("click", () => this.command({ type: "set_vcs", side, on: !seat.vcs.on }));
      return [button];
    });
    const box = part(this.root, "vcs");
    box.hidden = !buttons.length;
    box.replaceChildren(...buttons);
  }

  private drawCalls(): void {
    const calls = (this.view?.calls ?? []).filter((call) => !call.answered);
    const box = part(this.root, "calls");
    box.hidden = !calls.length;
    box.replaceChildren(
      ...calls.map((call) => {
        const { white } = this.view!;
        const side = call.caller === white.id ? "white" : "black";
        const line = element("p", "call");
        line.append(element("strong", "", say(this.words, "acts.call_of", { side: say(this.words, `side.${side}`) })), " ");
        line.append(call.text ? `“${call.text}” ` : "");
        const button = element("button", "", say(this.words, "do.answer_call"));
        button.type = "button";
        button.addEventListener("click", () => this.choose("answer_call", { call: String(call.number) }));
        line.append(button);
        return line;
      }),
    );
  }

  private drawActs(): void {
    const acts = this.view?.acts ?? [];
    const list = part(this.root, "acts-done");
    list.replaceChildren(
      ...acts.map(({ number, act, withdrawn, details: shown }) => {
        const line = element("li", withdrawn ? "withdrawn" : "");
        // The number of the log: by it an act is named where it is taken back.
        line.value = number;
        line.append(element("strong", "", say(this.words, `act.${act.type}`)));
        const details = [act.side ? say(this.words, `side.${act.side}`) : "", ...shown.map((one) => detail(one, this.words))].filter(Boolean).join(", ");
        if (details) line.append(` (${details})`);
        line.append(" ", element("span", "article", act.article), " ");
        line.append(element("span", "reason", this.words[act.reason] ?? act.reason));
        line.dataset.number = String(number);
        return line;
      }),
    );
  }

  /** The log in words, as the server writes it. */
  private async drawLog(): Promise<void> {
    const log = part(this.root, "log");
    const { game } = this.view!;
    const link = part<HTMLAnchorElement>(this.root, "log-link");
    const path = `/${document.documentElement.lang}/hall/game/${encodeURIComponent(game)}/log`;
    link.href = path;
    if (!log.closest("details")?.open) return;
    const answer = await fetch(path, { headers: { "HX-Request": "true" } });
    if (answer.ok && this.view?.game === game) log.innerHTML = await answer.text();
  }
}

/** How much of an act: the time, the score, the amount; what it became where it was something else. */
function detail({ kind, value, after, sign }: Detail, words: Words): string {
  const text = (one: unknown): string => {
    if (kind === "clock") return clockText(one as number).replace(/\.\d$/, "");
    if (kind === "clocks") return (one as number[]).map(clockText).join(" / ");
    if (kind === "scores") return pairText(one as [number, number]);
    if (kind === "euro") return `${(Number(one) / 100).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 2 })} €`;
    if (kind === "word") return say(words, String(one));
    return kind === "text" ? String(one) : "";
  };
  const shown = text(value);
  if (!shown) return "";
  return (sign ?? "") + shown + (after === undefined ? "" : ` → ${text(after)}`);
}
