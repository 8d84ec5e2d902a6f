// A proposal of pairings: players are dragged onto each other, or chosen with the keyboard, to be swapped.
const form = document.querySelector<HTMLFormElement>("#proposal");

if (form) {
  const text = form.querySelector<HTMLTextAreaElement>("[name=boards]")!;
  const said = form.querySelector<HTMLElement>("[data-part=said]")!;
  const seats = (): HTMLButtonElement[] => [...form.querySelectorAll<HTMLButtonElement>(".seat")];
  const nameOf = (seat: HTMLElement): string => seat.querySelector("bdi")!.textContent!;
  let chosen: HTMLElement | null = null;
  let asked = 0;

  const write = (): void => {
    const lines = [...form.querySelectorAll("[data-board]")].map((row) => [...row.querySelectorAll<HTMLElement>(".seat")].map((seat) => seat.dataset.number!).join(" "));
    text.value = lines.join("\n");
  };

  /** What the change breaks, as the server says it. */
  const check = async (): Promise<void> => {
    const own = ++asked;
    const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
    body.set("check", "1");
    const answer = await fetch(form.action, { method: "POST", body });
    if (own !== asked) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-part=checks]");
    if (fresh) form.querySelector("[data-part=checks]")!.replaceWith(fresh);
  };

  const choose = (seat: HTMLElement | null): void => {
    chosen?.setAttribute("aria-pressed", "false");
    chosen = seat;
    chosen?.setAttribute("aria-pressed", "true");
    if (seat) said.textContent = form.dataset.chosen!.replace("{one}", nameOf(seat));
  };

  const swap = (one: HTMLElement, other: HTMLElement): void => {
    choose(null);
    if (one === other) return;
    const place = document.createElement("i");
    one.replaceWith(place);
    other.replaceWith(one);
    place.replaceWith(other);
    said.textContent = form.dataset.swapped!.replace("{one}", nameOf(one)).replace("{other}", nameOf(other));
    one.focus({ preventScroll: true });
    write();
    void check();
  };

  form.addEventListener("click", (clicked) => {
    const seat = (clicked.target as HTMLElement).closest<HTMLElement>(".seat");
    if (!seat) return;
    if (chosen) swap(chosen, seat);
    else choose(seat);
  });
  form.addEventListener("keydown", (pressed) => {
    if (pressed.key === "Escape") choose(null);
  });
  for (const seat of seats()) {
    seat.disabled = false; // nothing that is done here before is lost: it cannot be done yet
    seat.addEventListener("dragstart", (drag) => {
      drag.dataTransfer?.setData("text/plain", seat.dataset.number!);
      choose(seat);
    });
    seat.addEventListener("dragover", (drag) => drag.preventDefault());
    seat.addEventListener("drop", (drag) => {
      drag.preventDefault();
      if (chosen) swap(chosen, seat);
    });
    seat.addEventListener("dragend", () => choose(null));
  }
  // What is written by hand is shown again by the server.
  text.addEventListener("change", () => form.querySelector<HTMLButtonElement>("[name=check]")!.click());
}
