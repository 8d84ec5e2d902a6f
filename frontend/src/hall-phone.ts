// The page of a phone that is a player's second camera.
import { Phone } from "./video/phone";

const root = document.querySelector<HTMLElement>("#hall-phone");
if (root) new Phone(root);
