// What an arbiter asks a player to show (5.10, 8.1, 8.2, 10.3, 12.4), in one click, and what came of it.
import { element, part } from "./dom";
import type { Side } from "./notation";
import type { GameView, Inspection } from "./views";
import { say, type Words } from "./words";

const POINTS = ["room", "devices", "objects", "clothes", "ears", "applications", "screen", "second_camera"];

export function openInspections(view: GameView): Inspection[] {
  return (view.inspections ?? []).filter((one) => one.closed === null);
}

export class InspectionDesk {
  private drawn = "";

  constructor(
    private readonly root: HTMLElement,
    private readonly words: Words,
    private readonly command: (command: Record<string, unknown>) => void,
    private readonly choose: (type: string, values: Record<string, string>) => void,
  ) {}

  show(view: GameView): void {
    part(this.root, "inspection-desk").hidden = view.phase === "ended";
    const open = openInspections(view);
    const drawn = JSON.stringify([view.game, view.white.id, view.phase, open]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.drawPoints(view, open);
    const list = part(this.root, "inspections-asked");
    list.hidden = !open.length || view.phase === "ended";
    list.replaceChildren(...open.map((one) => this.line(view, one)));
  }

  private drawPoints(view: GameView, open: Inspection[]): void {
    const groups = (["white", "black"] as const).map((side) => {
      const box = element("div", "points");
      box.setAttribute("role", "group");
      const name = say(this.words, "inspection.ask", { name: view[side].name });
      box.setAttribute("aria-label", name);
      const buttons = POINTS.map((point) => {
        const button = element("button", "", say(this.words, `point.${point}`));
        button.type = "button";
        button.dataset.ask = `${side}/${point}`;
        button.disabled = open.some((one) => one.player === view[side].id && one.point === point);
        button.addEventListener("click", () => this.ask(side, point));
        return button;
      });
      box.append(element("strong", "", `${name}:`), ...buttons);
      return box;
    });
    part(this.root, "inspection-points").replaceChildren(...groups);
  }

  private ask(side: Side, point: string): void {
    const stop = part<HTMLInputElement>(this.root, "stop-clocks").checked;
    this.command({ type: "ask_to_show", side, point, stop_clocks: stop, reason: "" });
  }

  private line(view: GameView, one: Inspection): HTMLElement {
    const side: Side = one.player === view.white.id ? "white" : "black";
    const standing = one.shows === null ? "waiting" : one.shows ? "shown" : "refuses";
    const line = element("li", standing);
    line.append(element("strong", "", `${view[side].name}: ${say(this.words, `point.${one.point}`)}`));
    line.append(" · ", say(this.words, `inspection.${standing}`), one.text ? ` “${one.text}” ` : " ");
    const close = (key: string, inOrder: boolean): HTMLElement => {
      const button = element("button", "small", say(this.words, `inspection.${key}`));
      button.type = "button";
      button.addEventListener("click", () => this.command({ type: "close_inspection", inspection: one.number, in_order: inOrder, reason: "" }));
      return button;
    };
    line.append(close("fine", true), " ", close("not_fine", false));
    if (standing === "refuses") {
      // 5.10 — the act that fits is opened, and left to the arbiter.
      const loss = element("button", "small danger", say(this.words, "inspection.loss"));
      loss.type = "button";
      loss.addEventListener("click", () => this.choose("declare_result", { article: "5.10", against: side }));
      line.append(" ", loss);
    }
    return line;
  }
}
