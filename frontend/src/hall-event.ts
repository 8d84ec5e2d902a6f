// The page of an event follows what happens: its parts are fetched again, and one's board is named.
import { EventChat } from "./hall/event-chat";
import { HallSocket, type FromServer } from "./hall/socket";

const root = document.querySelector<HTMLElement>("#hall-event");

if (root) {
  let round = "";
  let waiting = 0;

  /** Of the form of a sanction only what its article asks for stands there. */
  const limit = (form: HTMLFormElement): void => {
    const article = form.elements.namedItem("article");
    if (!(article instanceof HTMLSelectElement)) return;
    for (const one of form.querySelectorAll<HTMLElement>("[data-for]")) {
      const isAsked = one.dataset.for!.split(" ").includes(article.value);
      one.hidden = !isAsked;
      if (one instanceof HTMLOptionElement) one.disabled = !isAsked;
      for (const field of one.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")) field.disabled = !isAsked;
    }
    for (const choice of form.querySelectorAll("select")) if (choice.selectedOptions[0]?.disabled) choice.value = "";
  };
  const limitAll = (): void => document.querySelectorAll<HTMLFormElement>("form").forEach(limit);

  /** Fetches the page again; parts in which somebody writes are left alone, unless they have just sent. */
  const refresh = async (sent: Element | null = null): Promise<void> => {
    // Not the address of this page: after a refusal it is that of a form.
    const answer = await fetch(root.dataset.page!, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const old of document.querySelectorAll<HTMLElement>("[data-live]")) {
      const fresh = page.querySelector(`[data-live="${old.dataset.live}"]`);
      const isSent = sent !== null && old.contains(sent);
      if (!fresh || (!isSent && old.contains(document.activeElement)) || old.querySelector(".act-box[open], dialog[open]")) continue;
      const folded = [...old.querySelectorAll<HTMLDetailsElement>("details.round")].reverse();
      const unfolded = [...fresh.querySelectorAll<HTMLDetailsElement>("details.round")].reverse();
      folded.slice(0, unfolded.length).forEach((round, at) => (unfolded[at]!.open = round.open));
      const at = isSent ? [...old.querySelectorAll("form[data-stay]")].indexOf(sent) : -1;
      old.replaceWith(fresh);
      // The next button of its kind takes the place of the one that was pressed.
      if (isSent) [...fresh.querySelectorAll<HTMLElement>("form[data-stay] button")].at(at)?.focus({ preventScroll: true });
    }
    limitAll();
  };
  const later = (): void => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => void refresh(), 300);
  };

  limitAll();
  document.addEventListener("change", (changed) => {
    const form = (changed.target as HTMLElement).closest("form");
    if (form) limit(form);
  });
  // Small acts in a long table: the page stays where it is. What is refused is told as without a script.
  document.addEventListener("submit", (submitted) => {
    const form = submitted.target as HTMLFormElement;
    if (!form.matches("[data-stay]")) return;
    submitted.preventDefault();
    const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
    void fetch(form.action, { method: "POST", body, redirect: "manual" }).then(
      (answer) => (answer.type === "opaqueredirect" ? refresh(form) : form.submit()),
      () => form.submit(),
    );
  });

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
