/** Scores on the board: badges on the few moves that matter, and arrows for the best; the list has the rest. */

import { makeSvg } from "./dom.js";
import { matching } from "./picking.js";
import { large, short, tone } from "./values.js";

/** So many moves all have a badge; of more, only the few that matter. Not tuned. */
const ALL = 12;
const FEW = 6;
/** The share of the most visited move's visits that a move needs to matter. Not tuned. */
const SHARE = 0.05;
const ARROWS = 3;
/** The size of a badge's words: their share of a cell, the least share on a piece, and the pixels that are enough. Not tuned. */
const [WORDS, ON_PIECE, ENOUGH] = [0.32, 0.21, 13];

/** The scores that matter: the best, as far as they are known exactly or have been visited often. */
function few({ scores, view }) {
  if (view.legal.length <= ALL) return scores;
  const most = Math.max(0, ...scores.map(({ visits }) => visits ?? 0));
  const known = scores.filter(({ value, visits }) => (visits === undefined ? value.bound !== "<=" : visits >= SHARE * most));
  return known.slice(0, FEW);
}

/** The moves that fit what is selected, with their cells. */
function cellsOf(board) {
  const moves = board.picked.length ? matching(board.view.legal, board.picked) : board.view.legal;
  return new Map(moves.map(({ move, squares }) => [move, squares]));
}

/** A badge on the last cell of each move; where several end, the best of them. */
export function badges(board) {
  const squares = cellsOf(board);
  const shown = new Map();
  few(board).forEach(({ move, value, visits }, rank) => {
    const cell = squares.get(move)?.at(-1);
    if (cell && board.cells.has(cell) && !shown.has(cell)) shown.set(cell, badge(board, cell, value, visits, rank === 0));
  });
  return [...shown.values()];
}

function badge(board, cell, value, visits, best) {
  const { width, height, y: top } = board.box(cell);
  const { x, y: middle } = board.centre(cell);
  const words = short(value).replace("0.", "."); // the fewer characters, the larger
  const side = Math.max(34, Math.min(width, height, 100));
  const onPiece = board.view.cells[cell] && height <= 2 * width;
  const pixels = side * (board.svg.getScreenCTM()?.a ?? 1);
  const share = onPiece ? Math.min(WORDS, Math.max(ON_PIECE, ENOUGH / Math.abs(pixels))) : WORDS; // it hides as little as can be
  const size = Math.min(share * side, (0.97 * side) / (0.62 * words.length + 0.5));
  const wide = size * (0.62 * words.length + 0.5);
  let y = height > 2 * width ? top + 0.75 * width : middle; // in a column, where a piece is dropped in
  if (onPiece) y = top + height - 0.8 * size; // below the piece
  const kinds = [tone(value), value.proved && "proved", value.bound !== "=" && !value.proved && "bound", best && "best"];
  const group = makeSvg("g", { class: `badge ${kinds.filter(Boolean).join(" ")}` });
  const tall = visits === undefined ? 1.5 * size : 2.3 * size;
  group.append(
    makeSvg("rect", { x: x - wide / 2, y: y - tall / 2, width: wide, height: tall, rx: 0.35 * size }),
    makeSvg("text", { x, y: y + 0.36 * size - (tall - 1.5 * size) / 2, "font-size": size, "text-anchor": "middle" }, words),
  );
  if (visits !== undefined) {
    const count = large(visits);
    const font = Math.min(0.7 * size, (0.9 * wide) / (0.6 * count.length));
    group.append(makeSvg("text", { class: "visits", x, y: y + 0.85 * size, "font-size": font, "text-anchor": "middle" }, count));
  }
  return group;
}

/** Arrows from cell to cell for the best moves, the best one thickest; none while a piece is selected. */
export function arrows(board) {
  if (board.picked.length) return [];
  const squares = cellsOf(board);
  const drawn = [];
  few(board).slice(0, ARROWS).forEach(({ move }, rank) => {
    const cells = squares.get(move);
    if (cells?.length === 2 && cells.every((cell) => board.cells.has(cell))) drawn.push(arrow(board, ...cells, rank));
  });
  return drawn.reverse();
}

/** The arrow of the opponent's threat; a ring where a piece would be placed. */
export function threatOf(board) {
  const cells = board.threat.filter((cell) => board.cells.has(cell));
  if (!cells.length) return [];
  const drawn = cells.length > 1 ? arrow(board, cells[0], cells.at(-1)) : board.frame(cells[0], "hint", 5);
  drawn.classList.add("threat");
  return [drawn];
}

/** An arrow between the middles of two cells. */
export function arrow(board, from, to, rank = 0) {
  const [a, b] = [board.centre(from), board.centre(to)];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const width = 16 - 4 * rank;
  const [head, neck] = [30 - 4 * rank, { x: b.x - 34 * ux, y: b.y - 34 * uy }];
  const line = makeSvg("line", { x1: a.x + 20 * ux, y1: a.y + 20 * uy, x2: neck.x, y2: neck.y, "stroke-width": width });
  const tip = [[b.x, b.y], [neck.x - head * 0.6 * uy, neck.y + head * 0.6 * ux], [neck.x + head * 0.6 * uy, neck.y - head * 0.6 * ux]];
  const point = makeSvg("polygon", { points: tip.map((at) => at.map((one) => one.toFixed(1)).join(",")).join(" ") });
  return makeSvg("g", { class: `way-arrow${rank ? "" : " best"}` }, line, point);
}
