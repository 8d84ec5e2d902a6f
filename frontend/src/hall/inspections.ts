// What the arbiter asks this player to show, beside the board, with what to do and how the clocks stand.
import { element, part, setText } from "./dom";
import type { GameView, Inspection } from "./views";
import { say, type Words } from "./words";

/** What is answered by sharing the screen. */
const BY_SCREEN = ["screen", "applications"];
export const SHARE_SCREEN = "share-screen";
const BY_PHONE = "second_camera";
export const SHOW_CODE = "show-code";

export class Inspections {
  private drawn = "";

  constructor(
    private readonly root: HTMLElement,
    private readonly words: Words,
    private readonly command: (command: Record<string, unknown>) => void,
    private readonly tell: (text: string) => void,
  ) {}

  draw(view: GameView): void {
    const open = view.phase === "ended" ? [] : (view.inspections ?? []).filter((one) => one.closed === null);
    const box = part(this.root, "inspections");
    const drawn = JSON.stringify([open, view.phase]);
    if (drawn === this.drawn) return;
    const before = this.drawn ? (JSON.parse(this.drawn) as [Inspection[], string])[0] : [];
    this.drawn = drawn;
    box.hidden = !open.length;
    box.replaceChildren(...open.map((one) => this.card(one, view.phase === "paused")));
    const news = open.filter((one) => !before.some((old) => old.number === one.number));
    if (news.length) this.tell(news.map((one) => this.asks(one)).join(". "));
  }

  private asks(one: Inspection): string {
    return say(this.words, "inspection.asks", { what: say(this.words, `point.${one.point}`) });
  }

  private card(one: Inspection, clocksStand: boolean): HTMLElement {
    const card = element("section", `inspection ${one.shows === false ? "refused" : ""}`);
    card.dataset.point = one.point;
    card.append(element("p", "asks", this.asks(one)), element("p", "", say(this.words, `inspection.how_${one.point}`)));
    card.append(element("p", "dim", say(this.words, clocksStand ? "inspection.clocks_stand" : "inspection.clocks_run")));
    if (one.shows !== null) card.append(element("p", "", say(this.words, one.shows ? "inspection.shows" : "inspection.refused")));
    const buttons = element("p", "actions");
    if (BY_SCREEN.includes(one.point) && window.parent !== window) {
      buttons.append(this.button("share", "", () => window.parent.dispatchEvent(new CustomEvent(SHARE_SCREEN))), " ");
    }
    if (one.point === BY_PHONE && window.parent !== window) {
      buttons.append(this.button("code", "", () => window.parent.dispatchEvent(new CustomEvent(SHOW_CODE))), " ");
    }
    if (one.shows !== true) buttons.append(this.button("show", "primary", () => this.answer(one, true)), " ");
    if (one.shows !== false) buttons.append(this.refusal(one));
    card.append(buttons);
    return card;
  }

  private button(key: string, kind: string, press: () => void): HTMLButtonElement {
    const button = element("button", kind, say(this.words, `inspection.${key}`));
    button.type = "button";
    button.dataset.answer = key;
    button.addEventListener("click", press);
    return button;
  }

  /** Refusing has consequences: it takes a second click, which says them. */
  private refusal(one: Inspection): HTMLElement {
    const button = this.button("refuse", "danger", () => {
      if (button.dataset.sure) return this.answer(one, false);
      button.dataset.sure = "yes";
      setText(button, say(this.words, "inspection.refuse_question"));
    });
    return button;
  }

  private answer(one: Inspection, shows: boolean): void {
    this.command({ type: "answer_inspection", inspection: one.number, shows });
  }
}
