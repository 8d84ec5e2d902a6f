// Where to go from a game that is over, or that one only looks at: the event, and one's next board.
import { element, part, setText } from "./dom";
import type { FromServer, HallSocket } from "./socket";
import type { Phase } from "./views";
import { say, type Words } from "./words";

interface EventBoard {
  board: number;
  game: string;
  result: unknown;
}

export class NextBoard {
  private readonly link = element("a", "button next-board");
  private readonly pgn: HTMLElement;
  private isFollowing = false;

  /** `event` is the event that the person plays in, or empty: then there is no next board. */
  constructor(
    private readonly root: HTMLElement,
    private readonly words: Words,
    private readonly game: string,
    private readonly event: string,
    private readonly socket: () => HallSocket,
    private readonly begin: (text: string, round: number, address: string) => void,
  ) {
    this.link.dataset.part = "next-board";
    this.link.hidden = true;
    root.prepend(this.link);
    this.pgn = part(root, "pgn");
  }

  /** What to say first when the connection is there. */
  hello(): object[] {
    return this.isFollowing ? [{ type: "event", event: this.event }] : [];
  }

  /** Only who has nothing to play here follows the event: at a board its news would be in the way. */
  show(isFree: boolean, phase: Phase): void {
    this.root.hidden = !isFree;
    this.pgn.hidden = phase !== "ended";
    if (!isFree || this.isFollowing || !this.event) return;
    this.isFollowing = true;
    this.socket().tell({ type: "event", event: this.event });
  }

  take(message: FromServer): void {
    if (message.event !== this.event) return;
    if (message.type === "event_update") {
      const records = message.records as { type: string }[];
      if (records.some(({ type }) => type === "round_opened")) this.socket().tell({ type: "event", event: this.event });
      return;
    }
    const own = (message.boards as EventBoard[]).find(({ game }) => game === message.game);
    const isNext = own !== undefined && own.game !== this.game && message.phase === "open" && !own.result;
    const wasHidden = this.link.hidden;
    this.link.hidden = !isNext;
    if (!isNext) return;
    const round = message.round as number;
    setText(this.link, say(this.words, "next.go", { round, board: own.board }));
    this.link.href = this.root.dataset.games! + own.game;
    if (wasHidden) this.begin(say(this.words, "next.told", { round, board: own.board }), round, this.link.href);
  }
}
