/**
 * A game with somebody at another page. The server keeps it, and says after every change what it is like now; this
 * page shows that, and asks for moves. Nothing here touches the document.
 */

import { Game } from "./game.js";
import { load, store } from "./storage.js";

/** The most games whose seats the browser remembers. Not tuned. */
const MOST_KEYS = 40;

/**
 * @typedef {object} Callbacks
 * @property {(game: Game) => Promise<string>} open shows a game; resolves to an error or ""
 * @property {(seat: number | null) => void} seated this page has a seat from now on; null: it watches
 * @property {() => void} changed something other than the position has changed
 * @property {() => void} ended this page follows the game no more
 * @property {(words: string) => void} problem an error
 */

export class SharedGame {
  /**
   * @param {import("./connection.js").Connection} connection
   * @param {import("./game_controller.js").GameController} controller
   * @param {Callbacks} on
   */
  constructor(connection, controller, on) {
    this.connection = connection;
    this.controller = controller;
    this.on = on;
    /** The id of the game that is followed; null if none is. */
    this.id = null;
    /** What the server has said last, and when. */
    this.state = null;
    this.heard = 0;
    this.game = null;
    /** The position in which the game stands. */
    this.last = null;
    this.busy = false;
  }

  /** Make a game of the position that is shown; resolves to its id, the link for the other player and its code. */
  async create(fields) {
    const key = newKey();
    const made = await this.connection.ask("share", { ...this.controller.game.fields(), ...fields, key });
    storeKey(made.shared, key);
    this.follow(made.shared);
    return made;
  }

  /** Follow a game, and take a seat in it if one is free. */
  follow(id) {
    if (this.id === id) return;
    this.leave();
    this.id = id;
    const key = keys()[id] ?? newKey();
    storeKey(id, key);
    this.connection.ask("join", { shared: id, key }, ({ info }) => this.id === id && this.receive(info)).catch((error) => {
      if (this.id !== id) return;
      this.forget();
      this.on.problem(error.message);
    });
  }

  /** Follow no game any more; the seat stays this page's own. */
  leave() {
    if (this.id === null) return;
    this.forget();
    this.connection.ask("leave").catch(() => {}); // then it hears of a game that it does not show
  }

  forget() {
    this.id = this.state = this.waiting = null;
    this.controller.remote = null;
    this.on.ended();
  }

  /** Show what the server says; of several that come at once, the last. */
  async receive(state) {
    this.waiting = state;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.waiting) {
        const next = this.waiting;
        this.waiting = null;
        await this.show(next);
      }
    } finally {
      this.busy = false;
    }
  }

  async show(state) {
    const { id, controller } = this;
    const fresh = this.state?.round !== state.round;
    this.state = state;
    this.heard = performance.now();
    if (fresh) {
      const game = new Game(state.game, state.parameters, state.position);
      game.id = `shared-${id}-${state.round}`;
      game.visit(game.add(state.view.moves));
      this.game = game;
      this.last = game.at;
      controller.remote = this;
      this.on.seated(state.seat);
      const problem = await this.on.open(game);
      if (this.id !== id) return;
      if (problem || controller.game !== game) { // another is shown instead
        this.leave();
        return;
      }
    }
    const { game } = this;
    const node = game.add(state.view.moves);
    const along = controller.game.at === this.last;
    if (!node.view) game.keep(node, state.view); // a selection stays while only a clock has changed
    this.last = node;
    game.outcome = state.outcome;
    if (along && controller.game.at !== node) await controller.go(node);
    this.on.changed();
  }

  /** Whether a game is the one that is followed. */
  shows(game) {
    return this.id !== null && this.game === game;
  }

  get over() {
    return this.state.view.over || this.state.outcome !== null;
  }

  /** Whether the person here may move: it is their turn, both are there, and they look at the last position. */
  get mayMove() {
    const { acts, seat, taken } = this.state;
    return acts.includes(seat) && taken.every(Boolean) && this.controller.game.at === this.last;
  }

  /** Make a move, or a choice where all choose at once. */
  async play(move) {
    const { seat, view, acts } = this.state;
    if (seat === null) this.on.problem("You watch this game.");
    else if (this.controller.game.at !== this.last) this.on.problem("Go to the last position to move (End).");
    else if (!acts.includes(seat)) this.on.problem("It is not your turn.");
    else await this.send("shared_move", { ply: view.moves.length, move });
  }

  /** "resign", "draw", "rematch" or "decline". */
  act(action) {
    return this.send("shared_act", { action, round: this.state.round });
  }

  /** The link for the other player, and its code. */
  invitation() {
    return this.connection.ask("invitation", { shared: this.id });
  }

  async send(type, fields) {
    const named = { shared: this.id, key: keys()[this.id], ...fields };
    try {
      if (type === "shared_move") await this.connection.ask("shared_move", named);
      else await this.connection.ask("shared_act", named);
      this.on.problem("");
    } catch (error) {
      this.on.problem(error.message);
    }
  }

  /** The seconds on a player's clock now; null without clocks. */
  clock(seat) {
    const { clocks, running } = this.state;
    if (!clocks) return null;
    return Math.max(0, clocks[seat] - (running[seat] ? (performance.now() - this.heard) / 1000 : 0));
  }
}

/** A key nobody can guess, which the seat is known by. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function keys() {
  const all = load("shared");
  const own = typeof all === "object" && all !== null ? Object.entries(all) : [];
  return Object.fromEntries(own.filter(([, key]) => typeof key === "string"));
}

function storeKey(id, key) {
  const others = Object.entries(keys()).filter(([other]) => other !== id);
  store("shared", Object.fromEntries([...others.slice(1 - MOST_KEYS), [id, key]]));
}
