/** The numbers of the moves that placed the stones, written on them. */

import { makeSvg } from "./dom.js";

/** @param {import("./board.js").Board} board */
export function stoneNumbers(board) {
  return Object.entries(board.view.placed).filter(([cell]) => board.cells.has(cell)).map(([cell, number]) => {
    const { x, y } = board.centre(cell);
    const size = board.box(cell).height * (number > 99 ? 0.34 : 0.42);
    return makeSvg("text", { class: "number", x, y: y + 0.36 * size, "font-size": size, "text-anchor": "middle" }, String(number));
  });
}
