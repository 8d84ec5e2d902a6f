// Joining the video conference: on its own page, on that of the event, and at the board.
import { wordsOf } from "./hall/words";
import { say } from "./hall/words";
import { Check } from "./video/check";
import { Conference } from "./video/conference";

const root = document.querySelector<HTMLElement>("#hall-video");
// Within the conference its own bar says all of it.
const isWithin = window.parent !== window;

if (root) {
  const words = wordsOf(root);
  const needsScreen = root.dataset.screen === "true";
  const check = document.querySelector<HTMLElement>("#video-check");
  if (check) new Check(check, words, root.dataset.event!, needsScreen);
  document.addEventListener("click", (clicked) => {
    const button = (clicked.target as HTMLElement).closest<HTMLButtonElement>("[data-part=join-video]");
    if (!button) return;
    clicked.preventDefault();
    button.disabled = true;
    new Conference(words, root.dataset.event!).join(root.dataset.page || location.href, needsScreen).catch((error: Error) => {
      button.disabled = false;
      const told = document.querySelector<HTMLElement>("[data-part=join-refused]");
      if (!told) return;
      told.hidden = false;
      told.textContent = say(words, error.name === "NotAllowedError" ? "conference.not_allowed" : "conference.no_device");
    });
  });
  if (isWithin) document.documentElement.classList.add("within-conference");
}
