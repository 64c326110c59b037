/**
 * Plays a game against the server: moves of people, machines and chance, and the way through the tree of moves.
 * Nothing here touches the document; the page is notified by callbacks.
 */

import { Superseded } from "./connection.js";
import { CHANCE, SIMULTANEOUS } from "./game.js";

/** Milliseconds before chance moves by itself. */
const CHANCE_DELAY = 250;

/**
 * @typedef {object} Callbacks
 * @property {(game: object, details: object) => void} opened another game is shown
 * @property {() => void} changed the position or whose turn it is has changed
 * @property {() => void} idle nothing will move by itself in this position
 * @property {() => void} halted whatever went on by itself was stopped
 * @property {() => void} moving a machine or chance is about to move
 * @property {(words: string) => void} thinking what a machine is doing; "" when it is done
 * @property {(words: string) => void} problem an error; "" for none
 * @property {(busy: boolean) => void} busy whether a position is awaited
 * @property {(seat: number) => object} clock what the server is told of a machine's clock
 * @property {() => number} delay milliseconds between the moves of machines that are watched
 */

export class GameController {
  /**
   * @param {import("./connection.js").Connection} connection
   * @param {import("./players_panel.js").PlayersPanel} players
   * @param {Callbacks} on
   */
  constructor(connection, players, on) {
    this.connection = connection;
    this.players = players;
    this.on = on;
    /** @type {import("./game.js").Game} */
    this.game = null;
    this.details = null;
    /** Whether machines that are watched go on by themselves. */
    this.running = false;
    /** The node in which a machine or chance is about to move. */
    this.moving = null;
    this.busy = false;
    /** The question for the game that is opened; of several, the last counts. */
    this.opening = null;
    /** What was to be played while a position was awaited. @type {{ move: string, play: () => void }[]} */
    this.awaiting = [];
    /** What was said of a move that was not played, until the next one of a person. */
    this.refusal = "";
    this.timer = 0;
    /** Where all choose at once: the node, and what people have chosen there so far, by seat. */
    this.chosen = { node: null, choices: [] };
    /** The game with somebody at another page, while it is shown. @type {import("./shared_game.js").SharedGame} */
    this.remote = null;
  }

  get view() {
    return this.game.at.view;
  }

  /** Whether the game is over, by its rules or otherwise. */
  get over() {
    return this.view.over || this.game.outcome !== null;
  }

  /** Whether only machines play. */
  get watching() {
    return this.players.people === 0;
  }

  /** What people have chosen so far, by seat, where all choose at once. */
  get choices() {
    if (this.chosen.node !== this.game.at) this.chosen = { node: this.game.at, choices: [] };
    return this.chosen.choices;
  }

  /** Where all choose at once: the seat of the person who chooses next, unseen by the others; null if there is none. */
  get chooser() {
    if (this.view.mover !== SIMULTANEOUS) return null;
    const seats = this.details.players.map((_, seat) => seat);
    return seats.find((seat) => this.players.isPerson(seat) && this.choices[seat] === undefined) ?? null;
  }

  /** Whether a person has a say in a move by that mover. */
  isPersons(mover) {
    return mover === SIMULTANEOUS ? this.players.people > 0 : this.players.isPerson(mover);
  }

  /** Whether a person is to move. */
  get personToMove() {
    if (this.over || (this.remote && !this.remote.mayMove)) return false;
    if (this.view.mover === SIMULTANEOUS) return this.chooser !== null;
    return this.view.mover !== CHANCE && this.players.isPerson(this.view.mover);
  }

  /** Whether a person may move: it is their turn, or the machines that are watched have paused. */
  get canMove() {
    return this.personToMove || (this.watching && !this.running && !this.over && this.view.mover !== CHANCE);
  }

  /**
   * Show another game; rejected with an error if the server cannot, or if yet another is opened meanwhile.
   * @param {boolean} autoplay whether machines may move in it
   */
  async open(game, autoplay = true) {
    this.halt();
    const asked = this.connection.ask("game", game.fields());
    this.opening = asked;
    const { details, view } = await asked.finally(() => {
      if (this.opening !== asked) throw new Superseded();
    });
    this.game = game;
    this.awaiting = [];
    this.refusal = "";
    this.details = details;
    game.keep(game.at, view);
    this.on.opened(game, details);
    this.on.problem("");
    this.on.changed();
    if (autoplay) this.advance();
    else this.on.idle();
  }

