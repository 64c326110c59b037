/** Live analysis: what a search has found so far, in words and numbers, on the board and in the bar. */

import { short, tone } from "./board.js";
import { Superseded } from "./connection.js";
import { CHANCE } from "./game.js";

const $ = (id) => document.getElementById(id);

/** A value in a frame: solid and with a tick if it is proved, dashed if it is an estimate; a mean has its error. */
export function chip(value) {
  const element = document.createElement("span");
  element.className = `chip ${tone(value)}${value.proved ? " proved" : ""}`;
  const error = value.error === undefined ? "" : ` ± ${Number(value.error.toPrecision(1))}`;
  element.textContent = value.proved ? value.text : short(value) + error;
  element.title = value.proved ? "proved" : "an estimate";
  return element;
}

/** A number as people read it: 12,345 or 1.2 M. */
function large(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number.toLocaleString("en");
}

export class Analysis {
  constructor(page) {
    this.page = page;
    /** Whether it is wanted. */
    this.on = false;
    /** What was found last in the present position. */
    this.info = null;
  }

  /** Analyse the present position, if that is wanted and there is anything to analyse. */
  async begin() {
    const { page } = this;
    const { view, game } = page;
    this.info = null;
    this.showWhetherOn();
    if (!this.on || view.over || view.mover === CHANCE) {
      this.clear(this.on ? "There is nothing to search here." : "Off: nobody whispers while you play.");
      return;
    }
    if (page.moving) { // there is one search at a time
      this.note("Paused while a machine thinks.");
      return;
    }
    const node = game.at;
    const wanted = () => page.game === game && game.at === node && this.on;
    this.note("Searching …");
    try {
      const answer = await page.connection.search(
        { do: "analyse", ...game.place(), algorithm: $("algorithm").value, lines: this.lines(), ...this.limit() },
        ({ info, note }) => {
          if (!wanted()) return;
          if (info) this.show(info);
          this.note(note ? `${note} …` : "Searching …");
        },
      );
      if (!wanted()) return;
      this.show(answer.done);
      const { proved } = answer.done.value;
      this.note(proved ? "Done: this is proved." : "Done, as far as the limit goes.", !proved);
    } catch (error) {
      if (!(error instanceof Superseded) && wanted()) this.clear(error.message);
    }
  }

  /** Switch it on; or off, which keeps what was found until the game goes on. */
  toggle() {
    if (!this.on) {
      this.goOn();
      return;
    }
    const { page } = this;
    this.on = false;
    if (!page.moving) page.connection.stop();
    if (this.info) this.note("Stopped: this is what was found.", true);
    else this.clear("Off: nobody whispers while you play.");
    this.showWhetherOn();
    page.showMode();
  }

  goOn() {
    this.on = true;
    this.begin();
    this.page.showMode();
  }

  showWhetherOn() {
    $("analyse").setAttribute("aria-pressed", String(this.on));
    $("analyse").textContent = this.on ? "Stop" : "Analyse";
    this.showOrHideBar();
  }

  /** The limit that is chosen, as a field of the request. */
  limit() {
    const [name, number] = $("limit").value.split(" ");
    return { [name]: Number(number) };
  }

  /** How many moves get an exact score: in small positions, all. */
  lines() {
    const { length } = this.page.view.legal;
    return length <= 9 ? length : Number($("lines").value);
  }

  showOrHideBar() {
    $("bar").hidden = !((this.on || this.info) && $("show-bar").checked && this.page.details.versus);
  }

  /** Show what a search says of a position. */
  show(info) {
    const { details: { players, versus }, view: { mover } } = this.page;
    this.info = info;
    if ($("show-scores").checked) this.page.board.setScores(info.scores);
    if (versus) showBar(info.value, players, mover);
    $("found").hidden = false;
    const words = document.createElement("span");
    words.textContent = `${info.value.proved ? "proved" : "estimate"} for ${players[mover]}: `;
    const best = document.createElement("b");
    best.textContent = info.move;
    $("verdict").replaceChildren(words, chip(info.value), "with ", best);
    $("verdict").title = info.rests_on;
    const rows = {
      depth: info.depth, nodes: large(info.nodes), "a second": large(info.speed), seconds: info.seconds.toFixed(1),
      "cut-offs": large(info.cuts), "table hits": large(info.hits),
    };
    $("readout").replaceChildren(...Object.entries(rows).map(([name, value]) => {
      const row = document.createElement("div");
      row.append(Object.assign(document.createElement("dt"), { textContent: name }));
      row.append(Object.assign(document.createElement("dd"), { textContent: value }));
      return row;
    }));
    const values = new Map(info.scores.map(({ move, value }) => [move, value]));
    $("found-lines").replaceChildren(...info.lines.slice(0, 5).map((moves) => {
      const item = document.createElement("li");
      const path = document.createElement("span");
      path.className = "path";
      path.append(Object.assign(document.createElement("b"), { textContent: moves[0] }), ` ${moves.slice(1).join(" ")}`);
      item.append(chip(values.get(moves[0]) ?? info.value), path);
      return item;
    }));
    this.showScores(info.scores);
  }

  /** A button for each legal move. One that has the focus keeps it, so then all stay where they are. */
  showScores(scores) {
    const before = new Map([...$("scores").children].map((button) => [button.dataset.move, button]));
    const buttons = scores.map(({ move, value, visits }) => {
      let button = before.get(move);
      if (!button) {
        button = Object.assign(document.createElement("button"), { type: "button" });
        button.dataset.move = move;
        button.addEventListener("click", () => this.page.play(move));
      }
      button.replaceChildren(`${move} `, chip(value));
      button.title = visits === undefined ? "" : `${visits.toLocaleString("en")} visits`;
      button.setAttribute("aria-label", `Play ${move}: ${value.text}, ${value.proved ? "proved" : "estimate"}`);
      return button;
    });
    const same = buttons.length === before.size && buttons.every((button) => before.has(button.dataset.move));
    if (!same || !$("scores").contains(document.activeElement)) $("scores").replaceChildren(...buttons);
  }

  /** Show nothing but a word about why. */
  clear(note) {
    this.info = null;
    this.page.board.setScores([]);
    $("found").hidden = true;
    this.note(note);
  }

  /** @param {boolean} more whether a search that has reached its limit may go on */
  note(words, more = false) {
    $("analysis-note").textContent = words;
    $("more").hidden = !more;
  }
}

/** The bar: how likely the first player is to win. */
function showBar(value, players, mover) {
  const chance = mover === 0 ? value.chance : 1 - value.chance;
  const percent = Math.round(100 * chance);
  const bar = $("bar");
  bar.querySelector(".fill").style.height = `${percent}%`;
  bar.querySelector(".word").textContent = value.proved ? { 100: "won", 50: "draw", 0: "lost" }[percent] ?? percent : percent;
  bar.setAttribute("aria-valuenow", percent);
  bar.setAttribute("aria-valuetext", `${players[0]} ${percent} percent${value.proved ? ", proved" : ", an estimate"}`);
  bar.title = `${players[0]} ${percent} %`;
}
