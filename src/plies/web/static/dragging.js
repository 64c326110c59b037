/** Dragging a piece to where it moves: the same cells as by clicking, selected where it is lifted and put down. */

import { nextCells } from "./picking.js";

/** Pixels after which a press is a drag. Not tuned. */
const FAR = 6;

export class Dragging {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.press = null;
    const { root } = board;
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    root.addEventListener("pointerup", (event) => this.up(event));
    root.addEventListener("pointercancel", () => this.drop());
    root.addEventListener("click", (event) => {
      if (!this.dragged) return;
      this.dragged = false;
      event.stopImmediatePropagation(); // the end of a drag is no click
    }, { capture: true });
  }

  down(event) {
    const { board } = this;
    this.dragged = false;
    if (event.button !== 0 || !board.active) return;
    const cell = board.cellAt(event);
    if (cell === null || board.legal.every(({ squares }) => squares.length < 2)) return;
    const fresh = nextCells(board.legal, board.picked).has(cell);
    const again = nextCells(board.legal, []).has(cell);
    const piece = (fresh || again || board.picked.at(-1) === cell) && board.pieceOn(cell);
    if (piece) this.press = { cell, piece, x: event.clientX, y: event.clientY, id: event.pointerId };
  }

  move(event) {
    const { press, board } = this;
    if (!press || event.pointerId !== press.id) return;
    if (!press.lifted) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
      press.lifted = true;
      board.root.setPointerCapture(press.id);
      board.root.classList.add("dragging");
      if (board.picked.at(-1) !== press.cell) board.pick(press.cell);
      if (board.picked.at(-1) !== press.cell) { // there was nothing to choose, and it is played
        this.drop();
        return;
      }
      press.piece.parentNode.append(press.piece); // above the others
    }
    const matrix = board.svg.getScreenCTM().inverse();
    const at = (x, y) => new DOMPoint(x, y).matrixTransform(matrix);
    const [from, to] = [at(press.x, press.y), at(event.clientX, event.clientY)];
    press.piece.setAttribute("transform", `translate(${to.x - from.x} ${to.y - from.y})`);
  }

  up(event) {
    const { press, board } = this;
    if (!press?.lifted) {
      this.press = null;
      return;
    }
    this.drop();
    this.dragged = true;
    setTimeout(() => { this.dragged = false; }, 0);
    const target = board.cellAt(event);
    if (target === null || target === press.cell) return; // it stays selected
    if (nextCells(board.legal, board.picked).has(target)) {
      board.handled = true;
      board.pick(target);
    } else board.clearSelection();
  }

  /** Put the piece back; if it moves, the next picture shows it. */
  drop() {
    this.press?.piece.removeAttribute("transform");
    this.press = null;
    this.board.root.classList.remove("dragging");
  }
}
