// The words of a page, as the server wrote them into it: keys to sentences with {named} places.
export type Words = Record<string, string>;

export function say(words: Words, key: string, details: Record<string, string | number> = {}): string {
  const sentence = words[key];
  if (sentence === undefined) return key;
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ""));
}

export function wordsOf(root: HTMLElement): Words {
  return JSON.parse(root.dataset.words ?? "{}") as Words;
}
