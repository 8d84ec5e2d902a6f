// What a browser is told of a WebM stream before its first picture.
const INFO = [0x15, 0x49, 0xa9, 0x66];
/** `DateUTC` with a moment in it; which one does not matter. */
const DATE = [0x44, 0x61, 0x88, 0, 0, 0, 0, 0, 0, 0, 0];
const LONGEST_HEAD = 4096;

/**
 * Says of a stream that it is live: Chromium then shows each picture as it comes. Without it the first one waits for four more,
 * which takes seconds with a screen of two pictures a second. A stream without an end is live to it where it has a date, and
 * `MediaRecorder` writes none.
 */
export function markLive(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const at = infoAt(bytes);
  if (at === null) return bytes;
  const sizeAt = at + INFO.length;
  const width = Math.clz32(bytes[sizeAt]!) - 23;
  if (width > 8) return bytes;
  let size = bytes[sizeAt]! & (0xff >> width);
  for (let digit = 1; digit < width; digit++) size = size * 256 + bytes[sizeAt + digit]!;
  let grown = size + DATE.length;
  if (grown >= 2 ** (7 * width) - 1) return bytes; // of unknown size, or no room to say it
  const bodyAt = sizeAt + width;
  const marked = new Uint8Array(bytes.length + DATE.length);
  marked.set(bytes.subarray(0, bodyAt));
  for (let digit = width - 1; digit >= 0; digit--, grown = Math.floor(grown / 256)) marked[sizeAt + digit] = grown % 256;
  marked[sizeAt]! |= 0x100 >> width;
  marked.set(DATE, bodyAt);
  marked.set(bytes.subarray(bodyAt), bodyAt + DATE.length);
  return marked;
}

function infoAt(bytes: Uint8Array): number | null {
  const end = Math.min(bytes.length, LONGEST_HEAD) - INFO.length - 8;
  for (let at = 0; at < end; at++) if (INFO.every((byte, offset) => bytes[at + offset] === byte)) return at;
  return null;
}
