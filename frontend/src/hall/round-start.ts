// A round begins: the player is told, and taken to the board after a count that can be stopped.
import { element } from "./dom";
import type { Sounds } from "./sounds";
import { say, type Words } from "./words";

/** The clocks begin two seconds later: the page of the board has to come. */
const SECONDS = 5;

export class RoundStart {
  private shown = "";

  constructor(
    private readonly words: Words,
    private readonly sounds: Sounds,
    private readonly go: (address: string) => void = (address) => location.assign(address),
  ) {}

  /** Counts down to a board, once for each board. */
  begin(round: number, address: string): void {
    if (this.shown === address) return;
    this.shown = address;
    document.querySelector(".round-start")?.remove();
    const title = document.title;
    const box = element("div", "round-start");
    box.setAttribute("role", "alertdialog");
    box.setAttribute("aria-label", say(this.words, "start.title", { round }));
    const head = element("p", "");
    head.append(element("strong", "", say(this.words, "start.title", { round })));
    const count = element("p", "count");
    const now = element("button", "primary", say(this.words, "start.now"));
    const stay = element("button", "", say(this.words, "start.stay"));
    const acts = element("p", "actions");
    acts.append(now, " ", stay);
    box.append(head, count, acts);
    document.body.append(box);
    this.sounds.play("start");
    let left = SECONDS;
    const end = (): void => {
      clearInterval(timer);
      removeEventListener("conference", end);
      document.title = title;
      box.remove();
    };
    const show = (): void => {
      count.textContent = say(this.words, "start.go", { seconds: left });
      document.title = `(${left}) ${say(this.words, "start.title", { round })}`;
    };
    show();
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0) return show();
      end();
      this.go(address);
    }, 1000);
    now.addEventListener("click", () => {
      end();
      this.go(address);
    });
    stay.addEventListener("click", end);
    // Who joins the video conference meanwhile goes to the board within it: leaving this page would end it.
    addEventListener("conference", end);
    now.focus({ preventScroll: true });
  }
}
