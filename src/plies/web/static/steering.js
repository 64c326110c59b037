/** Steering a piece with the arrow keys, held or not, and with swipes: for games whose moves are directions. */

import { isTyping } from "./dom.js";

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** Pixels that a finger moves in a swipe. Not tuned. */
const SWIPE = 24;

export class Steering {
  /**
   * @param {import("./board.js").Board} board
   * @param {() => boolean} wanted whether the game is steered and shown
   */
  constructor(board, wanted) {
    this.board = board;
    this.wanted = wanted;
    /** The direction that is held; null if none is. */
    this.held = null;
    // Before the board and the page see the key.
    document.addEventListener("keydown", (event) => this.press(event), { capture: true });
    document.addEventListener("keyup", (event) => {
      if (DIRECTIONS[event.key] === this.held) this.held = null;
    });
    addEventListener("blur", () => { this.held = null; });
    board.root.addEventListener("touchstart", (event) => { this.start = point(event); }, { passive: true });
    board.root.addEventListener("touchend", (event) => this.swipe(event));
  }

  press(event) {
    const direction = DIRECTIONS[event.key];
    if (!direction || !this.wanted() || isTyping(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat && this.held === direction) return;
    this.held = direction;
    this.go();
  }

  /** A swipe leads on in its direction until the next touch, or until there is no way. */
  swipe(event) {
    if (!this.wanted() || !this.start) return;
    const { x, y } = point(event);
    const [dx, dy] = [x - this.start.x, y - this.start.y];
    this.held = null;
    if (Math.max(Math.abs(dx), Math.abs(dy)) < SWIPE) return;
    event.preventDefault(); // no click
    this.held = Math.abs(dx) > Math.abs(dy) ? DIRECTIONS[dx < 0 ? "ArrowLeft" : "ArrowRight"] : DIRECTIONS[dy < 0 ? "ArrowUp" : "ArrowDown"];
    this.go();
  }

  /** Move in the direction that is held, if a person may and there is a way. */
  go() {
    if (!this.held || !this.wanted() || !this.board.active) return;
    const found = this.board.legal.find(({ squares }) => this.leads(squares));
    if (found) this.board.on.move(found.move);
  }

  leads(squares) {
    if (squares.length !== 2) return false;
    const [from, to] = squares.map((name) => this.board.centre(name));
    const [dx, dy] = this.held;
    const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
    return along > 1 && Math.abs((to.x - from.x) * dy + (to.y - from.y) * dx) < 1;
  }
}

function point(event) {
  const { clientX: x, clientY: y } = event.changedTouches[0];
  return { x, y };
}
