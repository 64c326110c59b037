/** Thinking on a person's time: what the machine that moved last expects, and whether it was right. */

import { $, listen } from "./dom.js";
import { load, store } from "./storage.js";

/**
 * @typedef {object} Callbacks
 * @property {(fields: object) => Promise<any>} ask sends a message about the current position
 * @property {() => import("./game.js").Node} node the current position
 * @property {() => boolean} wanted whether a person is to move, and no other search is wanted
 * @property {(seat: number) => object} machine the algorithm and level that move for a side
 */

export class Pondering {
  /** @param {Callbacks} on */
  constructor(on) {
    this.on = on;
    /** The position in which a reply is expected; null if none is. */
    this.node = null;
    /** The position that was shown last. */
    this.last = null;
    /** Whether the last reply was expected, in words. */
    this.verdict = "";
    this.hits = 0;
    this.tries = 0;
    $("ponder").checked = load("ponder") === true;
    listen("ponder", "change", () => {
      store("ponder", $("ponder").checked);
      this.end();
      this.begin();
    });
  }

  /** Show what belongs to a game. */
  configure(details) {
    this.details = details;
    this.hits = 0;
    this.tries = 0;
    this.end();
    $("ponder").disabled = details.no_pondering !== "";
    $("ponder-why").hidden = !details.no_pondering;
    $("ponder-why").textContent = details.no_pondering && `Not here: ${details.no_pondering}.`;
  }

  /** Let the machine that has just moved think on, if that is wanted and it expects a reply. */
  async begin() {
    const node = this.on.node();
    const expects = node.view?.expects;
    if (!$("ponder").checked || $("ponder").disabled || !expects || node === this.node || !this.on.wanted()) return;
    this.node = node;
    const name = this.details.players[node.mover];
    this.say(`${name} thinks on your time, and expects ${expects}.`);
    try {
      await this.on.ask({ ...this.on.machine(node.mover), expects });
    } catch (error) {
      if (this.node === node) this.end(error.message);
    }
  }

  /** A position is shown: was it expected? */
  moved() {
    const { node, last } = this;
    const at = this.on.node();
    this.last = at;
    if (at === last) return;
    if (!node || at.parent !== node) {
      if (at.parent !== last) this.end(); // back, or somewhere else
      return;
    }
    const { expects } = node.view;
    const hit = at.move === expects;
    this.tries += 1;
    this.hits += hit;
    this.node = null;
    this.verdict = `${hit ? "Ponder hit" : `Ponder miss: it expected ${expects}`} (${this.hits} of ${this.tries}).`;
    this.say("");
  }

  /** Nobody thinks on. */
  end(words = "") {
    this.node = null;
    this.verdict = "";
    this.say(words);
  }

  /** Show whether the last reply was expected, and what is now. */
  say(words) {
    const shown = [this.verdict, words].filter(Boolean).join(" ");
    $("pondering").textContent = shown;
    $("pondering").hidden = !shown;
  }
}
