// Names as one types: the field of a search offers players, and the arrow keys choose among them.
interface Player {
  id: number;
  name: string;
  federation: string;
  ratings: Record<string, number | null>;
}

const PAUSE = 120;
const LEAST = 2;

export function suggestPlayers(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>("input[data-suggest]")) new Suggestions(field);
}

class Suggestions {
  private readonly list = document.createElement("ul");
  private chosen = -1;
  private asked = "";
  private timer = 0;
  private players: Player[] = [];

  constructor(private readonly field: HTMLInputElement) {
    const box = document.createElement("div");
    box.className = "suggest";
    field.replaceWith(box);
    this.list.className = "suggestions";
    this.list.id = `${field.id}-suggestions`;
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", field.dataset.suggestLabel ?? "");
    this.list.hidden = true;
    box.append(field, this.list);
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", this.list.id);
    field.setAttribute("aria-expanded", "false");
    field.addEventListener("input", () => this.later());
    field.addEventListener("keydown", (event) => this.key(event));
    field.addEventListener("blur", () => setTimeout(() => this.close(), 150));
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(), PAUSE);
  }

  private async ask(): Promise<void> {
    const text = this.field.value.trim();
    this.asked = text;
    if (text.length < LEAST) return this.close();
    const answer = await fetch(`${this.field.dataset.suggest!}?limit=8&q=${encodeURIComponent(text)}`).catch(() => null);
    // Somebody who types on does not want the answer to what they typed before.
    if (!answer?.ok || this.asked !== text) return;
    this.players = (await answer.json()) as Player[];
    this.show();
  }

  private show(): void {
    this.chosen = -1;
    this.list.replaceChildren(...this.players.map((player, at) => {
      const line = document.createElement("li");
      line.id = `${this.list.id}-${at}`;
      line.setAttribute("role", "option");
      line.setAttribute("aria-selected", "false");
      const name = document.createElement("bdi");
      name.textContent = player.name;
      const rest = document.createElement("span");
      rest.className = "dim";
      rest.textContent = [player.federation, Object.values(player.ratings).find(Boolean) ?? ""].filter(Boolean).join(" ");
      line.append(name, rest);
      line.addEventListener("pointerdown", (event) => event.preventDefault());
      line.addEventListener("click", () => this.go(at));
      return line;
    }));
    this.list.hidden = !this.players.length;
    this.field.setAttribute("aria-expanded", String(!this.list.hidden));
    this.field.removeAttribute("aria-activedescendant");
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape") return this.close();
    if (this.list.hidden) return;
    const count = this.players.length;
    if (event.key === "ArrowDown") this.choose((this.chosen + 1) % count);
    else if (event.key === "ArrowUp") this.choose((this.chosen + count - (this.chosen < 0 ? 0 : 1)) % count);
    else if (event.key === "Enter" && this.chosen >= 0) this.go(this.chosen);
    else return;
    event.preventDefault();
  }

  private choose(at: number): void {
    this.chosen = at;
    [...this.list.children].forEach((line, n) => line.setAttribute("aria-selected", String(n === at)));
    this.field.setAttribute("aria-activedescendant", `${this.list.id}-${at}`);
    this.list.children[at]?.scrollIntoView({ block: "nearest" });
  }

  /** A search leads to the player; a field of a form takes the number, after the name where it may. */
  private go(at: number): void {
    const player = this.players[at];
    if (!player) return;
    const to = this.field.dataset.suggestTo;
    if (to !== undefined) return location.assign(to + player.id);
    clearTimeout(this.timer);
    const { suggestNamed } = this.field.dataset;
    this.asked = this.field.value = suggestNamed === undefined ? String(player.id) : `${player.name} (${player.id})`;
    this.field.title = player.name;
    this.close();
  }

  private close(): void {
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
  }
}
