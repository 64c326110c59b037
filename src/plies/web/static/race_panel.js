/** A race: several algorithms search one position at once, live, side by side, each for the same time. */

import { Connection, Superseded } from "./connection.js";
import { $, listen, make } from "./dom.js";
import { kindOptions } from "./players_panel.js";
import { chip, large } from "./values.js";

/** How many may run, the most that a page shows side by side. Not tuned. */
const LANES = 4;
const COLUMNS = ["", "move", "value", "depth", "nodes", "seconds"];

/**
 * @typedef {object} Callbacks
 * @property {() => object} position identifies the current position
 * @property {() => object} view its view
 * @property {(fields: object, onProgress: Function, connection: Connection) => Promise<object>} analyse searches it
 */

export class RacePanel {
  /** @param {Callbacks} on */
  constructor(on) {
    this.on = on;
    /** The connections of the lanes: a client has one search at a time, so each lane is a client of its own. */
    this.running = [];
    listen("race", "click", () => (this.running.length ? this.end("Stopped.") : this.start()));
  }

  /** Offer the algorithms of a game; at first, those that differ most. */
  configure(details) {
    this.end();
    $("race-table").hidden = true;
    const kinds = details.kinds.filter((kind) => kind.analyses);
    this.labels = new Map(kinds.map((kind) => [kind.name, kind.algorithm]));
    const first = ["engine", "mcts", "book:alpha-beta", "book:minimax"].filter((name) => this.labels.has(name));
    const rest = kinds.map((kind) => kind.name).filter((name) => !first.includes(name));
    const chosen = [...first, ...rest].slice(0, Math.min(LANES, 3));
    $("lanes").replaceChildren(...Array.from({ length: LANES }, (_, i) => {
      const lane = make("select", { "aria-label": `Lane ${i + 1}` }, new Option("none", ""), ...kindOptions(kinds, "algorithm"));
      lane.value = chosen[i] ?? "";
      return lane;
    }));
  }

  start() {
    const names = [...$("lanes").children].map((lane) => lane.value).filter(Boolean);
    const view = this.on.view();
    if (!names.length || view.over || view.mover < 0) {
      $("race-note").textContent = names.length ? "Nobody has a choice here." : "Choose an algorithm.";
      return;
    }
    const head = make("tr", {}, ...COLUMNS.map((word) => make(word ? "th" : "td", word ? { scope: "col" } : {}, word)));
    const rows = names.map((name) => make("tr", {}, make("th", { scope: "row" }, this.labels.get(name))));
    $("race-table").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
    $("race-table").hidden = false;
    $("race").textContent = "Stop";
    $("race-note").textContent = "Searching…";
    const seconds = Number($("race-time").value);
    this.left = names.length;
    this.running = names.map((name, i) => this.run(name, rows[i], seconds));
  }

  run(name, row, seconds) {
    const connection = new Connection();
    const say = (words) => row.replaceChildren(row.firstChild, make("td", { colspan: COLUMNS.length - 1, class: "quiet" }, words));
    say("…");
    this.on.analyse({ algorithm: name, seconds }, ({ info, note }) => {
      if (info) show(row, info);
      else if (row.children.length < COLUMNS.length) say(`${note}…`);
    }, connection)
      .then((info) => show(row, info, true))
      .catch((error) => !(error instanceof Superseded) && say(error.message))
      .finally(() => this.arrived(connection));
    return connection;
  }

  /** One has ended, by a proof or at the limit. */
  arrived(connection) {
    connection.end();
    if (!this.running.includes(connection)) return;
    this.left -= 1;
    if (!this.left) this.end("Done.");
  }

  /** End it, also when another position is shown. */
  end(words = "") {
    const { running } = this;
    this.running = [];
    for (const connection of running) connection.end();
    $("race").textContent = "Start";
    $("race-note").textContent = words;
  }
}

/** What a lane has found so far; a proof that is complete has a frame. */
function show(row, info, done = false) {
  const cells = [info.move, chip(info.value), info.depth, large(info.nodes), info.seconds.toFixed(1)];
  row.replaceChildren(row.firstChild, ...cells.map((cell) => make("td", {}, cell instanceof Node ? cell : String(cell))));
  row.classList.toggle("done", done);
}
