// The page of an event follows what happens: its parts are fetched again, and one's board is named.
import { EventChat } from "./hall/event-chat";
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
      if (!fresh || old.contains(document.activeElement) || old.querySelector(".act-box[open], dialog[open]")) continue;
      const folded = [...old.querySelectorAll<HTMLDetailsElement>("details.round")].reverse();
      const unfolded = [...fresh.querySelectorAll<HTMLDetailsElement>("details.round")].reverse();
      folded.slice(0, unfolded.length).forEach((round, at) => (unfolded[at]!.open = round.open));
      old.replaceWith(fresh);
    }
  };
  const later = (): void => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => void refresh(), 300);
  };
  const box = document.querySelector<HTMLElement>("[data-part=event-chat]");
  const chat = box && new EventChat(box, root.dataset.event!, () => socket);
  const socket: HallSocket = new HallSocket(
    {
      hello: () => [{ type: "event", event: root.dataset.event! }],
      message: (message: FromServer) => {
        if (message.type === "event_update") later();
        if (message.type === "chat") chat?.take(message);
        if (message.type === "done") chat?.done(message);
        if (message.type === "refused") chat?.refused(message);
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
