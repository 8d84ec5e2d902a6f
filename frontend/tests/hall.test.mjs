// The logic of the hall's pages, without a browser: clocks, notation, words, what is sent again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { after, meant, pieceAt, readFen, START, tell } from "../src/hall/notation";
import { clockText, readTime, ShownClock } from "../src/hall/clock";
import { GameState } from "../src/hall/game-state";
import { backoff, Outbox } from "../src/hall/outbox";
import { ownKey, pairText, proofText, resultText } from "../src/hall/result";
import { moveInWords, squareInWords } from "../src/hall/speech";
import { isHeld, pauseKey, wallPauseKey } from "../src/hall/standing";
import { say } from "../src/hall/words";
import { markLive } from "../src/video/webm";

const WORDS = JSON.parse(readFileSync(process.env.HALL_WORDS, "utf-8"));

function play(...moves) {
  let position = readFen(START);
  const sans = [];
  for (const uci of moves) {
    sans.push(tell(position, uci).san);
    position = after(position, uci);
  }
  return { position, sans };
}

test("clocks show hours, minutes, and tenths only below twenty seconds", () => {
  assert.equal(clockText(3_723_000), "1:02:03");
  assert.equal(clockText(245_900), "4:05");
  assert.equal(clockText(20_000), "0:20");
  assert.equal(clockText(19_999), "0:19.9");
  assert.equal(clockText(51), "0:00.0");
  assert.equal(clockText(0), "0:00");
  assert.equal(clockText(-5), "0:00");
});

test("only the running clock counts down, and never below zero", () => {
  let now = 1000;
  const clock = new ShownClock(() => now);
  clock.set({ white: 5000, black: 9000, running: "white" });
  now = 3500;
  assert.equal(clock.left("white"), 2500);
  assert.equal(clock.left("black"), 9000);
  now = 60_000;
  assert.equal(clock.left("white"), 0);
});

test("times are read as minutes and seconds, and nothing else is", () => {
  assert.equal(readTime("1:30"), 90_000);
  assert.equal(readTime("1:00:05"), 3_605_000);
  for (const text of ["", "90", "1:60", "a:10", "1:2:3:4", "-1:00"]) assert.equal(readTime(text), null, text);
});

test("notation tells check, mate, captures, castling and pieces apart", () => {
  assert.deepEqual(play("f2f3", "e7e5", "g2g4", "d8h4").sans, ["f3", "e5", "g4", "Qh4#"]);
  assert.deepEqual(
    play("e2e4", "d7d5", "e4d5", "g8f6", "g1f3", "b8c6", "f1b5", "f6d5", "e1g1").sans,
    ["e4", "d5", "exd5", "Nf6", "Nf3", "Nc6", "Bb5", "Nxd5", "O-O"],
  );
  const twoKnights = readFen("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1");
  assert.equal(tell(twoKnights, "b1d2").san, "Nbd2");
  const sameFile = readFen("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1");
  assert.equal(tell(sameFile, "a1a3").san, "R1a3");
  const pinned = readFen("4k3/4r3/8/8/4N3/8/8/1N2K3 w - - 0 1");
  assert.equal(tell(pinned, "b1d2").san, "Nd2", "the pinned knight cannot go there");
});

