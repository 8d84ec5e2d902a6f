// The charts of statistics: drawn over the figures that stand in the page as tables.
import "uplot/dist/uPlot.min.css";
import { FigureChart, type Figures } from "./charts/figure-chart";

for (const box of document.querySelectorAll<HTMLElement>("[data-figures]")) {
  new FigureChart(box, JSON.parse(box.dataset.figures!) as Figures);
}
