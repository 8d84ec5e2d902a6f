// The chart of a player's ratings: one at a time, or two players beside each other.
import "uplot/dist/uPlot.min.css";
import { RatingChart, type Series } from "./charts/rating-chart";

for (const box of document.querySelectorAll<HTMLElement>("[data-rating-chart]")) {
  const series = JSON.parse(box.dataset.ratingChart!) as Series[];
  if (series.some(({ days }) => days.length > 1)) new RatingChart(box, series);
}