test("en passant takes the pawn beside, promotion changes the piece, castling moves the rook", () => {
  const passing = play("e2e4", "a7a6", "e4e5", "d7d5", "e5d6");
  assert.equal(passing.sans.at(-1), "exd6");
  assert.equal(pieceAt(passing.position, 35), "");
  const pawn = readFen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
  assert.equal(pieceAt(after(pawn, "a7a8n"), 56), "N");
  const castled = after(readFen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"), "e8c8");
  assert.equal(pieceAt(castled, 59), "r");
  assert.ok(castled.castles.rook.white.h !== undefined && castled.castles.rook.black.a === undefined);
  assert.ok(readFen("4k3/8/8/8/7q/8/8/4K3 w - - 0 1").isCheck());
});

test("typed moves are understood in both languages, and only if they are legal", () => {
  const position = readFen(START);
  const legal = ["e2e4", "e2e3", "g1f3", "b1c3"];
  assert.deepEqual(meant(position, legal, "e4", "en"), ["e2e4"]);
  assert.deepEqual(meant(position, legal, " e2-e4 ", "en"), ["e2e4"]);
  assert.deepEqual(meant(position, legal, "Nf3", "en"), ["g1f3"]);
  assert.deepEqual(meant(position, legal, "Cf3", "it"), ["g1f3"]);
  assert.deepEqual(meant(position, legal, "Ng1f3", "en"), ["g1f3"]);
  assert.deepEqual(meant(position, legal, "Qh5", "en"), []);
  assert.deepEqual(meant(position, legal, "", "en"), []);
  const rook = readFen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
  const both = ["a1a2", "e1e2", "e1c1", "e1f1"];
  assert.deepEqual(meant(rook, both, "Ra2", "en"), ["a1a2"]);
  assert.deepEqual(meant(rook, both, "Re2", "it"), ["e1e2"], "R is the king (re)");
  assert.deepEqual(meant(rook, both, "Ta2", "it"), ["a1a2"]);
  assert.deepEqual(meant(rook, both, "0-0-0", "it"), ["e1c1"]);
  const pawn = readFen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
  const four = ["a7a8q", "a7a8r", "a7a8b", "a7a8n"];
  assert.deepEqual(meant(pawn, four, "a8=N", "en"), ["a7a8n"]);
  assert.deepEqual(meant(pawn, four, "a8=D", "it"), ["a7a8q"]);
  assert.equal(meant(pawn, four, "a8", "en").length, 4);
});

test("moves and squares are said in the words of each language", () => {
  const told = tell(readFen("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1"), "b7a8q");
  assert.equal(moveInWords(WORDS.en, told), "pawn from b7 takes on a8, promotes to queen, check");
  assert.equal(moveInWords(WORDS.it, told), "pedone da b7 prende in a8, promuove a donna, scacco");
  const castles = tell(readFen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), "e1c1");
  assert.equal(moveInWords(WORDS.it, castles), "arrocco lungo");
  assert.equal(squareInWords(WORDS.en, 12, "P"), "e2, white pawn");
  assert.equal(squareInWords(WORDS.en, 20, ""), "e3, empty");
});

test("every word the scripts ask for by name is there in both languages", () => {
  for (const language of ["en", "it"]) {
    assert.equal(say(WORDS[language], "no.such.key"), "no.such.key");
    for (const key of ["turn.yours", "line.back_in", "acts.reason_needed", "wall.count", "level.3", "hall.end.time"]) {
      assert.notEqual(say(WORDS[language], key), key, `${language} ${key}`);
    }
  }
});

test("what is not answered is sent again under the same id, in order, and only then", () => {
  const outbox = new Outbox("page");
  const first = outbox.add({ type: "wish", game: "g" });
  const second = outbox.add({ type: "wish", game: "h" });
  assert.notEqual(first.id, second.id);
  assert.deepEqual(outbox.unanswered, [first, second]);
  assert.equal(outbox.answered(first.id), first);
  assert.equal(outbox.answered(first.id), undefined);
  assert.deepEqual(outbox.unanswered, [second]);
});

test("attempts to come back wait longer and longer, up to a limit, and not all alike", () => {
  const waits = [0, 1, 2, 3, 10, 50].map((attempt) => backoff(attempt, 1));
  assert.deepEqual(waits, [250, 500, 1000, 2000, 8000, 8000]);
  assert.equal(backoff(10, 0), 4000);
});

