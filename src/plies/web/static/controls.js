/** The buttons and keys of the Play page, and what each does. */

import { $, isTyping, listen } from "./dom.js";

/** For each action, its button and its key. A key does nothing while its button is hidden or disabled. */
const CONTROLS = {
  newGame: { button: "new", key: "n" },
  first: { button: "first", key: "Home" },
  back: { button: "back", key: "ArrowLeft" },
  forward: { button: "forward", key: "ArrowRight" },
  last: { button: "last", key: "End" },
  undo: { button: "undo", key: "u" },
  redo: { button: "redo", key: "r" },
  hint: { button: "hint", key: "h" },
  threat: { button: "threat", key: "x" },
  moveNow: { button: "go" },
  run: { button: "run", key: "p" },
  step: { button: "step", key: "s" },
  analyse: { button: "analyse", key: "a" },
  continueAnalysis: { button: "more" },
  review: { button: "review" },
  rules: { button: "rules" },
  turn: { button: "turn", key: "f" },
  takeBack: { key: "Backspace" },
  resign: { button: "resign" },
  reviewEnd: { button: "end-review" },
  again: { button: "again" },
  swapSides: { button: "swap" },
  focusBoard: { key: "b" },
  focusMoveField: { key: "m" },
  cancel: { key: "Escape" },
};

/** Keys that step through the game even where a list has the focus, which has the up and down arrows and letters. */
const STEPS = ["ArrowLeft", "ArrowRight", "Home", "End"];

/** Whether a list has the focus and a key is none of its own. */
function isFree(event) {
  const pressed = event.ctrlKey || event.metaKey || event.altKey;
  return !pressed && STEPS.includes(event.key) && event.target.matches?.("select") && !document.querySelector("dialog[open]");
}

/**
 * Connect the controls.
 * @param {Record<string, () => void>} actions one for each name in CONTROLS
 * @param {() => boolean} ready whether keys may be used yet
 */
export function connectControls(actions, ready) {
  const byKey = new Map();
  for (const [name, { button, key }] of Object.entries(CONTROLS)) {
    if (button) listen(button, "click", () => actions[name]());
    if (key) byKey.set(key, { act: actions[name], button: button && $(button) });
  }
  document.addEventListener("keydown", (event) => {
    const control = byKey.get(event.key);
    if (!control || !ready() || event.defaultPrevented || (isTyping(event) && !isFree(event))) return;
    event.preventDefault();
    const { act, button } = control;
    if (!button || (button.offsetParent && !button.disabled)) act();
  });
}
