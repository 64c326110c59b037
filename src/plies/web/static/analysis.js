/** The panel of the analysis: what a search has found so far, in words and numbers, and the bar. */

import { short, tone } from "./board.js";

const $ = (id) => document.getElementById(id);

/** A value in a frame: solid and with a tick if it is proved, dashed if it is an estimate. */
export function chip(value) {
  const element = document.createElement("span");
  element.className = `chip ${tone(value)}${value.proved ? " proved" : ""}`;
  element.textContent = value.proved ? value.text : short(value);
  element.title = value.proved ? "proved" : "an estimate";
  return element;
}

/** A number as people read it: 12,345 or 1.2 M. */
function large(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number.toLocaleString("en");
}

export class Panel {
  /** @param {(move: string) => void} play what a click on a move does */
  constructor(play) {
    this.play = play;
    this.info = null;
  }

  /** Show what a search says of a position. */
  show(info, players, mover) {
    this.info = info;
    $("found").hidden = false;
    const words = document.createElement("span");
    words.textContent = `${info.value.proved ? "proved" : "estimate"} for ${players[mover]}: `;
    const best = document.createElement("b");
    best.textContent = info.move;
    $("verdict").replaceChildren(words, chip(info.value), "with ", best);
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
    $("scores").replaceChildren(...info.scores.map(({ move, value, visits }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(`${move} `, chip(value));
      if (visits !== undefined) button.title = `${visits.toLocaleString("en")} visits`;
      button.setAttribute("aria-label", `Play ${move}: ${value.text}, ${value.proved ? "proved" : "estimate"}`);
      button.addEventListener("click", () => this.play(move));
      return button;
    }));
  }

  /** Show nothing but a word about why. */
  clear(note) {
    this.info = null;
    $("found").hidden = true;
    this.note(note);
  }

  note(words) {
    $("analysis-note").textContent = words;
  }
}

/** The bar: how likely the first player is to win. */
export function showBar(value, players, mover) {
  const chance = mover === 0 ? value.chance : 1 - value.chance;
  const percent = Math.round(100 * chance);
  const bar = $("bar");
  bar.querySelector(".fill").style.height = `${percent}%`;
  bar.querySelector(".word").textContent = value.proved ? { 100: "won", 50: "draw", 0: "lost" }[percent] ?? percent : percent;
  bar.setAttribute("aria-valuenow", percent);
  bar.setAttribute("aria-valuetext", `${players[0]} ${percent} percent${value.proved ? ", proved" : ", an estimate"}`);
  bar.title = `${players[0]} ${percent} %`;
}
