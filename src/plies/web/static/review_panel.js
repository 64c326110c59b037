/** Review of a game: the winning chances move by move, the mistakes, and a way back to each. */

import { Superseded } from "./connection.js";
import { $, make, makeButton, makeSvg } from "./dom.js";

const SECONDS = 0.4;
/** What a loss of winning chance is called, the worst first. */
const MISTAKES = [[0.3, "??", "Blunder"], [0.2, "?", "Mistake"], [0.1, "?!", "Inaccuracy"]];
const [WIDTH, HEIGHT] = [340, 90];

/**
 * @typedef {object} Callbacks
 * @property {() => object[]} line the nodes of the line that is shown, the first position first
 * @property {(node: object) => Promise<object>} view the view of a position
 * @property {(node: object, fields: object, onProgress: Function) => Promise<object>} analyse searches a position
 * @property {() => void} halt stops whatever else goes on
 * @property {(node: object) => void} go shows a position
 * @property {() => void} done called when the moves are marked
 */

export class ReviewPanel {
  /** @param {Callbacks} on */
  constructor(on) {
    this.on = on;
    this.running = false;
  }

  /** Another game: nothing is reviewed yet. Only games of two players without dice have winning chances. */
  configure(details) {
    this.players = details.players;
    this.running = false;
    $("reviewed").hidden = true;
    $("review").hidden = !details.versus || details.dice;
    $("review").textContent = "Review";
  }

  end() {
    if (!this.running) return;
    this.running = false;
    $("review").textContent = "Review";
    $("review-note").textContent = "Stopped.";
  }

  /** Start, or stop. */
  async toggle() {
    const start = !this.running;
    this.on.halt();
    if (!start) return;
    this.nodes = this.on.line();
    this.mistakes = [];
    this.running = true;
    $("reviewed").hidden = false;
    $("review").textContent = "Stop";
    $("mistakes").replaceChildren();
    try {
      await this.search();
    } catch (error) {
      this.end();
      if (!(error instanceof Superseded)) $("review-note").textContent = error.message;
      return;
    }
    this.running = false;
    $("review").textContent = "Review";
    this.markMistakes();
    this.draw();
    this.listMistakes();
    this.on.done();
  }

  /** Find the first player's winning chance in every position. */
  async search() {
    const { nodes } = this;
    this.chances = [];
    for (const [number, node] of nodes.entries()) {
      $("review-note").textContent = `Analysing position ${number + 1} of ${nodes.length}…`;
      const view = node.view ?? await this.on.view(node);
      if (!this.running) throw new Superseded();
      this.chances.push(await this.chance(node, view));
      if (!this.running) throw new Superseded();
      this.draw();
    }
  }

  async chance(node, view) {
    node.best = null;
    node.reviewed = view.mover;
    if (view.over) {
      const [first, second] = view.payoffs;
      return first > second ? 1 : first < second ? 0 : 0.5;
    }
    const info = await this.on.analyse(node, { seconds: SECONDS }, ({ note }) => {
      if (note) $("review-note").textContent = `${note}…`;
    });
    node.best = info.move;
    return view.mover <= 0 ? info.value.chance : 1 - info.value.chance;
  }

  /** Mark the moves after which their player's winning chance is much lower than before. */
  markMistakes() {
    const { nodes, chances } = this;
    nodes.slice(1).forEach((node, i) => {
      const mover = nodes[i].reviewed;
      const loss = (mover === 0 ? 1 : -1) * (chances[i] - chances[i + 1]);
      // Where all choose at once, nobody alone is to blame.
      const found = mover >= 0 && node.move !== nodes[i].best && MISTAKES.find(([least]) => loss >= least);
      node.mark = found ? found[1] : "";
      if (found) this.mistakes.push({ node, number: i + 1, loss, word: found[2], player: this.players[mover] });
    });
  }

  listMistakes() {
    const { length } = this.mistakes;
    $("review-note").textContent = length
      ? `${length === 1 ? "1 mistake found. Select it" : `${length} mistakes found. Select one`} to try again.`
      : "No mistakes found.";
    $("mistakes").replaceChildren(...this.mistakes.map(({ node, number, loss, word, player }) => {
      const words = `${number}. ${node.move}${node.mark} ${word} by ${player}: −${Math.round(100 * loss)} %`;
      return make("li", {}, makeButton(words, () => {
        this.on.go(node.parent);
        $("board").focus();
      }, { title: `${node.parent.best} was better` }));
    }));
  }

  /** The winning chances as a curve, the first player's win at the top. */
  draw() {
    const { nodes, chances } = this;
    const x = (i) => (nodes.length < 2 ? 0 : (WIDTH * i) / (nodes.length - 1));
    const y = (chance) => 4 + (HEIGHT - 8) * (1 - chance);
    const points = chances.map((chance, i) => `${x(i).toFixed(1)},${y(chance).toFixed(1)}`);
    $("graph").replaceChildren(makeSvg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": this.description() },
      makeSvg("rect", { class: "ground", width: WIDTH, height: HEIGHT, rx: 6 }),
      makeSvg("polygon", { class: "below", points: `0,${HEIGHT} ${points.join(" ")} ${x(chances.length - 1)},${HEIGHT}` }),
      makeSvg("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      makeSvg("polyline", { class: "chance", points: points.join(" ") }),
      ...this.mistakes.map(({ number }) =>
        makeSvg("circle", { class: "mistake", cx: x(number), cy: y(chances[number]), r: 5 })),
    ));
  }

  description() {
    const [first, last] = [this.chances[0], this.chances.at(-1)].map((chance) => Math.round(100 * chance));
    return `Winning chance of ${this.players[0]}: ${first} percent at the start, ${last} percent at the end.`;
  }
}
