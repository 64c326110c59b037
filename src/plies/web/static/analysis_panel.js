/** Live analysis: what a search has found so far, as text and numbers, on the board and in the evaluation bar. */

import { Superseded } from "./connection.js";
import { $, listen, make, makeButton } from "./dom.js";
import { capital } from "./ending.js";
import { CHANCE } from "./game.js";
import { kindOptions } from "./players_panel.js";
import { chip, large } from "./values.js";

const OFF = "Analysis is off.";
const PAUSED = "Paused while the engine is thinking.";

/**
 * @typedef {object} Callbacks
 * @property {() => object} view the view of the current position
 * @property {() => object} position identifies the current position
 * @property {() => boolean} moving whether a machine is searching for a move
 * @property {(fields: object, onProgress: Function) => Promise<object>} analyse searches the current position
 * @property {() => void} stop ends the search
 * @property {(scores: object[]) => void} setScores shows scores on the board
 * @property {(move: string) => void} play makes a move
 * @property {(moves: string[]) => void} playLine makes moves, one after the other
 * @property {(moves: string[]) => void} peek shows the position after moves for a while; with none, the current one
 * @property {(info: object) => void} found called with what was found
 * @property {() => void} toggled called when analysis was switched on or off
 */

export class AnalysisPanel {
  /** @param {Callbacks} on */
  constructor(on) {
    this.on = on;
    this.enabled = false;
    /** What was found last in the current position. */
    this.info = null;
    for (const id of ["algorithm", "lines", "limit"]) listen(id, "change", () => this.enabled && this.begin());
    listen("side-of", "change", () => this.info && this.show(this.info));
    listen("show-bar", "change", () => this.showOrHideBar());
    listen("show-scores", "change", () => this.showBoardScores());
  }

  /** Show what belongs to a game. */
  configure(details) {
    this.details = details;
    const chosen = $("algorithm").value;
    const kinds = details.kinds.filter((kind) => kind.analyses);
    $("side").hidden = !details.versus;
    $("side-of").options[1].textContent = details.players[0];
    $("algorithm").replaceChildren(...kindOptions(kinds, "algorithm"));
    $("algorithm").value = kinds.some((kind) => kind.name === chosen) ? chosen : kinds[0]?.name ?? "";
  }

  /** Analyse the current position, if analysis is on and there is anything to analyse. */
  async begin() {
    const { on } = this;
    const view = on.view();
    this.info = null;
    this.showEnabled();
    if (!this.enabled || view.over || view.mover === CHANCE) {
      this.clear(this.enabled ? "Nothing to analyse." : OFF);
      return;
    }
    if (on.moving()) { // there is one search at a time
      this.note(PAUSED);
      return;
    }
    const position = on.position();
    const wanted = () => on.position() === position && this.enabled;
    let compiling = false; // until then it searches interpreted
    this.note("Searching…");
    try {
      const fields = { algorithm: $("algorithm").value, lines: this.lines(), ...this.limit() };
      const info = await on.analyse(fields, ({ info, note }) => {
        if (!wanted()) return;
        if (info) this.show(info);
        if (note) compiling = note.startsWith("compiling");
        if (info?.compiled) compiling = false;
        if (note || !compiling) this.note(note ? `${note}…` : "Searching…");
      });
      if (!wanted()) return;
      this.show(info);
      this.note(info.value.proved ? "Done: proved." : "Done: limit reached.", !info.value.proved);
    } catch (error) {
      if (!(error instanceof Superseded) && wanted()) this.clear(error.message);
    }
  }

  /** Switch analysis on; or off, which keeps what was found until the next move. */
  toggle() {
    if (!this.enabled) {
      this.resume();
      return;
    }
    this.enabled = false;
    if (!this.on.moving()) this.on.stop();
    if (this.info) this.note("Stopped.", true);
    else this.clear(OFF);
    this.showEnabled();
    this.on.toggled();
  }

  /** Switch analysis on, or search on after a limit. */
  resume() {
    this.enabled = true;
    this.begin();
    this.on.toggled();
  }

  /** A machine searches for a move: there is one search at a time. */
  pause() {
    if (this.enabled) this.note(PAUSED);
  }

  showEnabled() {
    $("analyse").setAttribute("aria-pressed", String(this.enabled));
    $("analyse").textContent = this.enabled ? "Stop" : "Analyse";
    this.showOrHideBar();
  }

  /** The limit that is selected, as a field of the message. */
  limit() {
    const [name, number] = $("limit").value.split(" ");
    return { [name]: Number(number) };
  }

  /** How many moves get an exact score: in small positions, all. */
  lines() {
    const { length } = this.on.view().legal;
    return length <= 9 ? length : Number($("lines").value);
  }

