/**
 * The clocks of a game that this page plays, as `shared_game.py` has them for one that two pages share: they start with
 * the first move, and whoever moves gets the increment. A position has the times that it was reached with, so a move
 * that is taken back gives its time back. Nothing here touches the document.
 */

import { CHANCE } from "./game.js";

/** Minutes for the game + seconds for each move, as they are offered; the first is no clock. Not tuned. */
export const TIME_CONTROLS = ["0+0", "1+0", "3+2", "5+3", "10+5", "15+10", "30+20"];

/** A time control in words. */
export function controlWords(control) {
  const [minutes, increment] = control.split("+").map(Number);
  if (!minutes) return "none";
  return `${minutes} minute${minutes === 1 ? "" : "s"}${increment ? ` + ${increment} seconds a move` : ""}`;
}

/** Clocks for a new game by a time control; null for none. */
export function newClock(control) {
  const [minutes, increment] = control.split("+").map(Number);
  return minutes ? { increment, left: [60 * minutes, 60 * minutes] } : null;
}

/** Clocks that came from elsewhere, if they are such; else null. */
export function checkedClock(clock) {
  const { increment, left } = clock ?? {};
  const numbers = Array.isArray(left) && left.length === 2 ? [increment, ...left] : [NaN];
  return numbers.every((one) => Number.isFinite(one) && one >= 0) ? { increment, left } : null;
}

/** Whether somebody has moved on the way to a position. */
export function hasBegun(node) {
  for (let at = node; at.parent; at = at.parent) if (at.mover !== CHANCE) return true;
  return false;
}

export class Clocks {
  /**
   * @param {() => import("./game.js").Game} game the game that is shown
   * @param {() => number | null} acting the seat whose time passes, if the game has begun
   * @param {() => number} now milliseconds
   */
  constructor(game, acting, now = () => performance.now()) {
    this.game = game;
    this.acting = acting;
    this.now = now;
    /** Whose clock runs: the position, the seat, and since when; null if none does. */
    this.running = null;
  }

  /** Start and stop the clocks: to be called whenever another position is shown, and often. */
  update() {
    const { at, clock } = this.game();
    const seat = clock && hasBegun(at) ? this.acting() : null;
    if (this.running && (this.running.node !== at || this.running.seat !== seat)) this.stop();
    if (clock && !at.clock) at.clock = inherited(at, clock);
    if (seat !== null && !this.running) {
      at.clock.ran[seat] = true;
      this.running = { node: at, seat, since: this.now() };
    }
  }

  stop() {
    const { node, seat } = this.running;
    const left = this.remaining(node, seat);
    this.running = null;
    node.clock.left[seat] = left;
  }

  /** The seconds left of a player in a position. */
  remaining(node, seat) {
    const passed = this.running?.node === node && this.running.seat === seat ? (this.now() - this.running.since) / 1000 : 0;
    return Math.max(0, node.clock.left[seat] - passed);
  }

  /** The seconds left of both players in the position that is shown; null without clocks. */
  get left() {
    const { at, clock } = this.game();
    return clock && at.clock ? [0, 1].map((seat) => this.remaining(at, seat)) : null;
  }

  /** The seat whose time is over; null if nobody's is. */
  get flag() {
    return this.running && !this.remaining(this.running.node, this.running.seat) ? this.running.seat : null;
  }

  /**
   * What the server is told of a machine's clock: the time with which its turn began, so that pondering knows it. If it
   * is the machine's turn, its clock runs from now on, however soon it answers.
   */
  fields(seat) {
    this.update();
    const { at, clock } = this.game();
    return clock && at.clock ? { clock: at.clock.left[seat], increment: clock.increment } : {};
  }

  /** The clocks as they are now, to be kept; null without clocks. */
  get kept() {
    const { left } = this;
    return left && { increment: this.game().clock.increment, left };
  }
}

/** The times with which a position is reached: those of the one before, with the increment of whoever has moved. */
function inherited(node, { left, increment }) {
  for (let before = node.parent; before; before = before.parent) {
    const { clock } = before;
    if (!clock) continue;
    const own = clock.left.map((seconds, seat) => seconds + (before === node.parent && clock.ran[seat] ? increment : 0));
    return { left: own, ran: [false, false] };
  }
  return { left: [...left], ran: [false, false] };
}
