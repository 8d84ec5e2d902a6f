// Moments of an event in the viewer's own time, with the event's beside it where the two differ.
const format = (language: string): Intl.DateTimeFormat => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/** Minutes that a moment with an offset, as the server writes it, is ahead of UTC. */
const offsetOf = (moment: string): number => {
  const found = /([+-])(\d\d):(\d\d)(?::\d\d)?$/.exec(moment);
  return found ? (found[1] === "-" ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3])) : 0;
};

export function showLocalTimes(within: ParentNode = document): void {
  for (const one of within.querySelectorAll<HTMLTimeElement>("time[data-beside]")) {
    const moment = new Date(one.dateTime);
    if (Number.isNaN(moment.getTime()) || offsetOf(one.dateTime) === -moment.getTimezoneOffset()) continue;
    one.textContent = `${format(document.documentElement.lang).format(moment)} (${one.dataset.beside!})`;
    delete one.dataset.beside;
  }
}
