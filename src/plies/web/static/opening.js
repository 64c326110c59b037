/** Which game is shown: the one that the address names, a new one, one that was left; or the front door. */

import { Address } from "./address.js";
import { Superseded } from "./connection.js";
import { $, listen } from "./dom.js";
import { Game } from "./game.js";
import { Home } from "./home.js";
import { showProblem } from "./page.js";

const FIRST_GAME = "tic-tac-toe";
const MODES = ["play", "analyse", "watch"];
/** How the server says which move is wrong, unless it is the last. */
const NUMBERED = /^move (\d+):/;

/**
 * @typedef {object} Callbacks
 * @property {() => Map<string, object>} games all games by name
 * @property {(mode: string) => void} setMode seats who usually plays in a mode
 * @property {() => void} showMode shows which mode it is
 * @property {() => void} showAddress names the game in the address
 * @property {(id: string) => void} join follows a game with somebody at another page
 * @property {() => void} leave follows it no more
 */

export class Opening {
  /**
   * @param {import("./game_controller.js").GameController} controller
   * @param {Callbacks} on
   */
  constructor(controller, on) {
    this.controller = controller;
    this.on = on;
    /** The game that was left for the one that is shown. */
    this.left = null;
    /** The game that was cut short last, because it could not be shown. */
    this.cut = null;
    this.home = new Home((fields) => controller.viewOf(fields), (game) => this.resume(game));
    this.address = new Address(() => this.openAddress());
    listen("return", "click", () => this.resume(this.left));
    listen("brand", "click", (event) => {
      event.preventDefault();
      this.showHome();
    });
    listen("skip", "click", (event) => {
      event.preventDefault();
      (this.home.shown ? $("gallery").querySelector("a") : $("board")).focus();
    });
  }

  /** Show another game; resolves to an error, or "" if all went well. */
  async open(game, autoplay = true) {
    const { controller } = this;
    const before = controller.game;
    try {
      await controller.open(game, autoplay);
      $("left").hidden = !before?.root.children.length || game.at.parent !== null || before === game;
      this.left = before;
      return "";
    } catch (error) {
      if (error instanceof Superseded) return "";
      await this.openInstead(game, error.message);
      showProblem(error.message);
      return error.message;
    }
  }

  /** Go on with a game that was left: a machine that was thinking thinks again. */
  resume(game) {
    return this.open(game, !game.at.children.length);
  }

  /** A game cannot be shown: show as much of it as can be, or the game that was there. */
  async openInstead(game, why) {
    const { controller } = this;
    if (game.at.parent) {
      if (this.cut === game && !NUMBERED.test(why)) game.visit(game.root); // no single move is wrong
      else cutShort(game, why);
      this.cut = game;
      await this.open(game, false);
    } else if (controller.game) {
      this.enter();
      $("game").value = controller.game.name;
      this.on.showAddress();
    } else if (game.hash !== new Game(game.name).hash) await this.open(new Game(game.name));
    else if (game.name !== FIRST_GAME) await this.open(new Game(FIRST_GAME));
  }

  /** Show an error; on the front door, if no game is shown. */
  fail(words) {
    if (!this.controller.game) this.showHome();
    showProblem(words);
  }

  /** Open the game that the address names, or else the front door. */
  async openAddress() {
    const { address, controller } = this;
    const { game, mode, shared } = address; // before another address is written
    if (shared) {
      this.on.join(shared);
      return;
    }
    if (!game && !MODES.includes(mode)) {
      this.showHome();
      return;
    }
    if (game && game.hash === controller.game?.hash && address.shows(controller.game)) {
      this.enter();
      this.on.showMode();
      return;
    }
    if (game && address.shows(game)) await this.resume(game);
    // A link shows its position; machines move in it only when asked to.
    else if (game || !controller.game) await this.open(game ?? new Game(FIRST_GAME), !game?.at.parent);
    if (!game?.setting.seats) this.setMode(mode);
  }

  setMode(mode) {
    if (MODES.includes(mode) && this.controller.game) this.on.setMode(mode);
  }

  /** Go to a mode, from the front door with the game that was shown last. */
  async enterMode(mode) {
    if (!this.controller.game) await this.open(new Game(FIRST_GAME));
    this.enter();
    this.setMode(mode);
  }

  async newGame() {
    const { name, parameters, position } = this.controller.game;
    this.controller.running = false;
    if (!await this.open(new Game(name, parameters, position))) $("board").focus();
  }

  showHome() {
    this.controller.opening = null; // a game that is still awaited is not shown
    if (this.controller.game) this.controller.halt();
    this.on.leave();
    this.home.show(this.on.games());
    this.address.showHome();
    this.on.showMode();
  }

  /** Show the table with the board, instead of the front door. */
  enter() {
    this.home.hide();
    $("table").inert = false;
  }
}

/** Leave out the moves from the one on that the server refused. */
function cutShort(game, words) {
  const path = game.line.slice(0, game.at.path.length + 1);
  const number = Number(NUMBERED.exec(words)?.[1] ?? path.length - 1);
  const bad = path[Math.min(Math.max(number, 1), path.length - 1)];
  const before = bad.parent;
  bad.remove();
  game.visit(before);
}
