// 10.3 — the code by which a phone becomes a second camera, below the bar of the conference, and whether there is one.
import { element, setText } from "../hall/dom";
import { SHOW_CODE } from "../hall/inspections";
import { say, type Words } from "../hall/words";
import type { Told, VideoSocket } from "./socket";

export class SecondCamera {
  private readonly state = element("p", "conference-room");
  private readonly panel = element("section", "phone-code");

  constructor(private readonly words: Words, private readonly socket: VideoSocket, bar: HTMLElement) {
    this.state.setAttribute("role", "status");
    this.state.hidden = true;
    setText(this.state, this.say("there"));
    bar.querySelector(".conference-told")!.append(this.state);
    bar.append(this.button("add", () => this.ask()));
    this.panel.hidden = true;
    this.panel.setAttribute("aria-label", this.say("title"));
    bar.after(this.panel);
    addEventListener(SHOW_CODE, () => this.ask());
  }

  /** The server has made a code. */
  invited(message: Told): void {
    const picture = new DOMParser().parseFromString(message.picture as string, "image/svg+xml").documentElement;
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", this.say("picture"));
    const told = element("div");
    told.append(
      element("p", "", this.say("how")),
      element("p", "dim", this.say("lasts", { minutes: message.minutes as number })),
      element("code", "", message.address as string),
      this.button("close", () => this.close()),
    );
    this.panel.replaceChildren(document.importNode(picture, true), told);
    this.panel.hidden = false;
  }

  /** Whether there is a second camera now. */
  set(isThere: boolean): void {
    if (isThere && this.state.hidden) this.close();
    this.state.hidden = !isThere;
  }

  private ask(): void {
    this.socket.tell({ type: "invite" });
  }

  private close(): void {
    this.panel.hidden = true;
    this.panel.replaceChildren();
  }

  private button(key: string, press: () => void): HTMLButtonElement {
    const button = element("button", "small", this.say(key));
    button.type = "button";
    button.addEventListener("click", press);
    return button;
  }

  private say(key: string, details: Record<string, string | number> = {}): string {
    return say(this.words, `conference.room.${key}`, details);
  }
}
