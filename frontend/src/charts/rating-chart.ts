// Ratings as steps from list to list, read by hovering, touching, or the arrow keys.
import uPlot from "uplot";

export interface Series {
  /** Which choice shows it: series of one group are drawn together. */
  group: string;
  name: string;
  /** Days since 1970 and the ratings from these days on. */
  days: number[];
  ratings: number[];
}

const DAY = 86_400;
const HEIGHT = 280;
const COLOURS = ["--accent", "--dim", "--good"];
const LINES = ["line", "line b", "line c"];
/** What a month's name and the label at a line's end take, in pixels. */
const MONTH_WIDTH = 64;
const END_WIDTH = 46;

export class RatingChart {
  private plot: uPlot | null = null;
  private readonly field = document.createElement("div");
  private readonly told = document.createElement("p");
  private readonly legend = document.createElement("ul");
  private readonly buttons: HTMLButtonElement[] = [];
  private group: string;
  private at = 0;

  constructor(
    private readonly box: HTMLElement,
    private readonly series: Series[],
  ) {
    const groups = [...new Set(series.map(({ group }) => group))];
    this.group = groups[0]!;
    const choice = document.createElement("div");
    choice.className = "chart-choice";
    choice.setAttribute("role", "group");
    choice.setAttribute("aria-label", box.dataset.choiceLabel ?? "");
    for (const group of groups) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = group;
      button.addEventListener("click", () => this.choose(group));
      this.buttons.push(button);
      choice.append(button);
    }
    this.field.tabIndex = 0;
    this.field.className = "chart-field";
    this.field.setAttribute("role", "img");
    this.field.setAttribute("aria-label", box.dataset.chartLabel ?? "");
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.told.className = "chart-told";
    this.told.setAttribute("aria-live", "polite");
    const before = box.querySelector(".chart");
    // What was drawn for those without scripts is of one system; its title goes with it.
    before?.querySelector("svg")?.remove();
    before?.querySelector("figcaption")?.remove();
    this.legend.className = "legend";
    (before ?? box).prepend(this.field, this.told, this.legend);
    if (groups.length > 1) box.prepend(choice);
    new ResizeObserver(() => this.plot?.setSize({ width: this.field.clientWidth, height: HEIGHT })).observe(this.field);
    this.choose(this.group);
    // Light and dark have colours of their own.
    new MutationObserver(() => this.draw()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  private choose(group: string): void {
    this.group = group;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.textContent === group));
    this.draw();
  }

  private get shown(): Series[] {
    return this.series.filter(({ group }) => group === this.group);
  }

  private draw(): void {
    this.plot?.destroy();
    const colour = (name: string): string => getComputedStyle(this.box).getPropertyValue(name).trim();
    const shown = this.shown;
    const days = [...new Set(shown.flatMap((one) => one.days))].sort((a, b) => a - b);
    const values = shown.map((one) => held(one, days));
    this.legend.replaceChildren(...(shown.length > 1 ? shown.map(({ name }, n) => entry(name, LINES[n % 3]!)) : []));
    const axis = { stroke: colour("--dim"), grid: { stroke: colour("--rule"), width: 1 }, ticks: { show: false }, font: `13px ${colour("--sans")}` };
    const stepped = uPlot.paths.stepped!({ align: 1 });
    this.plot = new uPlot(
      {
        width: this.field.clientWidth || 600,
        height: HEIGHT,
        legend: { show: false },
        padding: [12, END_WIDTH, 0, 0],
        cursor: { y: false, points: { size: 9 } },
        scales: { x: { time: true }, y: { range: (_, low, high) => (low === null ? [0, 1] : spread(low, high)) } },
        axes: [
          { ...axis, splits: (plot, _, from, to) => months(from, to, plot.width / MONTH_WIDTH), values: (_, ticks) => ticks.map(monthOf) },
          { ...axis, size: 52, values: (_, ticks) => ticks.map(String), label: this.box.dataset.axisLabel ?? "", labelSize: 22, labelFont: axis.font },
        ],
        series: [
          {},
          ...shown.map((one, n) => ({
            label: one.name, paths: stepped, stroke: colour(COLOURS[n % 3]!), width: 2, spanGaps: true,
            dash: n ? [6, 4] : [], points: { show: days.length < 60, size: 6, fill: colour("--paper"), filter: changes },
          })),
        ],
        hooks: {
          setCursor: [(plot) => this.tell(plot.cursor.idx ?? null)],
          draw: [(plot) => labelEnds(plot, shown.map((_, n) => colour(COLOURS[n % 3]!)), colour("--sans"))],
        },
      },
      [days.map((day) => day * DAY), ...values] as uPlot.AlignedData,
      this.field,
    );
    this.at = days.length - 1;
    this.tell(null);
  }

  /** Reads the values of a list; the newest where nothing is pointed at. */
  private tell(at: number | null): void {
    if (!this.plot) return;
    const days = this.plot.data[0];
    const here = at ?? days.length - 1;
    const day = days[here];
    if (day === undefined) return;
    const values = this.shown.map((one, n) => {
      const value = this.plot!.data[n + 1]![here];
      return `${this.shown.length > 1 ? `${one.name} ` : ""}${value ?? "–"}`;
    });
    this.told.textContent = `${dayOf(day)}: ${values.join(" · ")}`;
  }

  private key(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[event.key];
    if (!step || !this.plot) return;
    event.preventDefault();
    const last = this.plot.data[0].length - 1;
    this.at = Math.min(last, Math.max(0, this.at + step));
    this.plot.setCursor({ left: this.plot.valToPos(this.plot.data[0][this.at]!, "x"), top: 0 });
    this.tell(this.at);
  }
}