test("a game follows updates, and asks for the whole where one is missing", () => {
  const game = new GameState();
  const clock = { white: 1000, black: 1000, running: "white" };
  const view = { role: "player", side: "white", fen: START, last: "", phase: "running", clock, moves: [], offers: [], premove: null };
  game.take(view, 3);
  const moved = { type: "moved", at: 1, side: "white", ply: 0, uci: "e2e4", spent: 5, white: 995, black: 1000 };
  const told = game.update({ number: 4, events: [moved], phase: "running", clock, offer: null, legal: [] });
  assert.equal(told[0].san, "e4");
  assert.equal(game.position.turn, "black");
  const offered = { type: "draw_offered", at: 2, side: "white", ply: 1 };
  game.update({ number: 5, events: [offered], phase: "running", clock, offer: { side: "white", ply: 1 }, legal: [] });
  assert.equal(game.rows[0].offered, true);
  game.update({ number: 6, events: [{ type: "premove_set", at: 3, side: "white", ply: 2, uci: "d2d4" }], phase: "running", clock, offer: null, legal: [] });
  assert.equal(game.view.premove.uci, "d2d4");
  assert.equal(game.update({ number: 9, events: [moved], phase: "running", clock, offer: null, legal: [] }), null);
});

test("results are written with halves, their reason and article", () => {
  assert.equal(pairText([10, 0]), "1–0");
  assert.equal(pairText([5, 5]), "½–½");
  assert.equal(pairText([15, 0]), "1½–0");
  const result = { scores: [0, 10], reason: "time", article: "1.3.4", key: "hall.end.time", side: "white", proof: "" };
  assert.equal(resultText(WORDS.en, result), "0–1, on time (1.3.4)");
});

