/** A position of a game to be searched: the game, its parameters, the position and the depth. */

import { $, listen, make, onSubmit } from "./dom.js";
import { parameterFields, parametersIn } from "./parameters.js";

export class PositionPanel {
  /**
   * @param {{name: string, title: string, parameters: object[]}[]} games
   * @param {(subject: object) => void} use called with the fields of a message
   */
  constructor(games, use) {
    this.games = new Map(games.map((game) => [game.name, game]));
    $("game").replaceChildren(...games.map(({ name, title }) => make("option", { value: name }, title)));
    listen("game", "change", () => this.fill({ game: $("game").value, depth: 2 }));
    onSubmit("set-up", () => use({
      game: $("game").value,
      parameters: parametersIn($("parameters")),
      position: $("position").value.trim(),
      depth: $("plies").value === "" ? null : Number($("plies").value),
    }));
    this.fill({ game: "tic-tac-toe", depth: 2 });
  }

  /** Show a subject in the form; of a tree, nothing. */
  fill({ game, parameters = {}, position = "", depth = null }) {
    if (!this.games.has(game)) return;
    $("game").value = game;
    $("parameters").replaceChildren(...parameterFields(this.games.get(game).parameters, parameters));
    $("position").value = position;
    $("plies").value = depth ?? "";
  }
}
