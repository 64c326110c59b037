/** Moves as sequences of cells: which legal moves fit the cells picked so far, and which cells may come next. */

/**
 * How the cells picked so far begin a move: the cells that may come next, or null if they do not.
 *
 * One or two cells are picked in the order of the move's squares. A move of more is made of pairs, from and to,
 * which may come in any order, as those of two dice; or, where a cell can follow itself, of cells in any order.
 */
function following(squares, picked, paired) {
  if (squares.length <= 2) {
    return picked.every((cell, i) => squares[i] === cell) ? squares.slice(picked.length, picked.length + 1) : null;
  }
  let left = [...squares];
  if (!paired) {
    for (const cell of picked) {
      const place = left.indexOf(cell);
      if (place < 0) return null;
      left.splice(place, 1);
    }
    return left;
  }
  let pairs = [];
  for (let i = 0; i < left.length; i += 2) pairs.push([left[i], left[i + 1]]);
  for (let i = 0; i < picked.length; i += 2) {
    const fits = pairs.filter(([from, to]) => from === picked[i] && (i + 1 === picked.length || to === picked[i + 1]));
    if (!fits.length) return null;
    if (i + 1 === picked.length) return fits.map(([, to]) => to);
    pairs.splice(pairs.indexOf(fits[0]), 1);
  }
  return pairs.map(([from]) => from);
}

/** Whether long moves are made of pairs: no cell ever follows itself. */
export function inPairs(legal) {
  return legal.every(({ squares }) => squares.length <= 2
    || (squares.length % 2 === 0 && squares.every((cell, i) => i % 2 === 1 || cell !== squares[i + 1])));
}

/**
 * The legal moves that the cells picked so far lead to.
 * @param {{move: string, squares: string[]}[]} legal
 * @param {string[]} picked
 */
export function matching(legal, picked) {
  const paired = inPairs(legal);
  return legal.filter(({ squares }) => squares.length >= picked.length && following(squares, picked, paired) !== null);
}

/** The cells that may be picked next. */
export function nextCells(legal, picked) {
  const paired = inPairs(legal);
  const cells = new Set();
  for (const { squares } of legal) for (const cell of following(squares, picked, paired) ?? []) cells.add(cell);
  return cells;
}
