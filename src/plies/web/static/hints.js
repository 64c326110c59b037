/** Hints in stages: first where to look, then the move, then the line. */

import { Superseded } from "./connection.js";

const SECONDS = 1;

/**
 * @typedef {object} Callbacks
 * @property {(fields: object, onProgress: Function) => Promise<object>} analyse searches the current position
 * @property {() => object | null} known what the live analysis has found there already
 * @property {() => object} position identifies the current position
 * @property {(words: string) => void} say shows a hint
 * @property {(words: string) => void} thinking shows what goes on
 * @property {(words: string) => void} problem shows an error
 */

export class Hints {
  /**
   * @param {import("./board.js").Board} board
   * @param {Callbacks} on
   */
  constructor(board, on) {
    this.board = board;
    this.on = on;
    this.reset();
  }

  /** Discard the hints of another position. */
  reset() {
    this.stage = 0;
    this.info = null;
  }

  /** Give the next hint. */
  async next() {
    const { on } = this;
    if (!this.info) {
      const position = on.position();
      on.thinking("Looking for a hint…");
      try {
        const info = on.known() ?? await on.analyse({ seconds: SECONDS }, ({ note }) => note && on.thinking(`${note}…`));
        if (on.position() !== position) return;
        this.info = info;
      } catch (error) {
        if (!(error instanceof Superseded)) on.problem(error.message);
        return;
      } finally {
        on.thinking("");
      }
    }
    this.stage = Math.min(3, this.stage + 1);
    this.show();
  }

  show() {
    const { board, on } = this;
    const { move, lines, mixed } = this.info;
    if (mixed) {
      on.say(`Best: ${mixed.join("; ")}.`);
      return;
    }
    const squares = board.view.legal.find((one) => one.move === move)?.squares ?? [];
    if (this.stage === 1 && squares.length > 1) {
      board.setHint(squares.slice(0, 1));
      on.say(`Look at ${squares[0]}. Ask again for the move.`);
    } else if (this.stage === 1 && squares.length === 1 && board.cells.has(squares[0])) {
      const area = this.area(squares[0]);
      board.setHint(area.cells);
      on.say(`Look ${area.words}. Ask again for the move.`);
    } else if (this.stage <= 2) {
      this.stage = 2;
      board.setHint(squares);
      on.say(`${move} looks best. Ask again for the line.`);
    } else on.say(`Best line: ${(lines[0] ?? [move]).join(" ")}.`);
  }

  /** The ninth of the board that a cell is in: its name and its cells. */
  area(cell) {
    const { board } = this;
    const centres = [...board.cells.keys()].map((name) => ({ name, ...board.centre(name) }));
    const third = (at, key) => {
      const all = centres.map((one) => one[key]);
      const [low, high] = [Math.min(...all), Math.max(...all)];
      return high - low < 1 ? 1 : Math.min(2, Math.floor((3 * (at[key] - low)) / (high - low)));
    };
    const here = centres.find((one) => one.name === cell);
    const [column, row] = [third(here, "x"), third(here, "y")];
    const [down, across] = [["at the top", "in the middle", "at the bottom"][row], ["on the left", "", "on the right"][column]];
    const cells = centres.filter((one) => third(one, "x") === column && third(one, "y") === row);
    if (cells.length < 2) { // on a small board, a third of it
      const inColumn = centres.filter((one) => third(one, "x") === column);
      return { words: across || "in the middle columns", cells: inColumn.map((one) => one.name) };
    }
    return { words: [down, across].filter(Boolean).join(" "), cells: cells.map((one) => one.name) };
  }
}
