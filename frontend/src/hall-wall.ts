// The arbiter's wall: alarms by urgency, all boards live, one of them open with its log and acts.
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { ActsDesk } from "./hall/acts";
import { ChatBox } from "./hall/chat";
import { clockText, ServerTime } from "./hall/clock";
import { element, part, setText } from "./hall/dom";
import { EventChat } from "./hall/event-chat";
import { HallSocket, type FromServer } from "./hall/socket";
import { Sounds } from "./hall/sounds";
import { Table } from "./hall/table";
import { Tile, type Alarm, type WallBoard } from "./hall/tile";
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
const alarmList = part(root, "alarms");
const dialog = part<HTMLDialogElement>(root, "detail");
const help = part<HTMLDialogElement>(root, "help");
const filters = part<HTMLFormElement>(root, "filters");
let order: string[] = [];
let opened = "";
let loudest = 0;

const table: Table = new Table(dialog, words, time, sounds, {
  move: () => undefined, premove: () => undefined, unpremove: () => undefined,
  say: (text) => table.say(text),
});
const acts = new ActsDesk(part(dialog, "acts-desk"), words, () => socket, tell);

const chat = new ChatBox(part(dialog, "chat"), words, () => socket);
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
    case "view":
      if (message.game === opened) {
        table.heard(table.state.take(message.view as GameView, message.number as number));
        acts.show(table.state.view);
        chat.show(table.state.view);
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
      acts.done(message);
      chat.done(message);
      eventChat?.done(message);
      break;
    case "refused":
      if (eventChat?.refused(message) || acts.refused(message)) break;
      chat.refused(message);
      tell(`${message.text}${message.article ? ` (${message.article})` : ""} ${message.do}`, "error");
      if (!dialog.open) {
        const notice = part(root, "wall-notice");
        notice.hidden = false;
        setText(notice, `${message.text} ${message.do}`);
      }
      break;
    case "closed":
      location.reload();
  }
}

