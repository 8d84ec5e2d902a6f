// Acts at many boards of the wall, and what is announced to all players.
import { part, setText } from "./dom";
import type { FromServer, HallSocket } from "./socket";
import type { Tile } from "./tile";
import { say, type Words } from "./words";

/** So many boards are named in one message, which has an end; where all are meant none is named. */
const NAMED = 400;

export class BulkActs {
  private readonly selected = new Set<number>();
  private readonly form: HTMLFormElement;
  private readonly announcement: HTMLInputElement | null = null;
  /** What was asked last and is not answered yet, by its place, and what came of the rest of it. */
  private asked = new Map<string, number>();
  private told = { done: [0], refused: new Map<number, string>() };

  constructor(
    private readonly root: HTMLElement,
    private readonly words: Words,
    private readonly event: string,
    private readonly socket: () => HallSocket,
    private readonly shown: () => Tile[],
    private readonly all: () => number,
  ) {
    this.form = part<HTMLFormElement>(root, "bulk");
    this.form.addEventListener("submit", (submitted) => {
      submitted.preventDefault();
      this.act((submitted.submitter as HTMLButtonElement).value);
    });
    const announce = root.querySelector<HTMLFormElement>("[data-part=announce]");
    if (announce) this.announcement = announce.elements.namedItem("text") as HTMLInputElement;
    announce?.addEventListener("submit", (submitted) => {
      submitted.preventDefault();
      const text = this.announcement!;
      this.say(this.waits);
      this.socket().ask({ type: "command", event, command: { type: "announce", text: text.value } });
      text.value = "";
    });
    this.meant();
  }

  /** With Shift a click selects a board and does not open it. */
  select(tile: Tile, clicked: MouseEvent): void {
    if (!clicked.shiftKey) return;
    clicked.stopImmediatePropagation();
    const { board } = tile.board;
    if (!this.selected.delete(board)) this.selected.add(board);
    tile.element.ariaPressed = String(this.selected.has(board));
    this.root.querySelector<HTMLDetailsElement>(".bulk")!.open = true;
    this.meant();
  }

  /** Boards of another round were meant. */
  selectNone(): void {
    for (const { element } of this.shown()) element.ariaPressed = "false";
    this.selected.clear();
    this.meant();
  }

  /** Stops the clocks of one board at once; its reason is written afterwards, at the board. */
  pause(element: HTMLElement): void {
    const tile = this.shown().find((one) => one.element === element);
    if (tile) this.send([tile.board.board], [{ type: "pause", reason: "" }]);
  }

  /** What came of an act at many boards, once the last of its messages is answered. */
  done(message: FromServer): void {
    const place = this.asked.get(String(message.id));
    if (place === undefined) return;
    this.asked.delete(String(message.id));
    this.told.done[place]! += message.done as number;
    for (const [board, why] of message.refused as [number, string][]) this.told.refused.set(board, why);
    if (this.asked.size) return;
    const { done, refused } = this.told;
    const values = { done: Math.max(...done), boards: [...refused.keys()].join(", "), why: [...refused.values()][0] ?? "" };
    this.say(say(this.words, refused.size ? "wall.bulk_refused" : "wall.bulk_done", values));
  }

  /** An announcement is out; gives whether it was one. */
  announced(message: FromServer): boolean {
    const text = announcedIn(message);
    if (text !== null) this.say(say(this.words, "wall.announced", { text }));
    return text !== null;
  }

  /** Whether that was asked here: the text of an announcement comes back, to be sent again. */
  refused(message: FromServer): boolean {
    const text = announcedIn(message);
    if (text === null && !this.asked.delete(String(message.id))) return false;
    if (text !== null && this.announcement && !this.announcement.value) this.announcement.value = text;
    this.say(`${message.text} ${message.do}`);
    return true;
  }

  /** The boards that are meant: those selected, else all that are shown. */
  tiles(): Tile[] {
    return this.shown().filter(({ board }) => !this.selected.size || this.selected.has(board.board));
  }

  private act(kind: string): void {
    const given = new FormData(this.form);
    const reason = String(given.get("reason") ?? "");
    const tiles = this.shown();
    const shown = tiles.map(({ board }) => board.board);
    const boards = this.selected.size ? [...this.selected] : tiles.length === this.all() ? null : shown;
    if (kind !== "add_time") return this.send(boards, [{ type: kind, reason }]);
    const time = Math.round(Number(given.get("seconds")) * 1000);
    this.send(boards, ["white", "black"].map((side) => ({ type: kind, reason, side, time })));
  }

  /** Nothing of it is lost where the line is: it is sent again until it is answered, and done once. */
  private send(boards: number[] | null, commands: object[]): void {
    this.told = { done: commands.map(() => 0), refused: new Map() };
    this.asked = new Map();
    this.say(this.waits);
    commands.forEach((command, place) => {
      for (const some of boards === null ? [null] : partsOf(boards)) this.asked.set(this.socket().ask({ type: "wall_command", event: this.event, boards: some, command }), place);
    });
  }

  private get waits(): string {
    return this.socket().isOpen ? "" : say(this.words, "wall.bulk_waits");
  }

  private say(text: string): void {
    setText(part(this.root, "bulk-told"), text);
  }

  private meant(): void {
    const count = this.selected.size;
    setText(part(this.root, "bulk-meant"), say(this.words, count ? "wall.selected" : "wall.none_selected", { count }));
  }
}

function partsOf(boards: number[]): number[][] {
  const parts = [];
  for (let at = 0; at < boards.length; at += NAMED) parts.push(boards.slice(at, at + NAMED));
  return parts;
}

/** The text of the announcement that an answer is about. */
function announcedIn({ asked }: FromServer): string | null {
  return asked?.command?.type === "announce" ? (asked.command.text as string) : null;
}
