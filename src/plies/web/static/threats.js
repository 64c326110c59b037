/** What the opponent would play if you passed: an arrow on the board, and a sentence. */

import { Superseded } from "./connection.js";
import { $ } from "./dom.js";
import { capital } from "./ending.js";

const SECONDS = 1;

export class Threats {
  /**
   * @param {import("./board.js").Board} board
   * @param {import("./game_controller.js").GameController} controller
   * @param {(fields: object, onProgress: Function) => Promise<object>} analyse searches the current position
   */
  constructor(board, controller, analyse) {
    this.board = board;
    this.controller = controller;
    this.analyse = analyse;
  }

  /** Offer to show a threat where a player can pass, by a null move or by the rules. */
  offer() {
    const { view, details, personToMove, remote } = this.controller;
    const passes = view.legal.length > 1 && view.legal.some(({ squares }) => !squares.length);
    $("threat").hidden = !personToMove || remote !== null || !details.versus || !(details.null_move || passes);
  }

  async show() {
    const { controller, board } = this;
    const { at } = controller.game;
    const { on, details, view } = controller;
    on.thinking("Looking for a threat…");
    try {
      const { move, squares, value } = await this.analyse({ threat: true, seconds: SECONDS }, ({ note }) => note && on.thinking(`${note}…`));
      if (controller.game.at !== at) return;
      board.setThreat(squares);
      $("status").textContent = `If ${details.players[view.mover]} passed, ${details.players[1 - view.mover]} would play ${move} (${value.text}).`;
    } catch (error) {
      if (!(error instanceof Superseded)) on.problem(capital(error.message));
    } finally {
      on.thinking("");
    }
  }
}
