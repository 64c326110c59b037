/** What a move would put on the board, seen before it is made: the pieces and walls of the picture after it. */

const WAIT = 70;
/** The most pictures that are kept of one position. Not tuned. */
const MOST = 400;

export class Preview {
  /**
   * @param {import("./board.js").Board} board
   * @param {(move: string) => Promise<object>} view the view after a move
   */
  constructor(board, view) {
    this.board = board;
    this.view = view;
    this.known = new Map();
    this.of = null;
    board.root.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.hover(board.cellAt(event)));
    board.root.addEventListener("pointerleave", () => this.hover(null));
  }

  hover(cell) {
    const { board } = this;
    const move = cell === null || board.root.classList.contains("dragging") ? null : board.moveTo(cell);
    if (move === this.move && board.view === this.of) return;
    if (board.view !== this.of) this.known.clear();
    [this.move, this.of] = [move, board.view];
    clearTimeout(this.timer);
    board.setGhosts([]);
    if (move === null) return;
    if (this.known.has(move)) this.show(move);
    else this.timer = setTimeout(() => this.fetch(move), WAIT);
  }

  async fetch(move) {
    const { of } = this;
    if (of !== this.board.view) return; // something was played meanwhile
    try {
      const { svg } = await this.view(move);
      if (of !== this.of) return;
      if (this.known.size < MOST) this.known.set(move, this.added(svg));
      if (move === this.move) this.show(move);
    } catch {
      /* then there is nothing to see before */
    }
  }

  show(move) {
    this.board.setGhosts((this.known.get(move) ?? []).map((one) => one.cloneNode(true)));
  }

  /** What the picture after a move has, and the one that is shown has not. */
  added(svg) {
    const parsed = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
    const now = new Set([...this.board.svg.querySelectorAll(".piece, line")].map((one) => one.outerHTML));
    return [...parsed.querySelectorAll(".piece:not(.check), line:not(.row)")].filter((one) => !now.has(one.outerHTML));
  }
}
