// The rules of an event as they are written: a time control is said back in words before it is saved.
const WAIT = 250;
const AS_LONG_AS = ["swiss", "manual"];
/** What a round robin has no use for: its table says how many rounds there are. */
const NOT_IN_ROUND_ROBINS = ["rounds", "half_point_byes", "half_point_byes_until", "late_entries_until", "initial_colour"];

const control = document.querySelector<HTMLInputElement>("input[name=time_control]");
const system = document.querySelector<HTMLSelectElement>("select[name=system]");

if (control) {
  const said = document.createElement("p");
  said.className = "said";
  said.setAttribute("role", "status");
  control.insertAdjacentElement("afterend", said);
  let waiting = 0;

  const sayBack = async (): Promise<void> => {
    const text = control.value.trim();
    if (!text) return said.replaceChildren();
    const headers = { "accept-language": document.documentElement.lang };
    const answer = await fetch(`/api/v1/hall/time-control?text=${encodeURIComponent(text)}`, { headers });
    if (!answer.ok || control.value.trim() !== text) return;
    const { text: words, wrong } = (await answer.json()) as { text: string; wrong: string };
    said.textContent = words ? `= ${words}` : wrong;
    said.classList.toggle("wrong", !words);
  };
  control.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => void sayBack(), WAIT);
  });
  void sayBack();
}

if (system) {
  const limit = (): void => {
    for (const name of NOT_IN_ROUND_ROBINS) {
      const field = document.querySelector<HTMLInputElement>(`[name=${name}]`);
      const rule = field?.closest<HTMLElement>(".rule");
      if (field && rule) rule.hidden = field.disabled = !AS_LONG_AS.includes(system.value);
    }
  };
  system.addEventListener("change", limit);
  limit();
}
