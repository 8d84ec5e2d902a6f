// Small helps with elements.
export function part<T extends HTMLElement = HTMLElement>(root: ParentNode, name: string): T {
  const found = root.querySelector<T>(`[data-part="${name}"]`);
  if (!found) throw new Error(`the page has no part ${name}`);
  return found;
}

/** Sets a text only where it changes: a screen reader and the layout notice every setting. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className = "",
  text = "",
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** A name that may be written from the right. */
export function nameOf(text: string): HTMLElement {
  return element("bdi", "", text);
}
