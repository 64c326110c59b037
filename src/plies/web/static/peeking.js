/** Positions that are only looked at: shown over the board for a while. */

/**
 * Show the position after some moves; with none, the current one.
 * @param {import("./board.js").Board} board
 * @param {(moves: string[]) => Promise<{svg: string}>} viewAfter
 */
export function peeking(board, viewAfter) {
  let last = null;
  return async (moves) => {
    last = moves;
    board.peek(null);
    if (!moves.length) return;
    try {
      const { svg } = await viewAfter(moves);
      if (last === moves) board.peek(svg);
    } catch {
      /* then there is nothing to see */
    }
  };
}
