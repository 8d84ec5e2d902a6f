// Going back and forth through the moves of a game: by buttons, arrow keys, or a click on a move.
export class Stepper {
  /** The half-moves of the position that is looked at; null for the game as it stands. */
  at: number | null = null;
  private isOpen = false;

  constructor(
    private readonly bar: HTMLElement | null,
    moves: HTMLElement,
    private readonly length: () => number,
    private readonly changed: () => void,
  ) {
    bar?.addEventListener("click", (event) => {
      const step = (event.target as HTMLElement).closest<HTMLElement>("[data-step]")?.dataset.step;
      if (step) this.step(step);
    });
    moves.addEventListener("click", (event) => {
      const ply = (event.target as HTMLElement).closest<HTMLElement>("[data-ply]")?.dataset.ply;
      if (ply) this.go(Number(ply));
    });
    addEventListener("keydown", (event) => {
      const isElsewhere = event.target instanceof HTMLElement && event.target.matches("input, textarea, select, .board, [role=application]");
      if (isElsewhere || event.ctrlKey || event.altKey || event.metaKey || !this.isOpen) return;
      const step = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
      if (!step) return;
      event.preventDefault();
      this.step(step);
    });
  }

  /** Whether the moves may be stepped through now. */
  allow(isOpen: boolean): void {
    this.isOpen = isOpen;
    if (this.bar) this.bar.hidden = !isOpen || !this.length();
    if (!isOpen) this.at = null;
  }

  step(step: string): void {
    const now = this.at ?? this.length();
    this.go(step === "first" ? 0 : step === "back" ? now - 1 : step === "forward" ? now + 1 : this.length());
  }

  /** Shows the position after so many half-moves; null shows the game as it stands. */
  go(ply: number | null): void {
    if (!this.isOpen) return;
    const last = this.length();
    const at = Math.min(Math.max(ply ?? last, 0), last);
    this.at = at === last ? null : at;
    this.changed();
  }
}
