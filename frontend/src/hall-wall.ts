// The arbiter's wall: alarms by urgency, all boards live, one of them open with its log and acts.
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { ActsDesk } from "./hall/acts";
import { BulkActs } from "./hall/bulk";
import { ChatBox } from "./hall/chat";
import { AlarmList } from "./hall/alarms";
import { Attendance, type AttendanceShown } from "./hall/attendance";
import { ServerTime } from "./hall/clock";
import { part, setText } from "./hall/dom";
import { EventChat } from "./hall/event-chat";
import { HallSocket, type FromServer } from "./hall/socket";
import { Sounds } from "./hall/sounds";
import { Table } from "./hall/table";
import { Tile, type WallBoard } from "./hall/tile";
import { Faces } from "./video/faces";
import type { GameView } from "./hall/views";
import { say, wordsOf } from "./hall/words";

const TICK = 200;
const root = document.querySelector<HTMLElement>("#hall-wall")!;
const words = wordsOf(root);
const event = root.dataset.event!;
const time = new ServerTime();
const sounds = new Sounds();
const tiles = new Map<string, Tile>();
const grid = part(root, "grid");
const dialog = part<HTMLDialogElement>(root, "detail");
const help = part<HTMLDialogElement>(root, "help");
const filters = part<HTMLFormElement>(root, "filters");
const faces = root.dataset.video === "true" ? new Faces(root, part(dialog, "live-faces"), words, event, () => [...tiles.values()], () => {
  alarms.drawStills();
  attendance?.drawStills();
}) : null;
const attendance: Attendance | null = faces && new Attendance(root, words, (command) => void socket.ask({ type: "command", event, command }), faces);
let order: string[] = [];
let round = 0;
let opened = "";
/** The act that was asked for with the board that is being opened. */
let actAsked: { act: string; values: Record<string, string> } | null = null;

const alarms: AlarmList = new AlarmList(root, words, time, sounds, open, (name, canvas) => faces?.drawStill(name, canvas) ?? false);
const table: Table = new Table(dialog, words, time, sounds, {
  move: () => undefined, premove: () => undefined, unpremove: () => undefined,
  say: (text) => table.say(text),
});
const acts = new ActsDesk(part(dialog, "acts-desk"), words, () => socket, tell, (ply) => table.lookAt(ply));

const chat = new ChatBox(part(dialog, "chat"), words, () => socket);
const bulk = new BulkActs(root, words, event, () => socket, () => [...tiles.values()].filter((tile) => tile.element.isConnected), () => tiles.size);
faces?.addGroup(part(root, "talk"), () => (tiles.size ? bulk.tiles() : null));
const eventChatBox = root.querySelector<HTMLElement>("[data-part=event-chat]");
const eventChat = eventChatBox && new EventChat(eventChatBox, event, () => socket);

function tell(text: string, kind: "error" | "note" = "note"): void {
  const notice = part(dialog, "notice");
  notice.hidden = !text;
  notice.className = `notice ${kind}`;
  setText(notice, text);
}

// --- boards ---

function take(message: FromServer): void {
  if (typeof message.now === "number") time.heard(message.now);
  switch (message.type) {
    case "wall":
      takeWall(message.boards as WallBoard[], (message.order as string[] | null) ?? null);
      break;
    case "attendance":
      attendance?.take(message as unknown as AttendanceShown);
      break;
    case "view":
      if (message.game === opened) {
        table.heard(table.state.take(message.view as GameView, message.number as number));
        acts.show(table.state.view);
        chat.show(table.state.view);
        if (actAsked) acts.choose(actAsked.act, actAsked.values);
        actAsked = null;
      }
      break;
    case "chat": {
      eventChat?.take(message);
      if (!opened || message.game !== opened) break;
      const news = chat.take(message);
      if (news) setText(part(dialog, "chat-live"), news);
      break;
    }
    case "update": {
      if (message.game !== opened) break;
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      const told = table.state.update(message as any);
      if (told === null) socket.tell({ type: "join", game: opened });
      else {
        table.heard(told);
        acts.show(table.state.view);
      }
      break;
    }
    case "done":
      if (bulk.announced(message)) break;
      acts.done(message);
      chat.done(message);
      eventChat?.done(message);
      break;
    case "refused":
      if (eventChat?.refused(message) || acts.refused(message) || bulk.refused(message)) break;
      chat.refused(message);
      tell(`${message.text}${message.article ? ` (${message.article})` : ""} ${message.do}`, "error");
      if (!dialog.open) {
        const notice = part(root, "wall-notice");
        notice.hidden = false;
        setText(notice, `${message.text} ${message.do}`);
      }
      break;
    case "wall_done":
      bulk.done(message);
      break;
    case "closed":
      location.reload();
  }
}

/** The wall stays open from round to round: what stands there and who is meant is of the one that is played. */
function beginRound(number: number): void {
  if (number === round) return;
  if (round) bulk.selectNone();
  round = number;
  for (const head of document.querySelectorAll("[data-round]")) head.textContent = ` · ${say(words, "wall.round", { round })}`;
}

function takeWall(boards: WallBoard[], newOrder: string[] | null): void {
  if (boards.length) beginRound(Math.max(round, ...boards.map((board) => board.round)));
  for (const board of boards) {
    let tile = tiles.get(board.game);
    if (!tile) {
      const made = new Tile(words, (one) => open(one.board.game));
      made.element.addEventListener("click", (clicked) => bulk.select(made, clicked), { capture: true });
      tile = made;
      tiles.set(board.game, tile);
    }
    tile.update(board);
    faces?.place(tile);
    if (board.game === opened) nameBoard(tile);
  }
  if (newOrder) {
    order = newOrder;
    for (const [game, tile] of tiles) {
      if (!order.includes(game)) {
        tile.element.remove();
        tiles.delete(game);
      }
    }
  }
  arrange();
  alarms.draw(order.flatMap((game) => tiles.get(game) ?? []));
}