  /**
   * Go to a position. If several are asked for, the last one counts.
   * @param {boolean} autoplay whether machines go on from there
   */
  async go(node, autoplay = false) {
    this.halt();
    this.wanted = { node, autoplay };
    if (!autoplay) this.refusal = "";
    if (this.busy) return;
    this.busy = true;
    this.on.busy(true);
    try {
      while (this.wanted) {
        const { node: wanted, autoplay: on } = this.wanted;
        this.wanted = null;
        const node = await this.visit(wanted);
        if (!node || this.wanted) continue;
        this.on.problem(this.refusal);
        this.on.changed();
        if (on || !node.children.length) this.advance();
        else this.on.idle();
      }
    } finally {
      this.busy = false;
      this.on.busy(false);
    }
    this.playAwaiting();
  }

  /** Play what was asked for while a position was awaited, or say that it is not played. */
  playAwaiting() {
    const { awaiting } = this;
    this.awaiting = [];
    for (const { move, play } of awaiting) {
      if (this.busy || this.canMove || this.over) play();
      else this.on.problem(this.refusal = `${move} was not played: it is not your turn.`);
    }
  }

  /** Make a position the current one, once its view is there; null if there is none. */
  async visit(node) {
    const { game } = this;
    try {
      if (!node.view) {
        const view = await this.fetchView(node);
        if (game !== this.game) return null;
        const written = view.moves.at(-1);
        const same = node.parent?.children.find((other) => other !== node && other.move === written);
        if (same) node.remove(); // the same move, typed in another way
        node = same ?? node;
        game.keep(node, view);
      }
      game.visit(node);
      return node;
    } catch (error) {
      if (node.parent && !node.children.length) node.remove();
      this.on.problem(error.message);
      this.on.changed();
      this.on.idle();
      return null;
    }
  }

  /** The view of a position. */
  fetchView(node) {
    return this.viewOf(this.game.fields(node));
  }

  /** The view after some moves more, which are not played. */
  viewAfter(moves) {
    return this.viewOf({ ...this.game.fields(), moves: [...this.game.at.path, ...moves] });
  }

  /** The view of any position of any game. */
  viewOf(fields) {
    return this.connection.ask("view", fields);
  }

  /** Make a move in the current position, in notation or as typed. */
  play(move) {
    if (this.busy) {
      this.awaiting.push({ move, play: () => this.play(move) });
      return;
    }
    this.refusal = "";
    if (this.over && this.remote) this.on.problem("The game is over. Ask for a rematch or start a new game.");
    else if (this.view.over) this.on.problem("The game is over. Undo a move or start a new game.");
    else if (this.over) this.on.problem("The game is over. Undo a move to go on.");
    else if (this.remote) this.remote.play(move);
    else if (this.chooser !== null) this.choose(move);
    else this.go(this.game.at.child(move), true);
  }

  /** Make moves one after the other, as a variation; nobody answers. */
  playLine(moves) {
    if (this.busy) this.awaiting.push({ move: moves.join(" "), play: () => this.playLine(moves) });
    else if (!this.over) this.go(this.game.add(moves, this.game.at));
  }

  /** Let a machine that is searching for a move play what it has found. */
  hurry() {
    this.connection.ask("hurry").catch(() => {}); // then it takes its time
  }

  /** Take the choice of a person; once all people have chosen, machines choose, and all is shown. */
  choose(text) {
    const { view, chooser } = this;
    const plain = text.trim().toLowerCase();
    const found = view.choices[chooser].find(({ move }) => move.toLowerCase() === plain);
    if (found) {
      this.choices[chooser] = found.move;
      this.on.problem("");
      this.on.changed();
      if (this.chooser === null) this.moveNow();
    } else if (this.players.people === this.details.players.length && view.legal.some(({ move }) => move === text)) {
      this.go(this.game.at.child(text), true); // a move of all, as an analysis offers it
    } else {
      this.on.problem(`${text} is not a legal choice; choices: ${view.choices[chooser].map(({ move }) => move).join(", ")}`);
    }
  }

  /** The view after a move of all: people have chosen, and machines are asked only now. */
  async moveTogether() {
    const fields = this.game.fields();
    const choices = [...this.choices];
    for (let seat = 0; seat < this.details.players.length; seat += 1) {
      if (choices[seat] !== undefined) continue;
      this.on.thinking(`${this.details.players[seat]} is thinking…`);
      const asked = { ...fields, ...this.players.machine(seat), player: seat };
      const { choice } = await this.connection.search("choose", asked, ({ note }) => note && this.on.thinking(`${note}…`));
      choices[seat] = choice;
    }
    return this.connection.ask("together", { ...fields, choices });
  }

