// The page of an event follows what happens: its parts are fetched again, and one's board is named.
import { EventChat } from "./hall/event-chat";
import { showLocalTimes } from "./hall/local-time";
import { RoundStart } from "./hall/round-start";
import { HallSocket, type FromServer } from "./hall/socket";
import { Sounds } from "./hall/sounds";
import { wordsOf } from "./hall/words";

const root = document.querySelector<HTMLElement>("#hall-event");

if (root) {
  let round = "";
  let waiting = 0;
  let isOnlooker = false;
  /** Whether a part was left alone because somebody wrote in it. */
  let isLate = false;
  let written = Number(root.dataset.written);
  let asked = 0;
  let shown = 0;

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

  const isWrittenIn = (old: HTMLElement): boolean => old.contains(document.activeElement) && document.activeElement!.matches("input, select, textarea");

  /** A button or link that had the focus has it again, where it still stands there. */
  const focusAgain = (before: Element, fresh: Element): void => {
    const form = before.closest("form")?.action;
    const same = (one: HTMLElement): boolean => one.textContent === before.textContent && one.closest("form")?.action === form;
    [...fresh.querySelectorAll<HTMLElement>(before.tagName)].find(same)?.focus({ preventScroll: true });
  };

  /** Fetches the page again; parts in which somebody writes are left alone, unless they have just sent. */
  const refresh = async (sent: Element | null = null): Promise<void> => {
    const turn = ++asked;
    // Not the address of this page: after a refusal it is that of a form.
    const answer = await fetch(root.dataset.page!, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    // An answer that was overtaken by another is older than what stands there.
    if (turn < shown) return;
    [shown, isLate] = [turn, false];
    written = Number(page.querySelector<HTMLElement>("#hall-event")?.dataset.written ?? 0);
    for (const old of document.querySelectorAll<HTMLElement>("[data-live]")) {
      const fresh = page.querySelector(`[data-live="${old.dataset.live}"]`);
      const isSent = sent !== null && old.contains(sent);
      if (!fresh) continue;
      if ((!isSent && isWrittenIn(old)) || old.querySelector(".act-box[open], dialog[open]")) {
        isLate = true;
        continue;
      }
      const focused = old.contains(document.activeElement) ? document.activeElement : null;
      const folded = [...old.querySelectorAll<HTMLDetailsElement>("details.round")].reverse();
      const unfolded = [...fresh.querySelectorAll<HTMLDetailsElement>("details.round")].reverse();
      folded.slice(0, unfolded.length).forEach((round, at) => (unfolded[at]!.open = round.open));
      const at = isSent ? [...old.querySelectorAll("form[data-stay]")].indexOf(sent) : -1;
      old.replaceWith(fresh);
      if (focused) focusAgain(focused, fresh);
      // The next button of its kind takes the place of the one that was pressed.
      if (isSent) [...fresh.querySelectorAll<HTMLElement>("form[data-stay] button")].at(at)?.focus({ preventScroll: true });
    }
    limitAll();
    showLocalTimes();
  };
  const later = (): void => {
    clearTimeout(waiting);
    // A crowd that only looks on does not ask all at once.
    waiting = window.setTimeout(() => void refresh(), isOnlooker ? 500 + Math.random() * 4000 : 300);
  };

  limitAll();
  showLocalTimes();
  for (const done of ["focusout", "toggle", "close"]) {
    const isOver = (one: Event): boolean => one.type !== "toggle" || (one.target as HTMLElement).matches(".act-box:not([open])");
    document.addEventListener(done, (one) => (isLate && isOver(one) ? later() : undefined), true);
  }
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

  const start = new RoundStart(wordsOf(root), new Sounds());
  /** Whoever has a board in a round that is being played belongs there, also when they come late. */
  const lead = (message: FromServer): void => {
    const boards = message.boards as { game: string; result: unknown }[];
    const own = boards.find(({ game }) => game === message.game);
    if (own && message.phase === "open" && !own.result) start.begin(message.round as number, `${root.dataset.hall!}/game/${own.game}`);
  };

  const box = document.querySelector<HTMLElement>("[data-part=event-chat]");
  const chat = box && new EventChat(box, root.dataset.event!, () => socket);
  const socket: HallSocket = new HallSocket(
    {
      hello: () => [{ type: "event", event: root.dataset.event! }],
      message: (message: FromServer) => {
        if (message.type === "event_update") {
          later();
          const records = message.records as { type: string }[];
          if (records.some(({ type }) => type === "round_opened")) socket.tell({ type: "event", event: root.dataset.event! });
        }
        if (message.type === "chat") chat?.take(message);
        if (message.type === "done") chat?.done(message);
        if (message.type === "refused") chat?.refused(message);
        if (message.type === "event") {
          isOnlooker = message.role === "nobody";
          const now = `${message.round}${message.phase}`;
          // What happened between this page and its socket, or while there was none, was told to nobody here.
          if ((round && now !== round) || (message.written as number) > written) later();
          round = now;
          lead(message);
        }
      },
      state: () => undefined,
      ended: () => undefined,
    },
    document.documentElement.lang,
  );
}
