// How the board looks and sounds to this person: kept in the browser, applied to every board of the page.
import { say, type Words } from "./words";

const KEPT = "arrocco_board_look";
const CHOICES = ["pieces", "board", "size"] as const;
const LETTERS = { king: "k", queen: "q", rook: "r", bishop: "b", knight: "n" } as const;

type Look = Partial<Record<(typeof CHOICES)[number], string>>;

function kept(): Look {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Look;
  } catch {
    return {};
  }
}

function apply(look: Look): void {
  const root = document.documentElement;
  root.dataset.pieces = look.pieces ?? "drawn";
  root.dataset.board = look.board ?? "wood";
  document.body.style.setProperty("--size", String(Number(look.size ?? "100") / 100));
}

/** Shows boards as this person has chosen, and listens to the form where that is changed. */
export function dressBoards(form: HTMLFormElement | null, words: Words): void {
  const look = kept();
  for (const [piece, letter] of Object.entries(LETTERS)) {
    document.documentElement.style.setProperty(`--${piece}-letter`, JSON.stringify(say(words, `letter.${letter}`)));
  }
  apply(look);
  if (!form) return;
  for (const name of CHOICES) {
    const field = form.elements.namedItem(name) as HTMLSelectElement;
    if (look[name]) field.value = look[name];
    field.addEventListener("change", () => {
      look[name] = field.value;
      localStorage.setItem(KEPT, JSON.stringify(look));
      apply(look);
    });
  }
  form.addEventListener("submit", (event) => event.preventDefault());
}

/** Leaves only board and clocks on the page, by a button or the key z. */
export function zenBy(button: HTMLElement): void {
  const toggle = (): void => {
    const isZen = document.body.classList.toggle("zen");
    button.setAttribute("aria-pressed", String(isZen));
  };
  button.addEventListener("click", toggle);
  addEventListener("keydown", (event) => {
    const isWriting = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
    if (event.key === "z" && !isWriting && !event.ctrlKey && !event.metaKey && !event.altKey) toggle();
  });
}
