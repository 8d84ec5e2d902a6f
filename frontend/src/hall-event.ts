// The page of an event follows what happens: its parts are fetched again, and one's board is named.
import { HallSocket, type FromServer } from "./hall/socket";

const root = document.querySelector<HTMLElement>("#hall-event");

if (root) {
  let round = "";
  let waiting = 0;
  const refresh = async (): Promise<void> => {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const old of document.querySelectorAll<HTMLElement>("[data-live]")) {
      const fresh = page.querySelector(`[data-live="${old.dataset.live}"]`);
      // A part in which somebody writes is left alone.
      if (fresh && !old.contains(document.activeElement) && !old.querySelector("details[open]")) old.replaceWith(fresh);
    }
  };
  const later = (): void => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => void refresh(), 300);
  };
  new HallSocket(
    {
      hello: () => [{ type: "event", event: root.dataset.event! }],
      message: (message: FromServer) => {
        if (message.type === "event_update") later();
        if (message.type === "event") {
          const now = `${message.round}${message.phase}`;
          if (round && now !== round) later();
          round = now;
        }
      },
      state: () => undefined,
      ended: () => undefined,
    },
    document.documentElement.lang,
  );
}