  /** Let chance and machines move if it is their turn. */
  advance() {
    const { view } = this;
    if (this.over || this.remote || view.full || this.personToMove || (this.watching && !this.running)) {
      if (this.over) this.running = false;
      this.on.idle();
      return;
    }
    this.on.moving();
    const delay = this.watching ? this.on.delay() : view.mover === CHANCE ? CHANCE_DELAY : 0;
    this.timer = setTimeout(() => this.moveNow(), delay);
  }

  /** One move of a machine or of chance. */
  async moveNow() {
    const { game, view } = this;
    const node = game.at;
    if (this.over || this.moving === node) return;
    this.moving = node;
    this.on.moving();
    try {
      const after = view.mover === CHANCE
        ? await this.connection.ask("chance", game.fields())
        : view.mover === SIMULTANEOUS ? await this.moveTogether() : await this.machineMove(view.mover);
      if (this.game !== game || game.at !== node) return;
      const child = node.child(after.moves.at(-1));
      game.keep(child, after);
      this.go(child, true);
    } catch (error) {
      if (error instanceof Superseded) return;
      this.running = false;
      this.chosen = { node: null, choices: [] };
      this.on.changed();
      this.on.problem(error.message);
    } finally {
      if (this.moving === node) {
        this.moving = null;
        this.on.thinking("");
      }
    }
  }

  /** The view after the move of the machine that plays a side. */
  machineMove(mover) {
    this.on.thinking(`${this.details.players[mover]} is thinking…`);
    return this.connection.search(
      "move",
      { ...this.game.fields(), ...this.players.machine(mover), ...this.on.clock(mover) },
      ({ note }) => note && this.on.thinking(`${note}…`),
    );
  }

  /** An analysis of a position, the current one unless given; by another connection, it disturbs no other search. */
  analyse(node, fields, onProgress, connection = this.connection) {
    return connection.search("analyse", { ...this.game.fields(node), ...fields }, onProgress);
  }

  /** Stop whatever goes on by itself. */
  halt() {
    this.moving = null;
    this.chosen = { node: null, choices: [] };
    clearTimeout(this.timer);
    this.connection.stop();
    this.on.thinking("");
    this.on.halted();
  }

  /** Start or pause machines that are watched. */
  run() {
    this.running = !this.running;
    this.halt();
    this.on.changed();
    if (this.running) this.moveNow();
    else this.advance();
  }

  /** A side gets another player. */
  reseat() {
    this.halt();
    this.running = false;
    this.on.changed();
    this.advance();
  }

  // -- Through the game.

  /** The person who is to move, or else the only one, resigns. */
  resign() {
    if (this.over) return;
    if (this.remote) {
      this.remote.act("resign");
      return;
    }
    const { mover } = this.view;
    const loser = this.players.isPerson(mover) ? mover : this.players.seats.findIndex((_, seat) => this.players.isPerson(seat));
    this.end(1 - loser, "resigned");
  }

  /** End the game otherwise than by its rules. */
  end(winner, how) {
    this.game.outcome = { winner, how };
    this.running = false;
    this.halt();
    this.on.changed();
    this.on.idle();
  }

  /** Go back to before the last move of a person; or take back that somebody has resigned, or let time run out. */
  undo() {
    if (this.game.outcome !== null) {
      if (this.game.outcome.how === "time") this.game.clock = null; // there is none left to go on with
      this.game.outcome = null;
      this.halt();
      this.on.changed();
      this.advance();
      return;
    }
    let { at } = this.game;
    if (!at.parent) return;
    while (at.parent.parent && !this.watching && !this.isPersons(at.mover)) at = at.parent;
    this.go(at.parent);
  }

  /** Go forward to where a person moves next. */
  redo() {
    let node = this.game.at.next;
    if (!node) return;
    const ends = ({ view }) => !view || view.over || this.isPersons(view.mover);
    while (node.next && !this.watching && !ends(node)) node = node.next;
    this.go(node);
  }

  back() {
    if (this.game.at.parent) this.go(this.game.at.parent);
  }

  forward() {
    if (this.game.at.next) this.go(this.game.at.next);
  }
}