test("proofs of the log are said in the language of the page", () => {
  const proof = '{"key":"unwinnable.material","side":"white"}\n{"key":"unwinnable.exhausted","side":"black","positions":12}';
  for (const language of ["en", "it"]) {
    const [first, second] = proofText(WORDS[language], proof).split("\n");
    const side = WORDS[language]["unwinnable.side.white"];
    assert.ok(first.startsWith(side[0].toUpperCase() + side.slice(1)), first);
    assert.ok(second.includes("12") && !second.includes("{"), second);
  }
  assert.notEqual(proofText(WORDS.en, proof), proofText(WORDS.it, proof));
  assert.equal(proofText(WORDS.en, "as it was\n{broken"), "as it was\n{broken");
  const line = '{"key":"unwinnable.line","side":"white","moves":"1. Ra8+ Kb7 2. Nc5#"}';
  assert.match(proofText(WORDS.en, line), /1\. Ra8\+ Kb7 2\. Nc5#/);
  assert.match(proofText(WORDS.it, line), /1\. Ta8\+ Rb7 2\. Cc5#/);
});

test("a paused game says who or what stopped it, and after a crash that the arbiter resumes", () => {
  const act = (type, by, reason, withdrawn = false) => ({ number: 1, withdrawn, act: { type, at: 1, by, reason, article: "" } });
  const crashed = act("paused", "", "hall.recovered");
  const stopped = act("paused", "7", "noise in the room");
  assert.equal(pauseKey([stopped, act("resumed", "7", ""), crashed]), "phase.recovered");
  assert.equal(pauseKey([crashed, act("time_added", "7", "for the crash")]), "phase.recovered");
  assert.equal(pauseKey([crashed, act("resumed", "7", ""), stopped]), "phase.paused");
  assert.equal(pauseKey([act("paused", "", "hall_live.call_stops_clocks")]), "phase.called");
  assert.equal(pauseKey(undefined), "phase.standing", "spectators see no acts");
  const alarm = (key) => ({ key, level: 3, side: null, since: 0, until: null });
  assert.equal(wallPauseKey([alarm("hall_live.alarm.recovered")], 0), "phase.recovered_here");
  assert.equal(wallPauseKey([alarm("hall_live.alarm.paused")], 0), "phase.standing");
  assert.equal(pauseKey([act("paused", "", "hall.held")]), "phase.held_long");
  assert.equal(wallPauseKey([alarm("hall_live.alarm.held_long")], 0), "phase.held_here");
  assert.ok(isHeld([alarm("hall_live.alarm.held")]) && !isHeld([alarm("hall_live.alarm.held_long")]));
  for (const language of ["en", "it"]) {
    for (const key of ["phase.recovered", "phase.recovered_here", "phase.held", "phase.held_long", "phase.held_here"]) {
      const said = say(WORDS[language], key);
      assert.ok(said.includes("11.6") && said.toLowerCase().includes("server"), said);
    }
    for (const key of ["phase.standing", "phase.called"]) assert.notEqual(say(WORDS[language], key), key);
  }
});

test("spectators, who are sent positions only, hear the move that leads from one to the next", () => {
  const clock = { white: 0, black: 0, running: null };
  const seen = (fen, last) => ({ role: "spectator", fen, last, phase: "running", clock, result: null });
  const game = new GameState();
  const first = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
  const second = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
  assert.deepEqual(game.take(seen(START, ""), 0), []);
  assert.deepEqual(game.take(seen(first, "e2e4"), 0).map(({ san }) => san), ["e4"]);
  assert.deepEqual(game.take(seen(first, "e2e4"), 0), [], "nothing is new");
  assert.deepEqual(game.take(seen(second, "d7d5"), 0).map(({ san }) => san), ["d5"]);
  assert.deepEqual(game.take(seen(START, ""), 0), [], "back to the beginning");
  assert.deepEqual(game.take(seen(second, "d7d5"), 0), [], "a move was missed: nobody knows which");
});

test("an offer stands beside the offerer's own move, the last or the one to come", () => {
  const clock = { white: 0, black: 0, running: "white" };
  const made = (uci) => ({ uci, spent: 0, white: 0, black: 0 });
  const marks = (moves, offers, phase = "running") => {
    const game = new GameState();
    game.take({ role: "player", side: "white", fen: START, last: "", phase, clock, moves: moves.map(made), offers }, 0);
    return game.rows.map(({ offered }) => offered);
  };
  const moves = ["e2e4", "e7e5", "g1f3"];
  assert.deepEqual(marks(moves, [{ side: "white", ply: 1 }]), [true, false, false]);
  assert.deepEqual(marks(moves, [{ side: "white", ply: 2 }]), [false, false, true]);
  assert.deepEqual(marks(moves, [{ side: "black", ply: 3 }]), [false, false, false]);
  assert.deepEqual(marks(moves, [{ side: "black", ply: 3 }], "ended"), [false, false, true]);
});

test("a result says to a player who has won, and nothing where it is the same to both", () => {
  assert.equal(ownKey([10, 0], "white"), "result.won");
  assert.equal(ownKey([10, 0], "black"), "result.lost");
  for (const scores of [[5, 5], [0, 0]]) assert.equal(ownKey(scores, "white"), "");
});

const WEBM_HEAD = [0x1a, 0x45, 0xdf, 0xa3, 0x80, 0x18, 0x53, 0x80, 0x67, 0xff, 0x15, 0x49, 0xa9, 0x66];
const DATE_UTC = [0x44, 0x61, 0x88, 0, 0, 0, 0, 0, 0, 0, 0];
const AFTER_INFO = [0x16, 0x54, 0xae, 0x6b, 0x80, 0, 0, 0, 0, 0, 0];

test("a stream that is shown has a date, so that its first picture waits for no other", () => {
  for (const [size, grown] of [[[0x83], [0x8e]], [[0x40, 0x03], [0x40, 0x0e]], [[1, 0, 0, 0, 0, 0, 0, 3], [1, 0, 0, 0, 0, 0, 0, 14]]]) {
    const marked = markLive(Uint8Array.from([...WEBM_HEAD, ...size, 7, 8, 9, ...AFTER_INFO]));
    assert.deepEqual([...marked], [...WEBM_HEAD, ...grown, ...DATE_UTC, 7, 8, 9, ...AFTER_INFO]);
  }
});

test("what has no room for a date, or is no head of a stream, stays as it is", () => {
  const full = Uint8Array.from([...WEBM_HEAD, 0x80 + 116, ...Array(116).fill(0), ...AFTER_INFO]);
  const unknown = Uint8Array.from([...WEBM_HEAD, 0xff, 7, 8, 9, ...AFTER_INFO]);
  const broken = Uint8Array.from([...WEBM_HEAD, 0, 7, 8, 9, ...AFTER_INFO]);
  for (const bytes of [full, unknown, broken, new Uint8Array(40), new Uint8Array(0)]) assert.equal(markLive(bytes), bytes);
});
