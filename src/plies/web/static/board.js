/**
 * The board: the picture that the server drew, and an overlay with what changes while a person thinks: selected
 * cells, legal next cells, the keyboard's cursor, scores, hints. It knows cells, and no rules.
 */

import { arrows, badges, threatOf } from "./badges.js";
import { makeSvg } from "./dom.js";
import { drawHalfMoves } from "./half_moves.js";
import { animate, piecesOf } from "./motion.js";
import { inPairs, matching, nextCells } from "./picking.js";
import { stoneNumbers } from "./stone_numbers.js";

/** Pixels of a cell that a finger hits, and how far beside a smaller one it may come down. */
const WIDE = 24;
const REACH = 8;
/** Milliseconds within which two clicks are a double one; who clicks "roll" again and again is slower. Not tuned. */
const DOUBLE = 300;
/** The most cells with a mark that they can be selected: more would hide the board. Not tuned. */
const MOST_MARKS = 60;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /**
   * @param {HTMLElement} root
   * @param {{move: (move: string) => void, choose: (moves: string[], last?: boolean) => void, announce: (words: string) => void}} on
   *   called with a move; with moves to choose from, `last` if nothing else can be selected; with words to be read out
   */
  constructor(root, on) {
    this.root = root;
    this.on = on;
    this.view = null;
    this.active = false;
    this.offered = [];
    this.picked = [];
    this.cursor = null;
    /** Whether the keyboard has brought the focus here: then arrow keys move the cursor. */
    this.walking = false;
    this.showLegal = true;
    /** Whether stones have the numbers of the moves that placed them. */
    this.numbered = false;
    /** @type {{move: string, value: object}[]} best first */
    this.scores = [];
    this.hinted = [];
    this.threat = [];
    /** What a move would add, shown while the mouse is over its cell. */
    this.ghosts = [];
    /** Whether the move has been seen already, because a hand has made it. */
    this.handled = false;
    /** When a click made a move last, in milliseconds. */
    this.moved = -Infinity;
    /** Whether it is seen from the other side. */
    this.turned = false;
    root.addEventListener("click", (event) => this.click(event));
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("pointerdown", () => this.setWalking(false));
    root.addEventListener("focus", () => this.setWalking(root.matches(":focus-visible")));
    root.addEventListener("blur", () => this.setWalking(false));
  }

  /**
   * Show a position.
   * @param {object} view as the server sent it
   * @param {boolean} active whether a person may move in it
   * @param {{move: string, squares: string[]}[]} offered what that person may play
   * @param {boolean} moves whether one move has led here from the position that was shown
   */
  show(view, active, offered = view.legal, moves = false) {
    if (view !== this.view) {
      const before = moves && !this.handled && this.svg ? piecesOf(this.svg) : [];
      this.handled = false;
      const parsed = new DOMParser().parseFromString(view.svg, "image/svg+xml").documentElement;
      this.svg = document.importNode(parsed, true);
      this.root.replaceChildren(this.svg);
      this.cells = new Map();
      for (const cell of this.svg.querySelectorAll("[data-cell]")) this.cells.set(cell.dataset.cell, cell);
      this.layer = makeSvg("g", { class: "overlay", "aria-hidden": "true" });
      this.svg.append(this.layer);
      this.scores = [];
      this.hinted = [];
      this.threat = [];
      this.ghosts = [];
      this.boxes = new Map();
      animate(before, this.svg);
      if (!this.cells.has(this.cursor)) this.cursor = null;
    }
    this.view = view;
    this.active = active;
    this.offered = offered;
    this.picked = [];
    this.root.classList.toggle("mine", active);
    this.pick(null);
  }

  /** The legal moves that can be made by pointing. */
  get legal() {
    return this.active ? this.offered.filter(({ squares }) => squares.length) : [];
  }

  /** Whether a move is made of several pairs of cells, from and to. */
  get paired() {
    return this.legal.some(({ squares }) => squares.length > 2) && inPairs(this.legal);
  }

  /** The move that selecting a cell would make; null if it makes none, or only a part, or leaves a choice. */
  moveTo(cell) {
    if (this.offered !== this.view.legal || !nextCells(this.legal, this.picked).has(cell)) return null;
    const picked = [...this.picked, cell];
    const moves = matching(this.legal, picked);
    return moves.length === 1 && moves[0].squares.length === picked.length ? moves[0].move : null;
  }

  /** The piece on a cell that lies on top; null if there is none. */
  pieceOn(name) {
    const { x, y, width, height } = this.box(name);
    const here = piecesOf(this.svg).filter(({ place, look }) =>
      place.x > x && place.x < x + width && place.y > y && place.y < y + height && !look.includes("check"));
    return here.at(-1)?.element ?? null;
  }

  /** Show the pieces that a move would add. */
  setGhosts(ghosts) {
    if (!ghosts.length && !this.ghosts.length) return;
    this.ghosts = ghosts;
    this.draw();
  }

  /** Lay the picture of another position over the board; with null, take it away. */
  peek(svg) {
    this.root.querySelector(".peek")?.remove();
    if (svg === null) return;
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    const sheet = document.createElement("div");
    sheet.className = "peek";
    sheet.append(document.importNode(parsed, true));
    this.root.append(sheet);
  }

  /** See it from this side or from the other. */
  setTurned(turned) {
    this.turned = turned;
    this.root.classList.toggle("turned", turned);
  }

  setScores(scores) {
    this.scores = scores;
    this.draw();
  }

  /** Show a move of the opponent, by its cells. */
  setThreat(cells) {
    this.threat = cells;
    this.draw();
  }

  /** Mark the cells of a hint. */
  setHint(cells) {
    this.hinted = cells;
    this.draw();
  }

  // -- Selecting.

  click(event) {
    if (event.detail > 1 && event.timeStamp - this.moved < DOUBLE) return; // a double click makes one move
    const cell = this.cellAt(event);
    if (cell !== null) {
      this.cursor = cell;
      if (this.pick(cell)) this.moved = event.timeStamp;
    }
  }

  /** The cell at a point; if it cannot be selected, a narrow one close by that can. */
  cellAt({ clientX, clientY }) {
    let hit = null;
    for (const element of document.elementsFromPoint(clientX, clientY)) {
      const cell = element.closest?.("[data-cell]");
      if (cell && this.svg.contains(cell)) {
        hit = cell.dataset.cell;
        break;
      }
    }
    const can = nextCells(this.legal, this.picked);
    return can.has(hit) || nextCells(this.legal, []).has(hit) ? hit : this.near(clientX, clientY, can) ?? hit;
  }

  near(x, y, names) {
    let best = null;
    let least = REACH;
    for (const name of names) {
      const box = this.cells.get(name)?.getBoundingClientRect();
      if (!box || Math.min(box.width, box.height) >= WIDE) continue;
      const away = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
      if (away < least) {
        least = away;
        best = name;
      }
    }
    return best;
  }

  /** Select a cell, or with null update what is selected; returns whether that has made a move. */
  pick(cell) {
    if (cell !== null && this.active) {
      if (nextCells(this.legal, this.picked).has(cell)) this.picked.push(cell);
      else if (this.picked.includes(cell)) this.picked = [];
      else if (nextCells(this.legal, []).has(cell)) this.picked = [cell];
      else {
        this.picked = [];
        this.on.announce(`${cell} cannot be selected here`);
      }
    }
    const moves = this.picked.length ? matching(this.legal, this.picked) : [];
    const complete = moves.filter(({ squares }) => squares.length === this.picked.length);
    if (complete.length === 1 && moves.length === 1) {
      this.on.choose([]);
      this.on.move(complete[0].move);
      return true;
    }
    this.on.choose(complete.map(({ move }) => move), complete.length === moves.length);
    if (cell !== null && this.picked.length) this.on.announce(`selected ${this.picked.join(", ")}`);
    this.draw();
    return false;
  }

  /** Take back the cell, or the half-move, that was selected last; returns whether there was any. */
  takeBack() {
    const any = this.picked.length > 0;
    this.picked.splice(this.paired && this.picked.length % 2 === 0 ? -2 : -1);
    this.pick(null);
    return any;
  }

  /** Clear the selection; returns whether there was any. */
  clearSelection() {
    const any = this.picked.length > 0;
    this.picked = [];
    this.pick(null);
    return any;
  }

  // -- The keyboard.

  setWalking(walking) {
    this.walking = walking;
    this.draw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.cells?.size) return;
    if (event.key in ARROWS && this.walking) this.walk(...ARROWS[event.key]);
    else if (event.key === "Enter" || event.key === " ") {
      const walking = this.walking;
      this.setWalking(true);
      if (this.cursor === null || !walking) this.walk(0, 0);
      else this.pick(this.cursor);
    } else if (event.key === "Escape") {
      if (!this.clearSelection()) return;
      this.on.announce("selection cleared");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Move the cursor to the nearest cell in a direction. */
  walk(dx, dy) {
    if (this.cursor === null) {
      const names = [...this.cells.keys()];
      const legal = nextCells(this.legal, []);
      this.cursor = names.find((name) => legal.has(name)) ?? names[0];
    } else {
      if (this.turned) [dx, dy] = [-dx, -dy];
      const from = this.centre(this.cursor);
      let best = null;
      let least = Infinity;
      for (const name of this.cells.keys()) {
        const to = this.centre(name);
        const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
        const across = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
        if (name !== this.cursor && along > 1 && across <= 1.5 * along && along + 2 * across < least) {
          least = along + 2 * across;
          best = name;
        }
      }
      if (best === null) return;
      this.cursor = best;
    }
    const words = this.view.cells[this.cursor] || "empty";
    const can = nextCells(this.legal, this.picked).has(this.cursor) ? ", selectable" : "";
    this.on.announce(`${this.cursor}, ${words}${can}`);
    this.draw();
  }

  // -- Drawing.

  /** The bounding box of a cell, in the units of the picture. */
  box(name) {
    if (!this.boxes.has(name)) {
      const shape = this.cells.get(name).querySelector(".shape") ?? this.cells.get(name);
      const box = shape.getBBox();
      const matrix = this.svg.getScreenCTM()?.inverse().multiply(shape.getScreenCTM());
      const at = (x, y) => new DOMPoint(x, y).matrixTransform(matrix);
      const [one, other] = [at(box.x, box.y), at(box.x + box.width, box.y + box.height)];
      this.boxes.set(name, {
        x: Math.min(one.x, other.x), y: Math.min(one.y, other.y),
        width: Math.abs(other.x - one.x), height: Math.abs(other.y - one.y),
      });
    }
    return this.boxes.get(name);
  }

  centre(name) {
    const { x, y, width, height } = this.box(name);
    return { x: x + width / 2, y: y + height / 2 };
  }

  frame(name, kind, inset = 6) {
    const { x, y, width, height } = this.box(name);
    const size = { x: x + inset, y: y + inset, width: Math.max(4, width - 2 * inset), height: Math.max(4, height - 2 * inset) };
    return makeSvg("rect", { class: kind, rx: 10, ...size });
  }

  draw() {
    if (!this.view || !this.layer) return;
    const parts = [];
    const next = nextCells(this.legal, this.picked);
    for (const [name, cell] of this.cells) cell.classList.toggle("can", next.has(name));
    for (const cell of this.hinted) if (this.cells.has(cell)) parts.push(this.frame(cell, "hint"));
    drawHalfMoves(this);
    if (this.numbered) parts.push(...stoneNumbers(this));
    parts.push(makeSvg("g", { class: "ghosts" }, ...this.ghosts));
    const scored = this.scores.length ? [...arrows(this), ...badges(this)] : [];
    if (this.showLegal && next.size <= MOST_MARKS && (!scored.length || this.picked.length)) {
      for (const name of next) if (this.cells.has(name)) parts.push(this.mark(name));
    }
    for (const name of this.picked) if (this.cells.has(name)) parts.push(this.frame(name, "picked"));
    parts.push(...scored, ...threatOf(this));
    if (this.cursor !== null && this.walking) parts.push(this.frame(this.cursor, "cursor", 2));
    this.layer.replaceChildren(...parts);
  }

  /** The mark of a cell that can be selected: a dot, or a frame around a piece. */
  mark(name) {
    const { x, y } = this.centre(name);
    const { width, height } = this.box(name);
    const side = Math.min(width, height);
    const column = height > 2 * width; // a piece is dropped in at the top
    const empty = !this.view.cells[name] || this.picked.length > 2;
    if (!empty && !column) return this.frame(name, "takes", 5);
    const top = this.box(name).y + side / 2;
    return makeSvg("circle", { class: "dot", cx: x, cy: column ? top : y, r: Math.max(5, 0.09 * side) });
  }
}
