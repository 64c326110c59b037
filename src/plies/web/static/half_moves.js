/** Half-moves, as those of two dice: what was moved so far is drawn, though the whole move is not made yet. */

/** The width of a cell in units of the picture. */
const UNIT = 100;

/**
 * Move pieces as far as pairs of cells, from and to, have been picked.
 * @param {import("./board.js").Board} board
 */
export function drawHalfMoves(board) {
  const { svg, cells } = board;
  for (const piece of svg.querySelectorAll(".piece[data-half]")) {
    piece.removeAttribute("transform");
    piece.removeAttribute("data-half");
  }
  if (!board.paired) return;
  const places = new Map([...svg.querySelectorAll(".piece:not(.overlay *)")].map((piece) => [piece, centreOf(piece)]));
  for (let i = 0; i + 1 < board.picked.length; i += 2) {
    const [from, to] = [board.picked[i], board.picked[i + 1]];
    if (!cells.has(from) || !cells.has(to)) continue;
    const piece = top(board, places, from);
    if (!piece) continue;
    const origin = centreOf(piece);
    const target = free(board, places, to, piece.getAttribute("class"));
    piece.setAttribute("transform", `translate(${target.x - origin.x} ${target.y - origin.y})`);
    piece.setAttribute("data-half", "");
    places.set(piece, target);
    piece.parentNode.append(piece);
  }
}

function centreOf(piece) {
  const { x, y, width, height } = piece.getBBox();
  return { x: x + width / 2, y: y + height / 2 };
}

function on(board, places, name) {
  const { x, y, width, height } = board.box(name);
  return [...places].filter(([, at]) => at.x > x && at.x < x + width && at.y > y && at.y < y + height);
}

/** Where a stack begins: at the outer end of a cell. */
function edge(board, name) {
  const { y, height } = board.box(name);
  const middle = board.svg.viewBox.baseVal.y + board.svg.viewBox.baseVal.height / 2;
  const upper = y + height / 2 < middle;
  return { start: upper ? y + UNIT / 2 : y + height - UNIT / 2, step: upper ? UNIT : -UNIT };
}

/** The piece of a cell that lies furthest from the edge. */
function top(board, places, name) {
  const { start } = edge(board, name);
  const found = on(board, places, name).sort(([, a], [, b]) => Math.abs(b.y - start) - Math.abs(a.y - start));
  return found[0]?.[0] ?? null;
}

/** The first free place of a cell; where another player's piece lies, its place. */
function free(board, places, name, look) {
  const { start, step } = edge(board, name);
  const own = on(board, places, name).filter(([piece]) => piece.getAttribute("class") === look).length;
  return { x: board.centre(name).x, y: start + Math.min(own, 4) * step };
}
