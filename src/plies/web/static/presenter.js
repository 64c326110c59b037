/** The presenter's mode: only the tree and the sentence, large, and one step a key, as clickers send them. */

import { $, isTyping, listen } from "./dom.js";

/** Keys beside those of the steps themselves, and by how many steps they go. */
const KEYS = { " ": 1, Enter: 1, ArrowDown: 1, PageDown: 1, ArrowUp: -1, PageUp: -1, Backspace: -1 };

/**
 * Connect the mode to its keys and buttons.
 * @param {() => boolean} isOn
 * @param {(on: boolean) => void} turn
 * @param {() => {go: (step: number) => void, step: () => number} | null} steps those that are shown
 */
export function setUpPresenter(isOn, turn, steps) {
  const go = (by) => steps()?.go(steps().step() + by);
  listen("present", "click", () => turn(true));
  listen("leave", "click", () => turn(false));
  document.addEventListener("keydown", (event) => {
    if (isTyping(event)) return;
    if (event.key === "p" && !isOn()) turn(true);
    if (!isOn()) return;
    if (event.key === "Escape") turn(false);
    const by = KEYS[event.key];
    if (!by || event.target.closest?.("button")) return;
    event.preventDefault();
    go(by);
  });
  $("stage").addEventListener("click", () => isOn() && go(1));
}

/** Show the page as it is presented, or as it is otherwise. */
export function showPresentation(on) {
  document.body.classList.toggle("presenting", on);
  $("leave").hidden = !on;
  const tree = on && $("stage").querySelector(".steps-tree svg");
  if (!tree) return;
  for (const side of ["width", "height"]) tree.style.setProperty(`--${side}`, `${tree.getAttribute(side)}px`);
  tree.parentElement.focus();
  tree.querySelector(".current")?.scrollIntoView({ block: "center", inline: "center" });
}