  showOrHideBar() {
    $("bar").hidden = !((this.enabled || this.info) && $("show-bar").checked && this.details.versus);
  }

  showBoardScores() {
    const shown = $("show-scores").checked && !this.info?.mixed; // a pair of choices has no cell of its own
    const seen = (this.info?.scores ?? []).map((one) => ({ ...one, value: this.seen(one.value) }));
    this.on.setScores(shown ? seen : []);
  }

  /** The player whose scores are shown. */
  get side() {
    const { mover } = this.on.view();
    return this.details.versus && $("side-of").value === "first" ? 0 : Math.max(mover, 0);
  }

  /** A value for the player whose scores are shown. */
  seen(value) {
    return this.side === Math.max(this.on.view().mover, 0) ? value : value.other ?? value;
  }

  /** Show what a search says of the current position. */
  show(info) {
    const { players, versus } = this.details;
    const { mover } = this.on.view();
    this.info = info;
    this.on.found(info);
    this.showBoardScores();
    if (versus) showBar(info.value, players, mover);
    $("found").hidden = false;
    const by = info.book ? " by the opening book" : "";
    const name = capital(players[this.side]);
    const heading = `${info.value.proved ? "Proved" : "Estimate"}${by} for ${name}: `;
    const best = info.mixed ? info.mixed.join("; ") : info.move;
    $("verdict").replaceChildren(make("span", {}, heading), chip(this.seen(info.value)), "with ", make("b", {}, best));
    $("rests").textContent = info.rests_on;
    $("rests").hidden = !info.rests_on;
    $("scores-title").textContent = `All legal moves, scored for ${name}`;
    const rows = {
      depth: info.depth, nodes: large(info.nodes), "nodes/s": large(info.speed), seconds: info.seconds.toFixed(1),
      "cut-offs": large(info.cuts), "table hits": large(info.hits),
    };
    $("readout").replaceChildren(...Object.entries(rows).map(([name, value]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, String(value)))));
    const values = new Map(info.scores.map(({ move, value }) => [move, value]));
    const list = $("found-lines");
    if (!list.matches(":hover, :focus-within")) { // what is pointed at stays
      list.replaceChildren(...info.lines.slice(0, 5).map((line) =>
        make("li", {}, chip(this.seen(line[0] === info.move ? info.value : values.get(line[0]))), this.line(line))));
    }
    this.showScores(info.scores);
  }

  /** The moves of a line: pointing at one shows the position after it, a click plays up to there. */
  line(moves) {
    const path = make("span", { class: "path" });
    moves.forEach((move, i) => {
      const some = moves.slice(0, i + 1);
      const button = makeButton(i ? move : make("b", {}, move), () => this.on.playLine(some), { class: "step" });
      for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => this.on.peek(some));
      for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => this.on.peek([]));
      path.append(button, " ");
    });
    return path;
  }

  /** A button for each legal move. If one has the focus, all stay where they are. */
  showScores(scores) {
    const before = new Map([...$("scores").children].map((button) => [button.dataset.move, button]));
    const buttons = scores.map(({ move, value, visits }) => {
      const button = before.get(move) ?? makeButton("", () => this.on.play(move), { "data-move": move });
      button.replaceChildren(`${move} `, chip(this.seen(value)));
      button.title = visits === undefined ? "" : `${visits.toLocaleString("en")} visits`;
      button.setAttribute("aria-label", `Play ${move}: ${value.text}, ${value.proved ? "proved" : "estimate"}`);
      return button;
    });
    const same = buttons.length === before.size && buttons.every((button) => before.has(button.dataset.move));
    if (!same || !$("scores").contains(document.activeElement)) $("scores").replaceChildren(...buttons);
  }

  /** Show nothing but the reason for it. */
  clear(note) {
    this.info = null;
    this.on.setScores([]);
    $("found").hidden = true;
    this.note(note);
  }

  /** @param {boolean} more whether a search that has ended can be continued */
  note(words, more = false) {
    $("analysis-note").textContent = words;
    $("more").hidden = !more;
  }
}

/** The evaluation bar: the first player's winning chance; where all choose at once, values are theirs. */
function showBar(value, players, mover) {
  const chance = mover <= 0 ? value.chance : 1 - value.chance;
  const percent = Math.round(100 * chance);
  const bar = $("bar");
  bar.querySelector(".fill").style.height = `${percent}%`;
  bar.querySelector(".word").textContent = value.proved ? { 100: "won", 50: "draw", 0: "lost" }[percent] ?? percent : percent;
  bar.setAttribute("aria-valuenow", percent);
  bar.setAttribute("aria-valuetext", `${players[0]} ${percent} percent, ${value.proved ? "proved" : "estimate"}`);
  bar.title = `${players[0]} ${percent} %`;
}