function takeWall(boards: WallBoard[], newOrder: string[] | null): void {
  for (const board of boards) {
    let tile = tiles.get(board.game);
    if (!tile) {
      tile = new Tile(words, (one) => open(one.board.game));
      tiles.set(board.game, tile);
    }
    tile.update(board);
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
  drawAlarms();
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

// --- alarms ---

function drawAlarms(): void {
  const found: { tile: Tile; alarm: Alarm }[] = [];
  for (const game of order) {
    const tile = tiles.get(game);
    for (const alarm of tile?.board.alarms ?? []) found.push({ tile: tile!, alarm });
  }
  const moment = ({ alarm }: { alarm: Alarm }): number => alarm.since ?? alarm.until ?? 0;
  found.sort((a, b) => b.alarm.level - a.alarm.level || moment(a) - moment(b));
  const lines = found.map(({ tile, alarm }) => alarmLine(tile, alarm));
  const focused = (document.activeElement as HTMLElement | null)?.dataset.alarm;
  alarmList.replaceChildren(...lines);
  if (focused) alarmList.querySelector<HTMLElement>(`[data-alarm="${CSS.escape(focused)}"]`)?.focus();
  part(root, "calm").hidden = found.length > 0 || tiles.size === 0;
  const urgent = found.filter(({ alarm }) => alarm.level === 3).length;
  if (urgent > loudest) {
    sounds.play("check");
    setText(part(root, "wall-live"), say(words, "wall.new_alarm", { alarm: lines[0]?.textContent ?? "" }));
  }
  loudest = urgent;
}

function alarmLine(tile: Tile, alarm: Alarm): HTMLElement {
  const line = element("li", `alarm level-${alarm.level}`);
  const button = element("button");
  button.type = "button";
  button.dataset.alarm = `${tile.board.game}/${alarm.key}/${alarm.side ?? ""}/${alarm.since ?? ""}`;
  const level = element("span", "level", say(words, `level.${alarm.level}`));
  const who = alarm.side ? ` · ${alarm.side === "white" ? tile.board.white : tile.board.black}` : "";
  const text = element("span", "what", say(words, alarm.key));
  const where = element("span", "where", say(words, "wall.board", { board: tile.board.board }) + who);
  const when = element("span", "when");
  if (alarm.since !== null) when.dataset.since = String(alarm.since);
  if (alarm.until !== null) when.dataset.until = String(alarm.until);
  button.append(level, text, where, when);
  button.addEventListener("click", () => open(tile.board.game));
  line.append(button);
  tickAlarm(when);
  return line;
}

function tickAlarm(when: HTMLElement): void {
  const { since, until } = when.dataset;
  const plain = (milliseconds: number): string => clockText(Math.floor(milliseconds / 1000) * 1000).replace(/\.\d$/, "");
  if (until) setText(when, say(words, "wall.left", { time: plain(Math.max(0, Number(until) - time.now)) }));
  else if (since) setText(when, say(words, "wall.since", { time: plain(Math.max(0, time.now - Number(since))) }));
}

setInterval(() => {
  for (const tile of tiles.values()) if (tile.clock.running && tile.element.isConnected) tile.tick();
  for (const when of alarmList.querySelectorAll<HTMLElement>(".when")) tickAlarm(when);
}, TICK);

// --- one board ---

function open(game: string): void {
  const tile = tiles.get(game);
  if (!tile) return;
  if (opened && opened !== game) socket.tell({ type: "leave", game: opened });
  opened = game;
  table.reset();
  chat.reset();
  tell("");
  const { board } = tile;
  setText(part(dialog, "detail-title"), say(words, "wall.board", { board: board.board }) + `: ${board.white} – ${board.black}`);
  if (!dialog.open) dialog.showModal();
  socket.tell({ type: "join", game });
}

dialog.addEventListener("close", () => {
  if (opened) socket.tell({ type: "leave", game: opened });
  tiles.get(opened)?.element.focus();
  opened = "";
});
part(dialog, "close").addEventListener("click", () => dialog.close());
part(root, "help-open").addEventListener("click", () => help.showModal());
part(help, "help-close").addEventListener("click", () => help.close());
filters.addEventListener("input", arrange);
filters.addEventListener("submit", (submitted) => submitted.preventDefault());

// --- keys ---

const IN_DETAIL: Record<string, string> = {
  p: "pause", r: "resume", t: "add_time", s: "subtract_time", d: "declare_result", c: "correct_result",
  w: "warn", a: "answer_call", b: "resume_from_position",
};

addEventListener("keydown", (pressed) => {
  const target = pressed.target as HTMLElement;
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return;
  if (target.matches("input:not([type=checkbox]), select, textarea")) return;
  const { key } = pressed;
  if (key === "?") help.showModal();
  else if (dialog.open) {
    const act = IN_DETAIL[key];
    const list = [...tiles.values()].filter((tile) => tile.element.isConnected).map((tile) => tile.board.game);
    const shown = [...grid.children].map((one) => list.find((game) => tiles.get(game)!.element === one)!);
    if (act) acts.choose(act);
    else if (key === "l") part(dialog, "log").closest("details")!.toggleAttribute("open");
    else if (key === "n" || key === "v") open(shown[(shown.indexOf(opened) + (key === "n" ? 1 : shown.length - 1)) % shown.length]!);
    else return;
  } else if (key === "a") alarmList.querySelector<HTMLElement>("button")?.focus();
  else if (key === "g") (grid.firstElementChild as HTMLElement | null)?.focus();
  else if (key === "f") {
    const box = filters.elements.namedItem("alarms") as HTMLInputElement;
    box.checked = !box.checked;
    arrange();
  } else if (key.startsWith("Arrow") && grid.contains(target)) walk(target, key);
  else if (key.startsWith("Arrow") && alarmList.contains(target)) {
    const buttons = [...alarmList.querySelectorAll<HTMLElement>("button")];
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    buttons[buttons.indexOf(target) + step]?.focus();
  } else return;
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
