// Lines over days, bars by class and points by two values: read by hovering, touching, or the arrow keys.
import uPlot from "uplot";

interface Named {
  name: string;
  values: number[];
}

interface Days {
  kind: "days";
  series: (Named & { days: number[]; low: number[]; high: number[] })[];
}

interface Bars {
  kind: "bars";
  labels: string[];
  series: Named[];
}

interface Dots {
  kind: "dots";
  /** What the line is called on which both values are the same; nothing without one. */
  diagonal: string;
  /** Both values, and what the point stands for. */
  dots: [number, number, string][];
}

/** `x` and `y` say what the axes measure. */
export type Figures = (Days | Bars | Dots) & { x: string; y: string };

interface Drawing {
  data: uPlot.AlignedData;
  series: uPlot.Series[];
  bands: uPlot.Band[];
  isTime: boolean;
  /** What stands under the horizontal axis; the value itself where nothing is given. */
  under?: (value: number) => string;
  range?: uPlot.Range.MinMax;
  told: (at: number) => string;
}

const DAY = 86_400;
const HEIGHT = 300;
const COLOURS = ["--accent", "--dim", "--good"];
/** Steps of an axis: everything here is counted in whole numbers. */
const WHOLE = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000].flatMap((one) => [one, 2 * one, 5 * one]);
const DASHES = [[], [6, 4], [2, 3]];
const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

export class FigureChart {
  private plot: uPlot | null = null;
  private drawing: Drawing | null = null;
  private readonly field = document.createElement("div");
  private readonly told = document.createElement("p");
  private at = -1;