/** Puts the tiles that the filters let through in the order that is chosen. */
function arrange(): void {
  const chosen = new FormData(filters);
  const first = Number(chosen.get("first") || 0);
  const last = Number(chosen.get("last") || Infinity);
  const shown = [...tiles.values()].filter(({ board }) => {
    if (board.board < first || board.board > last) return false;
    if (chosen.get("alarms") && !board.alarms.length) return false;
    return !(chosen.get("playing") && board.phase === "ended");
  });
  if (chosen.get("sort") === "urgency") shown.sort((a, b) => order.indexOf(a.board.game) - order.indexOf(b.board.game));
  else shown.sort((a, b) => a.board.board - b.board.board);
  const now = [...grid.children];
  const wanted = shown.map((tile) => tile.element);
  if (now.length !== wanted.length || wanted.some((one, at) => now[at] !== one)) grid.replaceChildren(...wanted);
  part(root, "empty").hidden = tiles.size > 0;
  const playing = [...tiles.values()].filter(({ board }) => board.phase !== "ended").length;
  setText(part(root, "count"), say(words, "wall.count", { shown: shown.length, all: tiles.size, playing }));
}

setInterval(() => {
  for (const tile of tiles.values()) if (tile.clock.running && tile.element.isConnected) tile.tick();
  alarms.tick();
}, TICK);

// --- one board ---

/** Colours can be swapped while a board is open (11.2). */
function nameBoard({ board }: Tile): void {
  setText(part(dialog, "detail-title"), say(words, "wall.board", { board: board.board }) + `: ${board.white} – ${board.black}`);
}

function open(game: string, act = "", values: Record<string, string> = {}): void {
  const tile = tiles.get(game);
  if (!tile) return;
  actAsked = act ? { act, values } : null;
  if (opened && opened !== game) socket.tell({ type: "leave", game: opened });
  opened = game;
  table.reset();
  chat.reset();
  tell("");
  nameBoard(tile);
  if (!dialog.open) dialog.showModal();
  faces?.watch([tile.board.white, tile.board.black]);
  socket.tell({ type: "join", game });
}

dialog.addEventListener("close", () => {
  if (opened) socket.tell({ type: "leave", game: opened });
  faces?.unwatch();
  tiles.get(opened)?.element.focus();
  opened = "";
});
part(dialog, "close").addEventListener("click", () => dialog.close());
part(root, "help-open").addEventListener("click", () => help.showModal());
part(help, "help-close").addEventListener("click", () => help.close());
filters.addEventListener("input", arrange);
filters.addEventListener("submit", (submitted) => submitted.preventDefault());

// --- keys ---

addEventListener("keydown", (pressed) => {
  const target = pressed.target as HTMLElement;
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return;
  if (target.matches("input:not([type=checkbox]), select, textarea")) return;
  const { key } = pressed;
  if (key === "?") help.showModal();
  else if (!dialog.open && key === "p" && grid.contains(target)) bulk.pause(target);
  else if (dialog.open) {
    const list = [...tiles.values()].filter((tile) => tile.element.isConnected).map((tile) => tile.board.game);
    const shown = [...grid.children].map((one) => list.find((game) => tiles.get(game)!.element === one)!);
    if (acts.press(key)) pressed.preventDefault();
    else if (key === "l") part(dialog, "log").closest("details")!.toggleAttribute("open");
    else if (key === "n" || key === "v") open(shown[(shown.indexOf(opened) + (key === "n" ? 1 : shown.length - 1)) % shown.length]!);
    else return;
  } else if (key === "a") alarms.focus();
  else if (key === "g") (grid.firstElementChild as HTMLElement | null)?.focus();
  else if (key === "f") {
    const box = filters.elements.namedItem("alarms") as HTMLInputElement;
    box.checked = !box.checked;
    arrange();
  } else if (key.startsWith("Arrow") && grid.contains(target)) walk(target, key);
  else if (key.startsWith("Arrow") && alarms.contains(target)) alarms.walk(target, key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0);
  else return;
  pressed.preventDefault();
});

/** Goes from tile to tile as they stand in the grid. */
function walk(from: HTMLElement, key: string): void {
  const all = [...grid.children] as HTMLElement[];
  const columns = all.filter((one) => one.offsetTop === all[0]!.offsetTop).length;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[key] ?? 0;
  all[all.indexOf(from) + step]?.focus();
}

const socket: HallSocket = new HallSocket(
  {
    hello: () => [{ type: "wall", event }, { type: "event", event }, ...(opened ? [{ type: "join", game: opened }] : [])],
    message: take,
    state: (isOpen) => {
      const line = part(root, "connection");
      line.className = `connection status ${isOpen ? "done" : "error"}`;
      setText(line, (isOpen ? "● " : "✕ ") + say(words, isOpen ? "line.connected" : "line.reconnecting"));
    },
    ended: (code) => {
      const notice = part(root, "wall-notice");
      notice.hidden = false;
      setText(notice, say(words, code === 4401 ? "line.signed_out" : "line.sent_away"));
    },
  },
  document.documentElement.lang,
);
