/** Clocks as they are seen: which there is to be, the two beside the board, and what happens when one runs out. */

import { checkedClock, Clocks, controlWords, hasBegun, newClock, TIME_CONTROLS } from "./clock.js";
import { $, listen, make } from "./dom.js";
import { capital } from "./ending.js";

/** Milliseconds between two looks at the clocks. */
export const TICK = 200;
/** Below this many seconds, a clock shows tenths and is marked. */
const SHORT_OF_TIME = 20;

/** Offer the time controls in a list. */
export function offerControls(list) {
  list.replaceChildren(...TIME_CONTROLS.map((control) => new Option(controlWords(control), control)));
}

/** A player with a clock; `who` says more about them. */
export function playerRow(name, turn, who = "") {
  return make("li", { class: turn ? "turn" : null },
    make("span", { class: "name" }, capital(name)), make("span", { class: "quiet" }, who),
    make("span", { class: "clock", role: "timer" }));
}

/** Show the seconds left in such a row; null: there is no clock. */
export function showClock(row, left) {
  const clock = row.querySelector(".clock");
  clock.textContent = left === null ? "" : written(left);
  clock.classList.toggle("short", left !== null && left < SHORT_OF_TIME);
}

/** Seconds as clocks show them. */
function written(seconds) {
  if (seconds < SHORT_OF_TIME) return `0:${seconds.toFixed(1).padStart(4, "0")}`;
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export class ClocksPanel {
  /**
   * @param {import("./game_controller.js").GameController} controller
   * @param {() => boolean} playing whether the game is shown to be played, not to be looked at
   */
  constructor(controller, playing) {
    this.controller = controller;
    this.playing = playing;
    this.clocks = new Clocks(() => controller.game, () => this.acting());
    offerControls($("clock"));
    listen("clock", "change", () => this.choose());
    setInterval(() => this.tick(), TICK);
  }

  /** Whose time passes: a person's who is to move, or a machine's that thinks; nobody's while one looks back. */
  acting() {
    const { controller } = this;
    const { game, view } = controller;
    if (controller.over || game.at.children.length || !this.playing()) return null;
    if (controller.personToMove) return controller.chooser ?? view.mover;
    return controller.moving === game.at && view.mover >= 0 ? view.mover : null;
  }

  /** Another game is shown; a new one gets the clock that is chosen. */
  configure(game, details, shared) {
    $("clock-row").hidden = !details.versus;
    game.clock = checkedClock(game.clock);
    if (details.versus && !shared && !game.clock) this.choose();
  }

  /** Another clock is chosen: for this game, unless that has begun. */
  choose() {
    const { game } = this.controller;
    const late = hasBegun(game.end);
    if (!late) game.clock = newClock($("clock").value);
    if (!late) for (let node = game.end; node; node = node.parent) node.clock = null;
    $("clock-note").hidden = !late || (game.clock === null && $("clock").value === TIME_CONTROLS[0]);
    this.show();
  }

  /** Show the clocks of the position that is shown. */
  show() {
    const { controller, clocks } = this;
    if (!controller.view) return;
    clocks.update();
    const { left } = clocks;
    $("clocks").hidden = !left;
    if (!hasBegun(controller.game.end)) $("clock-note").hidden = true;
    if (!left) return;
    const rows = controller.details.players.map((name, seat) => playerRow(name, clocks.running?.seat === seat));
    rows.forEach((row, seat) => showClock(row, left[seat]));
    $("clocks").replaceChildren(...rows);
  }

  tick() {
    const { controller, clocks } = this;
    if (!controller.game?.clock || !controller.view) return;
    clocks.update();
    const { flag, left } = clocks;
    if (left) [...$("clocks").children].forEach((row, seat) => showClock(row, left[seat]));
    // A move that is under way was made in time.
    if (flag !== null && !controller.busy) controller.end(1 - flag, "time");
  }
}
