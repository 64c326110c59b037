/**
 * A proof walked on the board: a person chooses any reply, the proof has an answer to each, and the moves to the win
 * count down. Every answer is proved in its own position; nothing is played that is not.
 */

import { Superseded } from "./connection.js";
import { $, listen } from "./dom.js";
import { capital } from "./ending.js";

/** The most seconds for an answer: the proof is found again, mostly from the table. Not tuned. */
const SECONDS = 30;

/**
 * @typedef {object} Callbacks
 * @property {() => object} view the view of the current position
 * @property {() => object} position identifies the current position
 * @property {() => string[]} players their names
 * @property {(fields: object, onProgress: Function) => Promise<object>} analyse searches the current position
 * @property {(move: string) => void} play makes a move
 * @property {() => void} begin seats people everywhere, and ends the analysis
 */

export class ProofWalk {
  /** @param {Callbacks} on */
  constructor(on) {
    this.on = on;
    /** The player who wins; null if no proof is being walked. */
    this.winner = null;
    listen("walk", "click", () => this.begin());
  }

  /** Offer the walk where a win is proved, for whichever side. */
  offer(info) {
    const { mover } = this.on.view();
    const won = Boolean(info?.value.proved && info.value.other && info.value.bound === "=" && info.value.lead !== 0 && mover >= 0);
    $("walk").hidden = !won;
    if (won) this.found = { winner: info.value.lead > 0 ? mover : 1 - mover, text: info.value.text };
  }

  begin() {
    this.winner = this.found.winner;
    this.counts = [];
    this.on.begin();
  }

  end() {
    this.winner = null;
    this.say("");
  }

  /** A position is shown, and nothing moves by itself: answer, if it is the proof's turn at the end of the line. */
  async step() {
    const view = this.on.view();
    if (this.winner === null) return;
    if (view.over) {
      this.say(this.counts.length ? `${capital(this.counts.join(", "))}: done.` : "");
      return;
    }
    const name = this.on.players()[this.winner];
    if (view.mover !== this.winner) {
      this.say(`${capital(this.counts.join(", "))}${this.counts.length ? ". " : ""}Play any reply: ${name} wins all the same.`);
      return;
    }
    const position = this.on.position();
    if (position.children.length) return; // it was answered already
    this.say(`Looking up the answer of ${name}…`);
    try {
      const info = await this.on.analyse({ seconds: SECONDS }, ({ note }) => note && this.say(`${note}…`));
      if (this.winner === null || this.on.position() !== position) return;
      if (!info.value.proved || info.value.lead <= 0) {
        this.winner = null;
        this.say(`No win of ${name} is proved here within ${SECONDS} seconds.`);
        return;
      }
      this.counts.push(info.value.text);
      this.on.play(info.move);
    } catch (error) {
      if (!(error instanceof Superseded)) this.say(error.message);
    }
  }

  say(words) {
    $("proof-note").textContent = words;
    $("proof-note").hidden = !words;
  }
}
