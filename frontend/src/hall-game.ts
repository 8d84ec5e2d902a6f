// The page of a game: for its players, its arbiters and those who look on.
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { ActsDesk } from "./hall/acts";
import { ChatBox } from "./hall/chat";
import { ServerTime } from "./hall/clock";
import { part, setText } from "./hall/dom";
import { dressBoards, zenBy } from "./hall/look";
import { NextBoard } from "./hall/next-board";
import { PlayerDesk } from "./hall/player";
import { RoundStart } from "./hall/round-start";
import { EXPELLED, HallSocket, type FromServer } from "./hall/socket";
import { Sounds } from "./hall/sounds";
import { Table } from "./hall/table";
import type { GameView, LogEvent } from "./hall/views";
import { say, wordsOf } from "./hall/words";

const root = document.querySelector<HTMLElement>("#hall-game")!;
const words = wordsOf(root);
const game = root.dataset.game!;
const language = document.documentElement.lang;
// The bar above the board tells of the connection too.
const page = document.body;
const time = new ServerTime();
const sounds = new Sounds();

const table: Table = new Table(root, words, time, sounds, {
  move: (uci) => desk.move(uci),
  premove: (uci) => desk.premove(uci),
  unpremove: () => desk.unpremove(),
  say: (text) => table.say(text),
  heardBy: (key) => table.heardBy(key),
});
const desk = new PlayerDesk(part(root, "player-desk"), words, language, game, table, () => socket, tell);
const acts = root.querySelector<HTMLElement>("[data-part=acts-desk]");
const arbiter = acts && new ActsDesk(acts, words, () => socket, tell, (ply) => table.lookAt(ply));

const chatRoot = root.querySelector<HTMLElement>("[data-part=chat]");
const chat = chatRoot && new ChatBox(chatRoot, words, () => socket);

const start = new RoundStart(words, sounds);
const next = new NextBoard(part(root, "after"), words, game, root.dataset.event ?? "", () => socket, (text, round, address) => {
  table.say(text);
  start.begin(round, address);
});
dressBoards(root.querySelector<HTMLFormElement>("[data-part=look]"), words);
zenBy(part(page, "zen"));
let title = document.title;

/** Colours can be swapped (11.2): heading and title name White first. */
let heading = "";
function nameSides({ white, black }: GameView): void {
  const names = `${white.name} – ${black.name}`;
  if (heading && heading !== names) title = title.replace(heading, names);
  heading = names;
  const shown = document.querySelectorAll<HTMLElement>("h1 bdi");
  [white.name, black.name].forEach((name, at) => shown[at] && setText(shown[at], name));
}

const sound = part<HTMLInputElement>(root, "sound");
sound.checked = sounds.on;
sound.addEventListener("change", () => {
  sounds.set(sound.checked);
  sounds.play("move");
});

/** Tells in the page what was refused, or nothing any more. */
function tell(text: string, kind: "error" | "note" = "note"): void {
  const notice = part(root, "notice");
  notice.hidden = !text;
  notice.className = `notice ${kind}`;
  setText(notice, text);
}

function take(message: FromServer): void {
  if (typeof message.now === "number") time.heard(message.now);
  switch (message.type) {
    case "view":
      if (message.game !== game) return;
      table.heard(table.state.take(message.view as GameView, message.number as number));
      break;
    case "update": {
      if (message.game !== game) return;
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      const told = table.state.update(message as any);
      if (told === null) socket.tell({ type: "join", game });
      else {
        // What was refused before concerns a position that is no more.
        if (told.length) tell("");
        table.heard(told);
        desk.tellOf(message.events as LogEvent[]);
      }
      break;
    }
    case "chat": {
      if (message.game !== game || !chat) return;
      const news = chat.take(message);
      if (news) {
        setText(part(root, "chat-live"), news);
        sounds.play("check");
      }
      return;
    }
    case "done":
      tell("");
      desk.answered(message);
      chat?.done(message);
      arbiter?.done(message);
      return;
    case "refused":
      if (arbiter?.refused(message)) break;
      desk.answered(message);
      chat?.refused(message);
      tell(`${message.text}${message.article ? ` (${message.article})` : ""} ${message.do}`, "error");
      if (table.state.view) table.draw();
      break;
    case "announcement":
      setText(part(root, "announcement"), message.text as string);
      part(root, "announcement").hidden = false;
      sounds.play("check");
      return;
    case "closed":
      location.reload();
      return;
    case "pong":
      setText(part(page, "lag"), socket.lag === null ? "" : say(words, "line.lag", { ms: socket.lag }));
      return;
    case "event":
    case "event_update":
      next.take(message);
      return;
    default:
      return;
  }
  if (!table.state.view) return;
  desk.draw();
  next.show(table.state.view.phase === "ended" || table.state.view.role === "spectator", table.state.view.phase);
  nameSides(table.state.view);
  // A tab in the background tells whose turn it is.
  document.title = (table.isMyTurn && table.state.view.phase === "running" ? "● " : "") + title;
  chat?.show(table.state.view);
  arbiter?.show(table.state.view);
}

const socket: HallSocket = new HallSocket(
  {
    hello: () => [{ type: "join", game }, ...next.hello()],
    message: take,
    state: (isOpen) => {
      root.classList.toggle("unconnected", !isOpen);
      const line = part(page, "connection");
      line.className = `connection status ${isOpen ? "done" : "error"}`;
      setText(line, (isOpen ? "● " : "✕ ") + say(words, isOpen ? "line.connected" : "line.reconnecting"));
      if (!isOpen) setText(part(page, "lag"), "");
    },
    ended: (code) => {
      const key = code === EXPELLED ? "line.expelled" : code === 4401 ? "line.signed_out" : "line.sent_away";
      tell(say(words, key), "error");
    },
  },
  language,
);