  constructor(
    private readonly box: HTMLElement,
    private readonly figures: Figures,
  ) {
    this.field.tabIndex = 0;
    this.field.className = "chart-field";
    this.field.setAttribute("role", "img");
    const title = box.querySelector("figcaption")?.textContent ?? "";
    this.field.setAttribute("aria-label", `${title}. ${box.dataset.keys ?? ""}`);
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.told.className = "chart-told";
    this.told.setAttribute("aria-live", "polite");
    box.querySelector(".drawn")!.replaceWith(this.field, this.told);
    this.draw();
    new ResizeObserver(() => this.plot?.setSize({ width: this.field.clientWidth, height: HEIGHT })).observe(this.field);
    // Light and dark have colours of their own.
    new MutationObserver(() => this.draw()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  private colour(name: string): string {
    return getComputedStyle(this.box).getPropertyValue(name).trim();
  }

  private draw(): void {
    this.plot?.destroy();
    const { figures } = this;
    const drawing = figures.kind === "days" ? this.days(figures) : figures.kind === "bars" ? this.bars(figures) : this.dots(figures);
    this.drawing = drawing;
    const font = `13px ${this.colour("--sans")}`;
    const axis = { stroke: this.colour("--dim"), grid: { stroke: this.colour("--rule"), width: 1 }, ticks: { show: false }, font, labelFont: font, labelSize: 20 };
    const { under } = drawing;
    this.plot = new uPlot(
      {
        width: this.field.clientWidth || 600,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, points: { show: figures.kind !== "bars", size: 9 } },
        scales: { x: { time: drawing.isTime, ...(drawing.range ? { range: drawing.range } : {}) }, y: { range: (_, low, high) => this.spread(low, high) } },
        axes: [
          { ...axis, label: figures.x, ...(under ? { values: (_: uPlot, ticks: number[]) => marks(ticks.map(under)) } : {}), ...(figures.kind === "bars" ? { incrs: [1, 2, 5, 10, 20, 50] } : {}) },
          { ...axis, label: figures.y, size: 64, incrs: WHOLE, values: (_, ticks) => ticks.map(number) },
        ],
        series: [{}, ...drawing.series],
        bands: drawing.bands,
        hooks: { setCursor: [(plot) => this.tell(plot.cursor.idx ?? null)] },
      },
      drawing.data,
      this.field,
    );
    this.tell(null);
  }

  /** Bars stand on nought; lines have a little room above and below. */
  private spread(low: number | null, high: number | null): [number, number] {
    if (low === null || high === null) return [0, 1];
    if (this.figures.kind === "bars") return [0, high * 1.05 || 1];
    const room = Math.max((high - low) * 0.08, 2);
    return [low - room, high + room];
  }

  private days(figures: Days): Drawing {
    const days = [...new Set(figures.series.flatMap((one) => one.days))].sort((a, b) => a - b);
    const over = (one: { days: number[] }, values: number[]): (number | null)[] => {
      const by = new Map(one.days.map((day, n) => [day, values[n]!]));
      return days.map((day) => by.get(day) ?? null);
    };
    const data: (number | null)[][] = [days.map((day) => day * DAY)];
    const series: uPlot.Series[] = [];
    const bands: uPlot.Band[] = [];
    const own: number[] = [];
    figures.series.forEach((one, n) => {
      const colour = this.colour(COLOURS[n % 3]!);
      own.push(data.length);
      data.push(over(one, one.values));
      series.push({ label: one.name, stroke: colour, width: 2, dash: DASHES[n % 3]!, spanGaps: true, points: { show: days.length < 60, size: 6, fill: this.colour("--paper") } });
      if (!one.low.length) return;
      bands.push({ series: [data.length + 1, data.length], fill: translucent(colour) });
      for (const edge of [one.low, one.high]) {
        data.push(over(one, edge));
        series.push({ stroke: "transparent", points: { show: false } });
      }
    });
    const told = (at: number): string =>
      `${dayOf(days[at]! * DAY)}: ${figures.series.map((one, n) => `${figures.series.length > 1 ? `${one.name} ` : ""}${number(data[own[n]!]![at] ?? null)}`).join(" · ")}`;
    return { data: data as uPlot.AlignedData, series, bands, isTime: true, under: monthOf, told };
  }

  private bars(figures: Bars): Drawing {
    const two = figures.series.length > 1;
    const series = figures.series.map((one, n): uPlot.Series => {
      const colour = this.colour(COLOURS[n]!);
      const align = two ? ((n ? 1 : -1) as 1 | -1) : 0;
      return { label: one.name, stroke: colour, fill: colour, width: 0, points: { show: false }, paths: uPlot.paths.bars!({ size: [two ? 0.4 : 0.8, 80], align }) };
    });
    const data = [figures.labels.map((_, n) => n), ...figures.series.map((one) => one.values)];
    const told = (at: number): string =>
      `${figures.labels[at]}: ${figures.series.map((one) => `${two ? `${one.name} ` : ""}${number(one.values[at]!)}`).join(" · ")}`;
    return {
      data: data as uPlot.AlignedData, series, bands: [], isTime: false, told,
      under: (tick) => figures.labels[tick] ?? "", range: [-0.7, figures.labels.length - 0.3],
    };
  }

  private dots(figures: Dots): Drawing {
    const dots = [...figures.dots].sort((a, b) => a[0] - b[0]);
    const data = [dots.map(([x]) => x), dots.map(([, y]) => y), dots.map(([x]) => x)];
    const accent = this.colour("--accent");
    const series: uPlot.Series[] = [{ stroke: accent, paths: () => null, points: { show: true, size: 8, fill: accent } }];
    if (figures.diagonal) series.push({ label: figures.diagonal, stroke: this.colour("--dim"), width: 2, dash: [6, 4], points: { show: false } });
    else data.pop();
    const told = (at: number): string => {
      const [x, y, label] = dots[at]!;
      return `${label}: ${this.figures.x} ${number(x)} · ${this.figures.y} ${number(y)}`;
    };
    return { data: data as uPlot.AlignedData, series, bands: [], isTime: false, told };
  }

  /** Reads the values of a place; the last where nothing is pointed at. */
  private tell(at: number | null): void {
    if (!this.plot || !this.drawing) return;
    const here = at ?? this.plot.data[0].length - 1;
    if (here >= 0) this.told.textContent = this.drawing.told(here);
  }

  private key(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[event.key];
    if (!step || !this.plot) return;
    event.preventDefault();
    const last = this.plot.data[0].length - 1;
    if (this.at < 0) this.at = last;
    this.at = Math.min(last, Math.max(0, this.at + step));
    this.plot.setCursor({ left: this.plot.valToPos(this.plot.data[0][this.at]!, "x"), top: 0 });
    this.tell(this.at);
  }
}

/** What stands under an axis: the same words twice in a row once. */
const marks = (words: string[]): string[] => words.map((word, n) => (word === words[n - 1] ? "" : word));
const number = (value: number | null): string => (value === null ? "–" : value.toLocaleString(language, { useGrouping: Math.abs(value) >= 10_000 }).replace("-", "−"));
const dayOf = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString(language, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const monthOf = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString(language, { month: "short", year: "2-digit", timeZone: "UTC" });
const translucent = (colour: string): string => `color-mix(in srgb, ${colour} 18%, transparent)`;