const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
const dayOf = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString(language, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const monthOf = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString(language, { month: "short", year: "2-digit", timeZone: "UTC" });

/** The rating of each day: one holds until the next list, the last one for as long as it is known. */
function held(one: Series, days: number[]): (number | null)[] {
  const by = new Map(one.days.map((day, n) => [day, one.ratings[n]!]));
  const end = Math.max(...one.days);
  let last: number | null = null;
  return days.map((day) => (day > end ? null : (last = by.get(day) ?? last)));
}

/** The points that get a mark: the first, the last, and where a rating is another one. */
function changes(plot: uPlot, series: number, show: boolean): number[] | null {
  const values = [...plot.data[series]!];
  if (!show) return [];
  return values.flatMap((value, n) => (value != null && (value !== values[n - 1] || values[n + 1] == null) ? [n] : []));
}

/** The first days of months between two moments, so many as have room for their names. */
function months(from: number, to: number, most: number): number[] {
  const start = new Date(from * 1000);
  const all: number[] = [];
  for (let n = 0; ; n++) {
    const first = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + n, 1) / 1000;
    if (first > to) break;
    if (first >= from) all.push(first);
  }
  const step = [1, 2, 3, 6, 12, 24, 60, 120].find((every) => all.length / every <= most) ?? 240;
  // Counted from January, so that years begin where they should.
  return all.filter((first) => (new Date(first * 1000).getUTCFullYear() * 12 + new Date(first * 1000).getUTCMonth()) % step === 0);
}

/** Writes the newest rating of each line at its end; two that would touch stand apart. */
function labelEnds(plot: uPlot, colours: string[], font: string): void {
  const { ctx } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${14 * scale}px ${font}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  const ends = colours.flatMap((colour, n) => {
    const values = plot.data[n + 1]!;
    let at = values.length - 1;
    while (at >= 0 && values[at] == null) at--;
    const value = values[at];
    return value == null ? [] : [{ colour, value, x: plot.valToPos(plot.data[0][at]!, "x", true), y: plot.valToPos(value, "y", true) }];
  });
  ends.sort((a, b) => a.y - b.y);
  ends.forEach((end, n) => {
    if (n) end.y = Math.max(end.y, ends[n - 1]!.y + 16 * scale);
    ctx.fillStyle = end.colour;
    ctx.fillText(String(end.value), end.x + 7 * scale, end.y);
  });
  ctx.restore();
}

/** A line of the legend: a piece of the line, and whose it is. */
function entry(name: string, line: string): HTMLLIElement {
  const item = document.createElement("li");
  const space = "http://www.w3.org/2000/svg";
  const sample = document.createElementNS(space, "svg");
  sample.setAttribute("viewBox", "0 0 28 8");
  sample.setAttribute("aria-hidden", "true");
  const drawn = document.createElementNS(space, "path");
  drawn.setAttribute("d", "M0 4h28");
  drawn.setAttribute("class", line);
  sample.append(drawn);
  item.append(sample, " ", name);
  return item;
}

/** A little room above and below, and never so little that a point looks like a mountain. */
function spread(low: number, high: number): [number, number] {
  const middle = (low + high) / 2;
  const half = Math.max((high - low) * 0.6, 30);
  return [middle - half, middle + half];
}
