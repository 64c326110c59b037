/** Review of a game: how the chances went, where they were given away, and a way back to try again. */

import { Superseded } from "./connection.js";

const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const SECONDS = 0.4;
/** What a loss of expected points is called, the worst first. */
const SLIPS = [[0.3, "??", "blunder"], [0.2, "?", "mistake"], [0.1, "?!", "inaccuracy"]];
const [WIDE, HIGH] = [340, 90];

export class Review {
  constructor(page) {
    this.page = page;
    this.running = false;
  }

  /** Another game: nothing was reviewed yet. Chances are told of two players against each other, without dice. */
  configure() {
    this.running = false;
    $("reviewed").hidden = true;
    $("review").hidden = !this.page.details.versus || this.page.details.dice;
    $("review").textContent = "Review";
  }

  end() {
    if (!this.running) return;
    this.running = false;
    $("review").textContent = "Review";
    $("review-note").textContent = "Stopped.";
  }

  /** Begin, or stop. */
  async toggle() {
    const { page } = this;
    const begin = !this.running;
    page.halt();
    if (!begin) return;
    if (page.analysis.on) page.analysis.toggle();
    page.running = false;
    this.nodes = this.line();
    this.running = true;
    $("reviewed").hidden = false;
    $("review").textContent = "Stop";
    $("mistakes").replaceChildren();
    try {
      await this.search();
    } catch (error) {
      if (!(error instanceof Superseded)) $("review-note").textContent = error.message;
      this.end();
      return;
    }
    if (!this.running) return;
    this.running = false;
    $("review").textContent = "Review";
    this.tell();
  }

  /** All positions of the line that the page shows, the start first. */
  line() {
    const nodes = [];
    for (let node = this.page.game.end; node; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  /** Find the first player's chance in every position. */
  async search() {
    const { page, nodes } = this;
    this.chances = [];
    for (const [number, node] of nodes.entries()) {
      $("review-note").textContent = `Looking at position ${number + 1} of ${nodes.length} …`;
      if (!node.view) {
        const { view } = await page.connection.ask({ do: "view", ...page.game.place(node) });
        page.game.keep(node, view);
      }
      if (!this.running) throw new Superseded();
      this.chances.push(await this.chance(node));
      if (!this.running) throw new Superseded();
      this.draw();
    }
  }

  async chance(node) {
    const { page } = this;
    node.best = null;
    if (node.view.over) {
      const [first, second] = node.view.payoffs;
      return first > second ? 1 : first < second ? 0 : 0.5;
    }
    const { done } = await page.connection.search(
      { do: "analyse", ...page.game.place(node), seconds: SECONDS },
      ({ note }) => { if (note) $("review-note").textContent = `${note} …`; },
    );
    node.best = done.move;
    return node.view.mover === 0 ? done.value.chance : 1 - done.value.chance;
  }

  /** Name the mistakes: moves after which their player expects fewer points than before. */
  tell() {
    const { page, nodes, chances } = this;
    const slips = [];
    nodes.slice(1).forEach((node, i) => {
      const mover = nodes[i].view.mover;
      const loss = (mover === 0 ? 1 : -1) * (chances[i] - chances[i + 1]);
      const slip = node.move !== nodes[i].best && SLIPS.find(([least]) => loss >= least);
      node.mark = slip ? slip[1] : "";
      if (slip) slips.push({ node, number: i + 1, loss, mark: slip[1], word: slip[2], mover });
    });
    this.slips = slips;
    this.draw();
    $("review-note").textContent = slips.length
      ? `${slips.length === 1 ? "One move" : `${slips.length} moves`} gave points away. Choose one to try again.`
      : "No move gave away much.";
    $("mistakes").replaceChildren(...slips.map(({ node, number, loss, mark, word, mover }) => {
      const item = document.createElement("li");
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.textContent = `${number}. ${node.move}${mark} ${page.details.players[mover]}'s ${word}: ${Math.round(100 * loss)} points of 100`;
      button.title = `${node.parent.best} was better`;
      button.addEventListener("click", () => {
        page.go(node.parent);
        $("board").focus();
      });
      item.append(button);
      return item;
    }));
    page.render();
  }

  /** The chances as a line, the first player's win on top. */
  draw() {
    const { nodes, chances } = this;
    const x = (i) => (nodes.length < 2 ? 0 : (WIDE * i) / (nodes.length - 1));
    const y = (chance) => 4 + (HIGH - 8) * (1 - chance);
    const points = chances.map((chance, i) => `${x(i).toFixed(1)},${y(chance).toFixed(1)}`);
    const svg = part("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": this.words() });
    svg.append(
      part("rect", { class: "ground", width: WIDE, height: HIGH, rx: 6 }),
      part("polygon", { class: "below", points: `0,${HIGH} ${points.join(" ")} ${x(chances.length - 1)},${HIGH}` }),
      part("line", { class: "even", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }),
      part("polyline", { class: "chance", points: points.join(" ") }),
      ...(this.running ? [] : this.slips ?? []).map(({ number }) =>
        part("circle", { class: "slip", cx: x(number), cy: y(chances[number]), r: 5 })),
    );
    $("graph").replaceChildren(svg);
  }

  words() {
    const [first, last] = [this.chances[0], this.chances.at(-1)].map((chance) => Math.round(100 * chance));
    return `Chance of ${this.page.details.players[0]}: ${first} percent at the start, ${last} percent at the end.`;
  }
}

function part(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
