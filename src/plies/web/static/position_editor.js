/** Sets up a position cell by cell: choose a sign, then click cells. The server says what is wrong with it. */

import { $, listen, makeButton, makeSvg } from "./dom.js";

export class PositionEditor {
  /**
   * @param {import("./board.js").Board} board
   * @param {object} on
   * @param {(edits: object) => Promise<object>} on.edit the position that is shown after some edits
   * @param {(position: string) => void} on.setUp shows a position
   * @param {() => void} on.changed called when something is edited from now on, or nothing any more
   * @param {(words: string) => void} on.problem an error
   */
  constructor(board, on) {
    this.board = board;
    this.on = on;
    /** What was put on cells, by cell; null while nothing is edited. */
    this.edits = null;
    listen("edit", "click", () => (this.edits ? this.close() : this.open()));
    listen("edit-done", "click", () => this.done());
    listen("edit-clear", "click", () => this.clear());
    board.root.addEventListener("click", (event) => this.click(event), true); // before the board takes it for a move
  }

  async open() {
    this.edits = {};
    this.sign = null;
    try {
      const { signs } = await this.on.edit({});
      this.signs = signs;
      this.empty = Object.keys(signs).find((sign) => !signs[sign]);
      $("signs").replaceChildren(...Object.entries(signs).map(([sign, words]) => makeButton(words || "empty", () => this.choose(sign), { "data-sign": sign, "aria-pressed": "false" })));
      this.choose(Object.keys(signs).find((sign) => signs[sign]));
      this.show(true);
      this.on.changed();
      this.note("Choose what to put, then click cells. Whose turn it is stands in the text below.");
    } catch (error) {
      this.edits = null;
      this.on.problem(error.message);
    }
  }

  choose(sign) {
    this.sign = sign;
    for (const button of $("signs").children) button.setAttribute("aria-pressed", String(button.dataset.sign === sign));
  }

  click(event) {
    if (!this.edits) return;
    event.stopPropagation();
    event.preventDefault();
    const cell = event.target.closest("[data-cell]")?.dataset.cell ?? this.cellAt(event.clientX, event.clientY);
    if (cell) this.put({ [cell]: this.sign });
  }

  /** The cell at a place, whatever is drawn over it. */
  cellAt(x, y) {
    for (const [name, cell] of this.board.cells) {
      const { left, right, top, bottom } = cell.getBoundingClientRect();
      if (x >= left && x < right && y >= top && y < bottom) return name;
    }
    return null;
  }

  /** Take everything away. */
  clear() {
    const { cells } = this.board.view;
    this.put(Object.fromEntries(Object.keys(cells).filter((cell) => cells[cell] || this.edits[cell]).map((cell) => [cell, this.empty])));
  }

  async put(edits) {
    const before = this.edits;
    this.edits = { ...before, ...edits };
    try {
      const { position, svg, problem } = await this.on.edit(this.edits);
      $("position").value = position;
      this.board.peek(svg);
      this.mark(svg ? {} : this.edits);
      this.note(problem && `${problem[0].toUpperCase()}${problem.slice(1)}.`);
    } catch (error) {
      this.edits = before;
      this.note(error.message);
    }
  }

  /** Name what was put on cells while it makes no position that can be drawn. */
  mark(edits) {
    this.board.layer.querySelectorAll(".edited").forEach((old) => old.remove());
    for (const [cell, sign] of Object.entries(edits)) {
      const { x, y, width, height } = this.board.box(cell);
      this.board.layer.append(makeSvg("text", { class: "edited", x: x + width / 2, y: y + height / 2, "font-size": height / 2 }, sign));
    }
  }

  done() {
    const position = $("position").value.trim();
    this.close();
    this.on.setUp(position);
  }

  close() {
    this.edits = null;
    this.board.peek(null);
    this.mark({});
    this.show(false);
    this.note("");
    this.on.changed();
  }

  show(open) {
    $("edit").setAttribute("aria-pressed", String(open));
    $("editor").hidden = !open;
  }

  note(words) {
    $("edit-note").textContent = words;
  }
}
