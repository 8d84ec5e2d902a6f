// All boards of a round: drawn as the page has them, then moved by one socket for the boards in view.
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { ServerTime, type ClockView } from "./hall/clock";
import { part, setText } from "./hall/dom";
import { RoundStart } from "./hall/round-start";
import { HallSocket, type FromServer } from "./hall/socket";
import { Sounds } from "./hall/sounds";
import { Tile, type WallBoard } from "./hall/tile";
import type { Phase } from "./hall/views";
import { say, wordsOf } from "./hall/words";

interface BoardChange {
  board: number;
  at: number;
  phase: Phase;
  fen: string;
  last: string;
  clock: ClockView;
  scores: [number, number] | null;
}

interface LiveBoard extends BoardChange {
  game: string;
  white: string;
  black: string;
}

const TICK = 250;
/** Boards are asked for in blocks: many who look on then have the same before them. */
const BLOCK = 16;
const MAX_SHOWN = 64;
const SETTLED = 250;
/** Milliseconds within which a crowd goes to the next round: not everybody asks for a page at once. */
const APART = 4000;

const root = document.querySelector<HTMLElement>("#hall-live");

if (root) {
  const words = wordsOf(root);
  const event = root.dataset.event!;
  const grid = part(root, "grid");
  const time = new ServerTime();
  const known = new Map<number, LiveBoard>();
  const tiles = new Map<number, Tile>();
  const seen = new Set<number>();
  let first = 1;
  let last = Math.min(MAX_SHOWN, 2 * BLOCK);
  let round = Number(root.dataset.round);
  let moving = 0;
  let isGoing = false;
  const isLive = root.dataset.live === "yes";

  const watcher = new IntersectionObserver((entries) => {
    for (const one of entries) {
      const board = Number((one.target as HTMLElement).dataset.board);
      if (one.isIntersecting) seen.add(board);
      else seen.delete(board);
    }
    clearTimeout(moving);
    moving = window.setTimeout(follow, SETTLED);
  });

  const shown = (board: LiveBoard, isNew: boolean): WallBoard => {
    const passed = isNew ? Math.max(0, time.now - board.at) : 0;
    const { running } = board.clock;
    const clock = { ...board.clock };
    if (running && passed < 60_000) clock[running] = Math.max(0, clock[running] - passed);
    return {
      ...board,
      round,
      clock,
      connected: [true, true],
      on_vcs: [true, true],
      offer: null,
      calls: 0,
      refused: [0, 0],
      alarms: [],
      result: board.scores && { scores: board.scores, reason: "", article: "", key: "", side: null, proof: "" },
    } as WallBoard;
  };

  const put = (board: LiveBoard, isNew: boolean): void => {
    known.set(board.board, board);
    let tile = tiles.get(board.board);
    if (!tile) {
      tile = new Tile(words, `${root.dataset.games!}${board.game}`);
      tile.element.dataset.board = String(board.board);
      tiles.set(board.board, tile);
      const after = [...tiles.keys()].filter((number) => number > board.board);
      const next = after.length ? tiles.get(Math.min(...after))!.element : null;
      grid.insertBefore(tile.element, next);
      watcher.observe(tile.element);
    }
    tile.update(shown(board, isNew));
  };

  const count = (): void => {
    const playing = [...known.values()].filter((board) => board.phase !== "ended").length;
    const line = document.querySelector<HTMLElement>("[data-part=count]");
    if (line) setText(line, say(words, "live.count", { boards: known.size, playing }));
  };

  /** Asks for what is in the window, and a block around it. */
  function follow(): void {
    if (!seen.size || !isLive) return;
    const from = Math.max(1, Math.floor((Math.min(...seen) - 1) / BLOCK) * BLOCK + 1);
    const to = Math.min(from + MAX_SHOWN - 1, Math.ceil(Math.max(...seen) / BLOCK) * BLOCK);
    if (from === first && to === last) return;
    [first, last] = [from, to];
    socket?.tell(watch());
  }

  const watch = (): object => ({ type: "boards", event, first, last });

  const start = new RoundStart(words, new Sounds());
  /** The next round is shown as soon as it is played; whoever has a board in it belongs there. */
  const hear = (message: FromServer): void => {
    if (message.phase !== "open") return;
    const own = (message.boards as { game: string; result: unknown }[]).find(({ game }) => game === message.game);
    if (own && !own.result) return start.begin(message.round as number, `${root.dataset.games!}${own.game}`);
    if (message.round !== round) goOn();
  };
  const goOn = (): void => {
    if (isGoing) return;
    isGoing = true;
    setTimeout(() => location.assign(root.dataset.page!), Math.random() * APART);
  };

  const take = (message: FromServer): void => {
    if (typeof message.now === "number") time.heard(message.now);
    if (message.type === "event") hear(message);
    if (message.type === "event_update" && (message.records as { type: string }[]).some(({ type }) => type === "round_opened")) socket?.tell({ type: "event", event });
    if (message.type !== "boards") return;
    if (message.whole) {
      if (round && message.round && message.round !== round) return socket?.tell({ type: "event", event });
      round = (message.round as number) || round;
      for (const board of message.boards as LiveBoard[]) put(board, true);
    } else {
      for (const change of message.boards as BoardChange[]) {
        const board = known.get(change.board);
        if (board) put({ ...board, ...change }, true);
      }
    }
    count();
  };

  for (const board of JSON.parse(root.dataset.boards ?? "[]") as LiveBoard[]) put(board, false);
  count();
  const line = document.querySelector<HTMLElement>("[data-part=connection]");
  const tell = (isOpen: boolean): void => {
    if (!line || !isLive) return;
    line.className = `status ${isOpen ? "done" : "warning"}`;
    setText(line, (isOpen ? "● " : "! ") + say(words, isOpen ? "live.on" : "live.off"));
  };
  const socket: HallSocket | null =
    root.dataset.follow !== "yes"
      ? null
      : new HallSocket(
          {
            hello: () => [{ type: "event", event }, ...(isLive ? [watch()] : [])],
            message: take,
            state: tell,
            ended: () => tell(false),
          },
          document.documentElement.lang,
        );
  if (isLive) setInterval(() => seen.forEach((board) => tiles.get(board)?.tick()), TICK);
}
